//! Facts of the entries of a list: values by the label that stands beside them.
//!
//! A label is what most entries say word for word, right before something that differs from entry to entry: "Roast" before
//! "dark", "Season" above "May to September". Terms of a definition list and headings of a table are labels by their tag.

use std::collections::{HashMap, HashSet};

use foldhash::fast::RandomState;
use page::dom::Node;
use serde_json::{Map, Value};

use super::column_names::name_of_column;
use super::table_columns::LaidTables;
use super::{filter_labels, icons, properties};
use crate::rules::lines::is_hidden;
use crate::rules::product::availability;
use crate::rules::records::Record;
use crate::rules::visible_page::{VisiblePage, squeeze};

/// Fewest entries of a list whose labels can be told by what they have in common.
const FEWEST: usize = 4;
/// Longest label, in characters.
const LONGEST_LABEL: usize = 30;
/// Most words of a label.
const MOST_WORDS: usize = 4;
/// Longest value, in characters.
const LONGEST_VALUE: usize = 160;
/// Most nodes of an element that is a label.
const LABEL_NODES: usize = 6;
/// Most nodes of one entry that are looked at.
const MAX_NODES: usize = 600;
/// Most facts of one entry.
const MAX_FACTS: usize = 40;
/// What answers a label, and is none, however many entries say it.
const ANSWERS: [&str; 12] = [
    "yes", "no", "ja", "nein", "tak", "nie", "oui", "non", "sí", "sì", "none", "n/a",
];
/// Rows of a table among which its headings are.
pub(super) const HEAD_ROWS: usize = 8;

/// What one may do with an entry, beside a box or an icon.
#[rustfmt::skip]
const ACTIONS: [&str; 26] = [
    "compare", "share", "save", "like", "follow", "select", "view", "more", "details", "view details", "read more", "learn more",
    "show more", "add", "add to compare", "vergleichen", "merken", "teilen", "auswählen", "mehr", "ansehen", "porównaj", "udostępnij",
    "wybierz", "więcej", "zapisz",
];

/// Words that join a value to what stands before, and are no label without a colon.
#[rustfmt::skip]
const JOINTS: [&str; 38] = [
    "or", "and", "from", "to", "at", "by", "for", "in", "on", "of", "only", "now", "was", "just", "with", "ab", "oder", "und", "von",
    "bis", "nur", "jetzt", "für", "im", "am", "mit", "od", "do", "lub", "i", "tylko", "teraz", "za", "na", "w", "z", "już", "statt",
];

/// The facts of every entry of a list, by label.
pub(super) fn read<'p>(
    view: &VisiblePage<'p>,
    records: &[Record],
    tables: &LaidTables<'p>,
) -> Vec<Map<String, Value>> {
    let labels = CommonLabels::of(view, records);
    let mut facts: Vec<Map<String, Value>> = records
        .iter()
        .map(|record| {
            let mut facts = Map::new();
            for root in &record.roots {
                let root = view.dom().node(*root);
                match tables.cells(root) {
                    Some(cells) => add_laid(&cells, &mut facts),
                    None => add_cells(root, &mut facts),
                }
                add_pairs(root, &labels, &mut facts);
                properties::add(root, &mut facts);
            }
            // The name of the entry is no fact beside it.
            let title = record
                .fields
                .get("title")
                .and_then(Value::as_str)
                .unwrap_or_default();
            let is_name = |value: &Value| {
                let value = value.as_str().unwrap_or_default();
                !title.is_empty()
                    && (value.starts_with(title) || begins_title(title, value) || is_cell_of(title, value))
            };
            facts.retain(|_, value| !is_name(value));
            facts
        })
        .collect();
    keep_telling(&mut facts, &labels);
    filter_labels::add(view, records, &mut facts);
    facts
}

/// Fewest words of a title that a cell repeats: a name of two or three may be a part of an address.
const LEAST_TITLE: usize = 4;

