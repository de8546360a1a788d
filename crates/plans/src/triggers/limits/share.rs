//! Comparisons with a share: "at least 20 % off", "wines with 12 % alcohol".

use tools::words::concepts;

use super::amount_context::{AmountContext, FoundField, is_paid};

locale::patterns! {
    /// A word that something has become cheaper.
    static OFF = r"(?i)^(?:off|discount|reduc\p{Latin}+|cheaper|less|rabat\p{Latin}*|nachlass|reduziert\p{Latin}*|günstiger|billiger|taniej|tańsz\p{Latin}*|zniż\p{Latin}+|obniż\p{Latin}+|przecen\p{Latin}+)$";
}

/// "wines with 12 % alcohol": the word behind, or else before, says what the share is of.
pub(super) fn share(context: &AmountContext<'_>) -> Option<FoundField> {
    if !context.is_share {
        return None;
    }
    let words = context.words;
    let behind = context.behind;
    let of = |word: &str| concepts::field(word).filter(|name| !is_paid(name));
    if let Some((name, word)) = behind.and_then(|word| Some((of(word.text)?, word))) {
        return Some(context.named(name).up_to(context.end_of(word)));
    }
    let is_off = behind.is_some_and(|word| OFF.is_match(word.text));
    // "at least 90 % efficiency": what no field is known for may be a label of the list.
    let is_noun = |noun: &str| {
        !words.is_grammar(noun) && !words.is_entity(noun) && context.field_of_unit(noun).is_none()
    };
    let noun = behind.map(|word| (word.text.to_lowercase(), word));
    if let Some((noun, word)) = noun.filter(|(noun, _)| !is_off && is_noun(noun)) {
        return Some(context.named(&noun).up_to(context.end_of(word)));
    }
    let before = context.field_before().filter(|name| !is_off && !is_paid(name));
    Some(context.named(before.as_deref().unwrap_or("discount")))
}
