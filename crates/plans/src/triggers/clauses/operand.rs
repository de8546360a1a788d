//! `Operand`: a word or a condition of a clause, and how it is joined to the one before.

/// How an operand is joined to the one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Join {
    /// By nothing or words without content.
    Beside,
    /// By a comma.
    Comma,
    /// By "and".
    And,
    /// By "or".
    Or,
    /// By the end of a sentence or a "but".
    Apart,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Term {
    Word(String),
    /// A condition by its mark.
    Marked(usize),
}

#[derive(Debug, Clone)]
pub(super) struct Operand {
    pub(super) term: Term,
    pub(super) join: Join,
    pub(super) is_denied: bool,
    /// Whether what denies it leaves things out, as "without" does and "not" does not.
    pub(super) is_left_out: bool,
    /// Whether its denial also goes for the words that are listed behind it.
    pub(super) spreads: bool,
    /// Whether it stands right behind the operand before, without a word or sign between the two.
    pub(super) is_adjacent: bool,
    /// Whether a relative pronoun stands before it, which begins a clause of its own: "trains, which run in the evening".
    pub(super) begins_clause: bool,
    /// Whether "with" stands before it: what is denied before ends there.
    pub(super) begins_with: bool,
    /// Whether "in" or "near" stands right before it, and it is a name: what is denied before ends there, too.
    pub(super) begins_place: bool,
    /// How many words without content stand between the operand before and this one.
    pub(super) gap: usize,
    /// Whether a preposition stands before it: a list of what is denied has none within.
    pub(super) has_preposition: bool,
}
