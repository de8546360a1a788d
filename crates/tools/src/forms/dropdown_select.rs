//! Dropdowns: select fields, listboxes behind a button, comboboxes.

use browser::snapshot::SnapshotElement;
use browser::{Action, Ref, Snapshot};
use page::Page;
use page::dom::Node;
use serde::{Deserialize, Serialize};

use crate::controls::form_actions::{best, fill, submit};
use crate::controls::form_fields::{PageField, fields};
use crate::controls::interaction;
use crate::controls::snapshot_search::{find_by_text, is_usable, match_quality, take_snapshot, text_of};
use crate::controls::ui_words::{APPLY, SEARCH};
use crate::{Error, Tool, ToolContext};

/// The tool `forms.dropdown_select`.
pub struct FormsDropdownSelect;

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    field: String,
    label: Option<String>,
    value: Option<String>,
    index: Option<usize>,
    submit: bool,
}

#[derive(Serialize)]
pub struct Output {
    selected: SelectedEntry,
    kind: &'static str,
    submitted: bool,
    url_changed: bool,
    new_url: String,
}

/// The entry that was chosen.
#[derive(Debug, Clone, Serialize)]
pub struct SelectedEntry {
    value: Option<String>,
    label: String,
}

/// How long a list may take to open, and a page to follow, in milliseconds.
const TIMEOUT_MS: u64 = 1_500;

impl Tool for FormsDropdownSelect {
    type Params = Params;
    type Output = Output;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Output, Error> {
        let wishes = [
            params.label.is_some(),
            params.value.is_some(),
            params.index.is_some(),
        ];
        if wishes.iter().filter(|it| **it).count() != 1 {
            return Err(Error::param(
                "label",
                "give exactly one of label, value and index",
            ));
        }
        let before = context.url();
        let page = context.page().await?;
        let native = select_field(&page, &params.field);
        let (selected, kind) = match &native {
            Some(field) => (choose(context, &page, field, &params).await?, "native"),
            None => open_and_choose(context, &params).await?,
        };
        let submitted = match (&native, params.submit) {
            (Some(field), true) => {
                let words: Vec<&str> = APPLY.iter().chain(SEARCH.iter()).copied().collect();
                submit(context, &page, field, &words).await?;
                true
            }
            (None, true) => {
                context.warn("the widget belongs to no form; what it chose holds at once");
                false
            }
            _ => false,
        };
        interaction::wait_until_quiet(context, TIMEOUT_MS).await?;
        let (url_changed, new_url) = interaction::address_change(context, before.as_ref());
        Ok(Output {
            selected,
            kind,
            submitted,
            url_changed,
            new_url,
        })
    }
}

/// The select field of a label, a name, an id or a selector.
fn select_field(page: &Page, wanted: &str) -> Option<PageField> {
    let selects: Vec<PageField> = fields(page)
        .into_iter()
        .filter(|it| it.kind == "select")
        .collect();
    let exact = |field: &&PageField| {
        let node = page.dom().node(field.node);
        node.attr("name") == Some(wanted) || node.id_attr() == wanted
    };
    if let Some(field) = selects.iter().find(exact) {
        return Some(field.clone());
    }
    let labelled = selects
        .iter()
        .filter_map(|it| Some((match_quality(&it.label, wanted, false)?, it)));
    if let Some(field) = best(labelled) {
        return Some(field.clone());
    }
    let selector = page::dom::Selector::parse(wanted).ok()?;
    let node = page.dom().root().select_first(&selector).ok()??;
    selects.into_iter().find(|it| it.node == node.id())
}

async fn choose(
    context: &mut ToolContext,
    page: &Page,
    field: &PageField,
    params: &Params,
) -> Result<SelectedEntry, Error> {
    let select = page.dom().node(field.node);
    let options: Vec<Node<'_>> = select.descendants().filter(|it| it.is("option")).collect();
    let text = |node: &Node<'_>| {
        node.attr("label")
            .map(str::to_owned)
            .unwrap_or_else(|| node.text())
    };
    let value = |node: &Node<'_>| {
        node.attr("value")
            .map(str::to_owned)
            .unwrap_or_else(|| node.text())
    };
    let found = match (&params.label, &params.value, params.index) {
        (Some(label), ..) => {
            let fitting = options
                .iter()
                .filter_map(|it| Some((match_quality(&text(it), label, false)?, it)));
            best(fitting)
        }
        (_, Some(wanted), _) => options.iter().find(|it| value(it) == *wanted),
        (_, _, index) => index.and_then(|it| options.get(it)),
    };
    let Some(option) = found else {
        let labels: Vec<String> = options.iter().take(20).map(text).collect();
        return Err(Error::NotFound(format!(
            "the dropdown has no such entry; it has: {}",
            labels.join(", ")
        )));
    };
    let target = interaction::find(context, &field.css).await?;
    let twice = options.iter().filter(|it| text(it) == text(option)).count() > 1;
    let wanted = if twice { value(option) } else { text(option) };
    let options = vec![wanted];
    context.act(&Action::Select { target, options }).await?;
    Ok(SelectedEntry {
        value: Some(value(option)),
        label: text(option),
    })
}