/// Whether a text is a title with badges before it and a few words behind, as the cell of a thread has.
fn is_cell_of(title: &str, text: &str) -> bool {
    title.split_whitespace().count() >= LEAST_TITLE
        && text.len() <= title.len() + LONGEST_VALUE / 2
        && text.contains(title)
}

/// Whether a title is a text and a badge behind it: "Balcony tomato Organic".
fn begins_title(title: &str, text: &str) -> bool {
    let badge = title.strip_prefix(text);
    badge.is_some_and(|badge| {
        badge.starts_with(' ') && badge.len() <= LONGEST_LABEL && text.len() > badge.len()
    })
}

/// Texts that most entries have.
struct CommonLabels(HashMap<String, usize, RandomState>);

impl CommonLabels {
    fn of(view: &VisiblePage<'_>, records: &[Record]) -> CommonLabels {
        let mut counts: HashMap<String, usize, RandomState> = HashMap::default();
        if records.len() < FEWEST {
            return CommonLabels(counts);
        }
        for record in records {
            let mut own: HashSet<String, RandomState> = HashSet::default();
            for root in &record.roots {
                for node in visible(view.dom().node(*root)) {
                    let Some(text) = node.text_value() else { continue };
                    let told = stated_pairs(text).map(|(label, _)| label);
                    own.extend(label_of(text).into_iter().chain(told));
                }
            }
            for label in own {
                *counts.entry(label).or_default() += 1;
            }
        }
        counts.retain(|_, count| *count >= FEWEST && *count * 2 >= records.len());
        CommonLabels(counts)
    }

    fn has(&self, text: &str) -> bool {
        self.count(text) > 0
    }

    /// How many entries have a text as one that may be a label.
    fn count(&self, text: &str) -> usize {
        let label = label_of(text);
        label
            .and_then(|label| self.0.get(&label).copied())
            .unwrap_or_default()
    }
}

fn holds_heading(node: Node<'_>) -> bool {
    let mut inner = node.descendants();
    inner.any(|inner| matches!(inner.tag(), "h1" | "h2" | "h3" | "h4" | "h5" | "h6"))
}

/// The visible nodes of an entry, without what can be pressed.
fn visible(root: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    let mut walk = root.descendants();
    let mut seen = 0;
    std::iter::from_fn(move || {
        loop {
            let node = walk.next()?;
            seen += 1;
            if seen > MAX_NODES {
                return None;
            }
            let is_control = matches!(
                node.tag(),
                "a" | "button" | "form" | "select" | "script" | "style" | "template" | "svg"
            );
            // An entry as a whole may be a form, with its name and a button to buy it.
            let is_control = is_control && !(node.is("form") && holds_heading(node));
            if node.is_element() && (is_control || is_hidden(node)) {
                walk.leave_out(node);
                continue;
            }
            return Some(node);
        }
    })
}

locale::patterns! {
    /// What leads to a rating or a price for readers of screens: "Rated 4.5 out of 5", "Original price was: £249.00".
    static OF_FIELD = r"(?i)^(?:rated|(?:original|current|regular|sale|old|new) price (?:was|is)|(?:aktueller|ursprünglicher) preis (?:war|ist)|(?:pierwotna|aktualna) cena (?:wynosiła|wynosi))$";
    /// What is called by letters and digits: "5G", "4K", "PM10". An amount with its unit ("16GB") is none.
    static CODE = r"^(?:[0-9]\p{Lu}|\p{Lu}{1,3}[0-9]{1,3})$";
}

/// A text as a label: short, with a letter or a code first, and without other digits; without the colon behind it.
fn label_of(text: &str) -> Option<String> {
    heading_of(text).filter(|label| {
        // "8 €" beside "places left" is no number of places.
        let is_of_stock = label.contains(' ') && availability::normalize(label).is_some();
        let is_answer = ANSWERS.iter().any(|answer| label.eq_ignore_ascii_case(answer));
        let mut words = label.split(' ');
        let is_plain = words.all(|word| CODE.is_match(word) || !word.contains(|c: char| c.is_numeric()));
        // "from £38" and "or £24.96 a month"; "From: Leeds" has a label.
        let is_joint = !text.trim_end().ends_with([':', '：'])
            && JOINTS.iter().any(|joint| label.eq_ignore_ascii_case(joint));
        let is_action = || ACTIONS.iter().any(|action| label.eq_ignore_ascii_case(action));
        !is_of_stock && !is_answer && is_plain && !is_joint && !is_action() && !OF_FIELD.is_match(label)
    })
}

