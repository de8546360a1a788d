//! Availability of a product, as the page shows it.

use std::sync::LazyLock;

use page::dom::{Node, NodeId};

use super::super::class_flags;
use super::super::element_source::element_source;
use super::super::lines::is_hidden;
use super::super::visible_page::{VisiblePage, covered, words};
use super::phrases::{is_buy_button, phrases};
use crate::provenance::{FieldSource, Sourced};
use locale::phrases::{PhraseMatch, PhraseMatcher};

locale::patterns! {
    /// What is not in stock now, and will be on a day that is told: "Back in stock 3 March", "wieder lieferbar ab Mai". A number
    /// alone is no day: "Back in stock in 3 colours", "wieder lieferbar ab 29,90 €".
    static RETURNS = r"(?ix)
        \b(?:back\ in\ stock|in\ stock\ again|available\ again|wieder\ (?:auf\ lager|lieferbar|verfügbar|vorrätig|erhältlich)|ponownie\ (?:dostępn\p{L}*|w\ magazynie|w\ sprzedaży)|de\ nouveau\ (?:en\ stock|disponible)|de\ nuevo\ (?:en\ stock|disponible))
        [\s:]*
        (?:(?:from|on|by|in|around|about|early|mid|late|end\ of|ca\.?|etwa|voraussichtlich|anfang|mitte|ende|ab|am|im|od|dnia|w|około|le|à\ partir\ du|el|desde)\s+)*
        (?:
            (?:soon|bald|next|nächste\p{L}*|wkrótce|bientôt|pronto)\b
            |\d{4}-\d{1,2}-\d{1,2}\b
            |\d{1,2}/\d{1,2}\b
            |\d{1,2}\.\s?\d{1,2}\.
            |\d{1,3}(?:\s*[–-]\s*\d{1,3})?\s*(?:days?|weeks?|months?|tag(?:en?)?|wochen?|monat(?:en?)?|dni|tygodni\p{L}*|miesi\p{L}+|jours?|semaines?|mois|días?|semanas?|meses)\b
            |(?:\d{1,2}(?:st|nd|rd|th|er|\.)?\s*(?:of\ |de\ )?)?
             (?:jan(?:uary|uar)?|jänner|janvier|enero|stycz\p{L}+
             |feb(?:ruary|ruar|rero)?|février|luty|lut(?:ego|ym)
             |mar(?:ch|s|zo|ca|cu|zec)?|märz?
             |apr(?:il)?|avril|abril|kwie(?:cień|tnia|tniu)
             |mai|may|mayo|maj[au]?
             |june?|juni|juin|junio|czerw(?:iec|ca|cu)
             |july?|juli|juillet|julio|lip(?:iec|ca|cu)
             |aug(?:ust)?|août|agosto|sierp\p{L}+
             |sept?(?:ember|embre|iembre)?|wrze(?:sień|śnia|śniu)
             |o[ck]t(?:ober|obre|ubre)?|paźd\p{L}+
             |nov(?:ember|embre|iembre)?|noviembre|listopad\p{L}*
             |dec(?:ember)?|dez(?:ember)?|décembre|diciembre|grud\p{L}+)\b
        )";
    /// A number of pieces that are left: "Only 2 left", "nur noch 3 Stück".
    static LEFT = r"(?i)\b(?:(?:only|just)\s+[1-9]\d{0,2}\s+(?:left|remaining|available)|[1-9]\d{0,2}\s+left in stock|nur noch\s+[1-9]\d{0,2}\s+(?:stück|stk\b|auf lager|verfügbar|vorrätig|da\b)|(?:tylko|ostatnie|zostały|zostało)\s+[1-9]\d{0,2}\s+szt)";
}

/// Ways to put a condition on it.
const CONDITIONS: &[&str] = &["if ", "when ", "wenn ", "si ", "unless", "may be", "?"];

/// Words right before a phrase that turn it round.
#[rustfmt::skip]
const DENIALS: &[&str] = &[
    "not ", "nicht ", "no ", "non ", "pas ", "не ", "нет ", "nie ", "ikke ", "inte ", "ej ", "ei ", "niet ", "não ", "never ",
    // What is almost sold out can be had.
    "almost ", "nearly ", "fast ", "beinahe ", "bald ", "prawie ", "niemal ", "presque ", "quasi ", "casi ", "quase ", "bijna ",
    "nästan ", "næsten ", "nesten ", "téměř ", "takmer ", "почти ", "майже ",
];

const PREORDER: &[&str] = &[
    "pre-order",
    "preorder",
    "vorbestellen",
    "précommander",
    "предзаказ",
];

