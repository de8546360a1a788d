//! Date fields: native inputs, text fields in the page's format, calendar widgets.

use jiff::civil::Date;
use page::Page;
use serde::{Deserialize, Serialize};

use crate::controls::element::{parse_selector, select_all};
use crate::controls::form_actions::{best, fill, submit};
use crate::controls::form_fields::{PageField, fields};
use crate::controls::snapshot_search::{find_by_text, take_snapshot};
use crate::controls::ui_words::{APPLY, SEARCH, fold, has, hits};
use crate::controls::{calendar_widget, interaction};
use crate::{Error, Tool, ToolContext};

/// The tool `forms.date_picker`.
pub struct FormsDatePicker;

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    start: String,
    end: Option<String>,
    selector: Option<String>,
    submit: bool,
}

#[derive(Serialize)]
pub struct Output {
    filled: Vec<FilledDate>,
    strategy: &'static str,
    submitted: bool,
    url_changed: bool,
    new_url: String,
}

/// One date that was set.
#[derive(Serialize)]
pub struct FilledDate {
    field: String,
    value: String,
}

const DATE: &[&str] = &[
    "date*", "day", "datum", "data", "dzień", "dzien", "termin", "fecha", "giorno", "jour", "when", "kiedy",
    "check", "arriv*", "depart*", "przyjazd", "wyjazd", "return", "dd", "yyyy", "rrrr", "jjjj", "aaaa",
    "anreise", "abreise", "calendar",
];
const START: &[&str] = &[
    "start", "from", "in", "checkin", "arriv*", "begin*", "od", "przyjazd", "von", "anreise", "desde",
    "entrada", "du", "début", "da", "vanaf", "first", "outbound",
];
const END: &[&str] = &[
    "end", "to", "out", "checkout", "until", "return", "do", "wyjazd", "bis", "abreise", "hasta", "salida",
    "au", "fin", "al", "tot", "last", "inbound",
];
/// How long a page may take after a date was set, in milliseconds.
const TIMEOUT_MS: u64 = 2_000;

impl Tool for FormsDatePicker {
    type Params = Params;
    type Output = Output;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Output, Error> {
        let start = day("start", &params.start)?;
        let end = params.end.as_deref().map(|it| day("end", it)).transpose()?;
        if end.is_some_and(|it| it < start) {
            return Err(Error::param("end", "it is before start"));
        }
        let before = context.url();
        let page = context.page().await?;
        let chosen = date_fields(&page, params.selector.as_deref())?;
        let mut filled = Vec::new();
        let strategy = match &chosen {
            Some((first, last)) => {
                let wishes = [Some((start, Some(first))), end.map(|it| (it, last.as_ref()))];
                let mut strategy = "native";
                for (day, field) in wishes.into_iter().flatten() {
                    strategy = set(context, &page, field, first, day, &mut filled).await?;
                }
                strategy
            }
            None => {
                open_calendar(context).await?;
                for (name, day) in [("start", Some(start)), ("end", end)] {
                    let Some(day) = day else { continue };
                    calendar_widget::choose(context, day).await?;
                    filled.push(FilledDate {
                        field: name.to_owned(),
                        value: day.to_string(),
                    });
                }
                "calendar"
            }
        };
        let submitted = params.submit && send(context, &page, chosen.as_ref().map(|it| &it.0)).await?;
        interaction::wait_until_quiet(context, if submitted { TIMEOUT_MS } else { 0 }).await?;
        let (url_changed, new_url) = interaction::address_change(context, before.as_ref());
        Ok(Output {
            filled,
            strategy,
            submitted,
            url_changed,
            new_url,
        })
    }
}

fn day(name: &'static str, text: &str) -> Result<Date, Error> {
    text.trim()
        .parse()
        .map_err(|_| Error::param(name, format!("{text:?} is no ISO date such as 2027-03-12")))
}