/// A widget: opened by a click where its entries are not shown, and then clicked in.
async fn open_and_choose(
    context: &mut ToolContext,
    params: &Params,
) -> Result<(SelectedEntry, &'static str), Error> {
    let snapshot = take_snapshot(context).await?;
    let roles = ["combobox", "button", "listbox", "textbox", "searchbox"];
    let by_name = find_by_text(&snapshot, &roles, &params.field, false);
    let opener = match by_name.first() {
        Some((at, _, target)) => Some((*at, *target)),
        None => by_selector(context, &snapshot, &params.field).await?,
    };
    let Some((at, target)) = opener else {
        let text = format!(
            "no dropdown is called {:?}: no select field, listbox or combobox",
            params.field
        );
        return Err(interaction::not_found(context, text).await);
    };
    let role = snapshot
        .nodes
        .get(at)
        .map(|it| it.role.clone())
        .unwrap_or_default();
    let kind = if matches!(role.as_str(), "combobox" | "textbox" | "searchbox") {
        "combobox"
    } else {
        "listbox"
    };
    if let Some(done) = pick(context, &snapshot, params).await? {
        return Ok((done, kind));
    }
    interaction::click_ref(context, target).await?;
    interaction::wait_until_quiet(context, TIMEOUT_MS).await?;
    let opened = take_snapshot(context).await?;
    if let Some(done) = pick(context, &opened, params).await? {
        return Ok((done, kind));
    }
    // Some show their entries only for what is typed.
    if let (Some(label), "combobox") = (&params.label, kind) {
        fill(context, target, label.clone()).await?;
        interaction::wait_until_quiet(context, TIMEOUT_MS).await?;
        let narrowed = take_snapshot(context).await?;
        if let Some(done) = pick(context, &narrowed, params).await? {
            return Ok((done, kind));
        }
    }
    let shown: Vec<String> = entries(&opened)
        .take(20)
        .map(|(at, _)| text_of(&opened, at))
        .collect();
    let text = match shown.is_empty() {
        true => format!("a click on {:?} shows no entries", params.field),
        false => format!("the dropdown has no such entry; it has: {}", shown.join(", ")),
    };
    Err(interaction::not_found(context, text).await)
}

async fn by_selector(
    context: &mut ToolContext,
    snapshot: &Snapshot,
    css: &str,
) -> Result<Option<(usize, Ref)>, Error> {
    if page::dom::Selector::parse(css).is_err() {
        return Ok(None);
    }
    let Some(target) = context.tab().await?.find(css).await?.first().copied() else {
        return Ok(None);
    };
    Ok(snapshot
        .nodes
        .iter()
        .position(|it| it.target == Some(target))
        .map(|at| (at, target)))
}

fn entries(snapshot: &Snapshot) -> impl Iterator<Item = (usize, &SnapshotElement)> {
    let is_entry = |element: &SnapshotElement| {
        matches!(
            element.role.as_str(),
            "option" | "menuitem" | "menuitemradio" | "menuitemcheckbox"
        ) && is_usable(element)
    };
    snapshot.nodes.iter().enumerate().filter(move |it| is_entry(it.1))
}

/// Clicks the wanted entry when it is shown.
async fn pick(
    context: &mut ToolContext,
    snapshot: &Snapshot,
    params: &Params,
) -> Result<Option<SelectedEntry>, Error> {
    let found = match (&params.label, &params.value, params.index) {
        (Some(label), ..) => {
            let fitting = entries(snapshot).filter_map(|(at, entry)| {
                let quality = match_quality(&text_of(snapshot, at), label, false)?;
                Some((quality, (at, entry.target?)))
            });
            best(fitting)
        }
        (_, Some(value), _) => {
            let value = crate::controls::form_fields::quoted(value);
            let css = format!(
                "[role=option][data-value={value}], [role=option][value={value}], option[value={value}]"
            );
            let target = context.tab().await?.find(&css).await?.first().copied();
            target.and_then(|target| {
                Some((
                    snapshot
                        .nodes
                        .iter()
                        .position(|node| node.target == Some(target))?,
                    target,
                ))
            })
        }
        (_, _, index) => index
            .and_then(|it| entries(snapshot).nth(it))
            .and_then(|(at, it)| Some((at, it.target?))),
    };
    let Some((at, target)) = found else {
        return Ok(None);
    };
    let label = text_of(snapshot, at);
    interaction::click_ref(context, target).await?;
    Ok(Some(SelectedEntry {
        value: params.value.clone(),
        label,
    }))
}
