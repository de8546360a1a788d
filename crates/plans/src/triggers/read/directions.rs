//! From where and to where, where the list has a column for each: "trains from Hamburg to Munich".

use std::ops::Range;

use tools::rows::condition::{Operator, RowCondition};
use tools::words::concepts;

use super::super::list_labels::ListLabels;
use super::InstructionReader;

locale::patterns! {
    /// A label of the place where something starts.
    static ORIGIN = r"(?i)^(?:from|origin|start(?:ing)?(?: (?:place|point|city|station|port))?|departure(?: (?:place|city|station|airport|port))?|leaves from|von|ab|start(?:ort|bahnhof|hafen|punkt)|abfahrt(?:s(?:ort|hafen|bahnhof))?|abflug(?:ort|hafen)?|ze?|skąd|odjazd(?: z)?|wyjazd(?: z)?|wylot(?: z)?|miejsce (?:wyjazdu|odjazdu|wylotu))$";
    /// A label of the place where something ends.
    static DESTINATION = r"(?i)^(?:to|destination|arrival(?: (?:place|city|station|airport|port))?|goes to|nach|ziel(?:ort|bahnhof|hafen|flughafen)?|ankunft(?:s(?:ort|hafen|bahnhof))?|do|dokąd|cel(?: podróży)?|kierunek|przyjazd(?: do)?|przylot(?: do)?|miejsce (?:przyjazdu|przylotu))$";
    /// A word that leads to a place.
    static LEADS = r"(?i)\b(?:(?P<both>(?:to|from|von|nach|do|ze?)\s*(?:and|or|und|oder|i|lub|albo|/)\s*(?:to|from|von|nach|do|ze?))|(?P<from>from|von|ab|aus|ze?)|(?P<to>to|nach|do))\s+(?:the\s+)?";
    /// What stands between places.
    static OR = r"(?i)^\s*(?:(?:,\s*)?(?:or|oder|lub|albo|and|und|i)\s+|,\s*)";
}

/// Most words of a place.
const MOST_WORDS: usize = 3;

impl InstructionReader<'_> {
    /// Places behind "from" and "to", where the list has a column of places for each, and some entry has the place in one of them.
    pub(super) fn directions(&mut self, text: &mut String, labels: &ListLabels<'_>) {
        let column = |pattern: &regex::Regex| {
            let name = labels.names.iter().find(|name| pattern.is_match(name.trim()))?;
            let field = locale::snake_case(name);
            (!labels.has_numbers(&field)).then_some(field)
        };
        let Some((origin, destination)) = column(&ORIGIN).zip(column(&DESTINATION)) else {
            return;
        };
        let fields = [origin, destination];
        let mut from = 0;
        while let Some(found) = text.get(from..).and_then(|rest| LEADS.captures(rest)) {
            let Some(whole) = found.get(0) else { return };
            let lead = from + whole.start()..from + whole.end();
            from = lead.end;
            let [origin, destination] = &fields;
            let asked: Vec<&String> = match (found.name("both"), found.name("to")) {
                (Some(_), _) => vec![origin, destination],
                (None, Some(_)) => vec![destination],
                (None, None) => vec![origin],
            };
            let mut places = Vec::new();
            let mut end = lead.end;
            while let Some(place) = place_at(text, end, &fields, labels) {
                end = place.end;
                places.push(place);
                match text.get(end..).and_then(|rest| OR.find(rest)) {
                    Some(or) => end += or.end(),
                    None => break,
                }
            }
            let Some(end) = places.last().map(|place| place.end) else {
                continue;
            };
            let marks: Vec<String> = places
                .into_iter()
                .flat_map(|place| asked.iter().map(move |field| (place.clone(), *field)))
                .map(|(place, field)| {
                    let said = text.get(place).unwrap_or_default().to_owned();
                    self.mark(vec![RowCondition {
                        field: field.clone(),
                        operator: Operator::Mentions,
                        value: said.into(),
                    }])
                })
                .collect();
            text.replace_range(lead.start..end, &marks.join(" or "));
            from = lead.start;
        }
    }
}

/// The longest place at a position of a text that is a value of one of the columns.
fn place_at(text: &str, at: usize, fields: &[String; 2], labels: &ListLabels<'_>) -> Option<Range<usize>> {
    let rest = text.get(at..)?;
    let is_end = |c: char| c.is_whitespace() || [',', '.', ';', '?', '!', ')'].contains(&c);
    let ends = rest.match_indices(is_end).map(|(end, _)| end);
    let ends: Vec<usize> = ends.chain([rest.len()]).take(MOST_WORDS).collect();
    let is_place = |end: &usize| {
        let said = rest.get(..*end).unwrap_or_default();
        let is = |value: &str| {
            let name = value.split([',', '(', '/']).next().unwrap_or_default();
            concepts::are_same_words(name, said)
        };
        let share = |field: &String| labels.share_of_values(field, is).unwrap_or_default();
        said.ends_with(char::is_alphanumeric) && fields.iter().any(|field| share(field) > 0.0)
    };
    let end = ends.into_iter().rev().find(is_place)?;
    Some(at..at + end)
}
