//! Facts that entries state without a label, by the label of a filter of the page that offers them as choices: below a filter "Venue"
//! with "Town Hall" and "The Brewery" an entry that says "Town Hall" says its venue.

use std::collections::{HashMap, HashSet};

use foldhash::fast::RandomState;
use page::dom::{Node, NodeId};
use serde_json::{Map, Value};

use crate::rules::records::Record;
use crate::rules::visible_page::{VisiblePage, squeeze};

/// Most filters of a page.
const MOST_FILTERS: usize = 40;
/// Most choices of one filter that are read.
const MOST_CHOICES: usize = 300;
/// Most nodes of an entry that are looked at.
const MOST_NODES: usize = 600;
/// Longest label of a filter, in characters.
const LONGEST_LABEL: usize = 30;
/// Longest choice, in bytes.
const LONGEST_CHOICE: usize = 60;
/// Fewest entries that have to state a choice of a filter.
const FEWEST: usize = 3;
/// Of ten entries as many at least have to state a choice of a filter.
const MOST_ENTRIES: usize = 6;

locale::patterns! {
    /// How many entries a choice has, behind it: "Town Hall (12)".
    static COUNT = r"\s*[(\[]?\s*\d[\d.,\u{a0}]*\s*[)\]]?\s*$";
    /// What parts the values of one line.
    static PARTS = r"\s*[·•|]\s*";
    /// Labels of what is no property of an entry.
    static OF_PAGE = r"(?i)filter|sort|order by|search|such|szuk|refine|clear|close|reset|zurücksetz|country|land\b|kraj\b|ship|deliver|liefer|dostaw|language|sprache|język|currency|währung|waluta|newsletter|cookie|consent|einwillig|zgod|show|anzeige|per page|pro seite|na stronie";
    /// Choices that say nothing without the question before them.
    static ANSWER = r"(?i)^(?:yes|no|all|any|other|others|none|ja|nein|alle|egal|andere|sonstige|tak|nie|wszystkie|dowoln\p{L}+|inne|oui|non|tous|sí|todos)$";
}

/// A filter: its label and what it offers, by the choice in small letters.
struct Filter {
    label: String,
    choices: HashMap<String, String, RandomState>,
}

/// Adds to the facts of every entry what a filter of the page names, where enough entries state its choices and not all of them the
/// same one. A value that already has a label keeps it.
pub(super) fn add(view: &VisiblePage<'_>, records: &[Record], facts: &mut [Map<String, Value>]) {
    if records.len() < FEWEST {
        return;
    }
    let filters = filters(view, records);
    if filters.is_empty() {
        return;
    }
    let pieces: Vec<Vec<String>> = records.iter().map(|record| pieces(view, record)).collect();
    for filter in filters {
        let stated: Vec<Vec<&str>> = pieces.iter().map(|own| filter.stated(own)).collect();
        let told = stated.iter().filter(|own| !own.is_empty()).count();
        let different: HashSet<&[&str], RandomState> = stated
            .iter()
            .filter(|own| !own.is_empty())
            .map(Vec::as_slice)
            .collect();
        // What some entries say may be another thing of the same name: the badge "New".
        if told < FEWEST || told * 10 < records.len() * MOST_ENTRIES || different.len() < 2 {
            continue;
        }
        for (facts, own) in facts.iter_mut().zip(stated) {
            let is_known = |value: &str| facts.values().any(|known| known.as_str() == Some(value));
            if own.is_empty() || facts.contains_key(&filter.label) || own.iter().any(|value| is_known(value))
            {
                continue;
            }
            facts.insert(filter.label.clone(), own.join(", ").into());
        }
    }
}