/// The heading of a column of a table as a label: "PM 10" names a column, and nothing within an entry.
fn heading_of(text: &str) -> Option<String> {
    if text.len() > 4 * LONGEST_LABEL {
        return None;
    }
    let label = squeeze(text);
    let label = label.trim_end_matches([':', '：', ' ']);
    let first = label.split(' ').next().unwrap_or_default();
    let is_label = (label.starts_with(char::is_alphabetic) || CODE.is_match(first))
        && label.chars().count() <= LONGEST_LABEL
        && label.split(' ').count() <= MOST_WORDS
        && !label.ends_with(',');
    is_label.then(|| label.to_owned())
}

/// Labels and values that stand in one text, with a colon between them and a mark behind each: "Players: 2–4 | Time: 40 min".
fn stated_pairs(text: &str) -> impl Iterator<Item = (String, String)> {
    let parts = text.split(['|', '·', '•']);
    parts.filter_map(|part| {
        let (label, value) = part.split_once(": ")?;
        Some((label_of(label)?, value_of(value)?))
    })
}

fn value_of(text: &str) -> Option<String> {
    let value = squeeze(text);
    let value = value.trim_start_matches([':', '：', ' ']);
    // "Occupancy: low" is a fact of its own.
    let is_fact = value
        .split_once(": ")
        .is_some_and(|(label, _)| label_of(label).is_some());
    let is_value =
        value.contains(char::is_alphanumeric) && value.chars().count() <= LONGEST_VALUE && !is_fact;
    is_value.then(|| value.to_owned())
}

/// The cells of a row of a table, by the headings of their columns. Roles of ARIA make a table of other elements.
fn add_cells(root: Node<'_>, facts: &mut Map<String, Value>) {
    let Some(table) = root.ancestors().find(|outer| is_table(*outer)) else {
        return;
    };
    let row = if is_row(root) {
        Some(root)
    } else {
        root.children().find(|child| is_row(*child))
    };
    let Some(row) = row else { return };
    let cells_of = |row: Node<'_>| row.children().filter(|cell| is_cell(*cell)).count();
    let mut rows = table.descendants().filter(|node| is_row(*node)).take(HEAD_ROWS);
    let heading = rows.find(|row| {
        let mut cells = row.children().filter(|cell| cell.is_element()).peekable();
        cells.peek().is_some() && cells.all(is_heading_cell)
    });
    // Cells may be left out at the end: those that are there are like the first ones of a row that has all.
    let lacks_last = |heading: &Node<'_>| {
        let count = cells_of(*heading);
        let mut rows = table.descendants().filter(|node| is_row(*node)).take(HEAD_ROWS);
        let whole = rows.find(|other| *other != *heading && cells_of(*other) == count);
        whole.is_some_and(|whole| has_cells_like(row, whole))
    };
    let has_columns = |heading: &Node<'_>| {
        let (headings, cells) = (cells_of(*heading), cells_of(row));
        headings == cells || (cells > 1 && cells < headings && lacks_last(heading))
    };
    let Some(heading) = heading.filter(has_columns) else {
        return;
    };
    let headings = heading.children().filter(|cell| is_heading_cell(*cell));
    let cells = row.children().filter(|cell| is_cell(*cell));
    for (heading, cell) in headings.zip(cells) {
        let text = icons::said_by_pictures(cell).unwrap_or_else(|| cell.text());
        add_as(heading_of(&name_of_column(heading)), &text, facts);
    }
}

