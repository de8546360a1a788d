//! Fields of detail pages, read from their labels.
//!
//! One table from labels, in the languages they are met in, to fields. It serves every type of page whose facts stand beside
//! labels: jobs, books, films, cars, restaurants, schools, players.

use std::sync::LazyLock;

use page::dom::{Node, NodeId};

use super::addresses::has_ending;
use super::comments::is_in_comments;
use super::element_source::element_source;
use super::labels::{LabelRanks, LabelValue, PairLayout};
use super::linked_values;
use super::visible_page::VisiblePage;
use super::word_lists::{phrases, sections};
use crate::provenance::{FieldSource, Sourced};

/// One field of the table: its name, whether it holds a list, and its labels, the plainest first.
struct FieldLabels {
    name: &'static str,
    list: bool,
    labels: Vec<&'static str>,
    ranks: LabelRanks,
}

static FIELDS: LazyLock<Vec<FieldLabels>> = LazyLock::new(|| {
    let fields = sections(include_str!("labelled_fields/labels.txt")).into_iter();
    fields
        .map(|(section, lines)| {
            let labels = phrases(&lines);
            FieldLabels {
                name: section.strip_suffix(" list").unwrap_or(section),
                list: section.ends_with(" list"),
                ranks: LabelRanks::new(&labels),
                labels,
            }
        })
        .collect()
});

fn field_labels(name: &str) -> Option<&'static FieldLabels> {
    FIELDS.iter().find(|field| field.name == name)
}

/// A field found beside its label.
#[derive(Debug, Clone, PartialEq)]
pub struct LabelledField {
    /// The field's name.
    pub field: &'static str,
    /// Its values; more than one only in fields that hold lists.
    pub values: Vec<String>,
    /// Where the value stands.
    pub source: FieldSource,
    /// Whether the field holds a list.
    pub list: bool,
}

/// The labels of a field, in the languages they are met in; none for a field that is not read beside labels.
pub fn labels_of(field: &str) -> &'static [&'static str] {
    field_labels(field).map_or(&[], |field| &field.labels)
}

/// The wanted fields that the page states beside labels, in the order of `wanted`.
pub fn read(view: &VisiblePage<'_>, wanted: &[&str]) -> Vec<LabelledField> {
    let heading = view.heading.as_ref().map(|heading| heading.node);
    wanted
        .iter()
        .filter_map(|field| find_field(view, field, heading))
        .collect()
}

fn find_field(view: &VisiblePage<'_>, wanted: &str, heading: Option<NodeId>) -> Option<LabelledField> {
    let field = field_labels(wanted)?;
    let mut best: Option<(f32, Vec<String>, &LabelValue)> = None;
    for pair in &view.pairs {
        let Some(rank) = field.ranks.get(&pair.key) else {
            continue;
        };
        let node = view.dom().node(pair.node);
        // The menu of a site leads to who writes for it.
        let is_of_menu = wanted == "author" && is_in_menu(node);
        if is_in_comments(view, node) || is_control(view, node) || is_of_menu {
            continue;
        }
        let mut values = values(wanted, &pair.value, field.list);
        if field.list
            && !values.is_empty()
            && let Some(parts) = linked_values::parts(view.dom(), pair)
        {
            values = parts
                .into_iter()
                .filter(|part| part.len() <= LONGEST_PART)
                .take(MOST_PARTS)
                .collect();
        }
        if wanted == "cast"
            && pair.layout == PairLayout::Heading
            && let Some(names) = names_of_rows(node)
        {
            values = names;
        }
        if wanted == "website"
            && let Some(address) = address_of(view, node)
        {
            values = vec![address];
        }
        if values.is_empty() || (!field.list && !is_one_value(view, wanted, pair)) {
            continue;
        }
        let behind = heading.is_none_or(|heading| pair.node >= heading);
        let score = -(rank as f32) - if behind { 0.0 } else { 6.0 } - f32::from(pair.layout as u8) * 0.2;
        if best.as_ref().is_none_or(|(most, _, _)| score > *most) {
            best = Some((score, values, pair));
        }
    }
    let (_, values, pair) = best?;
    let source = element_source(view.dom().node(pair.node));
    Some(LabelledField {
        field: field.name,
        values,
        source,
        list: field.list,
    })
}

