//! The floor that something is on: "flats on the 2nd floor", "ab dem 2. Stock", "na trzecim piętrze".

use tools::PageList;
use tools::rows::condition::{ANY_FIELD, Operator, RowCondition};

use super::super::list_labels::{HALF, ListLabels};
use super::InstructionReader;

locale::patterns! {
    /// A floor by its number, with how it is compared. "A house with 3 floors" and "3 Etagen" say how many there are.
    static FLOOR = r"(?ix)\b(?:(?P<least>from|at\s+least|ab|mindestens|wenigstens|od|co\s+najmniej|przynajmniej|minimum)
        |(?P<more>above|over|higher\s+than|höher\s+als|über|oberhalb|powyżej|wyżej\s+niż)
        |(?P<less>below|under|unter|lower\s+than|niedriger\s+als|tiefer\s+als|unterhalb|poniżej|niżej\s+niż)
        |(?P<most>up\s+to|at\s+most|höchstens|maximal|bis(?:\s+zu[mr]?)?|najwyżej|do)
        |on|in|im|auf|na|w|at)?\s*\b(?:(?:the|dem|der|des|den|die|das|vom)\s+)?
        (?:(?P<first>\d{1,2})(?:st|nd|rd|th|\.)?\s*(?:(?P<or>,|or|and|oder|und|lub|albo|i)|to|bis|do|-|–)\s*(?:(?:the|zum|dem)\s+)?)?
        (?:(?P<n>\d{1,2})(?:(?:st|nd|rd|th)\s+(?:floor|storey)|\.?\s*(?:stock(?:werks?|es|s)?|etage|og|obergeschoss(?:es)?|piętr\p{Latin}+))
        |(?P<named>first|second|third|fourth|fifth|sixth)\s+(?:floor|storey)
        |(?P<de>ersten?|zweiten?|dritten?|vierten?|fünften?|sechsten?)\s+(?:stock(?:werk)?|etage|obergeschoss)
        |(?P<pl>pierwsz\p{Latin}+|drugi\p{Latin}+|trzeci\p{Latin}+|czwart\p{Latin}+|piąt\p{Latin}+|szóst\p{Latin}+)\s+piętr\p{Latin}+)\b
        (?P<up>\s+(?:(?:or|and)\s+(?:higher|above|up|upwards)|upwards?|(?:oder|und)\s+(?:höher|darüber)|aufwärts|(?:lub|i)\s+wyż\p{Latin}+|wzwyż))?
        (?P<down>\s+(?:(?:or|and)\s+(?:lower|below)|(?:oder|und)\s+(?:niedriger|tiefer|darunter)|(?:lub|i)\s+niż\p{Latin}+))?";
    /// A label of floors.
    static LABEL = r"(?i)^(?:floor|storey|floor (?:no\.?|number)|etage|stock(?:werk)?|geschoss|piętro)$";
    static GROUND = r"(?i)^\s*(?:eg|hp|erdgeschoss|hochparterre|ground(?: floor)?|g|gf|parter|souterrain|ug|basement)\b";
    /// The number of a floor in a value: "3. OG", "2nd", "4".
    static NUMBERED = r"(?i)^\s*\d{1,2}\b|^\s*\d{1,2}(?:st|nd|rd|th)\b";
}

/// Floors in words from the first up, by how they begin in three languages.
const NUMBERS: [[&str; 3]; 6] = [
    ["first", "erst", "pierwsz"],
    ["second", "zweit", "drug"],
    ["third", "dritt", "trzec"],
    ["fourth", "viert", "czwart"],
    ["fifth", "fünft", "piąt"],
    ["sixth", "sechst", "szóst"],
];