static OUT_OF_STOCK: LazyLock<PhraseMatcher> = LazyLock::new(|| phrases("out of stock"));
static IN_STOCK: LazyLock<PhraseMatcher> = LazyLock::new(|| phrases("in stock"));
/// Headings behind which other products stand.
static RELATED: LazyLock<PhraseMatcher> = LazyLock::new(|| phrases("related products"));

/// What the visible page says: a schema.org name ("InStock", "OutOfStock", "PreOrder") and how surely, 0 to 1.
pub fn shown(view: &VisiblePage<'_>) -> Option<(Sourced<String>, f32)> {
    let heading = view.heading.as_ref()?;
    let end = section_end(view, heading.line);
    let mut best: Option<(&str, f32, FieldSource)> = None;
    let mut consider = |name: &'static str, sure: f32, source: FieldSource| {
        if best.as_ref().is_none_or(|(_, most, _)| sure > *most) {
            best = Some((name, sure, source));
        }
    };
    for (index, line) in view
        .lines
        .iter()
        .enumerate()
        .take(end)
        .skip(heading.line.saturating_sub(2))
    {
        let text = view.lines.line_text(line);
        if text.len() > 220 || text.len() < 4 || index == heading.line {
            continue;
        }
        if is_shown_by_script(view.dom().node(line.block)) {
            continue;
        }
        let lower = text.to_lowercase();
        let near = 1.0 - (index.abs_diff(heading.line) as f32 / 150.0).min(0.5);
        let node = view.dom().node(line.block);
        let optional = is_option(view, node) || is_of_option(view, node);
        let source = || element_source(node);
        let share = |hit: PhraseMatch| (hit.end - hit.start) as f32 / lower.len() as f32;
        if let Some(hit) = RETURNS.find(&lower) {
            let share = hit.len() as f32 / lower.len() as f32;
            let doubt = if optional { 0.5 } else { 0.0 };
            consider("OutOfStock", near * (0.45 + share * 0.55) - doubt, source());
        } else if let Some(hit) = undenied_phrase(&OUT_OF_STOCK, &lower) {
            let share = share(hit);
            let conditional = has_condition(&lower) && share < 0.6;
            let optional = optional || is_entry_of_choice(node, lower.get(..hit.start).unwrap_or_default());
            let doubt = if optional { 0.5 } else { 0.0 } + if conditional { 0.5 } else { 0.0 };
            consider("OutOfStock", near * (0.45 + share * 0.55) - doubt, source());
        } else if let Some(hit) = undenied_phrase(&IN_STOCK, &lower) {
            let doubt = if optional { 0.4 } else { 0.0 };
            consider("InStock", near * (0.4 + share(hit) * 0.5) - doubt, source());
        } else if PREORDER.iter().any(|phrase| lower.starts_with(phrase)) {
            consider("PreOrder", near * 0.5, source());
        }
    }
    if let Some((name, sure, source)) = button(view, end) {
        consider(name, sure, source);
    }
    let (name, sure, source) = best?;
    (sure > 0.3).then(|| (Sourced::new(name.to_owned(), source), sure))
}

/// Attributes of templates that show an element only where a condition holds.
const SHOWN_BY_SCRIPT: [&str; 5] = ["v-show", "v-if", "x-show", "ng-show", "ng-if"];

/// Whether scripts decide if an element is shown at all.
fn is_shown_by_script(node: Node<'_>) -> bool {
    let mut around = std::iter::once(node).chain(node.ancestors()).take(6);
    around.any(|node| SHOWN_BY_SCRIPT.iter().any(|name| node.attr(name).is_some()))
}

/// First line behind the heading that opens a section of other products.
pub(super) fn section_end(view: &VisiblePage<'_>, heading: usize) -> usize {
    let most = (heading + 160).min(view.lines.len());
    related_start(view, heading, most).unwrap_or(most)
}

/// The first of the lines up to `most` behind the heading that opens a section of other products.
pub(super) fn related_start(view: &VisiblePage<'_>, heading: usize, most: usize) -> Option<usize> {
    let related = view
        .lines
        .iter()
        .enumerate()
        .take(most)
        .skip(heading + 3)
        .find(|(_, line)| {
            let text = view.lines.line_text(line);
            let lower = if text.len() < 60 {
                text.to_lowercase()
            } else {
                String::new()
            };
            RELATED
                .first(&lower)
                .is_some_and(|hit| hit.start == 0 || lower.len() < hit.end - hit.start + 20)
        });
    related.map(|(index, _)| index)
}

