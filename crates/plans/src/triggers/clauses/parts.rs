//! `Part`: the conditions of operands that belong together.

use serde_json::Value;
use tools::rows::condition::{ANY_FIELD, Operator, RowCondition};

use super::operand::{Join, Operand, Term};

/// Conditions that belong together, or alternatives of such.
#[derive(Debug, Clone)]
pub(super) struct Part {
    pub(super) join: Join,
    pub(super) conditions: Vec<RowCondition>,
    pub(super) alternatives: Vec<Vec<RowCondition>>,
    /// Whether it is a typed condition, and no words.
    pub(super) is_limit: bool,
    /// Whether the words deny it.
    pub(super) is_denied: bool,
    /// Whether it stands right behind the part before.
    pub(super) is_adjacent: bool,
    /// Whether a preposition stands before it.
    pub(super) has_preposition: bool,
}

impl Part {
    /// The alternatives, or what it is as the only one.
    pub(super) fn alternatives(&self) -> Vec<Vec<RowCondition>> {
        match self.alternatives.is_empty() {
            true => vec![self.conditions.clone()],
            false => self.alternatives.clone(),
        }
    }

    /// Whether a condition behind "or" denies what this part says with its denial: "not sold out or fully booked". One denial goes
    /// for both then, since of a condition and its contrary every entry meets one.
    pub(super) fn denies_as_well(&self, other: &Part) -> bool {
        let [condition] = other.conditions.as_slice() else {
            return false;
        };
        let contrary = RowCondition {
            operator: condition.operator.negated(),
            ..condition.clone()
        };
        self.is_denied && !other.is_denied && self.alternatives().contains(&vec![contrary])
    }
}

/// The parts of a segment: words that are joined by "and", and denied words beside each other, are one.
pub(super) fn parts(segment: &[Operand], conditions: &[Vec<RowCondition>]) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let mut last_word: Option<(bool, Vec<String>)> = None;
    for operand in segment {
        let part = match &operand.term {
            Term::Marked(index) => {
                last_word = None;
                let of_mark = conditions.get(*index).cloned().unwrap_or_default();
                marked_part(of_mark, operand)
            }
            Term::Word(word) => {
                let is_joined = match operand.join {
                    Join::And => !operand.is_denied,
                    Join::Beside => operand.is_denied,
                    Join::Comma | Join::Or | Join::Apart => false,
                };
                let joined = last_word
                    .take()
                    .filter(|(is_denied, _)| is_joined && *is_denied == operand.is_denied);
                let mut list = match joined {
                    Some((_, list)) => {
                        parts.pop();
                        list
                    }
                    None => Vec::new(),
                };
                list.push(word.clone());
                last_word = Some((operand.is_denied, list.clone()));
                Part {
                    join: operand.join,
                    conditions: vec![words_condition(&list, operand.is_denied)],
                    alternatives: Vec::new(),
                    is_limit: false,
                    is_denied: operand.is_denied,
                    is_adjacent: operand.is_adjacent,
                    has_preposition: operand.has_preposition,
                }
            }
        };
        parts.push(part);
    }
    parts
}

fn marked_part(conditions: Vec<RowCondition>, operand: &Operand) -> Part {
    let negate = |condition: RowCondition| RowCondition {
        operator: condition.operator.negated(),
        ..condition
    };
    let part = |conditions, alternatives| Part {
        join: operand.join,
        conditions,
        alternatives,
        is_limit: true,
        is_denied: operand.is_denied,
        is_adjacent: false,
        has_preposition: operand.has_preposition,
    };
    match (operand.is_denied, conditions.len()) {
        (false, _) => part(conditions, Vec::new()),
        (true, 0 | 1) => part(conditions.into_iter().map(negate).collect(), Vec::new()),
        // "not between 10 and 20"
        (true, _) => part(
            Vec::new(),
            conditions
                .into_iter()
                .map(|condition| vec![negate(condition)])
                .collect(),
        ),
    }
}

fn words_condition(list: &[String], is_denied: bool) -> RowCondition {
    RowCondition {
        field: ANY_FIELD.into(),
        operator: match is_denied {
            true => Operator::NotMentions,
            false => Operator::Mentions,
        },
        value: match list {
            [word] => Value::from(word.as_str()),
            list => Value::from(list.to_vec()),
        },
    }
}
