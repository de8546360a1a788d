//! How far a denial goes.

use tools::rows::condition::{Operator, RowCondition};

use super::super::vocabulary::TriggerVocabulary;
use super::operand::{Join, Operand, Term};

/// A denial goes for all words of a list: "no cables or adapters".
pub(super) fn spread_denials(operands: &mut [Operand]) {
    for at in 1..operands.len() {
        let next = operands.get(at + 1).cloned();
        let next = next.as_ref();
        let Some([before, operand]) = operands.get_mut(at - 1..=at) else {
            continue;
        };
        let are_words = matches!((&before.term, &operand.term), (Term::Word(_), Term::Word(_)));
        let is_listed = match operand.join {
            Join::And | Join::Or => true,
            // "except Acme, Bolt"
            Join::Comma => before.spreads,
            Join::Beside | Join::Apart => false,
        };
        // "without booking, at Elm Street" begins something else.
        let begins = (operand.has_preposition && !before.has_preposition)
            || operand.begins_clause
            || (operand.begins_with && !before.begins_with)
            || (is_limited(operand, next) && !(before.spreads && is_no_measure(operand)))
            || (operand.join == Join::Comma && !are_alike(before, operand));
        // "leave out what is sold out or cancelled": neither of them, whichever of the two was read as something else.
        // So does "not sold or reserved", of which the first is a state that was read before.
        let is_word = matches!(operand.term, Term::Word(_));
        let is_either = operand.join == Join::Or && (before.spreads || is_word);
        if before.is_denied && !operand.is_denied && (are_words || is_either) && is_listed && !begins {
            operand.is_denied = true;
            operand.spreads = before.spreads;
            // Neither of them: both denials hold.
            operand.join = Join::And;
        } else if before.is_denied
            && !operand.is_denied
            && are_words
            && operand.join == Join::Beside
            && !operand.begins_with
            // "without breakfast in Leeds"
            && (!operand.begins_place || is_name(before))
        {
            // "no refurbished phones"
            operand.is_denied = true;
            operand.spreads = before.spreads;
        }
    }
}

/// What is left out goes for what cannot be had, too, where both are joined: "without pre-orders and sold-out ones".
pub(super) fn deny_sold(
    operands: &mut [Operand],
    conditions: &[Vec<RowCondition>],
    words: &TriggerVocabulary,
) {
    let begins_with_denial = |word: &str| words.without.find(word).is_some_and(|found| found.start() == 0);
    for at in 1..operands.len() {
        let Some([before, operand]) = operands.get_mut(at - 1..=at) else {
            continue;
        };
        let is_left_out = match &before.term {
            Term::Word(word) => before.is_left_out || begins_with_denial(word),
            Term::Marked(_) => false,
        };
        let is_sold = match operand.term {
            Term::Marked(index) => matches!(
                conditions.get(index).map(Vec::as_slice),
                Some([condition]) if condition.operator == Operator::NotInStock
            ),
            Term::Word(_) => false,
        };
        if is_left_out && is_sold && operand.join == Join::And && !operand.is_denied && !operand.begins_clause
        {
            operand.is_denied = true;
        }
    }
}

/// Whether a word behind "and" is what the comparison behind it compares: "not sold and price under 50".
fn is_limited(operand: &Operand, next: Option<&Operand>) -> bool {
    next.is_some_and(|next| {
        matches!(next.term, Term::Marked(_)) && next.join == Join::Beside && !next.is_denied
    }) && operand.join == Join::And
}

/// Whether a word is nothing that a limit behind it can be of: "except sport and opinion published after 15 April".
fn is_no_measure(operand: &Operand) -> bool {
    matches!(&operand.term, Term::Word(word) if tools::words::concepts::field(word).is_none() && !tools::is_label(word))
}

/// Whether two words of a list may be of one kind: both are written with a capital letter, or neither is. "except in Leeds,
/// wheelchair accessible" leaves out Leeds alone.
fn are_alike(one: &Operand, other: &Operand) -> bool {
    is_name(one) == is_name(other)
}

/// Whether an operand is a word with a capital letter.
fn is_name(operand: &Operand) -> bool {
    match &operand.term {
        Term::Word(word) => word.starts_with(char::is_uppercase),
        Term::Marked(_) => false,
    }
}