/// The names in the first cells of the rows of the table that a value stands in: those who play beside whom they play.
fn names_of_rows(node: Node<'_>) -> Option<Vec<String>> {
    let table = if node.is("table") {
        Some(node)
    } else {
        node.closest("table")
    }?;
    let rows = table.descendants().filter(|row| row.is("tr"));
    let cells = rows.filter_map(|row| row.children().find(|cell| cell.is_element()));
    let names = cells.filter(|cell| cell.is("td")).map(|cell| cell.text());
    let names: Vec<String> = names
        .filter(|name| !name.is_empty() && name.len() <= LONGEST_PART)
        .take(MOST_PARTS)
        .collect();
    (names.len() > 1).then_some(names)
}

/// Where the one link of a value leads, absolute: its words may be a part of the address.
fn address_of(view: &VisiblePage<'_>, node: Node<'_>) -> Option<String> {
    let within = std::iter::once(node).chain(node.descendants()).take(MOST_NODES);
    let mut links = within.filter(|node| node.is("a"));
    let (Some(link), None) = (links.next(), links.next()) else {
        return None;
    };
    // "[edit]" leads elsewhere.
    let address = view
        .page
        .absolute(link.attr("href")?)
        .filter(|_| link.text().contains('.'))?;
    matches!(address.scheme(), "http" | "https").then(|| address.to_string())
}

/// Whether a value stands within something to press, or in a dialog: the language that a visitor chooses is not that of a book.
fn is_control(view: &VisiblePage<'_>, node: Node<'_>) -> bool {
    let mut around = std::iter::once(node).chain(node.ancestors());
    around.any(|outer| matches!(outer.tag(), "button" | "select" | "option") || view.overlays.contains(outer))
}

/// Fields of which a page may list several values beside one label, each in a link or an entry of its own.
const OF_SEVERAL: [&str; 7] = ["author", "address", "location", "hours", "phone", "email", "cast"];
/// Most nodes of a value that are looked at.
const MOST_NODES: usize = 200;

/// Whether what stands beside a label is one value: no menu under a heading, no choice of options, no filter.
fn is_one_value(view: &VisiblePage<'_>, field: &str, pair: &LabelValue) -> bool {
    let node = view.dom().node(pair.node);
    if OF_SEVERAL.contains(&field) {
        return true;
    }
    let within = || std::iter::once(node).chain(node.descendants()).take(MOST_NODES);
    let is_chosen = |node: Node<'_>| matches!(node.tag(), "input" | "select" | "option" | "button" | "label");
    let has_several = |tag: &str| within().filter(|node| node.is(tag)).nth(1).is_some();
    let beside = node
        .parent()
        .into_iter()
        .flat_map(|parent| parent.children())
        .take(MOST_NODES);
    let is_set_apart = matches!(
        pair.layout,
        PairLayout::Heading | PairLayout::Grid | PairLayout::Bold
    );
    let is_entry = || {
        let entry = std::iter::once(node)
            .chain(node.ancestors().take(2))
            .find(|node| node.is("li"));
        let list = entry.and_then(|entry| entry.parent());
        list.is_some_and(|list| list.children().filter(|child| child.is("li")).nth(1).is_some())
    };
    !has_several("li")
        && !has_several("a")
        && !within().any(is_chosen)
        && !beside
            .into_iter()
            .any(|node| matches!(node.tag(), "input" | "select"))
        && !(is_set_apart && (is_in_menu(node) || is_entry()))
}

/// Whether an element stands in a menu or in the footer of the page.
fn is_in_menu(node: Node<'_>) -> bool {
    let is_menu = |node: Node<'_>| {
        let names = format!("{} {}", node.class(), node.id_attr()).to_ascii_lowercase();
        matches!(node.tag(), "nav" | "footer")
            || ["footer", "menu", "nav"].iter().any(|name| names.contains(name))
    };
    node.ancestors()
        .take_while(|above| !above.is("body"))
        .any(is_menu)
}