/// The field of the first day, and the one of the last.
fn date_fields(page: &Page, selector: Option<&str>) -> Result<Option<(PageField, Option<PageField>)>, Error> {
    let mut all = fields(page);
    match selector {
        Some(css) => {
            let selector = parse_selector("selector", css)?;
            let matched = select_all("selector", page.dom().root(), &selector)?;
            let inside = |field: &PageField| {
                matched.iter().any(|outer| {
                    outer.id() == field.node || page.dom().node(field.node).is_inside(outer.id())
                })
            };
            all.retain(inside);
            if all.is_empty() {
                return Err(Error::param(
                    "selector",
                    "no field matches it or lies in what it matches",
                ));
            }
        }
        None => all.retain(|field| {
            let native = matches!(field.kind.as_str(), "date" | "datetime-local");
            native
                || (field.kind == "text"
                    && (has(&field.own, DATE) || (has(&field.context, DATE) && has(&field.own, START))))
        }),
    }
    let lean = |field: &PageField, words: &[&str], others: &[&str]| {
        hits(&field.own, words) as i32 - hits(&field.own, others) as i32
    };
    let likeliest = |of: &[PageField], words: &[&str], others: &[&str]| {
        best(of.iter().map(|field| (lean(field, words, others), field))).cloned()
    };
    let Some(first) = likeliest(&all, START, END) else {
        return Ok(None);
    };
    all.retain(|it| it.node != first.node && it.form == first.form);
    Ok(Some((first, likeliest(&all, END, START))))
}

/// Sets one field, or a day in the calendar behind it.
async fn set(
    context: &mut ToolContext,
    page: &Page,
    field: Option<&PageField>,
    first: &PageField,
    day: Date,
    filled: &mut Vec<FilledDate>,
) -> Result<&'static str, Error> {
    let Some(field) = field else {
        // One field for the whole span: its calendar takes the second day too.
        calendar_widget::choose(context, day).await?;
        filled.push(FilledDate {
            field: first.label.clone(),
            value: day.to_string(),
        });
        return Ok("calendar");
    };
    let target = interaction::find(context, &field.css).await?;
    if field.readonly {
        interaction::click_ref(context, target).await?;
        interaction::wait_until_quiet(context, TIMEOUT_MS / 4).await?;
        if !calendar_widget::is_shown(&take_snapshot(context).await?, context.now()) {
            return Err(no_calendar(context).await?);
        }
        calendar_widget::choose(context, day).await?;
        filled.push(FilledDate {
            field: field.label.clone(),
            value: day.to_string(),
        });
        return Ok("calendar");
    }
    let (value, strategy) = match field.kind.as_str() {
        "date" => (day.to_string(), "native"),
        "datetime-local" => (format!("{day}T00:00"), "native"),
        _ => (written(page, field, day), "text"),
    };
    fill(context, target, value.clone()).await?;
    filled.push(FilledDate {
        field: field.label.clone(),
        value,
    });
    Ok(strategy)
}

/// A day as the field wants it: as its hint shows, else as the page's language writes dates.
fn written(page: &Page, field: &PageField, day: Date) -> String {
    let node = page.dom().node(field.node);
    let hints = [
        "placeholder",
        "data-format",
        "data-date-format",
        "title",
        "aria-label",
    ]
    .iter()
    .filter_map(|it| node.attr(it));
    let hint = hints
        .map(str::to_lowercase)
        .find(|it| shape(it).is_some())
        .or_else(|| shape(&field.label.to_lowercase()).map(|_| field.label.to_lowercase()));
    let language = page
        .dom()
        .by_tag("html")
        .next()
        .and_then(|it| it.attr("lang"))
        .unwrap_or_default()
        .to_ascii_lowercase();
    let shape = hint
        .as_deref()
        .and_then(shape)
        .unwrap_or(match language.split(['-', '_']).next() {
            Some("pl" | "de" | "cs" | "sk" | "ru" | "uk" | "fi" | "no" | "nb" | "da" | "tr" | "ro") => {
                (['d', 'm', 'y'], '.')
            }
            Some("fr" | "es" | "it" | "pt") => (['d', 'm', 'y'], '/'),
            Some("nl") => (['d', 'm', 'y'], '-'),
            Some("en") if language.ends_with("-us") => (['m', 'd', 'y'], '/'),
            Some("en") if language.ends_with("-gb") => (['d', 'm', 'y'], '/'),
            _ => (['y', 'm', 'd'], '-'),
        });
    let part = |c: char| match c {
        'y' => format!("{:04}", day.year()),
        'm' => format!("{:02}", day.month()),
        _ => format!("{:02}", day.day()),
    };
    shape.0.map(part).join(&shape.1.to_string())
}

