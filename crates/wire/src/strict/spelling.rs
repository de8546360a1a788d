//! Advice about the names of fields that are not known.

/// Longest name that is compared, in characters.
const LONGEST: usize = 60;
/// Shortest name that is taken for a misspelt one, in characters: short names are near to many others.
const SHORTEST: usize = 4;
/// Shortest name that is refused as a misspelt one, in characters.
const SHORTEST_MISSPELT: usize = 6;
/// Most names that are listed.
const MOST_LISTED: usize = 40;

/// What to say of a field that is not known: the nearest one that is, else all of them.
pub(super) fn not_known(key: &str, known: &[String]) -> String {
    match (nearest(key, known), known.len()) {
        (Some(name), _) => format!("is not known; did you mean {name}?"),
        (None, 1..=MOST_LISTED) => format!("is not known; the fields are {}", known.join(", ")),
        (None, _) => "is not known; check its spelling".to_owned(),
    }
}

/// Whether a name is a known one with two letters exchanged (`contnet`), or with a letter too many or too few (`instruction`).
/// Another letter in place of one makes another word: `context` is no `content`.
pub(super) fn is_misspelt(key: &str, known: &[String]) -> bool {
    let key = folded(key);
    let is_of = |name: &String| {
        let name = folded(name);
        let (one, other) = (key.chars().count(), name.chars().count());
        let letters = |text: &str| {
            let mut letters: Vec<char> = text.chars().collect();
            letters.sort_unstable();
            letters
        };
        let distance = strsim::osa_distance(&key, &name);
        match one.abs_diff(other) {
            0 => distance == 0 || (distance == 1 && letters(&key) == letters(&name)),
            difference => difference == 1 && distance == 1,
        }
    };
    key.chars().count() >= SHORTEST_MISSPELT && known.iter().any(is_of)
}

/// The known name that is closest, if at most a third of the letters differ, or one name begins with the other.
fn nearest<'n>(key: &str, known: &'n [String]) -> Option<&'n str> {
    let length = key.chars().count();
    let most = (length.min(LONGEST) / 3).max(1);
    let near = known
        .iter()
        .map(|name| (distance(key, name), name.as_str()))
        .filter(|(distance, _)| *distance <= most)
        .min();
    let begins = || {
        let begins = |name: &&String| name.starts_with(key) || key.starts_with(name.as_str());
        known.iter().find(begins).filter(|_| length >= SHORTEST)
    };
    near.map(|(_, name)| name)
        .or_else(|| begins().map(String::as_str))
}

/// The number of letters to insert, delete, replace or exchange with the next, without case, hyphens and underscores.
fn distance(key: &str, name: &str) -> usize {
    strsim::osa_distance(&folded(key), &folded(name))
}

/// A name without case, hyphens and underscores, up to [`LONGEST`].
fn folded(text: &str) -> String {
    let letters = text
        .chars()
        .take(LONGEST)
        .filter(|sign| !matches!(sign, '-' | '_'));
    letters.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_told_or_all_of_them() {
        let known = ["content", "url", "instructions"].map(str::to_owned);
        for (key, said) in [
            ("contnet", "is not known; did you mean content?"),
            ("instruction", "is not known; did you mean instructions?"),
            ("Content", "is not known; did you mean content?"),
            ("zebra", "is not known; the fields are content, url, instructions"),
        ] {
            assert_eq!(not_known(key, &known), said);
        }
        for (key, is_one) in [
            ("contnet", true),
            ("uri", false),
            ("zebra", false),
            ("context", false),
            ("instruction", true),
            ("Content", true),
            ("x", false),
        ] {
            assert_eq!(is_misspelt(key, &known), is_one, "{key}");
        }
        let long = "ä".repeat(500);
        assert!(!is_misspelt(&long, &known));
        assert_eq!(not_known("a", &[]), "is not known; check its spelling");
    }
}