/// The cells of a row, each by the cells of the head above it.
fn add_laid(cells: &[(&[Node<'_>], Node<'_>)], facts: &mut Map<String, Value>) {
    for (headings, cell) in cells {
        let mut words: Vec<String> = headings.iter().map(|heading| name_of_column(*heading)).collect();
        words.dedup();
        let text = icons::said_by_pictures(*cell).unwrap_or_else(|| cell.text());
        add_as(heading_of(&words.join(" ")), &text, facts);
    }
}

/// What a cell says, as far as cells of one column are alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CellKind {
    Empty,
    /// It begins with a digit or a sign of a currency.
    Number,
    Words,
}

impl CellKind {
    fn of(cell: Node<'_>) -> CellKind {
        let text = cell.text();
        match text.trim().chars().next() {
            None => CellKind::Empty,
            Some(first) if first.is_ascii_digit() || "$€£¥+-".contains(first) => CellKind::Number,
            Some(_) => CellKind::Words,
        }
    }
}

/// Whether the cells of a row are of the kinds of the first cells of another one, a number among them, and none reaches over several
/// rows or columns.
fn has_cells_like(row: Node<'_>, whole: Node<'_>) -> bool {
    let short: Vec<Node<'_>> = row.children().filter(|cell| is_cell(*cell)).collect();
    let long: Vec<Node<'_>> = whole.children().filter(|cell| is_cell(*cell)).collect();
    let is_plain = |cell: &Node<'_>| cell.attr("colspan").is_none() && cell.attr("rowspan").is_none();
    let pairs = || {
        let pairs = short.iter().zip(&long);
        pairs.map(|(one, other)| (CellKind::of(*one), CellKind::of(*other)))
    };
    let is_like = |(one, other): (CellKind, CellKind)| {
        one == other || one == CellKind::Empty || other == CellKind::Empty
    };
    short.iter().chain(&long).all(is_plain)
        && pairs().all(is_like)
        && pairs().any(|(one, other)| one == CellKind::Number && other == CellKind::Number)
}

fn has_role(node: Node<'_>, roles: &[&str]) -> bool {
    node.attr("role").is_some_and(|role| roles.contains(&role))
}

fn is_table(node: Node<'_>) -> bool {
    node.is("table") || has_role(node, &["table", "grid", "treegrid"])
}

fn is_row(node: Node<'_>) -> bool {
    node.is("tr") || has_role(node, &["row"])
}

fn is_cell(node: Node<'_>) -> bool {
    matches!(node.tag(), "td" | "th") || has_role(node, &["cell", "gridcell", "rowheader", "columnheader"])
}

fn is_heading_cell(node: Node<'_>) -> bool {
    node.is("th") || has_role(node, &["columnheader"])
}

/// What stands beside the labels within an entry.
fn add_pairs(root: Node<'_>, labels: &CommonLabels, facts: &mut Map<String, Value>) {
    for node in visible(root) {
        if node.is("dt") {
            // An element around the terms and the descriptions of one entry of a list of definitions.
            if node.parent().is_some_and(|outer| outer == root)
                && root.parent().is_some_and(|list| list.is("dl"))
            {
                continue;
            }
            let value = node.siblings_after().find(|sibling| sibling.is_element());
            if let Some(value) = value.filter(|value| value.is("dd")) {
                add(&node.text(), &value.text(), facts);
            }
            continue;
        }
        if node.is("th") {
            let mut cells = node
                .parent()
                .into_iter()
                .flat_map(Node::children)
                .filter(|cell| cell.is_element());
            if let (Some(first), Some(value), None) = (cells.next(), cells.next(), cells.next())
                && first == node
                && value.is("td")
            {
                add(&node.text(), &value.text(), facts);
            }
            continue;
        }
        // "Value: 890 000 zł", as some entries have one below the other.
        for (label, value) in node.text_value().into_iter().flat_map(stated_pairs) {
            if labels.has(&label) {
                add(&label, &value, facts);
            }
        }
        let is_label = node.text_value().is_some_and(|text| labels.has(text));
        if !is_label
            || node
                .parent()
                .is_some_and(|parent| matches!(parent.tag(), "dt" | "th"))
        {
            continue;
        }
        if let Some((label, value)) = pair(root, node, labels) {
            add(&label, &value, facts);
        }
    }
}

