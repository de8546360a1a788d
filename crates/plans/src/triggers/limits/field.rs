//! The field of a comparison: readers that each know one way in which instructions say what an amount is of.

use super::amount_context::{AmountContext, FoundField};
use super::{counted, measured, money, named, share};

/// Reads one way of saying what an amount is of; `None` where it is not said so.
type FieldReader = fn(&AmountContext<'_>) -> Option<FoundField>;

/// The first that finds a field counts: what is said surely comes before what is guessed from the words around.
const READERS: [FieldReader; 22] = [
    money::reduction,
    money::with_sign,
    money::cheaper_than_thousands,
    measured::speed,
    named::rating,
    share::share,
    named::of_vocabulary,
    counted::entities,
    money::in_money,
    counted::years,
    measured::distance,
    counted::things,
    counted::in_state,
    counted::thousands,
    money::thousands,
    measured::behind_unit,
    named::of_unit,
    named::second_word,
    named::before,
    counted::behind_comparison,
    named::nothing,
    measured::unit,
];

/// The field of a comparison. What no reader knows is the name of what is counted.
pub(super) fn field(context: &AmountContext<'_>) -> FoundField {
    let found = READERS.iter().find_map(|read| read(context));
    found.unwrap_or_else(|| context.named(&context.lower_unit()))
}