/// Whether an address is that of a recording, a picture or another file.
pub(super) fn is_file(address: &str) -> bool {
    const ENDINGS: [&str; 14] = [
        ".mp3", ".m4a", ".wav", ".ogg", ".mp4", ".mov", ".webm", ".jpg", ".jpeg", ".png", ".gif", ".webp",
        ".pdf", ".zip",
    ];
    has_ending(address, &ENDINGS)
}

/// Words of a value that is a sentence.
const SENTENCE: usize = 7;

/// Whether a text is a sentence and no name.
fn is_sentence(text: &str) -> bool {
    text.ends_with(['.', '!', '?']) && text.split_whitespace().count() >= SENTENCE
}

/// The names of the days of the week in English, German, Polish, French and Spanish, whole and cut short.
pub(super) const DAY: &str = r"(?:mon(?:day)?|tue(?:s|sday)?|wed(?:nesday)?|thu(?:r|rs|rsday)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?)s?|(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag)s?|mo|di|mi|do|fr|sa|so|poniedziałek|wtorek|środa|czwartek|piątek|sobota|niedziela|pon|pn|wt|śr|czw|cz|pt|sob|sb|niedz|nd|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|miércoles|jueves|viernes|sábado|domingo|daily|every day|täglich|codziennie|tous les jours|todos los días";

locale::patterns! {
    /// Names of languages, in their own words and in English, German and Polish.
    static LANGUAGE = r"(?i)\b(?:english|german|french|spanish|italian|portuguese|dutch|polish|russian|chinese|japanese|korean|arabic|hindi|turkish|swedish|norwegian|danish|finnish|czech|greek|hungarian|romanian|ukrainian|hebrew|latin|catalan|croatian|serbian|bulgarian|slovak|slovenian|vietnamese|thai|indonesian|persian|englisch|deutsch|französisch|spanisch|italienisch|portugiesisch|niederländisch|polnisch|russisch|chinesisch|japanisch|angielski|niemiecki|francuski|hiszpański|włoski|polski|rosyjski|français|anglais|allemand|español|inglés|italiano|português|inglês|nederlands|svenska|norsk|dansk|suomi|čeština|русский|українська|日本語|中文|한국어|العربية)\b";
    /// Words for a place that is always open, or not at all.
    pub(super) static OPEN_OR_CLOSED = r"(?i)\b(?:clos\w+|geschlossen|ruhetag|zamkn\w+|nieczynn\w+|ferm\w+|cerrado|always|daily|open|hours|täglich|geöffnet|codziennie|czynn\w+|ouvert\w*|abierto|vereinbarung|appointment)\b";
    /// Nothing but names of days and what joins them.
    static ONLY_DAYS = format!(r"(?i)^(?:[\W_]|\b(?:{DAY}|luned[ìi]|marted[ìi]|mercoled[ìi]|gioved[ìi]|venerd[ìi]|sabato|domenica|maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag|segunda|terça|quarta|quinta|sexta|feira|понедельник|вторник|сред[аы]|четверг|пятниц[аы]|суббот[аы]|воскресенье|пн|вт|ср|чт|пт|сб|вс|to|till|until|through|from|on|bis|von|und|do|od|i|au|du|à|et|al?|dal?|e|y|de|van|tot|en|t/?m|and|по|с|и)\b)*$");
    /// A unit in which the use of fuel is told.
    static FUEL_UNIT = r"(?i)mpg|mpge|l\s*/\s*100|km\s*/\s*l|kwh\s*/\s*100|kwh";
    /// How tall or high something is: with a unit of length, or none. "84 MB" and "24 m²" are sizes of other kinds.
    static LENGTH = r#"(?i)\d\s*(?:(?:cm|mm|m|km|ft|feet|foot|in|inch(?:es)?|zoll|met(?:er|re|ro|r)s?|metr\p{L}*|centimet\p{L}+|centymetr\p{L}*|м|см|метр\p{L}*)(?:[^\p{L}\p{N}²]|$)|['’′"”″])|\d$"#;
    /// An extent, and no place: "3.4 km²".
    static EXTENT = r"(?i)^\W*\d[\d.,'\s]*(?:[kcm]?m(?:²|2)|sq\.?\s|square\s|ha\b|hectares?\b|hektar|acres?\b|qm\b|ft(?:²|2))";
    /// A remark in brackets behind a name.
    static REMARK = r"^(?P<name>.*\S)\s*\((?P<remark>[^()]+)\)$";
    /// What pages add behind a value: "see more", "view map", "[edit]".
    static TRAILING_LINK = r"(?i)\s*(?:\||»|›|\bsee (?:more|all)\b.*|\bview (?:all|map|larger map|on map)\b.*|\bread more\b.*|\b(?:get )?directions\b|\[edit\]|\(map\))\s*$";
}

