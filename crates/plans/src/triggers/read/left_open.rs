//! Instructions that ask something of the rows, and of which no reader has read anything.

use tools::rows::condition::{ANY_FIELD, Operator, RowCondition};

use super::InstructionReader;

locale::patterns! {
    /// What is paid for each of a length of time.
    static PAID_BY = r"(?i)\b(?:(?:that|which|are|is)\s+)*(?:pay|pays|paid|paying|priced|charged|billed)\s+(?:by\s+the|per|an?)\s+(?P<en>hour|day|week|month|night)\b|\b(?:pro|nach)\s+(?P<de>stunde|tag|woche|monat|nacht)n?\s+(?:bezahlt|abgerechnet|vergütet)|\b(?:płatn\p{L}+|rozliczan\p{L}+)\s+(?:za|od)\s+(?P<pl>godzinę|dzień|tydzień|miesiąc|noc)\b";
    /// A question for places or persons of which something is so: "where can I pay by card?"
    static QUESTION = r"(?i)^\s*(?:where|who|whom|wo|wohin|wer|wem|gdzie|dokąd|kto|komu|which\s+(?:of\s+them|ones?)|welche\s+davon|które\s+z\s+nich)\b(?P<rest>.*)";
    /// A question for a number or an average of all rows: "how many jobs are there?", "average price".
    static OF_ALL_ROWS = r"(?i)^\W*(?:(?:how many|wie ?viele|ile)\s+[^,;.]*\b(?:are there|are on|are listed|do you have|gibt es|sind|jest|są)\b|(?:(?:what(?:'s| is| are)? the|(?:calculate|compute)(?: the)?|give me the|show(?: me)? the|wie (?:hoch|groß) (?:ist|sind) (?:der|die|das)|berechne (?:den|die|das)|jak[ai]e? (?:jest|są)|oblicz|policz|podaj)\s+)?(?:average|mean|median|total|sum(?: of)?(?: all| the)?|durchschnittliche?[rns]?|mittlere[rns]?|summe der|średni\p{L}*|median[aęy]|łączn\p{L}+|sum[aęy])\s+(?:prices?|costs?|rents?|salary|salaries|wages?|ages?|lengths?|preise?s?|miete[n]?|gehalts?|gehälter|kosten|alter|cen\p{L}{0,2}|koszt\p{L}*|pensj\p{L}+|wynagrodzeni\p{L}+|czynsz\p{L}*)\b[^,;<>0-9]*$)";
    /// What makes a number one of each row.
    static OF_EACH = r"(?i)\b(?:each|every|per|and|und|i|oraz|jede[rsnm]?|pro|je|każd\p{L}*|na|za)\b";
    /// A sentence about a person or an animal that something is for: "My boss is heavy."
    static ABOUT_OTHERS = r"(?i)^\s*(?:my|our|mein(?:e|er|em|en)?|unser(?:e|er|em|en)?|mój|moja|moje|nasz(?:a|e)?)\s+\p{L}+\s+(?:is|are|has|have|weighs|ist|sind|hat|haben|wiegt|jest|są|ma|mają|waży)\b[^.?!\n]*[.!]\s";
    /// What asks for everything: "who is on the list?", "wo gibt es sie?"
    static EVERYTHING = r"(?i)^[\s\p{P}]*(?:(?:is|are|can|i|we|you|one|find|there|here|them|it|on|in|at|this|the|list|listed|page|shown|all|ist|sind|gibt|es|sie|das|die|der|man|hier|auf|dieser|seite|steht|stehen|liste|alles|kann|finde|findet|jest|są|to|tu|na|tej|liście|stronie|znajdę|można|znaleźć)[\s\p{P}]*)*$";
}

impl InstructionReader<'_> {
    /// Takes a sentence about somebody else out of a text, and tells it: what it says is no condition on the entries.
    pub(super) fn about_others(&mut self, text: &mut String) {
        if let Some(found) = ABOUT_OTHERS.find(text) {
            self.facts.not_understood.push(found.as_str().trim().to_owned());
            *text = text.get(found.end()..).unwrap_or_default().to_owned();
        }
    }

    /// For which time something is paid, where no amount is compared: "jobs that pay by the hour". Entries say it beside the amount.
    pub(super) fn paid_by(&mut self, text: &mut String) {
        let Some(found) = PAID_BY.captures(text) else {
            return;
        };
        let place = found.get(0).map_or(0..0, |whole| whole.range());
        let behind = text.get(place.end..).unwrap_or_default();
        let clause = behind.split([',', ';', '.']).next().unwrap_or_default();
        if clause.contains(|c: char| c.is_ascii_digit()) {
            return;
        }
        let part = |name: &str| found.name(name).map(|part| part.as_str().to_lowercase());
        let said = match (part("en"), part("de"), part("pl")) {
            (Some(time), ..) => format!("per {time}"),
            (_, Some(time), _) => format!("pro {time}"),
            (.., time) => format!("za {}", time.unwrap_or_default()),
        };
        let mark = self.mark(vec![RowCondition {
            field: ANY_FIELD.to_owned(),
            operator: Operator::Mentions,
            value: said.into(),
        }]);
        text.replace_range(place, &format!(" {mark} "));
    }

    /// Tells a question that nothing has been read of. All rows would be no answer to it.
    pub(super) fn left_open(&mut self, instruction: &str) {
        let facts = &mut self.facts;
        if OF_ALL_ROWS.is_match(instruction) && !OF_EACH.is_match(instruction) {
            facts.not_understood.push(instruction.trim().to_owned());
        }
        let is_read = facts.selects()
            || facts.count.is_some()
            || !facts.columns.is_empty()
            || !facts.not_understood.is_empty()
            || facts.query.is_some()
            || facts.click.is_some()
            || facts.contains.is_some()
            || facts.pattern.is_some();
        if is_read {
            return;
        }
        let rest = QUESTION
            .captures(instruction)
            .and_then(|found| found.name("rest"));
        if rest.is_some_and(|rest| !EVERYTHING.is_match(rest.as_str())) {
            facts.not_understood.push(instruction.trim().to_owned());
        }
    }
}
