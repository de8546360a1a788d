//! Small words of the three languages that say how what stands beside them belongs together.

/// Denials that stand before what they deny and never behind, and words that stand for nothing.
pub(in crate::triggers) const BEFORE_NOUNS: [&str; 20] = [
    "no",
    "without",
    "ohne",
    "kein",
    "keine",
    "keinen",
    "keiner",
    "keinem",
    "bez",
    "none",
    "żadnych",
    "nothing",
    "nobody",
    "no-one",
    "nichts",
    "niemand",
    "niemandem",
    "nic",
    "nikt",
    "nikogo",
];

/// Verbs that say something of what stands before them, and never what is denied alone.
#[rustfmt::skip]
const VERBS_OF_CLAUSE: [&str; 52] = [
    "is", "are", "was", "were", "be", "been", "being", "has", "have", "had", "do", "does", "can", "could", "may", "might", "will",
    "would", "should", "must", "ist", "sind", "sein", "war", "waren", "hat", "haben", "hatte", "werden", "wird", "wurde", "wurden",
    "kann", "können", "darf", "dürfen", "soll", "sollen", "muss", "müssen", "jest", "są", "być", "był", "była", "były", "ma",
    "mają", "może", "mogą", "musi", "muszą",
];

/// Whether a word is a verb that says something of what stands before it: "is", "haben", "jest".
pub(in super::super) fn is_verb_of_clause(word: &str) -> bool {
    VERBS_OF_CLAUSE.iter().any(|verb| word.eq_ignore_ascii_case(verb))
}

/// Verbs that begin another statement behind "and": "translates Russian and takes orders", "und nimmt gerade Aufträge an".
#[rustfmt::skip]
const VERBS_OF_STATEMENT: [&str; 41] = [
    "takes", "take", "offers", "offer", "accepts", "accept", "costs", "cost", "starts", "begins", "lasts", "speaks", "speak", "nimmt",
    "nehmen", "bietet", "bieten", "kostet", "kosten", "liegt", "liegen", "gibt", "beginnt", "beginnen", "startet", "starten", "dauert",
    "dauern", "spricht", "sprechen", "przyjmuje", "przyjmują", "oferuje", "oferują", "kosztuje", "kosztują", "zaczyna", "zaczynają",
    "trwa", "trwają", "bierze",
];

/// Whether a word behind "and" begins another statement of what the sentence is about.
pub(super) fn begins_statement(word: &str) -> bool {
    is_verb_of_clause(word)
        || VERBS_OF_STATEMENT
            .iter()
            .any(|verb| word.eq_ignore_ascii_case(verb))
}

/// Words before a time of day.
pub(super) const TIME_WORDS: [&str; 16] = [
    "after", "before", "until", "till", "by", "at", "from", "nach", "vor", "bis", "um", "ab", "po", "przed",
    "do", "od",
];

/// Words before a place or a time.
pub(super) const PLACE_WORDS: [&str; 23] = [
    "at", "in", "from", "near", "on", "around", "for", "by", "bei", "aus", "im", "am", "von", "ab", "an",
    "auf", "zu", "w", "we", "na", "z", "ze", "od",
];

/// Words before the name of a place where a thing is, without an article.
pub(super) const NEAR_WORDS: [&str; 8] = ["in", "near", "w", "we", "nahe", "koło", "niedaleko", "around"];

/// Words before what a thing has.
pub(super) const WITH: [&str; 4] = ["with", "mit", "z", "ze"];

/// Words between two things.
pub(super) const JOINTS: [&str; 9] = ["and", "or", "und", "oder", "oraz", "lub", "albo", "plus", "sowie"];

/// Words that begin a relative clause behind a comma.
pub(super) const RELATIVE: [&str; 22] = [
    "that", "which", "who", "where", "whose", "die", "der", "das", "denen", "deren", "dessen", "wo", "który",
    "która", "które", "którzy", "których", "którym", "której", "którą", "gdzie", "co",
];

/// Words that are content in capitals alone.
pub(super) const ACRONYMS: [&str; 2] = ["IT", "US"];

/// Words between those of a phrase that do not belong to it: "bring my dog", "wo mein Hund mit darf".
#[rustfmt::skip]
pub(super) const BETWEEN: [&str; 82] = [
    "own", "eigene", "eigenen", "eigenem", "własnego", "własny",
    "is", "are", "ist", "sind", "jest", "są",
    "a", "an", "the", "my", "our", "your", "his", "her", "their", "i", "we", "you", "can", "could", "may", "might", "will", "would",
    "der", "die", "das", "den", "dem", "ein", "eine", "einen", "einem", "einer", "mein", "meine", "meinen", "meinem", "meiner",
    "unser", "unsere", "unseren", "unserem", "ich", "wir", "man", "mich", "mir", "uns", "sich", "kann", "können", "darf", "dürfen",
    "auch", "mój", "moja", "moje", "moją", "mojego", "moim", "mojej", "swój", "swoje", "swoją", "swojego", "swoim", "swojej",
    "nasz", "naszego", "naszym", "naszą", "się", "sobie", "mogę", "można",
];

/// Whether a word is the English "I", and not the Polish "and".
pub(super) fn is_pronoun(word: &str, next: &str) -> bool {
    const VERBS: [&str; 22] = [
        "can", "could", "may", "might", "will", "would", "want", "need", "have", "am", "live", "like", "do",
        "don't", "dont", "can't", "cant", "get", "go", "just", "should", "must",
    ];
    word == "I" || (word == "i" && VERBS.contains(&next.to_lowercase().as_str()))
}
