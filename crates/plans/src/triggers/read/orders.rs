//! The order of what an instruction compares.

use super::super::limits::LimitField;
use super::super::said_orders::said_order;
use super::super::then_by::then_by;
use super::{InstructionReader, Marked};

locale::patterns! {
    /// What is said of the year in which something came into being.
    static MADE = r"(?i)\b(?:founded|built|established|opened|set up|gegründet\w*|erbaut\w*|gebaut\w*|baujahr\w*|założon\p{Latin}+|zbudowan\p{Latin}+|wybudowan\p{Latin}+|powstał\p{Latin}*)\b";
}

impl InstructionReader<'_> {
    /// Orders that a sentence says of the things themselves.
    pub(super) fn said_orders(&mut self, text: &mut String, labels: &[String]) {
        let Some(said) = said_order(text, self.words, labels) else {
            return;
        };
        let mut rest = text.clone();
        rest.replace_range(said.place.clone(), " , ");
        let has_other = self.words.is_order(&rest) || self.words.sort_by.is_match(&rest);
        match said.order {
            // "Hotels closest to the centre, cheapest first": one of the two is told.
            Some(order) if self.facts.sort.is_none() && !has_other => {
                self.facts.sort = Some(order);
                self.facts.count = said.count.or(self.facts.count);
            }
            _ => {
                let words = text.get(said.place).unwrap_or_default().trim();
                self.facts.not_understood.push(words.to_owned());
            }
        }
        *text = rest;
    }

    /// A second order, for what the first one leaves even.
    pub(super) fn then_by(&mut self, text: &mut String) {
        let Some((range, order)) = then_by(text, self.words) else {
            return;
        };
        if order.is_none() {
            let said = text.get(range.clone()).unwrap_or_default();
            self.facts.not_understood.push(said.trim().to_owned());
        }
        self.facts.then_sort = order;
        text.replace_range(range, " ");
    }

    /// Tells a second order without a first one.
    pub(super) fn tell_lone_order(&mut self) {
        let facts = &mut self.facts;
        if facts.sort.is_none()
            && let Some((field, _)) = facts.then_sort.take()
        {
            facts.not_understood.push(format!("then by {field}"));
        }
    }

    /// What the instruction compares with numbers.
    pub(super) fn compared(&self) -> Vec<String> {
        let marked = self.marked.iter().filter_map(|marked| match marked {
            Marked::Conditions(conditions) => match conditions.as_slice() {
                [condition] if condition.is_comparison() && condition.value.is_number() => {
                    Some(condition.field.clone())
                }
                _ => None,
            },
            Marked::Limit(_) => None,
        });
        let limited = self.limits.iter().filter_map(|limit| match &limit.field {
            LimitField::Named(name) => Some(name.clone()),
            LimitField::Unnamed => Some("price".to_owned()),
            LimitField::Count | LimitField::Unknown => None,
        });
        let mut compared: Vec<String> = marked.chain(limited).collect();
        compared.sort_unstable();
        compared.dedup();
        compared
    }

    /// The order of what the instruction compares, where it names a direction alone: "at least 15,000 mm, highest first"; and of
    /// the years that it compares: "founded before 1900, oldest first".
    pub(super) fn order_of_limit(&mut self, text: &str, compared: &[String]) {
        let words = self.words;
        if let Some((field, _)) = &mut self.facts.sort {
            if field == "date" && compared.iter().any(|name| name == "year") && MADE.is_match(text) {
                "year".clone_into(field);
            }
            return;
        }
        let is_descending = words.descending.find(text);
        let Some(said) = is_descending.or_else(|| words.ascending.find(text)) else {
            return;
        };
        match compared {
            [field] => self.facts.sort = Some((field.clone(), is_descending.is_some())),
            _ if self.facts.not_understood.is_empty() => {
                self.facts.not_understood.push(said.as_str().to_owned());
            }
            _ => {}
        }
    }
}