/// The order and the separator of a hint such as `dd.mm.yyyy`, `MM/DD/YYYY`, `rrrr-mm-dd`.
fn shape(hint: &str) -> Option<([char; 3], char)> {
    let mut order: Vec<char> = Vec::new();
    let mut separator = None;
    // A `j` is the day in French and the year in German.
    let french = hint.contains("aaaa");
    for c in hint.chars() {
        let part = match c {
            'd' | 't' => 'd',
            'j' if french => 'd',
            'm' => 'm',
            'y' | 'r' | 'a' | 'j' => 'y',
            '.' | '/' | '-' => {
                separator = separator.or(Some(c).filter(|_| !order.is_empty()));
                continue;
            }
            _ => continue,
        };
        if order.last() != Some(&part) {
            order.push(part);
        }
    }
    let [first, second, third] = order.as_slice() else {
        return None;
    };
    let mut sorted = order.clone();
    sorted.sort_unstable();
    (sorted == ['d', 'm', 'y']).then_some(([*first, *second, *third], separator?))
}

/// Makes sure that a calendar is shown, opening it by its button.
async fn open_calendar(context: &mut ToolContext) -> Result<(), Error> {
    let snapshot = take_snapshot(context).await?;
    if calendar_widget::is_shown(&snapshot, context.now()) {
        return Ok(());
    }
    let buttons = snapshot
        .nodes
        .iter()
        .filter(|it| it.role == "button" && has(&fold(&it.name), DATE));
    let Some(button) = buttons.filter_map(|it| it.target).next() else {
        let text = "the page has no date field, no calendar and no button that opens one; name the field with `selector`";
        return Err(interaction::not_found(context, text.to_owned()).await);
    };
    interaction::click_ref(context, button).await?;
    interaction::wait_until_quiet(context, TIMEOUT_MS / 4).await?;
    match calendar_widget::is_shown(&take_snapshot(context).await?, context.now()) {
        true => Ok(()),
        false => Err(no_calendar(context).await?),
    }
}

/// Why no calendar came.
async fn no_calendar(context: &mut ToolContext) -> Result<Error, Error> {
    if interaction::has_scripts(context).await? {
        return Ok(Error::NotFound(
            "a click on the date field opens no calendar whose heading names a month".into(),
        ));
    }
    Ok(interaction::needs_scripts(
        "the field is filled by a calendar that needs scripts; use the chromium engine",
    ))
}

/// Sends the dates, by the button beside them.
async fn send(context: &mut ToolContext, page: &Page, field: Option<&PageField>) -> Result<bool, Error> {
    let words: Vec<&str> = SEARCH.iter().chain(APPLY.iter()).copied().collect();
    if let Some(field) = field {
        submit(context, page, field, &words).await?;
        return Ok(true);
    }
    let snapshot = take_snapshot(context).await?;
    for word in ["apply", "search", "show", "done", "zastosuj", "szukaj"] {
        if let Some((_, _, target)) = find_by_text(&snapshot, &["button"], word, false).first() {
            interaction::click_ref(context, *target).await?;
            return Ok(true);
        }
    }
    context.warn("there is no button that sends the dates; the calendar takes them at once");
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hint_tells_order_and_separator() {
        for (hint, expect) in [
            ("dd.mm.yyyy", Some((['d', 'm', 'y'], '.'))),
            ("mm/dd/yyyy", Some((['m', 'd', 'y'], '/'))),
            ("yyyy-mm-dd", Some((['y', 'm', 'd'], '-'))),
            ("tt.mm.jjjj", Some((['d', 'm', 'y'], '.'))),
            ("jj/mm/aaaa", Some((['d', 'm', 'y'], '/'))),
            ("rrrr-mm-dd", Some((['y', 'm', 'd'], '-'))),
            ("choose", None),
        ] {
            assert_eq!(shape(hint), expect, "{hint}");
        }
    }
}
