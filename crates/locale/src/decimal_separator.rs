//! The decimal separators of languages and countries.

/// Languages whose numbers have a comma before the decimals.
const COMMA: [&str; 38] = [
    "az", "be", "bg", "ca", "cs", "da", "de", "el", "es", "et", "eu", "fi", "fr", "gl", "hr", "hu", "id",
    "is", "it", "ka", "kk", "lt", "lv", "nb", "nl", "no", "pl", "pt", "ro", "ru", "sk", "sl", "sr", "sv",
    "tr", "uk", "uz", "vi",
];
/// Languages and countries that write a point before the decimals, although the rule for the language says otherwise.
const POINT: [&str; 12] = [
    "de-CH", "de-LI", "es-MX", "es-US", "es-PR", "es-GT", "es-HN", "es-NI", "es-PA", "es-PE", "es-SV",
    "it-CH",
];
/// Languages that write a point.
const POINT_LANGUAGES: [&str; 14] = [
    "en", "zh", "ja", "ko", "th", "he", "hi", "bn", "ms", "ga", "ta", "te", "ur", "fil",
];

/// The decimal separator of a language and country; none where it is not known.
pub fn decimal_separator(tag: &str) -> Option<char> {
    let language = tag.split('-').next().unwrap_or_default().to_ascii_lowercase();
    let language = language.as_str();
    if POINT.iter().any(|point| point.eq_ignore_ascii_case(tag)) || POINT_LANGUAGES.contains(&language) {
        return Some('.');
    }
    COMMA.contains(&language).then_some(',')
}

#[cfg(test)]
mod tests {
    use super::decimal_separator;

    #[test]
    fn a_country_may_write_otherwise_than_its_language() {
        let signs = ["de", "de-AT", "de-CH", "en-GB", "es-MX", "es", "xx", ""].map(decimal_separator);
        assert_eq!(
            signs,
            [
                Some(','),
                Some(','),
                Some('.'),
                Some('.'),
                Some('.'),
                Some(','),
                None,
                None
            ]
        );
    }
}
