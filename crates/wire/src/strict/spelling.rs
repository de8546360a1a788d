//! Advice about the names of fields that are not known.

/// Longest name that is compared, in characters.
const LONGEST: usize = 60;
/// Shortest name that is taken for a misspelt one, in characters: short names are near to many others.
const SHORTEST: usize = 4;
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

/// Whether a name is one or two letters away from a known one, such as `contnet` from `content`.
pub(super) fn is_misspelt(key: &str, known: &[String]) -> bool {
    let length = key.chars().count();
    let most = if length < 2 * SHORTEST { 1 } else { 2 };
    length >= SHORTEST && known.iter().any(|name| distance(key, name) <= most)
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
    let folded = |text: &str| -> String {
        let letters = text
            .chars()
            .take(LONGEST)
            .filter(|sign| !matches!(sign, '-' | '_'));
        letters.flat_map(char::to_lowercase).collect()
    };
    strsim::osa_distance(&folded(key), &folded(name))
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
            ("continent", true),
            ("x", false),
        ] {
            assert_eq!(is_misspelt(key, &known), is_one, "{key}");
        }
        let long = "ä".repeat(500);
        assert!(!is_misspelt(&long, &known));
        assert_eq!(not_known("a", &[]), "is not known; check its spelling");
    }
}
