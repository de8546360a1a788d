//! How strongly a row has a word of an instruction.

/// How a row has a word, the strongest last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum MentionStrength {
    /// Not at all.
    Nowhere,
    /// As the first part of a compound: `privat` in "Privatanbieter".
    Part,
    /// Somewhere in a text.
    Text,
    /// As the last part of a word of the name, where the language of the page may not join words.
    Compound,
    /// In the name of the thing, outside of brackets and before any preposition.
    Thing,
    /// As the whole value of a field.
    Value,
}