/// The label that a text is, and the value behind it, else before it: alone with it in an element, or in turn with others.
fn pair(root: Node<'_>, text: Node<'_>, labels: &CommonLabels) -> Option<(String, String)> {
    let label = label_of(text.text_value()?)?;
    // The largest element that says nothing else.
    let mut holder = text;
    while let Some(outer) = holder.parent() {
        let is_small = outer.end().index() - outer.id().index() <= LABEL_NODES;
        if outer.id() == root.id() || !is_small || label_of(&outer.text()).as_ref() != Some(&label) {
            break;
        }
        holder = outer;
    }
    let is_told = |node: &Node<'_>| !node_text(*node).trim().is_empty();
    let parent = holder.parent()?;
    let parts: Vec<Node<'_>> = parent.children().filter(is_told).take(MAX_FACTS).collect();
    let place = parts.iter().position(|part| *part == holder)?;
    let is_label = |node: &Node<'_>| labels.has(&node_text(*node));
    // A text and an element behind it: "Estimate <b>£300</b>".
    if let (true, 0, Some(next)) = (holder.is_text(), place, parts.get(1)) {
        return Some((label, value_of(&node_text(*next))?));
    }
    // Labels look alike, and unlike their values; entries of a list of words are neither.
    let is_set_apart =
        |value: &Node<'_>| holder.is_text() || holder.tag() != value.tag() || holder.class() != value.class();
    // A colon says that the value follows, also where most entries have the same one ("yes").
    let ends_with_colon = |node: &Node<'_>| node_text(*node).trim_end().ends_with([':', '：']);
    let has_colon = || ends_with_colon(&holder);
    let is_next_label = |next: &Node<'_>| is_label(next) && (!has_colon() || ends_with_colon(next));
    // In a row of two cells the first is the label.
    let is_first_of_two = parent.is("tr") && parts.len() == 2 && place == 0;
    // Of a label and a value that most entries have ("Fixed price" and "yes"), more have the label.
    let is_commoner = |next: &Node<'_>| {
        parts.len() == 2 && place == 0 && labels.count(&label) > labels.count(&node_text(*next))
    };
    // "<span>Label:</span> <span>value</span>" needs nothing else to tell the two apart.
    let is_colon_pair = || parts.len() == 2 && place == 0 && has_colon();
    let is_value = |next: &Node<'_>| {
        (!is_next_label(next) || is_commoner(next)) && (is_set_apart(next) || is_colon_pair())
    };
    // Behind a colon, elements of one template are the values of one label: "Sizes: S M L".
    let behind = parts.get(place + 1..).unwrap_or_default();
    let is_alike = |part: &&Node<'_>| {
        let first = behind.first().map(|first| (first.tag(), first.class()));
        first == Some((part.tag(), part.class())) && part.is_element() && !ends_with_colon(part)
    };
    if has_colon() && behind.len() > 1 && behind.iter().all(|part| is_alike(&part)) {
        let offered = behind.iter().filter(|part| !is_not_offered(**part));
        let values: Vec<String> = offered.map(|part| squeeze(&node_text(*part))).collect();
        // "Sedan, 2019, 45,000 km" is of several labels.
        let with_digits = values
            .iter()
            .filter(|value| value.contains(|c: char| c.is_ascii_digit()))
            .count();
        let is_short = |value: &String| value.chars().count() <= LONGEST_LABEL;
        if (with_digits == 0 || with_digits == values.len()) && values.iter().all(is_short) {
            return Some((label, value_of(&values.join(", "))?));
        }
    }
    let next = parts
        .get(place + 1)
        .filter(|next| is_first_of_two || is_value(next));
    let is_in_turn = || {
        let labelled = parts.iter().filter(|part| is_label(part)).count();
        labelled >= 2 && (parts.first().is_some_and(is_label) || has_colon())
    };
    match (parts.as_slice(), next) {
        ([_, _], Some(next)) => Some((label, value_of(&node_text(*next))?)),
        ([before, _], None)
            if place == 1
                && !is_label(before)
                && is_set_apart(before)
                && !is_badge(holder)
                && !ends_sentence(&label) =>
        {
            Some((label, value_of(&node_text(*before))?))
        }
        (_, Some(next)) if is_in_turn() => Some((label, value_of(&node_text(*next))?)),
        _ => None,
    }
}

