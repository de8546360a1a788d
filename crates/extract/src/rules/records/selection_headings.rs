//! Headings that name a selection of entries, and no part of a list: what is new, liked, or like something else.

locale::patterns! {
    /// A word of such a heading.
    static SELECTION = r"(?i)\b(?:related|similar|recommend\p{L}*|popular|trending|featured|highlights?|best[\s-]?sell\p{L}+|top\s+(?:\d+|picks?|stories|sellers?)|most\s+\p{L}+|latest|newest|recent(?:ly)?|new\s+(?:in|arrivals?)|(?:you|we)\s+(?:may|might|will|also)|also\s+\p{L}+|customers|more\s+(?:from|on|like|in|about|news|stories)|read\s+(?:more|next)|editor\p{L}*|sponsored|results?|ähnlich\p{L}*|empfohlen\p{L}*|empfehlung\p{L}*|beliebt\p{L}*|meist\p{L}*|neueste\p{L}*|neuheiten|das\s+könnte|auch\s+interess\p{L}*|weitere\p{L}*|mehr\s+(?:von|zu|aus)|zuletzt|angesehen\p{L}*|ergebnisse|podobne|polecan\p{L}*|popularne|najnowsze|najczęściej|zobacz\s+(?:też|także|również)|ostatnio|powiązane|nowości|wyniki|similaires?|recommand\p{L}*|populaires?|derni(?:er|ère)s?|nouveautés?|également|résultats?|relacionad\p{L}*|recomendad\p{L}*|populares|últim\p{L}*|novedades|también|resultados)\b";
}

/// Whether a heading names a selection: "Latest stories", "You may also like", and the results of a search, which no other list
/// completes.
pub(in crate::rules) fn names_selection(heading: &str) -> bool {
    SELECTION.is_match(heading)
}

#[cfg(test)]
mod tests {
    use super::names_selection;

    #[test]
    fn what_is_chosen_from_entries_is_a_selection() {
        for heading in [
            "Most read",
            "You may also like",
            "Latest jobs",
            "Ähnliche Produkte",
            "Search results",
        ] {
            assert!(names_selection(heading), "{heading}");
        }
        for heading in [
            "Berlin",
            "Starters",
            "Research & development",
            "Upcoming",
            "Newcastle",
        ] {
            assert!(!names_selection(heading), "{heading}");
        }
    }
}
