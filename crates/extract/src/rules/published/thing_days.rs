//! Days that a page shows and that are not its own: in the life of a thing, and in the line of rights of the site.

use page::dom::Node;

use super::roles::{DateRole, role_of_words};

locale::patterns! {
    /// Words of the line of rights of a site.
    static OF_RIGHTS = r"(?i)\btrademarks?\b.{0,80}\bowners?\b|\ball rights reserved\b|\balle rechte vorbehalten\b|\btous droits réservés\b|\btodos los derechos reservados\b|\bwszelkie prawa zastrzeżone\b";
    /// Labels of days in the life of a thing or a person, none of which is that of the page.
    static OF_THING = r"(?i)^\W*(?:i trafik|(?:datum )?första registrering|(?:date of )?first (?:registration|registered)|registered|erstzulassung|ez|zulassung|(?:date de )?(?:1[eè]?re|première) (?:mise en circulation|immatriculation)|mise en circulation|data (?:pierwszej rejestracji|produkcji)|pierwsza rejestracja|prima immatricolazione|(?:fecha de )?primera matriculación|matriculación|eerste toelating|(?:date of )?birth(?: ?date|day)?|geburtsdatum|date de naissance|data urodzenia|(?:senast )?besiktigad|(?:next |last )?(?:inspection|mot|service)(?: due| date)?|hu/au|tüv(?: bis)?|available from|verfügbar ab|frei ab|disponible (?:à partir du|desde)|dostępne od|expir(?:y|ation)(?: date)?)\W*(?:[0-9]|$)";
    /// A guest's words in quotation marks, and who said them, before the day: "“A fine view.” – Henk, 3 July 2023".
    static OF_OPINION = r#"^\s*[“"„«»].{2,}[”"“»«]\s*[–—-]\s*\p{Lu}[\p{L}. ]{1,30},\s*\S{0,12}\s?[0-9]"#;
    /// Labels of the first day of a course or an event.
    static OF_BEGINNING = r"(?i)^\W*(?:start(?:ing|s)?(?: date)?|begins|kurs(?:beginn|start)|startdatum|date de début|fecha de inicio|data (?:di inizio|rozpoczęcia)|termine?)\W*$";
    /// Labels of the day on which a thing came to the shops.
    static OF_RELEASE = r"(?i)^\W*(?:release(?:d| date)?|launch(?:ed| date)?|erscheinungs(?:datum|termin)|veröffentlichung(?:sdatum)?|date de sortie|data premiery|premiera|fecha de lanzamiento|data di uscita|lanceringsdatum)\W*$";
}

/// Whether a text is the line of rights of a site, whose day is that of its terms.
pub(super) fn is_of_rights(text: &str) -> bool {
    text.contains('©') || text.contains("(c)") || text.contains("opyright") || OF_RIGHTS.is_match(text)
}

/// Whether a day is that of a thing which the page describes, or of another page.
pub(super) fn is_of_other(node: Node<'_>, label: &str, text: &str) -> bool {
    is_property(node, label, text)
        || OF_OPINION.is_match(text)
        || is_below_beginning(node)
        || is_in_headline_of_other(node, text)
}

/// Fewest rows of a table, or terms of a list, that describes a thing.
const PROPERTIES: usize = 3;

/// Whether a day is a property of a thing: its label names a day in the life of one, or the day of its release in a table of its
/// properties.
fn is_property(node: Node<'_>, label: &str, text: &str) -> bool {
    if OF_THING.is_match(label) || OF_THING.is_match(text) {
        return true;
    }
    let rows = |of: Node<'_>, tag: &str| {
        of.descendants()
            .filter(|inner| inner.is(tag))
            .take(PROPERTIES)
            .count()
    };
    let is_described = || {
        node.ancestors().take(5).any(|around| match around.tag() {
            "table" => rows(around, "tr") == PROPERTIES,
            "dl" => rows(around, "dt") == PROPERTIES,
            _ => false,
        })
    };
    OF_RELEASE.is_match(label) && is_described()
}

/// Whether a text is in a cell of a table below the head of a column of first days: "Start date".
fn is_below_beginning(node: Node<'_>) -> bool {
    let Some(cell) = node.ancestors().take(3).find(|around| around.is("td")) else {
        return false;
    };
    let column = cell.siblings_before().filter(|cell| cell.is_element()).count();
    let table = cell.ancestors().take(4).find(|around| around.is("table"));
    let head = table.and_then(|table| table.descendants().find(|inner| inner.is("tr")));
    let name = head.and_then(|head| head.children().filter(|cell| cell.is_element()).nth(column));
    name.is_some_and(|name| name.is("th") && OF_BEGINNING.is_match(&name.text()))
}

/// Fewest words of a link that is the headline of another page.
const HEADLINE_WORDS: usize = 8;

/// Whether a text is, with the day in it, the long text of a link to another page: "Minutes of the meeting held on 25.02.2016". Words
/// of publication are read as such.
fn is_in_headline_of_other(node: Node<'_>, text: &str) -> bool {
    let link = node.ancestors().take(3).find(|around| around.is("a"));
    let leads_away = link
        .and_then(|link| link.attr("href"))
        .is_some_and(|href| !href.starts_with('#'));
    leads_away
        && text.split_whitespace().count() >= HEADLINE_WORDS
        && role_of_words(text) == DateRole::None
        && !node
            .ancestors()
            .any(|around| matches!(around.tag(), "h1" | "time"))
}