impl Filter {
    fn new(label: &str, choices: impl Iterator<Item = String>) -> Option<Filter> {
        let label = squeeze(label);
        let label = label.trim_end_matches([':', ' ', '*']).to_owned();
        let is_label = label.chars().count() <= LONGEST_LABEL
            && label.contains(char::is_alphabetic)
            && !OF_PAGE.is_match(&label);
        let choices: HashMap<String, String, RandomState> = choices
            .take(MOST_CHOICES)
            .filter(|choice| choice.contains(char::is_alphabetic) && choice.len() <= LONGEST_CHOICE)
            .filter(|choice| !ANSWER.is_match(choice))
            .map(|choice| (choice.to_lowercase(), choice))
            .collect();
        (is_label && choices.len() > 1).then_some(Filter { label, choices })
    }

    /// The choices that the pieces of an entry are, each once, as the entry writes them.
    fn stated<'p>(&self, pieces: &'p [String]) -> Vec<&'p str> {
        let mut stated: Vec<&str> = Vec::new();
        for piece in pieces
            .iter()
            .filter(|piece| self.choices.contains_key(&piece.to_lowercase()))
        {
            if !stated.contains(&piece.as_str()) {
                stated.push(piece);
            }
        }
        stated
    }
}

/// The filters of a page, of boxes to choose from and of lists to pull down, in a form or beside the entries. A choice that two filters
/// offer is of neither: the towns of "From" and "To".
fn filters(view: &VisiblePage<'_>, records: &[Record]) -> Vec<Filter> {
    let roots: HashSet<NodeId, RandomState> =
        records.iter().flat_map(|record| record.roots.clone()).collect();
    let is_filter = |node: &Node<'_>| is_of_filter(*node, &roots);
    let selects = view.dom().by_tag("select").filter(is_filter).take(MOST_FILTERS);
    let mut filters: Vec<Filter> = selects.filter_map(|select| of_select(view, select)).collect();
    let fieldsets = view.dom().by_tag("fieldset").filter(is_filter).take(MOST_FILTERS);
    filters.extend(fieldsets.filter_map(of_boxes));
    let mut offered: HashMap<String, usize, RandomState> = HashMap::default();
    for choice in filters.iter().flat_map(|filter| filter.choices.keys()) {
        *offered.entry(choice.clone()).or_default() += 1;
    }
    for filter in &mut filters {
        filter
            .choices
            .retain(|choice, _| offered.get(choice).is_none_or(|count| *count == 1));
    }
    filters
}

/// Whether a control may choose among the entries: it stands in a form, beside the content or in what is called a filter, and neither in
/// an entry nor in the header, the footer or a menu of the page.
fn is_of_filter(node: Node<'_>, roots: &HashSet<NodeId, RandomState>) -> bool {
    let mut is_named = false;
    for outer in node.ancestors() {
        if roots.contains(&outer.id()) || matches!(outer.tag(), "header" | "footer" | "nav" | "dialog") {
            return false;
        }
        is_named |=
            matches!(outer.tag(), "form" | "aside") || outer.class().to_ascii_lowercase().contains("filter");
    }
    is_named
}

fn is_box(node: &Node<'_>) -> bool {
    matches!(node.attr("type"), Some("checkbox" | "radio"))
}

/// The filter of a list to pull down, where it has a label.
fn of_select(view: &VisiblePage<'_>, select: Node<'_>) -> Option<Filter> {
    let around = select.ancestors().take(2).find(|it| it.is("label"));
    let own_words = |label: Node<'_>| {
        let words = label
            .descendants()
            .filter(|it| !it.ancestors().any(|outer| outer.is("select")));
        words.filter_map(Node::text_value).collect::<Vec<_>>().join(" ")
    };
    let called = || {
        let id = select.attr("id")?;
        let mut labels = view.dom().by_tag("label");
        Some(labels.find(|label| label.attr("for") == Some(id))?.text())
    };
    let label = around.map(own_words).filter(|text| !text.trim().is_empty());
    let label = label
        .or_else(called)
        .or_else(|| select.attr("aria-label").map(str::to_owned))?;
    let options = select.descendants().filter(|it| it.is("option"));
    Filter::new(&label, options.map(|option| choice(&option.text())))
}

