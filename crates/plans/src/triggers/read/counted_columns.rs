//! None of what a column counts: "trains without changes", "direct connections", "topics with no replies".

use tools::PageList;
use tools::rows::condition::{Operator, RowCondition};
use tools::words::concepts;

use super::super::column_list;
use super::super::list_labels::{HALF, ListLabels};
use super::InstructionReader;

locale::patterns! {
    /// A whole number and nothing else.
    static COUNT = r"^\s*\d{1,4}\s*$";
    static NONE = r"^\s*0\s*$";
    /// What says that there is none of the word behind it.
    static WITHOUT = r"(?i)\b(?:(?:that\s+have|with|mit|having|has|have|haben?)\s+)?(?:without(?:\s+(?:any|a))?|no|zero|ohne|kein(?:e[nrm]?)?|bez(?:\s+żadnych)?|żadnych|zero)\s+(?P<what>\p{L}{3,}(?:\s+\p{L}{3,})?)";
    /// A journey in one go.
    static DIRECT = r"(?ix)\b(?:(?P<only>(?:only|nur|tylko)\s+(?:direct|direkt|bezpośrednie))\b|(?P<compound>direkt(?:verbindung(?:en)?|züge?n?|flüge?n?|busse?n?))\b|(?P<alone>non-?stop|umsteigefrei(?:e[nrms]?)?)\b
        |(?P<adjective>direct|direkt(?:e[nrms]?)|bezpośredni\p{Latin}*)\s+(?:trains?|connections?|flights?|bus(?:es)?|coach(?:es)?|services?|routes?|ferr(?:y|ies)|züge?n?|verbindung\p{Latin}*|flüge?n?|busse?n?|fahrt\p{Latin}*|fähr\p{Latin}+|połącze\p{Latin}+|pociąg\p{Latin}*|lot(?:y|ów|em)?|kurs\p{Latin}*|przejazd\p{Latin}*|autobus\p{Latin}*))";
    /// A label that counts how often a journey is broken.
    static CHANGES = r"(?i)^(?:(?:no\.? of |number of )?(?:changes?|transfers?|stops?|stopovers?|layovers?)|umst(?:ie|ei)ge?n?|umstiege|zwischenstopps?|stopps?|przesiad(?:ki|ek|ka)|międzylądowania)$";
}

impl InstructionReader<'_> {
    /// Columns that count something, of which the entries with none are asked for. A column in which no entry has a nought is asked
    /// otherwise.
    pub(super) fn counted_columns(
        &mut self,
        text: &mut String,
        list: Option<&PageList<'_>>,
        labels: &ListLabels<'_>,
    ) {
        let Some(list) = list else { return };
        let counts = |field: &str| {
            let share = |pattern: &regex::Regex| {
                labels
                    .share_of_values(field, |value| pattern.is_match(value))
                    .unwrap_or_default()
            };
            share(&COUNT) > HALF && share(&NONE) > 0.0
        };
        let none_of = |field: String| RowCondition {
            field,
            operator: Operator::Equal,
            value: 0.into(),
        };
        let mut from = 0;
        while let Some(found) = text.get(from..).and_then(|rest| WITHOUT.captures(rest)) {
            let Some((whole, what)) = found.get(0).zip(found.name("what")) else {
                return;
            };
            let place = from + whole.start()..from + whole.end();
            from += what.start();
            // "Without changes from Berlin": the label may be the first word alone.
            let first = what.as_str().split_whitespace().next().unwrap_or_default();
            let is_label = |said: &str| {
                labels
                    .names
                    .iter()
                    .any(|label| concepts::are_same_words(label, said))
            };
            let whole_label = Some(what.as_str()).filter(|said| is_label(said));
            let named = whole_label.into_iter().chain([first]).find_map(|said| {
                let field = column_list::labelled(said, &labels.names)?;
                counts(&field).then(|| (place.end - (what.len() - said.len()), field))
            });
            let Some((end, field)) = named else { continue };
            let mark = self.mark(vec![none_of(field)]);
            text.replace_range(place.start..end, &mark);
            from = place.start;
        }
        let names = ["only", "compound", "alone", "adjective"];
        let found = DIRECT.captures(text);
        let direct = found.and_then(|found| names.iter().find_map(|name| found.name(name)));
        let Some(direct) = direct.filter(|direct| !list.says(direct.as_str())) else {
            return;
        };
        let fields = labels.names.iter().filter(|name| CHANGES.is_match(name.trim()));
        let field = fields
            .map(|name| locale::snake_case(name))
            .find(|field| counts(field));
        if let Some(field) = field {
            let place = direct.range();
            let mark = self.mark(vec![none_of(field)]);
            text.replace_range(place, &mark);
        }
    }
}
