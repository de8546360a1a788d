//! Columns that are asked for otherwise than by the name of a field: by a clause ("how long it takes", "ile kosztuje"), or by what the
//! entries are.

locale::patterns! {
    /// The clauses, each with the column that it asks for.
    static CLAUSE = format!(r"(?ix)^(?:
        (?P<servings>how\s+many(?:\s+(?:people|persons))?\s+{ENTRY}\s+serves?)
        |(?P<guests>how\s+many(?:\s+(?:people|persons))?\s+{ENTRY}\s+sleeps?)
        |(?P<duration>how\s+long\s+{ENTRY}\s+(?:takes?|lasts?|runs?)|wie\s+lange?\s+{ENTRY}\s+(?:dauer[nt]|braucht|geht)|jak\s+długo\s+(?:trwa|trwają|zajmuje))
        |(?P<price>(?:how\s+much|what)\s+{ENTRY}\s+costs?|(?:wie\s*viel|was)\s+{ENTRY}\s+koste[nt]|ile\s+kosztuj\p{{L}}+)
        |(?P<distance>how\s+far(?:\s+away)?\s+{ENTRY}\s+(?:is|are)|wie\s+weit\s+{ENTRY}\s+(?:ist|sind|entfernt\s+ist))
        |(?P<location>where\s+{ENTRY}\s+(?:is|are|takes?\s+place)|wo\s+{ENTRY}\s+(?:ist|sind|liegt|liegen|stattfindet|stattfinden)|gdzie\s+(?:jest|są|się\s+odbywa\p{{L}}*|leży))
        |(?P<date>when\s+{ENTRY}\s+(?:is|are|starts?|begins?|takes?\s+place)|wann\s+{ENTRY}\s+(?:ist|sind|beginnt|beginnen|anfängt|stattfindet|stattfinden)|kiedy\s+(?:jest|są|się\s+(?:odbywa|zaczyna)\p{{L}}*))
        |(?P<author>who\s+wrote(?:\s+{ENTRY})?|wer\s+{ENTRY}\s+geschrieben\s+hat|kto\s+\p{{L}}*\s*napisał\p{{L}}*)
        )$");
}

/// Words that stand for an entry.
const ENTRY: &str = "(?:it|they|each|this|these|one|es|sie|das|er|dies)";

/// The columns by the groups of [`CLAUSE`]; each is the name of a field.
const COLUMNS: [&str; 8] = [
    "servings", "guests", "duration", "price", "distance", "location", "date", "author",
];

/// The field that a clause asks for as a column.
pub(super) fn column(clause: &str) -> Option<&'static str> {
    let found = CLAUSE.captures(clause.trim())?;
    COLUMNS.into_iter().find(|column| found.name(column).is_some())
}

/// Whether a column is what vacancies are called by.
pub(super) fn is_post(name: &str) -> bool {
    matches!(
        name.to_lowercase().as_str(),
        "stanowisko" | "nazwa stanowiska" | "nazwę stanowiska"
    )
}

/// Whether a word is what lists call the name of things that have one.
pub(super) fn is_name_of_thing(word: &str) -> bool {
    const NAMES: [&str; 7] = [
        "model",
        "modell",
        "modele",
        "bezeichnung",
        "artikel",
        "produkt",
        "designation",
    ];
    NAMES.contains(&word.to_lowercase().as_str())
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
            ("when registration is", None),
            ("who made it", None),
        ] {
            assert_eq!(column(clause), expected, "{clause}");
        }
    }
}