/// Whether an element is called a badge, which says something of the entry and not of the text before it.
fn is_badge(node: Node<'_>) -> bool {
    const NAMES: [&str; 5] = ["badge", "chip", "flag", "pill", "tag"];
    let class = node.class().to_ascii_lowercase();
    class
        .split(|c: char| !c.is_ascii_alphabetic())
        .any(|word| NAMES.contains(&word))
}

/// Whether a text is a sentence of its own, as the last of a paragraph is: "Has a car park."
fn ends_sentence(text: &str) -> bool {
    text.ends_with(['.', '!', '?'])
}

fn node_text(node: Node<'_>) -> String {
    if node.is_hidden_by_tag() || node.is("button") {
        return String::new();
    }
    let parts: Vec<Node<'_>> = node.children().filter(|child| child.is_element()).collect();
    let has_own_text = node
        .children()
        .filter_map(Node::text_value)
        .any(|text| !text.trim().is_empty());
    let are_choices = !has_own_text
        && parts.len() > 1
        && parts
            .iter()
            .all(|part| parts.first().is_some_and(|first| first.tag() == part.tag()));
    let offered = || parts.iter().filter(|part| !is_not_offered(**part)).count();
    // Of several choices those that cannot be had are no values: a size that is struck through.
    if are_choices && (1..parts.len()).contains(&offered()) {
        let texts: Vec<String> = parts
            .iter()
            .filter(|part| !is_not_offered(**part))
            .map(|part| part.text())
            .collect();
        return texts.join(" ");
    }
    node.text()
}

/// Whether a choice is shown as one that cannot be made.
fn is_not_offered(choice: Node<'_>) -> bool {
    let text = choice.text();
    let is_struck =
        |part: &Node<'_>| matches!(part.tag(), "s" | "del" | "strike") && part.text().trim() == text.trim();
    let mut parts = std::iter::once(choice).chain(choice.descendants());
    choice.attr("aria-disabled") == Some("true")
        || parts.any(|part| part.attr("disabled").is_some() || is_struck(&part))
}

fn add(label: &str, value: &str, facts: &mut Map<String, Value>) {
    add_as(label_of(label), value, facts);
}

fn add_as(label: Option<String>, value: &str, facts: &mut Map<String, Value>) {
    let (Some(label), Some(value)) = (label, value_of(value)) else {
        return;
    };
    if facts.len() < MAX_FACTS && label != value {
        facts.entry(label).or_insert_with(|| value.into());
    }
}

/// Takes away what all entries of a longer list say alike, which tells none from another, and texts that only now and then
/// stand before another one, as the words of two badges do.
fn keep_telling(facts: &mut [Map<String, Value>], labels: &CommonLabels) {
    let mut uses: HashMap<String, LabelUse, RandomState> = HashMap::default();
    for (label, value) in facts.iter().flatten() {
        let label_use = uses.entry(label.clone()).or_insert_with(|| LabelUse {
            count: 0,
            first: value.clone(),
            is_varied: false,
        });
        label_use.count += 1;
        label_use.is_varied |= label_use.first != *value;
    }
    let is_telling = |label: &String| {
        let said = labels.0.get(label).copied().unwrap_or_default();
        uses.get(label).is_some_and(|label_use| {
            (label_use.is_varied || label_use.count < FEWEST) && label_use.count * 5 >= said * 4
        })
    };
    for row in facts {
        row.retain(|label, _| is_telling(label));
    }
}

/// How the entries of a list use a label.
struct LabelUse {
    /// Entries that have a value beside it.
    count: usize,
    first: Value,
    /// Whether some value is another than the first.
    is_varied: bool,
}

#[cfg(test)]
mod tests;
