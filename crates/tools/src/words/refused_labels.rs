//! Labels of which the value says that something is lacking, in a line without marks between labels: "8 berths Pets on board: no",
//! "Lives with cats No Fee 90 €".

use crate::words::word_forms::tokens;

locale::patterns! {
    /// The value of a label of what is lacking: "Pets on board: no".
    static REFUSED = r"(?i):\s*(?:no|nein|nie|brak)(?:\s*$|\s*[^\p{L}\s]|\s+(?:\d|(?-i:\p{Lu})))|\s(?-i:No|Nein|Nie|Brak)(?:\s*$|\s+(?-i:\p{Lu}))";
}

/// Values of a label of what is lacking.
pub(crate) const NO_VALUES: [&str; 3] = ["no", "nein", "nie"];
/// Most words of a label that stands in a line of others.
const LONGEST_LABEL: usize = 5;

/// The words of the labels that the list labels itself, in lines of their own, and of which the value is "no" and nothing else.
fn of_list(text: &str) -> impl Iterator<Item = Vec<String>> + '_ {
    let refused = lines_of_list(text).filter(|(_, value)| {
        let value = tokens(value);
        matches!(value.as_slice(), [word] if NO_VALUES.contains(&word.as_str()))
    });
    let labels = refused.map(|(label, _)| tokens(label));
    labels.filter(|label| !label.is_empty())
}

/// Whether the last of several words of a text is the value of such a label: the "no" of "Double-sided: no Wi-Fi" says nothing of
/// Wi-Fi.
pub(crate) fn end_in_value(words: &[String], text: &str) -> bool {
    let before = words.split_last().map_or(&[][..], |(_, before)| before);
    of_list(text).any(|label| before.ends_with(&label))
}

/// The labels and values that the list labels itself, in lines of their own behind the text.
fn lines_of_list(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.split('\n').skip(1).filter_map(|line| line.split_once(':'))
}

/// The words of each such label of a text, at most [`LONGEST_LABEL`] of them, the last ones. Labels that the list labels itself, in
/// lines of their own, end where they end there: "adjustable armrests Headrest: no" says nothing of armrests.
pub(crate) fn read(text: &str) -> impl Iterator<Item = Vec<String>> + '_ {
    let own: Vec<Vec<String>> = lines_of_list(text).map(|(label, _)| tokens(label)).collect();
    REFUSED.find_iter(text).map(move |refused| {
        let before = text.get(..refused.start()).unwrap_or_default();
        let is_end = |c: char| c.is_ascii_digit() || "\n·|,;.:".contains(c);
        let line = before.rsplit(is_end).next().unwrap_or_default();
        let is_parted = refused.as_str().starts_with(':');
        let mut label = tokens(if is_parted { line } else { last_label(line) });
        let known = own.iter().filter(|own| !own.is_empty() && label.ends_with(own));
        let length = known.map(Vec::len).max().unwrap_or(LONGEST_LABEL);
        label.split_off(label.len().saturating_sub(length))
    })
}

/// The label that a line without marks ends with: "Lives with cats" of "Size Medium Lives with cats".
/// It begins with the last capital that no small word stands before.
fn last_label(line: &str) -> &str {
    let mut end = line.len();
    let mut begin = 0;
    for word in line.split_whitespace().rev() {
        let at = line
            .get(..end)
            .and_then(|line| line.rfind(word))
            .unwrap_or_default();
        let before = line
            .get(..at)
            .and_then(|line| line.split_whitespace().next_back());
        let is_capital = |word: &str| word.starts_with(char::is_uppercase);
        if is_capital(word) && before.is_none_or(is_capital) {
            begin = at;
            break;
        }
        end = at;
    }
    line.get(begin..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_no_behind_a_label_of_the_list_says_nothing_of_what_follows() {
        let text = "Laser Double-sided: no Wi-Fi, USB\nDouble-sided: no\nFax: yes";
        let is_value = |words: &str| end_in_value(&tokens(words), text);
        assert!(is_value("Laser Double-sided: no"));
        assert!(!is_value("Laser, no") && !is_value("Fax: no"));
    }
}