/// A name without the day in brackets behind it: "Harbor Press (March 3, 2026)".
pub(super) fn without_day(text: &str) -> &str {
    // Any moment does: only whether there is a day counts.
    let now = jiff::civil::date(2020, 6, 17).at(12, 0, 0, 0);
    let is_day = |remark: &str| {
        remark.contains(|c: char| c.is_ascii_digit())
            && locale::dates::parse(remark, now, &locale::dates::DateHints::default()).is_some()
    };
    REMARK
        .captures(text)
        .filter(|found| found.name("remark").is_some_and(|remark| is_day(remark.as_str())))
        .and_then(|found| found.name("name"))
        .map_or(text, |name| name.as_str())
}

/// Longest part of a list, in bytes.
const LONGEST_PART: usize = 80;
/// Most parts of a list.
const MOST_PARTS: usize = 30;
/// Fewest letters of a word before the point that ends a sentence: shorter ones may be cut short ("Prof. Ann Lee").
const LAST_WORD: usize = 5;

/// A text up to the end of its first sentence: "Anke Wolters. With Jan Petersen" lists one name.
fn first_sentence(text: &str) -> &str {
    let is_end = |(at, _): &(usize, &str)| {
        let word = text
            .get(..*at)
            .and_then(|before| before.split_whitespace().last());
        let behind = text.get(at + 2..).unwrap_or_default();
        word.is_some_and(|word| word.chars().count() >= LAST_WORD && word.chars().all(char::is_alphabetic))
            && behind.starts_with(char::is_uppercase)
    };
    let end = text.match_indices(". ").find(is_end);
    end.and_then(|(at, _)| text.get(..at)).unwrap_or(text)
}

/// The values of a field in what stands beside its label; none when it cannot be one.
fn values(field: &str, text: &str, list: bool) -> Vec<String> {
    let mut text = text.trim().to_owned();
    for _ in 0..3 {
        let shorter = TRAILING_LINK.replace(&text, "").into_owned();
        if shorter == text {
            break;
        }
        text = shorter;
    }
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let fits = match field {
        "phone" => digits >= 6 && text.len() <= 80,
        "email" => text.contains('@'),
        // "Monday–Thursday" alone tells no hours.
        "hours" => {
            text.len() <= 250 && (digits > 0 || OPEN_OR_CLOSED.is_match(&text) || !ONLY_DAYS.is_match(&text))
        }
        "website" => text.contains('.') && !text.contains(' ') && !is_file(&text),
        // The number of a book begins so; other articles have a number of as many digits.
        "isbn_13" => {
            let number: String = text.chars().filter(char::is_ascii_digit).collect();
            digits == 13 && ["978", "979"].iter().any(|book| number.starts_with(book))
        }
        "isbn_10" => (9..=10).contains(&digits),
        "date_posted" | "publication_date" | "born" | "application_deadline" | "start_date" => {
            (digits >= 1 || text.split_whitespace().count() <= 3) && text.len() <= 60
        }
        "fuel_economy" => digits >= 1 && text.len() <= 90 && FUEL_UNIT.is_match(&text),
        "height" => text.len() <= 90 && LENGTH.is_match(&text),
        "salary" | "year" | "weight" | "pages" | "area" | "rooms" => digits >= 1 && text.len() <= 90,
        "language" => text.len() <= 90 && LANGUAGE.is_match(&text),
        "company" | "job_title" | "publisher" | "team" | "manufacturer" | "model" | "type" | "job_type" => {
            text.len() <= 150 && !is_sentence(&text)
        }
        "location" | "address" => text.len() <= 150 && !EXTENT.is_match(&text),
        _ => text.len() <= 250,
    };
    if !fits || text.is_empty() || super::super::normalize::is_placeholder(&text) {
        return Vec::new();
    }
    if list {
        let parts = first_sentence(&text)
            .split(['|', ',', ';', '/', '•', '·'])
            .flat_map(|it| it.split(" and "))
            .map(str::trim);
        return parts
            .filter(|it| !it.is_empty() && it.len() <= LONGEST_PART)
            .take(MOST_PARTS)
            .map(str::to_owned)
            .collect();
    }
    // What stands behind a bar is another thing.
    let text = text.split(" | ").next().unwrap_or(&text).trim();
    let text = match field {
        "publisher" => without_day(text),
        _ => text,
    };
    let is_number = matches!(field, "isbn_13" | "isbn_10");
    let text = if is_number {
        text.trim_end_matches('.')
    } else {
        text
    }
    .to_owned();
    vec![text]
}

