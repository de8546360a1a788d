//! Search with a site's own search box.

use browser::Action;
use page::Page;
use serde::{Deserialize, Serialize};

use crate::controls::element::{parse_selector, select_first};
use crate::controls::form_actions::{best, fill, press};
use crate::controls::form_fields::{PageField, button_near, fields};
use crate::controls::interaction;
use crate::controls::ui_words::{SEARCH, has, hits};
use crate::lists::articles::number;
use crate::{Error, Tool, ToolContext};

locale::patterns! {
    /// The number of results that a page states.
    static RESULT_COUNT = r"(?i)(\d[\d,.\u{a0}\u{202f} ]*)\s*\+?\s*(?:search )?(?:results?|products? found|items? found|matches|hits|wynik\w*|ofert\w*|produkt(?:y|ów)|ergebnisse?|treffer|resultados?|résultats?|risultati|resultaten)\b";
}

/// The tool `forms.search_query`.
pub struct FormsSearchQuery;

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    query: String,
    submit: bool,
    selector: Option<String>,
    wait_for: Option<String>,
}

#[derive(Serialize)]
pub struct Output {
    filled: bool,
    submitted: bool,
    url_changed: bool,
    new_url: String,
    result_count: Option<u64>,
}

/// How long the results may take, in milliseconds.
const TIMEOUT_MS: u64 = 3_000;
/// Most times that the page is checked for `wait_for`.
const ATTEMPTS: usize = 20;

impl Tool for FormsSearchQuery {
    type Params = Params;
    type Output = Output;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Output, Error> {
        let before = context.url();
        let page = context.page().await?;
        let field = match &params.selector {
            Some(css) => {
                let selector = parse_selector("selector", css)?;
                let node = select_first("selector", page.dom().root(), &selector)?;
                let node = node.ok_or_else(|| Error::param("selector", "nothing on the page matches it"))?;
                let known = fields(&page).into_iter().find(|it| it.node == node.id());
                known.ok_or_else(|| {
                    Error::param("selector", "what it matches is no field that can be filled")
                })?
            }
            None => match search_box(&page) {
                Some(field) => field,
                None => {
                    let text = "the page has no search box: no field says that it searches; name one with `selector`";
                    return Err(interaction::not_found(context, text.to_owned()).await);
                }
            },
        };
        let target = interaction::find(context, &field.css).await?;
        fill(context, target, params.query.clone()).await?;
        if params.submit {
            match (field.form, button_near(&page, field.node, &SEARCH)) {
                (Some(_), _) => drop(context.act(&Action::Submit { target }).await?),
                (None, Some(button)) => interaction::click(context, &button).await?,
                (None, None) => press(context, target, "Enter").await?,
            }
            interaction::wait_until_quiet(context, TIMEOUT_MS).await?;
        }
        if let Some(css) = &params.wait_for {
            wait_for(context, css).await?;
        }
        let (url_changed, new_url) = interaction::address_change(context, before.as_ref());
        let result_count = if params.submit {
            result_count(&*context.page().await?)
        } else {
            None
        };
        Ok(Output {
            filled: true,
            submitted: params.submit,
            url_changed,
            new_url,
            result_count,
        })
    }
}

/// The search box: the field with the best score of type, labels and form.
fn search_box(page: &Page) -> Option<PageField> {
    let all = fields(page);
    let score = |field: &PageField| {
        let node = page.dom().node(field.node);
        let is_in_search = node
            .ancestors()
            .take(6)
            .any(|it| it.attr("role") == Some("search") || it.is("search"));
        let own = 2 * hits(&field.own, &SEARCH).min(2)
            + 4 * usize::from(field.kind == "search" || node.attr("role") == Some("searchbox"));
        let place = 3 * usize::from(is_in_search) + usize::from(has(&field.context, &SEARCH));
        let takes = matches!(field.kind.as_str(), "text" | "search") && !field.readonly;
        (takes && own + place >= 2).then_some(own + place)
    };
    let scored = all.iter().filter_map(|it| Some((score(it)?, it)));
    best(scored).cloned()
}

async fn wait_for(context: &mut ToolContext, css: &str) -> Result<(), Error> {
    let selector = parse_selector("wait_for", css)?;
    for _ in 0..ATTEMPTS {
        let page = context.page().await?;
        if select_first("wait_for", page.dom().root(), &selector)?.is_some() {
            return Ok(());
        }
        if !interaction::has_scripts(context).await? {
            break;
        }
        interaction::wait_until_quiet(context, TIMEOUT_MS / ATTEMPTS as u64).await?;
    }
    Err(Error::NotFound(format!(
        "after the search nothing on the page matches {css}"
    )))
}

/// The number of results that a page states.
fn result_count(page: &Page) -> Option<u64> {
    let text: String = page.dom().body()?.text().chars().take(20_000).collect();
    number(RESULT_COUNT.captures(&text)?.get(1)?.as_str())
}