/// What a short text says about the stock of what it stands beside: `InStock`, `OutOfStock` or `PreOrder`.
pub(crate) fn in_text(text: &str) -> Option<&'static str> {
    let lower = text.to_lowercase();
    if has_condition(&lower) {
        return None;
    }
    by_phrases(&lower)
}

/// What the phrases of a text in lower case say about stock.
fn by_phrases(lower: &str) -> Option<&'static str> {
    if RETURNS.is_match(lower) || undenied_phrase(&OUT_OF_STOCK, lower).is_some() {
        Some("OutOfStock")
    } else if LEFT.is_match(lower) || undenied_phrase(&IN_STOCK, lower).is_some() {
        Some("InStock")
    } else {
        PREORDER
            .iter()
            .any(|phrase| lower.starts_with(phrase))
            .then_some("PreOrder")
    }
}

/// What a badge says of a flat, a house or a used thing that somebody has taken.
#[rustfmt::skip]
const TAKEN: [&str; 16] = [
    "let", "let agreed", "sold", "sold stc", "sale agreed", "rented", "leased", "verkauft", "vermietet", "vergeben", "sprzedane",
    "sprzedany", "wynajęte", "wynajęty", "vendu", "loué",
];

/// Whether a whole text says that somebody has taken the one thing that there was.
pub(crate) fn is_taken(text: &str) -> bool {
    let text = text.trim_end_matches(['!', '.', ' ']);
    text.chars().count() <= 12 && TAKEN.contains(&text.to_lowercase().as_str())
}

/// The first phrase of a list that is not denied right before it.
fn undenied_phrase(phrases: &PhraseMatcher, text: &str) -> Option<PhraseMatch> {
    phrases.all(text).find(|hit| {
        let before = text.get(..hit.start).unwrap_or_default();
        let is_word = |start: &str| !start.ends_with(char::is_alphabetic);
        !DENIALS
            .iter()
            .any(|denial| before.strip_suffix(denial).is_some_and(is_word))
    })
}

/// Whether a text in lower case puts a condition on what it says.
fn has_condition(lower: &str) -> bool {
    CONDITIONS.iter().any(|condition| {
        lower.match_indices(condition).any(|(at, _)| {
            let before = lower.get(..at).unwrap_or_default();
            *condition == "?" || !before.ends_with(char::is_alphabetic)
        })
    })
}

/// Whether the element is one of several to choose from (a size, a colour).
fn is_option(view: &VisiblePage<'_>, node: Node<'_>) -> bool {
    let mut around = std::iter::once(node).chain(node.ancestors()).take(5);
    let is_radio = |inner: Node<'_>| inner.is("input") && inner.attr("type") == Some("radio");
    node.descendants().take(MAX_OPTION_NODES).any(is_radio)
        || around.any(|ancestor| {
            matches!(ancestor.tag(), "option" | "label" | "select")
                || view.class_flags.has(ancestor, class_flags::CHOICE)
        })
}

/// Most nodes of a line of options that are looked at.
const MAX_OPTION_NODES: usize = 60;
/// Longest name of an option in a list, in bytes.
const LONGEST_OPTION: usize = 30;

/// Whether an entry of a list names one of several options before it says that this one is sold out: "L – sold out".
fn is_entry_of_choice(node: Node<'_>, before: &str) -> bool {
    let before = before.trim_end();
    let name = before.trim_end_matches(['–', '—', '-', '(']);
    let is_short = |entry: Node<'_>| entry.is("li") && entry.text().len() <= LONGEST_OPTION;
    let is_named = name.len() < before.len() && name.contains(char::is_alphanumeric);
    let mut beside = node.siblings_before().chain(node.siblings_after());
    is_named && is_short(node) && beside.any(is_short)
}

/// Most nodes of a line that are looked at.
const MAX_NODES: usize = 200;

/// Whether what a line says of stock is said of one of several things to choose from: within a choice that is a part of the line
/// ("Moss (sold out)"), or in one of several entries that each have a price ("Early bird £12.50, sold out").
fn is_of_option(view: &VisiblePage<'_>, node: Node<'_>) -> bool {
    let within = || node.descendants().take(MAX_NODES);
    let mut said = within()
        .filter(|part| {
            let text = part.text_value().map(str::to_lowercase);
            text.is_some_and(|text| undenied_phrase(&OUT_OF_STOCK, &text).is_some())
        })
        .peekable();
    if said.peek().is_some() && said.all(|text| is_option(view, text)) {
        return true;
    }
    let Some(entry) = std::iter::once(node)
        .chain(node.ancestors().take(3))
        .find(|outer| matches!(outer.tag(), "li" | "tr"))
    else {
        return false;
    };
    let has_price = |entry: Node<'_>| entry.text().contains(['€', '$', '£', '¥']);
    let can_be_had = |other: Node<'_>| {
        let lower = other.text().to_lowercase();
        other.tag() == entry.tag() && has_price(other) && undenied_phrase(&OUT_OF_STOCK, &lower).is_none()
    };
    let mut others = entry
        .siblings_before()
        .chain(entry.siblings_after())
        .take(MAX_NODES);
    has_price(entry) && others.any(can_be_had)
}