/// The first value of a detail as one found text.
pub fn first(detail: &LabelledField) -> Option<Sourced<String>> {
    detail
        .values
        .first()
        .map(|value| Sourced::new(value.clone(), detail.source.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use page::Page;

    fn read_one(html: &str, field: &str) -> Option<Vec<String>> {
        let page = Page::new(html, None);
        let view = VisiblePage::of(&page);
        read(&view, &[field]).into_iter().next().map(|field| field.values)
    }

    #[test]
    fn a_label_is_understood_in_many_languages() {
        for (html, field, want) in [
            (
                "<dl><dt>Employer</dt><dd>Acme Inc.</dd></dl>",
                "company",
                "Acme Inc.",
            ),
            ("<p>Arbeitsort: Berlin</p>", "location", "Berlin"),
            ("<p><b>Type de contrat :</b> CDI</p>", "job_type", "CDI"),
            (
                "<table><tr><th>Зарплата</th><td>от 100 000 руб.</td></tr></table>",
                "salary",
                "от 100 000 руб.",
            ),
            ("<p>Phone: (505) 266-0550</p>", "phone", "(505) 266-0550"),
            ("<p>Address: 2 Main St. | </p>", "address", "2 Main St."),
        ] {
            assert_eq!(read_one(html, field), Some(vec![want.to_owned()]), "{html}");
        }
    }

    #[test]
    fn hours_may_be_told_in_words_but_not_by_days_alone() {
        let hours = |value: &str| read_one(&format!("<p>Hours: {value}</p>"), "hours");
        for value in [
            "dawn to dusk",
            "rund um die Uhr",
            "całodobowo",
            "su appuntamento",
            "gesloten",
            "daily",
        ] {
            assert_eq!(hours(value), Some(vec![value.to_owned()]));
        }
        for days in [
            "Monday–Thursday",
            "Mo bis Fr",
            "lunedì e martedì",
            "maandag t/m vrijdag",
        ] {
            assert_eq!(hours(days), None);
        }
    }

    #[test]
    fn a_table_below_a_heading_has_a_name_in_each_row() {
        let html = "<h1>The Salt Road</h1><p>A smuggler's daughter crosses the moor.</p><h2>Cast</h2><table>\
                    <tr><td><a href=/4>Maeve Oakley</a></td><td>Tamsin</td></tr><tr><td><a href=/5>Jude Farrant</a></td><td>The Exciseman</td></tr></table>";
        assert_eq!(
            read_one(html, "cast"),
            Some(vec!["Maeve Oakley".into(), "Jude Farrant".into()])
        );
    }

    #[test]
    fn a_list_is_taken_apart() {
        assert_eq!(
            read_one("<p>Genres: Crime | Thriller See more »</p>", "genre"),
            Some(vec!["Crime".into(), "Thriller".into()])
        );
    }

    #[test]
    fn a_list_has_the_parts_that_links_set_apart_and_ends_with_its_sentence() {
        let of = |names: &[&str]| Some(names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>());
        assert_eq!(
            read_one(
                "<p>Genre: <a href=/1>Sea story</a> <a href=/2>Drama</a></p>",
                "genre"
            ),
            of(&["Sea story", "Drama"])
        );
        assert_eq!(
            read_one(
                "<p>Regie: Anke Wolters. Mit Jan Petersen, Mia Thoms</p>",
                "director"
            ),
            of(&["Anke Wolters"])
        );
    }

    #[test]
    fn a_value_of_another_kind_than_the_field_is_none() {
        let one = |value: &str| Some(vec![value.to_owned()]);
        for size in ["84,3 MB", "24 m²", "2,1 GB"] {
            assert_eq!(
                read_one(&format!("<p>Größe: {size}</p>"), "height"),
                None,
                "{size}"
            );
        }
        for height in [
            "1,85 m",
            "185 cm",
            "6 ft 2 in",
            "6'2\"",
            "5-11",
            "1.98m (6 ft 6 in)",
        ] {
            assert_eq!(
                read_one(&format!("<p>Größe: {height}</p>"), "height"),
                one(height)
            );
        }
        assert_eq!(read_one("<p>Area: 3.4 km² (1.3 sq mi)</p>", "location"), None);
        assert_eq!(
            read_one("<p>Area: 12 Mill Lane, Leith</p>", "location"),
            one("12 Mill Lane, Leith")
        );
        assert_eq!(
            read_one("<p>Publisher: Harbor Press (March 3, 2026)</p>", "publisher"),
            one("Harbor Press")
        );
        assert_eq!(
            read_one("<p>Publisher: Harbor Press (London)</p>", "publisher"),
            one("Harbor Press (London)")
        );
        assert_eq!(
            read_one(
                "<dl><dt>Website</dt><dd><a href='https://ardle.example'>ardle.example</a></dd></dl>",
                "website"
            ),
            one("https://ardle.example/")
        );
    }

    #[test]
    fn a_reader_labels_nothing_of_the_page() {
        let html =
            |class: &str| format!("<h1>Frontier</h1><ol class={class}><li><p>Phone: (505) 266-0550</p></ol>");
        assert!(read_one(&html("facts"), "phone").is_some());
        assert_eq!(read_one(&html("comment-list"), "phone"), None);
    }

    #[test]
    fn a_value_that_cannot_be_one_is_passed_over() {
        assert_eq!(read_one("<p>Phone: ask at the desk</p>", "phone"), None);
        assert_eq!(read_one("<p>Company: n/a</p>", "company"), None);
        // The number of an article that is no book.
        assert_eq!(read_one("<ul><li>EAN: 6935364088101.</li></ul>", "isbn_13"), None);
        assert_eq!(
            read_one("<ul><li>EAN: 9780306406157.</li></ul>", "isbn_13"),
            Some(vec!["9780306406157".into()])
        );
        // Shops write marks of direction before numbers.
        assert!(read_one("<ul><li>ISBN-13: \u{200e}978-0306406157</li></ul>", "isbn_13").is_some());
        let menu = "<div class=foot><h4>Company</h4><ul><li><a href=/a>About us</a><li><a href=/c>Careers</a></ul></div>";
        assert_eq!(read_one(menu, "company"), None);
        let one = "<div class=page-footer><h4>Company</h4><p><a href=/a>About us</a></p></div>";
        assert_eq!(read_one(one, "company"), None);
        assert_eq!(
            read_one("<p>Company: <a href=/acme>Acme</a></p>", "company"),
            Some(vec!["Acme".to_owned()])
        );
        assert_eq!(
            read_one(
                "<table><tr><th>Language</th><td>Interface</td></tr></table>",
                "language"
            ),
            None
        );
        let filter = "<p>Type: <label><input type=radio>Rent</label></p>";
        assert_eq!(read_one(filter, "type"), None);
        let sentence = "<p>Publisher: Identifies the shop that submits the reviews to us.</p>";
        assert_eq!(read_one(sentence, "publisher"), None);
    }
}
