//! Levels of a scale in words, compared: "tasks of at least medium priority", "hikes no harder than moderate".

use tools::PageList;
use tools::rows::condition::{Operator, RowCondition};
use tools::rows::scale::Scale;
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

/// A column of the list whose values are levels of a scale.
struct LevelColumn<'l> {
    /// Its label, as it is written.
    name: &'l str,
    field: String,
    scale: Scale,
}

impl LevelColumn<'_> {
    fn has(&self, level: &str) -> bool {
        self.scale.level(level).is_some()
    }
}

impl InstructionReader<'_> {
    /// Levels that a column of the list has as they are: "hard hikes", "not hard".
    fn named_levels(&mut self, text: &mut String, columns: &[LevelColumn<'_>], labels: &ListLabels<'_>) {
        let mut from = 0;
        while let Some(found) = text.get(from..).and_then(|rest| NAMED.captures(rest)) {
            let Some((whole, level)) = found.get(0).zip(found.name("level")) else {
                return;
            };
            let place = from + whole.start()..from + whole.end();
            let said = level.as_str().to_owned();
            let has = |column: &&LevelColumn<'_>| column.has(&said) && labels.has_value(&column.field, &said);
            let is_denied = found.name("not").is_some();
            from = place.end;
            if let Some(column) = columns.iter().find(has) {
                let mark = self.mark(vec![RowCondition {
                    field: column.field.clone(),
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
        let columns: Vec<LevelColumn<'_>> = labels
            .names
            .iter()
            .filter_map(|name| {
                let field = locale::snake_case(name);
                let scale = list.scale(&field)?;
                Some(LevelColumn { name, field, scale })
            })
            .collect();
        if columns.is_empty() {
            return;
        }
        let mut from = 0;
        while let Some(found) = text.get(from..).and_then(|rest| COMPARED.captures(rest)) {
            let level = found.name("level").or_else(|| found.name("before"));
            let Some((whole, level)) = found.get(0).zip(level) else {
                return;
            };
            let place = from + whole.start()..from + whole.end();
            from += level.end();
            // "Very hard" may be a level, or its last word alone.
            let bare = level
                .as_str()
                .rsplit(char::is_whitespace)
                .next()
                .unwrap_or_default();
            let is_called = |column: &&LevelColumn<'_>| {
                let behind = found.name("behind");
                behind.is_some_and(|word| concepts::are_same_words(column.name, word.as_str()))
            };
            let named = [level.as_str(), bare].into_iter().find_map(|said| {
                let of_level = || columns.iter().filter(|column| column.has(said));
                // Of two columns of one scale the one that is named is meant.
                let column = of_level().find(is_called).or_else(|| of_level().next())?;
                Some((said.to_owned(), column))
            });
            let Some((said, column)) = named else {
                continue;
            };
            let has = |group: &str| found.name(group).is_some();
            let operator = match () {
                () if has("most") || has("down") => Operator::AtMost,
                () if has("more") => Operator::More,
                () if has("less") => Operator::Less,
                () => Operator::AtLeast,
            };
            let behind = found.name("behind").filter(|_| !is_called(&column));
            let kept = behind.map_or(String::new(), |word| format!(" {}", word.as_str()));
            let start = match found.name("before") {
                Some(before) => place.start + (before.len() - said.len()).min(before.len()),
                None => place.start,
            };
            let mark = self.mark(vec![RowCondition {
                field: column.field.clone(),
                operator,
                value: said.into(),
            }]);
            text.replace_range(start..place.end, &format!("{mark}{kept}"));
            from = start;
        }
        self.named_levels(text, &columns, labels);
    }
}
