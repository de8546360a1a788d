//! How many people something is for: "cottages for 4 people", "rooms for at least 10 people".

use tools::PageList;
use tools::rows::condition::{Operator, RowCondition};

use super::super::list_labels::ListLabels;
use super::super::numerals;
use super::InstructionReader;

locale::patterns! {
    /// A number of people whom something has room for.
    static FOR_PEOPLE = r"(?i)\b(?:for|sleeping|für|dla)\s+(?P<n>\d{1,2}|\p{L}{2,9})\s+(?:people|persons?|guests?|adults|of\s+us|personen|leute|gäste|erwachsene|osób|osoby|gości|dorosłych)\b";
    /// What is paid for all of them, and says nothing of the room.
    static PAID = r"(?i)\b(?:prices?|costs?|total|preise?|kosten|gesamt\p{L}*|cen[aęy]|koszt)\s+$";
    /// A label of how many people there is room for.
    static CAPACITY = r"(?i)^(?:seats|capacity|sleeps|serves|servings|portionen|porcje|guests|people|persons|(?:max(?:imum|\.)?|number of|no\.? of) (?:people|persons|guests|seats|occupancy)|plätze|sitzplätze|personen|kapazität|schlafplätze|gäste|max\.? personen|miejsca|liczba (?:osób|miejsc)|pojemność|osoby)$";
    /// A word for the people of whom there is a number.
    static PEOPLE = r"(?i)^(?:people|persons?|guests?|adults|personen|leuten?|gästen?|erwachsenen?|osób|osoby|gości)$";
}

/// Words beside which entries have the number of people.
const COUNTED: [&str; 8] = [
    "guests", "people", "sleeps", "persons", "personen", "gäste", "osób", "gości",
];

impl InstructionReader<'_> {
    /// Numbers of people whom things are for, where the list tells for how many they are.
    pub(super) fn party_size(
        &mut self,
        text: &mut String,
        list: Option<&PageList<'_>>,
        labels: &ListLabels<'_>,
    ) {
        let Some(list) = list else { return };
        let Some(found) = FOR_PEOPLE.captures(text) else {
            return;
        };
        let (Some(whole), Some(count)) = (found.get(0), numerals::whole_number(&found["n"])) else {
            return;
        };
        let before = text.get(..whole.start()).unwrap_or_default();
        let counted = || {
            let words = COUNTED.map(str::to_owned);
            list.counted(&words, None).cloned()
        };
        let field = capacity(labels).or_else(counted);
        let Some(field) = field.filter(|_| !PAID.is_match(before)) else {
            return;
        };
        let place = whole.range();
        let mark = self.mark(vec![RowCondition {
            field,
            operator: Operator::AtLeast,
            value: count.into(),
        }]);
        text.replace_range(place, &mark);
    }
}

/// The column that tells for how many people things are.
pub(super) fn capacity(labels: &ListLabels<'_>) -> Option<String> {
    let mut names = labels.names.iter().filter(|name| CAPACITY.is_match(name.trim()));
    let field = names.next().map(|name| locale::snake_case(name))?;
    labels.has_numbers(&field).then_some(field)
}

/// Whether a word stands for people of whom there is a number.
pub(super) fn are_people(word: &str) -> bool {
    PEOPLE.is_match(word)
}
