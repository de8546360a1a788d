//! Columns that are asked for by a clause: "how long it takes", "wo es stattfindet", "ile kosztuje".

locale::patterns! {
    /// The clauses, each with the column that it asks for.
    static CLAUSE = r"(?ix)^(?:
        (?P<servings>how\s+many(?:\s+(?:people|persons))?\s+\p{L}+\s+serves?)
        |(?P<guests>how\s+many(?:\s+(?:people|persons))?\s+\p{L}+\s+sleeps?)
        |(?P<duration>how\s+long\s+\p{L}+\s+(?:takes?|lasts?|runs?)|wie\s+lange?\s+\p{L}+\s+(?:dauer[nt]|braucht|geht)|jak\s+długo\s+(?:trwa|trwają|zajmuje))
        |(?P<price>(?:how\s+much|what)\s+\p{L}+\s+costs?|(?:wie\s*viel|was)\s+\p{L}+\s+koste[nt]|ile\s+kosztuj\p{L}+)
        |(?P<distance>how\s+far(?:\s+away)?\s+\p{L}+\s+(?:is|are)|wie\s+weit\s+\p{L}+\s+(?:ist|sind|entfernt\s+ist))
        |(?P<location>where\s+\p{L}+\s+(?:is|are|takes?\s+place)|wo\s+\p{L}+\s+(?:ist|sind|liegt|liegen|stattfindet|stattfinden)|gdzie\s+(?:jest|są|się\s+odbywa\p{L}*|leży))
        |(?P<date>when\s+\p{L}+\s+(?:is|are|starts?|begins?|takes?\s+place)|wann\s+\p{L}+\s+(?:ist|sind|beginnt|beginnen|anfängt|stattfindet|stattfinden)|kiedy\s+(?:jest|są|się\s+(?:odbywa|zaczyna)\p{L}*))
        |(?P<author>who\s+(?:wrote|made|wrote\s+it|made\s+it)(?:\s+\p{L}+)?|wer\s+\p{L}+\s+geschrieben\s+hat|kto\s+\p{L}*\s*napisał\p{L}*)
        )$";
}

/// The columns by the groups of [`CLAUSE`]; each is the name of a field.
const COLUMNS: [&str; 8] = [
    "servings", "guests", "duration", "price", "distance", "location", "date", "author",
];

/// The field that a clause asks for as a column.
pub(super) fn column(clause: &str) -> Option<&'static str> {
    let found = CLAUSE.captures(clause.trim())?;
    COLUMNS.into_iter().find(|column| found.name(column).is_some())
}

#[cfg(test)]
mod tests {
    use super::column;

    #[test]
    fn a_clause_asks_for_a_column() {
        for (clause, expected) in [
            ("how many it serves", Some("servings")),
            ("how long it takes", Some("duration")),
            ("wie lange es dauert", Some("duration")),
            ("was es kostet", Some("price")),
            ("gdzie się odbywa", Some("location")),
            ("when it starts", Some("date")),
            ("how many there are", None),
            ("how it works", None),
        ] {
            assert_eq!(column(clause), expected, "{clause}");
        }
    }
}
