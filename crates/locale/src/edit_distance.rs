//! Spelling suggestions by edit distance.

/// Longest name that is compared, in characters.
const MAX_CHARACTERS: usize = 80;

/// The number of characters to insert, delete or replace to turn one word into the other, ignoring case
/// (Levenshtein distance). Only the first 80 characters of each are compared.
pub fn edit_distance(first: &str, second: &str) -> usize {
    let folded = |word: &str| -> String {
        word.chars()
            .take(MAX_CHARACTERS)
            .flat_map(char::to_lowercase)
            .collect()
    };
    strsim::levenshtein(&folded(first), &folded(second))
}

/// Whether one letter is left out, added, replaced, or exchanged with the next, between two words without case.
pub fn is_one_slip_away(known: &str, written: &str) -> bool {
    let lengths = (known.chars().count(), written.chars().count());
    lengths.0.abs_diff(lengths.1) <= 1
        && lengths.0.max(lengths.1) <= MAX_CHARACTERS
        && strsim::osa_distance(&known.to_lowercase(), &written.to_lowercase()) == 1
}

/// The candidate closest to `name`, if it is close enough to be a misspelling: at most half of its characters differ.
pub fn nearest<'n>(name: &str, candidates: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let limit = (name.chars().count().min(MAX_CHARACTERS) / 2).max(1);
    candidates
        .map(|candidate| (edit_distance(name, candidate), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min()
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::{edit_distance, nearest};

    #[test]
    fn a_misspelling_finds_its_name_and_a_stranger_finds_none() {
        assert_eq!(edit_distance("Kitten", "sitting"), 3);
        assert_eq!(nearest("prise", ["price", "title"].into_iter()), Some("price"));
        assert_eq!(nearest("zzzzz", ["price", "title"].into_iter()), None);
    }
}
