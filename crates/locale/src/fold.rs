//! Folding of case, diacritics and white space, so that texts can be compared.

use unicode_normalization::char::decompose_canonical;

/// Lower-cases each character by itself, without regard to its neighbours.
///
/// ```
/// assert_eq!(locale::fold_case("ŻÓŁW"), "żółw");
/// ```
pub fn fold_case(text: &str) -> String {
    text.chars().flat_map(char::to_lowercase).collect()
}

/// Lower-cases a text and removes accents, Arabic vowel signs and the marks of Latin letters such as `ł`, `ø` and `đ`.
///
/// ```
/// assert_eq!(locale::fold_diacritics("Łódź, Århus, ΆΛΣΟΣ"), "lodz, arhus, αλσοσ");
/// ```
pub fn fold_diacritics(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        push_folded(c, &mut out);
    }
    out
}

/// Appends one character without its case and diacritics.
pub(crate) fn push_folded(c: char, out: &mut String) {
    if c.is_ascii() {
        out.push(c.to_ascii_lowercase());
        return;
    }
    for lower in c.to_lowercase() {
        decompose_canonical(lower, |part| match part {
            // Accents, Arabic vowel signs and the letter stretcher.
            '\u{300}'..='\u{36f}' | '\u{64b}'..='\u{65f}' | '\u{640}' => {}
            'ς' => out.push('σ'),
            'ł' => out.push('l'),
            'ø' => out.push('o'),
            'đ' => out.push('d'),
            'ı' => out.push('i'),
            other => out.push(other),
        });
    }
}

/// Replaces each run of white space by one space, and removes it at both ends.
///
/// ```
/// assert_eq!(locale::collapse_whitespace(" a\u{a0}\n b "), "a b");
/// ```
pub fn collapse_whitespace(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

/// A name in snake case: `datePublished`, `Date Published` and `date-published` are all `date_published`.
///
/// ```
/// assert_eq!(locale::snake_case("datePublished"), "date_published");
/// assert_eq!(locale::snake_case(" Price (USD) "), "price_usd");
/// ```
pub fn snake_case(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 4);
    let mut can_break = false;
    for c in name.trim().chars() {
        if c.is_alphanumeric() {
            if c.is_uppercase() && can_break {
                out.push('_');
            }
            can_break = c.is_lowercase() || c.is_numeric();
            out.extend(c.to_lowercase());
        } else if !out.is_empty() && !out.ends_with('_') {
            out.push('_');
            can_break = false;
        }
    }
    out.truncate(out.trim_end_matches('_').len());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        /// A folded text is folded already.
        #[test]
        fn folding_is_idempotent(text in r"[\PCİςŁłØøĐđ]{0,20}") {
            for fold in [fold_case, fold_diacritics, collapse_whitespace] {
                let once = fold(&text);
                proptest::prop_assert_eq!(fold(&once), once);
            }
        }

        /// A name in snake case stays as it is.
        #[test]
        fn snake_case_is_idempotent(name in "[A-Za-z0-9_ .-]{0,20}") {
            let once = snake_case(&name);
            proptest::prop_assert_eq!(snake_case(&once), once);
        }

        /// Composed and decomposed spellings of a text fold to the same.
        #[test]
        fn normal_forms_fold_to_the_same(text in "[ -~À-žά-ώ]{0,20}") {
            use unicode_normalization::UnicodeNormalization as _;
            let decomposed: String = text.nfd().collect();
            proptest::prop_assert_eq!(fold_diacritics(&decomposed), fold_diacritics(&text));
        }
    }
}