/// The filter of a group of boxes with a legend, each with its choice in a label around it or behind it.
fn of_boxes(group: Node<'_>) -> Option<Filter> {
    let legend = group.children().find(|child| child.is("legend"))?;
    let has_boxes = group.descendants().any(|it| it.is("input") && is_box(&it));
    let labels = group.descendants().filter(|it| it.is("label"));
    has_boxes.then(|| Filter::new(&legend.text(), labels.map(|label| choice(&label.text()))))?
}

/// A choice without the number of entries that have it.
fn choice(text: &str) -> String {
    let text = squeeze(text);
    let bare = COUNT.replace(&text, "");
    match bare.contains(char::is_alphabetic) {
        true => bare.trim().to_owned(),
        false => text,
    }
}

/// The texts of an entry beside its title, whole and in parts.
fn pieces(view: &VisiblePage<'_>, record: &Record) -> Vec<String> {
    let title = record
        .fields
        .get("title")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let nodes = record
        .roots
        .iter()
        .flat_map(|root| view.dom().node(*root).descendants());
    let mut pieces: Vec<String> = Vec::new();
    for text in nodes.take(MOST_NODES).filter_map(Node::text_value) {
        let text = squeeze(text);
        if text.is_empty() || text == title {
            continue;
        }
        let parts = PARTS
            .split(&text)
            .map(|part| part.trim_matches([' ', '·', '•', '|', ',', '–', '-']).to_owned());
        let parts: Vec<String> = parts.filter(|part| !part.is_empty() && *part != text).collect();
        pieces.push(text);
        pieces.extend(parts);
    }
    pieces
}

#[cfg(test)]
mod tests {
    use page::Page;

    use crate::rules::rows;
    use crate::rules::visible_page::VisiblePage;

    fn facts(filter: &str, entry: impl Fn(usize) -> String) -> Vec<serde_json::Value> {
        let entries: String = (1..=6)
            .map(|at| {
                format!(
                    "<li><h3><a href='/e/{at}'>Evening number {at}</a></h3>{}</li>",
                    entry(at)
                )
            })
            .collect();
        let page = Page::new(
            format!("<main><form>{filter}</form><ul class=events>{entries}</ul></main>"),
            "https://town.example/events".parse().ok(),
        );
        let rows = rows::read(&VisiblePage::of(&page));
        rows.iter().map(|row| row.facts.clone().into()).collect()
    }

    #[test]
    fn a_choice_of_a_filter_has_its_label_in_the_entries() {
        let venues = ["Town Hall", "The Brewery"];
        let kinds = ["Talk", "Concert", "Reading"];
        let entry = |at: usize| {
            let (kind, venue) = (kinds[at % 3], venues[at % 2]);
            format!("<p><i>{kind}</i> <span>{venue}</span></p><p>1{at}.50 €</p><p>in English</p>")
        };
        let select = "<label>Venue <select><option>all</option><option>Town Hall</option><option>The Brewery</option></select></label>";
        let boxes = "<fieldset><legend>Venue</legend><label><input type=checkbox> Town Hall <span>(12)</span></label>\
                     <label><input type=checkbox> The Brewery <span>(3)</span></label></fieldset>";
        for filter in [select, boxes] {
            let facts = facts(filter, entry);
            assert_eq!(facts[0]["Venue"], "The Brewery", "{filter} {facts:?}");
            assert_eq!(facts[1]["Venue"], "Town Hall", "{filter} {facts:?}");
        }
        // Where a mug is sent to says nothing of where it is from, and a town of two filters is of neither.
        let ship = select.replace("Venue", "Ship to");
        let both = format!("{select}{}", select.replace("Venue", "From"));
        for filter in [ship, both] {
            let facts = facts(&filter, entry);
            assert!(
                facts
                    .iter()
                    .all(|facts| facts.as_object().is_none_or(serde_json::Map::is_empty)),
                "{filter} {facts:?}"
            );
        }
        // What all entries are says nothing.
        let language =
            "<label>Language <select><option>in English</option><option>in German</option></select></label>";
        assert!(
            facts(language, entry)
                .iter()
                .all(|facts| facts.get("Language").is_none())
        );
    }
}