/// What the button to buy says: one that cannot be pressed means sold out, one that can means in stock.
fn button(view: &VisiblePage<'_>, end: usize) -> Option<(&'static str, f32, FieldSource)> {
    let dom = view.dom();
    let from = view.heading.as_ref()?.node;
    let last = end
        .checked_sub(1)
        .and_then(|index| view.lines.get(index))
        .map(|line| line.block);
    for node in dom
        .by_tag("button")
        .chain(dom.by_tag("input"))
        .chain(dom.by_tag("a"))
    {
        if node.id() < from || last.is_some_and(|last| node.id() > last) || is_hidden(node) {
            continue;
        }
        let text = match node.tag() {
            "input" => node.attr("value").unwrap_or_default().to_owned(),
            _ if node.end().index() - node.id().index() > 30 => continue,
            _ => node.text(),
        };
        if !is_buy_button(&text) || names_another(view, node, &text) {
            continue;
        }
        let disabled = node.attr("disabled").is_some()
            || node.attr("aria-disabled") == Some("true")
            || view.class_flags.has(node, class_flags::DISABLED);
        let source = element_source(node);
        // Where a size is still to be chosen, a button that cannot be pressed yet says nothing.
        let waits = disabled && has_choices(view, from, node.id());
        if waits {
            return None;
        }
        let lower = text.to_lowercase();
        return Some(if disabled {
            ("OutOfStock", 0.42, source)
        } else if PREORDER.iter().any(|phrase| lower.contains(phrase)) {
            ("PreOrder", 0.5, source)
        } else {
            ("InStock", 0.5, source)
        });
    }
    None
}

/// Whether the label of a button names a thing like the one of the heading, and not this: "Pre-order, Quern Air" of "Quern Pro".
fn names_another(view: &VisiblePage<'_>, node: Node<'_>, shown: &str) -> bool {
    let (Some(label), Some(heading)) = (node.attr("aria-label"), &view.heading) else {
        return false;
    };
    let (verb, title) = (words(shown), words(&heading.text));
    let named: Vec<String> = words(label)
        .into_iter()
        .filter(|word| !verb.contains(word))
        .collect();
    let shared = covered(&named, &title);
    shared > 0.0 && shared < 1.0 && covered(&title, &named) < 1.0
}

/// Whether something is to be chosen between the heading and the button.
fn has_choices(view: &VisiblePage<'_>, from: NodeId, to: NodeId) -> bool {
    let dom = view.dom();
    let between = |node: &Node<'_>| node.id() > from && node.id() < to;
    let radio = dom
        .by_tag("input")
        .filter(between)
        .any(|input| matches!(input.attr("type"), Some("radio")));
    let select = dom
        .by_tag("select")
        .filter(between)
        .any(|select| select.descendants().filter(|it| it.is("option")).count() > 1);
    radio
        || select
        || dom
            .nodes()
            .filter(between)
            .any(|node| view.class_flags.has(node, class_flags::VARIANT))
}

/// The schema.org name of what a short text says, such as "auf Lager"; `None` when it says nothing about stock.
pub fn stated(text: &str) -> Option<&'static str> {
    normalize(text).or_else(|| by_phrases(&text.to_lowercase()))
}

