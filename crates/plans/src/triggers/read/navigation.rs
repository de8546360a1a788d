//! What an instruction wants clicked, opened, searched for or chosen, and which links it asks for.

use tools::PageList;
use tools::rows::condition::{ANY_FIELD, Operator, RowCondition};

use super::super::amounts::group;
use super::super::phrases::{PhraseEnd, is_anything, take, take_phrase, up_to};
use super::InstructionReader;

/// Longest option of a dropdown, in characters.
const MAX_OPTION: usize = 200;
/// Longest name of a dropdown, in characters.
const MAX_FIELD: usize = 60;

locale::patterns! {
    /// What stands between two categories of which either is meant.
    static EITHER = r"(?i)\s+(?:or|oder|lub|albo|and|und|i|oraz)\s+|,\s*";
    /// What says more of the things in a category.
    static RELATIVE = r"(?i),?\s+(?:that|which|who|with|under|below|over|die|der|das|welche|mit|unter|über|któr[a-zà-ɏ]+|z|ze|do|poniżej|powyżej)\s";
    /// Numbers of pages: "pages 2 to 4", "Seiten 2 und 3".
    static PAGE_RANGE = r"(?i)\b(?:(?:only|just|nur|tylko)\s+)?(?:pages|seiten?|stron\p{L}*)\s+(\d{1,4})\s*(?:(?:to|through|bis|do|and|und|i|oraz)\b|[-–&])\s*(\d{1,4})\b";
    static FILE_KIND = r"(?i)\b(pdf|zip|xlsx?|docx?|csv|jpe?g|png|mp3|mp4)\b(?:\s+(?:files?|documents?|pliki|plików|pliku|dokument[a-zà-ɏ]*|dateien))?";
}

impl InstructionReader<'_> {
    /// The option of a dropdown. Lengths are bounded here, not in the pattern, where a bound is compiled as so many
    /// states.
    pub(super) fn choice(&mut self, text: &mut String) {
        let Some(found) = self.words.choice.captures(text) else {
            return;
        };
        let option = group(&found, "q");
        if option.chars().count() > MAX_OPTION {
            return;
        }
        let field: String = group(&found, "f").chars().take(MAX_FIELD).collect();
        let field = up_to(&self.words.stops, &field).to_owned();
        let from = found.get(0).map_or(0, |whole| whole.start());
        let to = found.name("f").map_or(from, |start| start.start() + field.len());
        self.facts.choice = Some((option.trim().to_owned(), field));
        text.replace_range(from..to, " ");
    }

    /// Pages by their numbers. From the first on they are a number of pages; pages from the middle of a list are not understood.
    pub(super) fn page_range(&mut self, text: &mut String) {
        let Some(found) = PAGE_RANGE.captures(text) else {
            return;
        };
        let number = |at: usize| {
            found
                .get(at)
                .and_then(|number| number.as_str().parse::<usize>().ok())
        };
        let (first, last) = (number(1).unwrap_or_default(), number(2).unwrap_or_default());
        let whole = found.get(0).map_or(0..0, |whole| whole.range());
        let said = text.get(whole.clone()).unwrap_or_default().to_owned();
        match first == 1 && last > first {
            true => self.facts.pages = Some(last),
            false => self.facts.not_understood.push(said),
        }
        text.replace_range(whole, " ");
    }

    /// What to click, which category to open, what to search for.
    pub(super) fn navigation(&mut self, text: &mut String, list: Option<&PageList<'_>>) {
        let words = self.words;
        self.facts.click = take_phrase(text, &words.click, words, PhraseEnd::StopWord);
        let before = text.clone();
        if let Some(path) = take_phrase(text, &words.category, words, PhraseEnd::Path) {
            let names = path.split(['>', '/', '»', '→']).map(str::trim);
            let names: Vec<String> = names.filter(|name| !name.is_empty()).map(str::to_owned).collect();
            // A category that entries of the list name is a condition on them, and needs no other page.
            let are_said = |names: &str| {
                EITHER
                    .split(names)
                    .any(|name| list.is_some_and(|list| list.says(name)))
            };
            let first = RELATIVE.split(&path).next().unwrap_or_default();
            let said = [path.as_str(), first].into_iter().find(|names| are_said(names));
            match said.filter(|_| names.len() == 1) {
                Some(said) => *text = self.in_category(&before, said),
                None => self.facts.category = Some(names),
            }
        }
        let before = text.clone();
        // "I am looking for a present" says what is wanted, and not where to type.
        let is_told = words.search.find(text).is_some_and(|found| {
            words
                .persons
                .is_match(text.get(..found.start()).unwrap_or_default())
        });
        let query = match is_told {
            true => None,
            false => take_phrase(text, &words.search, words, PhraseEnd::StopWord),
        };
        self.facts.query = query.filter(|query| !is_anything(query, words));
        if self.facts.query.is_none() {
            // "search for all products" names what is read, and nothing to type into a search field.
            *text = before;
        }
    }

    /// A text in which the category that it names is a condition on the entries.
    fn in_category(&mut self, text: &str, name: &str) -> String {
        let start = self.words.category.find(text).map_or(0, |found| found.start());
        let (before, rest) = text.split_at_checked(start).unwrap_or((text, ""));
        let rest = rest.split_once(name).map_or("", |(_, rest)| rest);
        let categories = EITHER.split(name).map(|category| {
            self.mark(vec![RowCondition {
                field: ANY_FIELD.to_owned(),
                operator: Operator::Contains,
                value: category.into(),
            }])
        });
        let marks: Vec<String> = categories.collect();
        format!("{before} {} {rest}", marks.join(" or "))
    }

    /// The pattern or part that the links must match.
    pub(super) fn link_filter(&mut self, text: &mut String) {
        let words = self.words;
        if !words.entity("links").is_some_and(|links| links.is_match(text)) {
            return;
        }
        if let Some(ending) = take_phrase(text, &words.ending, words, PhraseEnd::StopWord) {
            self.facts.pattern = Some(format!("{}$", regex::escape(&ending)));
        } else if let Some(kind) = take(text, &FILE_KIND) {
            self.facts.pattern = Some(format!(r"\.{}(?:$|[?#])", kind.to_lowercase()));
        } else {
            self.facts.contains = take_phrase(text, &words.contains, words, PhraseEnd::StopWord);
        }
        self.facts.same_site = words.same_site.is_match(text);
    }
}
