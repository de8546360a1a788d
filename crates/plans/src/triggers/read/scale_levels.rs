//! Levels of a scale in words, compared: "tasks of at least medium priority", "hikes no harder than moderate".

use tools::PageList;
use tools::rows::condition::{Operator, RowCondition};
use tools::words::concepts;

use super::super::list_labels::ListLabels;
use super::InstructionReader;

/// A level, of one word or of two.
const LEVEL: &str = r"(?:(?:very|sehr|bardzo|średnio)\s+)?\p{L}{1,20}";

locale::patterns! {
    /// A level that is denied, or asked for as it is.
    static NAMED = r"(?i)\b(?P<not>(?:not|nicht|nie)\s+(?:(?:too|so|zu|zbyt|za)\s+)?)?(?P<level>(?:(?:very|sehr|bardzo)\s+)?\p{L}{3,20})\b";
    /// A level behind or before a comparison, and the word behind both.
    static COMPARED = format!(r"(?ix)\b(?:
        (?:(?P<most>at\s+most|up\s+to|no(?:t)?\s+(?:harder|higher|more\s+difficult|bigger|larger)\s+than|höchstens|maximal|nicht\s+(?:schwerer|höher|größer|schwieriger)\s+als|co\s+najwyżej|najwyżej|maksymalnie|nie\s+(?:trudniejsz\p{{L}}+|wyższ\p{{L}}+|większ\p{{L}}+)\s+niż)
        |(?P<least>at\s+least|no(?:t)?\s+(?:easier|lower|smaller|less)\s+than|mindestens|wenigstens|nicht\s+(?:leichter|niedriger|kleiner)\s+als|co\s+najmniej|przynajmniej|nie\s+(?:łatwiejsz\p{{L}}+|niższ\p{{L}}+|mniejsz\p{{L}}+)\s+niż)
        |(?P<more>(?:harder|higher|more\s+difficult|bigger|larger)\s+than|above|(?:schwerer|höher|größer|schwieriger)\s+als|(?:trudniejsz\p{{L}}+|wyższ\p{{L}}+|większ\p{{L}}+)\s+niż|powyżej)
        |(?P<less>(?:easier|lower|smaller)\s+than|below|(?:leichter|niedriger|kleiner)\s+als|(?:łatwiejsz\p{{L}}+|niższ\p{{L}}+|mniejsz\p{{L}}+)\s+niż|poniżej))
        \s+(?:an?\s+|the\s+)?(?P<level>{LEVEL})
        |(?P<before>{LEVEL})\s+(?:(?P<up>(?:or|and)\s+(?:higher|above|harder|up|bigger|larger|more)|(?:oder|und)\s+(?:höher|schwerer|schwieriger|größer|mehr)|(?:lub|albo|i)\s+(?:wyż\p{{L}}+|trudniej\p{{L}}+|więks\p{{L}}+|więcej))
        |(?P<down>(?:or|and)\s+(?:lower|below|easier|smaller|less)|(?:oder|und)\s+(?:niedriger|leichter|kleiner|weniger)|(?:lub|albo|i)\s+(?:niż\p{{L}}+|łatwiej\p{{L}}+|mniejs\p{{L}}+|mniej))))
        (?:\s+(?:in\s+)?(?P<behind>\p{{L}}+))?");
}

impl InstructionReader<'_> {
    /// Levels that a column of the list has as they are: "hard hikes", "not hard".
    fn named_levels(&mut self, text: &mut String, list: &PageList<'_>, labels: &ListLabels<'_>) {
        let fields: Vec<String> = labels.names.iter().map(|name| locale::snake_case(name)).collect();
        let mut from = 0;
        while let Some(found) = text.get(from..).and_then(|rest| NAMED.captures(rest)) {
            let Some((whole, level)) = found.get(0).zip(found.name("level")) else {
                return;
            };
            let place = from + whole.start()..from + whole.end();
            let said = level.as_str().to_owned();
            let has = |field: &&String| labels.has_value(field, &said) && list.has_level(field, &said);
            let is_denied = found.name("not").is_some();
            from = place.end;
            if let Some(field) = fields.iter().find(has) {
                let mark = self.mark(vec![RowCondition {
                    field: field.clone(),
                    operator: match is_denied {
                        true => Operator::NotEqual,
                        false => Operator::Equal,
                    },
                    value: said.into(),
                }]);
                text.replace_range(place.clone(), &mark);
                from = place.start + mark.len();
            } else if is_denied {
                // The word behind the denial may begin a level.
                from = place.start + whole.as_str().find(char::is_whitespace).unwrap_or(1);
            }
        }
    }

    /// Comparisons with a level of a scale that a column of the list has.
    pub(super) fn scale_levels(
        &mut self,
        text: &mut String,
        list: Option<&PageList<'_>>,
        labels: &ListLabels<'_>,
    ) {
        let Some(list) = list else { return };
        let mut from = 0;
        while let Some(found) = text.get(from..).and_then(|rest| COMPARED.captures(rest)) {
            let level = found.name("level").or_else(|| found.name("before"));
            let Some((whole, level)) = found.get(0).zip(level) else {
                return;
            };
            let place = from + whole.start()..from + whole.end();
            from += level.end();
            // "The at least medium": words before the level may belong to it or not.
            let bare = level
                .as_str()
                .rsplit(char::is_whitespace)
                .next()
                .unwrap_or_default();
            let fields = || labels.names.iter().map(|name| (name, locale::snake_case(name)));
            let named = [level.as_str(), bare].into_iter().find_map(|said| {
                let mut of_level = fields().filter(|(_, field)| list.has_level(field, said));
                let first = of_level.next()?;
                // Of two columns of one scale the one that is named is meant.
                let is_named = |(name, _): &(&String, String)| {
                    let behind = found.name("behind");
                    behind.is_some_and(|word| concepts::are_same_words(name, word.as_str()))
                };
                let of_name = std::iter::once(first.clone()).chain(of_level).find(is_named);
                Some((said.to_owned(), of_name.unwrap_or(first)))
            });
            let Some((said, (name, field))) = named else {
                continue;
            };
            let has = |group: &str| found.name(group).is_some();
            let operator = match () {
                () if has("most") || has("down") => Operator::AtMost,
                () if has("more") => Operator::More,
                () if has("less") => Operator::Less,
                () => Operator::AtLeast,
            };
            let behind = found
                .name("behind")
                .filter(|word| !concepts::are_same_words(name, word.as_str()));
            let kept = behind.map_or(String::new(), |word| format!(" {}", word.as_str()));
            let start = match found.name("before") {
                Some(before) => place.start + (before.len() - said.len()).min(before.len()),
                None => place.start,
            };
            let mark = self.mark(vec![RowCondition {
                field,
                operator,
                value: said.into(),
            }]);
            text.replace_range(start..place.end, &format!("{mark}{kept}"));
            from = start;
        }
        self.named_levels(text, list, labels);
    }
}