/// The schema.org availability in the few names that items use; nothing when it is none.
pub fn normalize(text: &str) -> Option<&'static str> {
    let folded: String = text
        .rsplit(['/', '#'])
        .next()
        .unwrap_or(text)
        .chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect();
    Some(match folded.as_str() {
        "instock"
        | "instoreonly"
        | "onlineonly"
        | "limitedavailability"
        | "available"
        | "availablefororder"
        | "true"
        | "yes"
        | "1"
        | "madetoorder"
        | "reserved" => "InStock",
        "outofstock" | "soldout" | "oos" | "unavailable" | "notavailable" | "false" | "no" | "0" => {
            "OutOfStock"
        }
        "preorder" | "presale" => "PreOrder",
        "backorder" => "BackOrder",
        "discontinued" => "Discontinued",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_longer_word_denies_nothing() {
        for (text, want) in [
            ("Arduino in stock", Some("InStock")),
            ("Breakfast sold out", Some("OutOfStock")),
            ("Pepsi in stock", Some("InStock")),
            ("Not in stock", Some("OutOfStock")),
            ("almost sold out", None),
            ("Si in stock", None),
            ("In stock?", None),
        ] {
            assert_eq!(in_text(text), want, "{text}");
        }
    }

    #[test]
    fn a_choice_that_is_sold_out_says_nothing_of_the_others() {
        let shown = |html: &str| {
            let page = page::Page::new(format!("<h1>Merino Jumper</h1>{html}"), None);
            shown(&VisiblePage::of(&page)).map(|(name, _)| name.value)
        };
        let colours = "<p>Colour: <label><input type=radio> Grey</label> <label><input type=radio disabled> Moss (sold out)</label></p>";
        assert_eq!(
            shown(&format!("{colours}<p>In stock, dispatched today</p>")).as_deref(),
            Some("InStock")
        );
        assert_eq!(
            shown(&format!("{colours}<p>Only 3 left in stock</p>")).as_deref(),
            Some("InStock")
        );
        assert_eq!(shown(colours), None);
        let tickets = "<ul><li>Early bird <b>£12.50</b> <em>Sold out</em></li><li>Standard <b>£18</b> <em>14 left</em></li></ul>";
        assert_eq!(shown(tickets), None);
        assert_eq!(
            shown("<p>£65.00</p><p>Sold out</p>").as_deref(),
            Some("OutOfStock")
        );
        let sold = "<ul><li>Early bird <b>£12.50</b> <em>Sold out</em></li><li>Standard <b>£18</b> <em>Sold out</em></li></ul>";
        assert_eq!(shown(sold).as_deref(), Some("OutOfStock"));
    }

    #[test]
    fn an_option_that_is_sold_out_leaves_the_product_in_stock() {
        let said = |choice: &str, line: &str| {
            let page = page::Page::new(format!("<h1>Quern Mill</h1>{choice}<p>{line}</p>"), None);
            shown(&VisiblePage::of(&page)).map(|(name, _)| name.value)
        };
        let colours = "<fieldset><legend>Farbe</legend><label><input type=radio name=c checked> Schwarz</label>\
            <label><input type=radio name=c disabled> Weiß (ausverkauft)</label></fieldset>";
        let sizes = "<ul><li>S</li><li>M</li><li>L – sold out</li></ul>";
        let in_stock = Some("InStock".to_owned());
        assert_eq!(said(colours, "Auf Lager, Lieferzeit 1–3 Werktage"), in_stock);
        assert_eq!(said(sizes, "In stock, delivery in 2 days"), in_stock);
        let sold_out = "<ul><li>Sold out</li><li>Free returns</li></ul>";
        assert_eq!(said(sold_out, "Mills grind."), Some("OutOfStock".to_owned()));
    }

    #[test]
    fn a_day_in_a_long_line_says_less_than_a_line_of_its_own() {
        let sure = |line: &str| {
            let page = page::Page::new(format!("<h1>Quern Lamp</h1><p>{line}</p>"), None);
            shown(&VisiblePage::of(&page)).map(|(name, sure)| (name.value, sure))
        };
        let (name, short) = sure("Back in stock 3 March").unwrap();
        let (_, long) = sure(
            "The lamps of the Quern family, which many of you have asked us about in the last weeks, are back in stock in May, as are the shades.",
        )
        .unwrap();
        assert_eq!(name, "OutOfStock");
        assert!(short > 0.75 && long < 0.75, "{short} {long}");
    }

    #[test]
    fn what_comes_back_on_a_day_is_not_in_stock_and_the_last_pieces_are() {
        for (text, expected) in [
            ("Back in stock 3 March", "OutOfStock"),
            ("Wieder lieferbar ab Mai", "OutOfStock"),
            ("Ponownie dostępny od 12 maja", "OutOfStock"),
            ("Back in stock in 2 weeks", "OutOfStock"),
            ("Wieder lieferbar ab 12.05.", "OutOfStock"),
            ("Wieder verfügbar Mitte Mai", "OutOfStock"),
            ("Back in stock!", "InStock"),
            ("Back in stock in 3 colours", "InStock"),
            ("Back in stock in decorative boxes", "InStock"),
            ("Wieder auf Lager ab 29,90 €", "InStock"),
            ("Only 2 left", "InStock"),
            ("Nur noch 3 Stück", "InStock"),
            ("Tylko 2 szt.", "InStock"),
        ] {
            assert_eq!(in_text(text), Some(expected), "{text}");
            assert_eq!(stated(text), Some(expected), "{text}");
        }
        assert_eq!(in_text("2 left-hand drills"), None);
    }
}