impl InstructionReader<'_> {
    /// Floors: of a column of floors where the list has one, else as entries say them. What neither tells is not understood, and no
    /// bare number.
    pub(super) fn floors(&mut self, text: &mut String, list: Option<&PageList<'_>>, labels: &ListLabels<'_>) {
        let mut from = 0;
        while let Some(found) = text.get(from..).and_then(|rest| FLOOR.captures(rest)) {
            let Some(whole) = found.get(0) else { return };
            let (start, end) = (from + whole.start(), from + whole.end());
            let said = whole.as_str().trim().to_owned();
            let word = ["named", "de", "pl"].iter().find_map(|name| found.name(name));
            let number = match (found.name("n"), word) {
                (Some(digits), _) => digits.as_str().parse::<u64>().ok(),
                (None, Some(word)) => {
                    let word = word.as_str().to_lowercase();
                    let is = |names: &[&str; 3]| names.iter().any(|name| word.starts_with(name));
                    NUMBERS.iter().position(is).map(|at| at as u64 + 1)
                }
                (None, None) => None,
            };
            let has = |name: &str| found.name(name).is_some();
            let operator = match () {
                () if has("least") || has("up") => Operator::AtLeast,
                () if has("more") => Operator::More,
                () if has("less") => Operator::Less,
                () if has("most") || has("down") => Operator::AtMost,
                () => Operator::Equal,
            };
            from = end;
            let Some(number) = number else { continue };
            let first = found
                .name("first")
                .and_then(|first| first.as_str().parse::<u64>().ok());
            let is_choice = has("or");
            let condition = |operator, number| floor_condition(operator, number, list, labels);
            // One of two floors, all from one to another, or one comparison.
            let read: Option<Vec<Vec<RowCondition>>> = match first {
                Some(first) if is_choice => [first, number]
                    .into_iter()
                    .map(|number| Some(vec![condition(Operator::Equal, number)?]))
                    .collect(),
                Some(first) => condition(Operator::AtLeast, first)
                    .zip(condition(Operator::Equal, number))
                    .map(|(least, most)| {
                        let operator = Operator::AtMost;
                        vec![vec![least, RowCondition { operator, ..most }]]
                    }),
                None => condition(operator, number).map(|condition| vec![vec![condition]]),
            };
            match read {
                Some(lists) => {
                    let marks: Vec<String> = lists.into_iter().map(|list| self.mark(list)).collect();
                    text.replace_range(start..end, &format!(" {} ", marks.join(" or ")));
                    from = start;
                }
                None => {
                    self.facts.not_understood.push(said);
                    text.replace_range(start..end, " ");
                    from = start;
                }
            }
        }
    }
}

/// What rows have to meet to be on a floor; `None` where the list does not tell.
fn floor_condition(
    operator: Operator,
    number: u64,
    list: Option<&PageList<'_>>,
    labels: &ListLabels<'_>,
) -> Option<RowCondition> {
    let is_upper = matches!(operator, Operator::Less | Operator::AtMost);
    let mut fields = labels
        .names
        .iter()
        .filter(|name| LABEL.is_match(name.trim()))
        .map(|name| locale::snake_case(name));
    let of_column = fields.find_map(|field| {
        let share = labels.share_of_values(&field, |value| NUMBERED.is_match(value))?;
        // Below the second floor is the ground floor, too, which has a name in place of its number.
        // "Dachgeschoss" is above any number.
        let is_placed = |value: &str| NUMBERED.is_match(value) || GROUND.is_match(value);
        let placed = labels.share_of_values(&field, is_placed)?;
        let is_told = share > HALF && if is_upper { share >= 1.0 } else { placed >= 1.0 };
        is_told.then_some(field)
    });
    if let Some(field) = of_column {
        return Some(RowCondition {
            field,
            operator,
            value: number.into(),
        });
    }
    let forms = [
        format!("{number}. OG"),
        format!("{number}. Obergeschoss"),
        format!("{number}. Stock"),
        format!("{number}. Etage"),
        format!("{number}. Geschoss"),
        format!("{number} piętro"),
        format!("piętro {number}"),
        format!("{number}{} floor", ordinal_ending(number)),
        format!("floor {number}"),
    ];
    let form = forms
        .into_iter()
        .find(|form| operator == Operator::Equal && list.is_some_and(|list| list.says(form)))?;
    Some(RowCondition {
        field: ANY_FIELD.into(),
        operator: Operator::Mentions,
        value: form.into(),
    })
}

/// The ending of an English ordinal.
fn ordinal_ending(number: u64) -> &'static str {
    match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    }
}
