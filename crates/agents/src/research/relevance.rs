//! Whether sentences speak of what a question asks, decided by their words.
//!
//! A question has an entity (what the title of a page about it holds, too), a focus (the other words with content), and
//! perhaps a kind of answer: a number, or a person. A passage answers when it holds at least half of the focus and its
//! sentence has the kind. A word that no source has weighs twice: where nothing at all is said of "decaffeinated", what is said
//! of coffee answers no question about it.

mod asking_words;
pub(crate) mod subject;
mod units;

use std::collections::HashSet;

use super::citations::{NumberMention, TextFacts, ratio};
use super::text::{terms, words};
use asking_words::{AMOUNTS, ASKING, MEASURED, PERSONS, SYNONYMS, TIMES};

/// Least share of the focus that a passage holds which answers. Found on questions over made-up pages: with a third, any
/// page about the entity answers every question about it; with two thirds, one synonym makes an answer none.
const FOCUS: f64 = 0.5;
/// The same where a model has read the sources and written nothing that they support: most likely they have no answer. Set by hand,
/// so that half of a question of four words is too little; not measured alone.
const STRICT: f64 = 0.6;
/// Least share of the question itself that a passage holds which answers a question that a model made of it.
const NEAR: f64 = 1.0 / 3.0;
/// Least share of the words of a question that a model made which are those of the question itself, and most words of a question that
/// asks for nothing in particular. Set by hand.
const COVERED: f64 = 2.0 / 3.0;
const OPEN: usize = 2;
/// Most words of a focus of which one that no source has weighs twice: a long question says some things in other words.
const SHORT: usize = 5;
/// Fewest letters that two forms of a word of any language share at their beginning.
const SHARED: usize = 5;
/// Least share of the longer form that they share.
const SHARE: f64 = 0.65;

locale::patterns! {
    /// A sentence that sends its reader elsewhere, or speaks of a picture.
    static POINTS = r"(?i)^(?:see|read|check out|click|watch|learn more|find out|siehe|lesen sie|zobacz|sprawdź)\b.{0,12}\b(?:our|also|more|here|the|this|unsere|auch|mehr|hier|nasz\w*|też|więcej|tutaj)\b|^(?:the|this|das|dieses|ten|to)\s+(?:video|photo|image|picture|chart|graphic|figure|table|bild|foto|zdjęcie|wykres)\b.{0,20}\b(?:above|below|shows?|oben|unten|zeigt|powyżej|poniżej|pokazuje)\b";
    /// A question for how things compare.
    static COMPARES = r"(?i)\bhow\s+(?:do|does|did)\b.*\bcompare\b|^\s*compare\b|\bdifferences?\s+between\b|\bwie\b.*\bunterscheide\w*|\bunterschied\w*\s+zwischen\b|\bczym\s+(?:się\s+)?różni\w*|\bporównaj\b";
    /// What a sentence that compares says.
    static COMPARED = r"(?i)\b(?:than|compared|whereas|while|unlike|instead|but|both|same|similar\w*|differ\w*|equal\w*|better|worse|[a-z]{3,}er\s+(?:for|in|by|on)|als|während|dagegen|niż|natomiast|podczas)\b";
    /// A word that asks.
    static ASKS = r"(?i)\b(?:how|what|which|who|whom|whose|when|where|why|wie|welche\w*|wer|wann|wo|warum|jak|jaki\w*|któr\w+|kto|kiedy|gdzie|dlaczego|ile|czy)\b|^(?:was|were|is|are|does|do|did|has|have|can)\b";
    /// What joins two questions of one sentence: a comma, an "and" or both, before a word that asks.
    static JOINS = r"(?i)(?:\?|[,;]?\s+(?:and|und|oraz|i)|[,;])\s+(?P<next>(?:how|what|which|who|whom|whose|when|where|why|was|were|is|are|does|do|did|wie|welche\w*|wer|wann|wo|warum|jak|jaki\w*|któr\w+|kto|kiedy|gdzie|dlaczego|ile|czy)\b)";
    /// Counts and frequencies in words.
    static COUNTS = r"(?i)\b(?:once|twice|thrice|(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozens?|half|hundreds?|thousands?|millions?)(?:\s+(?:of|or|to|and|a|an|more|[a-z]+teen|two|three|four|five|six|seven|eight|nine|ten|hundred|thousand|million))*\s+(?:%|percent|times?|seconds?|minutes?|hours?|days?|nights?|weeks?|months?|years?|decades?|centuries|met(?:re|er)s?|kilomet(?:re|er)s?|feet|foot|miles?|inch(?:es)?|litres?|liters?|kilos?|grams?|tons?|tonnes?|pounds?|dollars?|euros?|people|persons?|women|men|children|members|users|students|countries|points|degrees)|daily|weekly|monthly|yearly|annually|einmal|zweimal|dreimal|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|täglich|wöchentlich|monatlich|jährlich|raz|dwa|trzy|cztery|pięć|codziennie|miesięcznie|rocznie)\b";
}

/// Fewest words with content of a part of a question that is understood without the rest.
const ALONE: usize = 3;
/// Most parts of a question.
const MOST_PARTS: usize = 4;

/// The questions that a sentence asks at once: "how old is it, and who built it?". One that asks a single thing is its own part.
pub(crate) fn parts(question: &str) -> Vec<String> {
    let mut parts = Vec::new();
    let mut from = 0;
    for found in JOINS.captures_iter(question) {
        let (Some(whole), Some(next)) = (found.get(0), found.name("next")) else {
            continue;
        };
        let part = question.get(from..whole.start()).unwrap_or_default().trim();
        // "In a test of mills, which was fastest": what stands before the first question asks nothing yet.
        // "Who built it, and when" asks one thing about another.
        let says_nothing = question
            .get(next.start()..)
            .is_some_and(|rest| terms(rest).is_empty());
        let is_whole = words(part).len() < ALONE || !ASKS.is_match(part) || says_nothing;
        if is_whole || parts.len() + 1 >= MOST_PARTS {
            continue;
        }
        parts.push(part.to_owned());
        from = next.start();
    }
    let last = question.get(from..).unwrap_or_default();
    parts.push(last.trim().trim_end_matches(['?', '.', ' ']).to_owned());
    parts
}

/// A question, ready to be compared with sentences.
#[derive(Debug)]
pub(crate) struct QuestionFocus {
    /// The words with content.
    terms: HashSet<String>,
    asks_amount: bool,
    asks_person: bool,
    /// What the answer is one of: `advertis` and `agenc` of "which advertising agency"; empty where nothing is said of it.
    sorts: Vec<String>,
    /// What "how many" asks for the number of; empty where nothing is counted.
    counted: Vec<String>,
    /// What an answer has beside its number, such as a unit of weight.
    unit: units::AskedUnit,
    /// Whether the question is how things compare.
    asks_comparison: bool,
    /// The names that the question has, and some source.
    names: HashSet<String>,
    /// Those of the words that no source has.
    unknown: HashSet<String>,
    /// Least share of the focus that answers.
    least: f64,
}

impl QuestionFocus {
    pub(crate) fn new(question: &str) -> Self {
        // An address says where to look, and not what for.
        let is_address = |word: &&str| word.contains("://") || word.starts_with("www.");
        let question: Vec<&str> = question
            .split_whitespace()
            .filter(|word| !is_address(word))
            .collect();
        let question = &question.join(" ");
        let asked = words(question);
        let has = |list: &[&str]| asked.iter().any(|word| list.contains(&word.as_str()));
        let is_content = |term: &String| {
            let lists: [&[&str]; 4] = [&AMOUNTS, &TIMES, &PERSONS, &ASKING];
            !lists
                .iter()
                .any(|list| list.iter().any(|word| super::text::stem(word) == *term))
        };
        let starts_with_how = asked.windows(2).any(|pair| {
            matches!(pair, [how, amount] if matches!(how.as_str(), "how" | "wie" | "jak") && AMOUNTS.contains(&amount.as_str()))
        });
        // "How can I change the number of threads" asks for a way, and not for a number.
        let asks_way = asked
            .windows(2)
            .any(|pair| matches!(pair, [how, next] if asking_words::is_for_way(how, next)));
        let asks = |list: &[&str]| {
            (asked.iter().enumerate())
                .any(|(at, word)| list.contains(&word.as_str()) && asking_words::opens(&asked, at))
        };
        Self {
            terms: terms(question).into_iter().filter(is_content).collect(),
            asks_amount: starts_with_how || (!asks_way && (asks(&TIMES) || has(&MEASURED))),
            asks_person: asks(&PERSONS) || has(&["author"]),
            sorts: asking_words::sorts(&asked),
            counted: asking_words::counted(&asked),
            unit: match COMPARES.is_match(question) {
                true => units::AskedUnit::default(),
                false => units::of(question),
            },
            asks_comparison: COMPARES.is_match(question),
            names: TextFacts::new(question)
                .names
                .iter()
                .map(|name| super::text::stem(name))
                .collect(),
            unknown: HashSet::new(),
            least: FOCUS,
        }
    }

    /// As [`QuestionFocus::new`], for a question that is answered from sources with these words.
    pub(crate) fn among(question: &str, known: &HashSet<String>) -> Self {
        let mut focus = Self::new(question);
        let is_unknown =
            |term: &&String| !known.contains(*term) && !known.iter().any(|own| is_same(own, term));
        focus.unknown = focus.terms.iter().filter(is_unknown).cloned().collect();
        focus.names.retain(|name| known.contains(name));
        focus
    }

    /// Whether a page can be about what is asked: it has one of the names of the question, where it has any.
    pub(crate) fn can_be_in(&self, page: &HashSet<String>) -> bool {
        self.names.is_empty() || self.names.iter().any(|name| page.contains(name))
    }

    /// A focus of which a passage has to hold more.
    pub(crate) fn strictly(self) -> Self {
        Self {
            least: STRICT,
            ..self
        }
    }

    /// A focus of which a passage with the title of its page has to hold every word.
    pub(crate) fn wholly(self) -> Self {
        Self { least: 1.0, ..self }
    }

    /// Whether the question is understood without the one that it is a part of: "who wrote it" is not.
    pub(crate) fn stands_alone(&self) -> bool {
        self.terms.len() >= ALONE
    }

    /// Whether a sentence answers the question, in a passage of a page with a title.
    pub(crate) fn is_answered_by(&self, sentence: &str, passage: &str, title: &str) -> bool {
        self.has_kind(sentence) && self.share_held(sentence, passage, title, true) >= self.least
    }

    /// Whether a sentence has the kind of answer that is asked for, and its passage speaks of the question at all.
    pub(crate) fn is_near(&self, sentence: &str, passage: &str, title: &str) -> bool {
        self.has_kind(sentence) && self.share_held(sentence, passage, title, false) >= NEAR
    }

    /// Whether a sentence alone speaks of what is asked, and not only of what its page is about.
    pub(crate) fn is_spoken_of_by(&self, sentence: &str, title: &str) -> bool {
        self.has_kind(sentence) && self.share_held(sentence, sentence, title, false) >= NEAR
    }

    /// Whether a question that a model made of this one asks for what this one asks, and not for something beside it.
    pub(crate) fn covers(&self, made: &QuestionFocus) -> bool {
        let shared = made
            .terms
            .iter()
            .filter(|term| has_term(&self.terms, term))
            .count();
        // Who asks for a thing without saying what of it wants to know anything.
        let is_open = self.terms.len() <= OPEN;
        ratio(shared, made.terms.len()) >= if is_open { NEAR } else { COVERED }
    }

    /// Whether a sentence has a number or names a person, where the question asks for one.
    pub(crate) fn has_kind(&self, sentence: &str) -> bool {
        let line = TextFacts::new(sentence);
        // The names of the question are no answer to it.
        let is_new = |name: &&String| !has_term(&self.terms, &super::text::stem(name));
        let names = line.names.iter().filter(is_new).count();
        // "Anna Holt" at the beginning of a sentence has one name behind its first word.
        let second = words(sentence).into_iter().nth(1);
        let is_second = second.is_some_and(|second| line.names.contains(&second));
        let has_person = names >= 2
            || (names == 1 && is_second && line.first.as_ref().is_some_and(|first| is_new(&first)));
        // "two kinds of threads" tells no number of threads.
        let is_amount = |number: &NumberMention| {
            let counts = || {
                number
                    .unit
                    .as_ref()
                    .is_some_and(|unit| has_term(&self.terms, unit))
            };
            number.text.contains(|c: char| c.is_ascii_digit()) || counts()
        };
        let has_amount =
            || line.numbers.iter().any(is_amount) || COUNTS.is_match(sentence) || self.unit.is_in(sentence);
        let own = terms(sentence);
        let has_counted = || self.counted.is_empty() || self.counted.iter().any(|term| has(&own, term));
        // One of a sort is named, or called what it is.
        let is_sorted =
            || self.sorts.is_empty() || names > 0 || self.sorts.iter().any(|term| has(&own, term));
        let has_comparison = || has_amount() || COMPARED.is_match(sentence);
        (!self.asks_amount || (has_amount() && has_counted()))
            && self.unit.fits(sentence)
            && (!self.asks_person || has_person)
            && is_sorted()
            && (!self.asks_comparison || has_comparison())
    }

    /// Whether a number, a person, a time or a place is asked for.
    pub(crate) fn asks_kind(&self) -> bool {
        self.asks_amount || self.asks_person || self.unit.is_asked()
    }

    /// Whether a person is asked for.
    pub(crate) fn asks_person(&self) -> bool {
        self.asks_person
    }

    /// The share of the focus that a passage holds, 0 to 1, where words that no source has can weigh twice.
    fn share_held(&self, sentence: &str, passage: &str, title: &str, weighs_unknown: bool) -> f64 {
        let title: Vec<String> = terms(title);
        let passage: Vec<String> = terms(passage);
        let focus: Vec<&String> = self.terms.iter().filter(|term| !has(&title, term)).collect();
        let held = focus.iter().filter(|term| has(&passage, term)).count();
        let is_about = self.touches(sentence, "") || self.touches(&passage.join(" "), "");
        match focus.is_empty() {
            // Nothing but the entity is asked about: whatever is said of it answers.
            true => f64::from(u8::from(is_about || self.terms.is_empty())),
            false => {
                let unknown = focus.iter().filter(|term| self.unknown.contains(**term)).count();
                let weighs = weighs_unknown && focus.len() <= SHORT;
                ratio(held, focus.len() + if weighs { unknown } else { 0 })
            }
        }
    }

    /// Whether a sentence, or the title of its page, has any word of the question.
    pub(crate) fn touches(&self, sentence: &str, title: &str) -> bool {
        let own: Vec<String> = terms(sentence).into_iter().chain(terms(title)).collect();
        self.terms.is_empty() || self.terms.iter().any(|term| has(&own, term))
    }
}

/// A question with its parts and the questions that a model made of it.
#[derive(Debug)]
pub(crate) struct Focuses {
    pub(crate) asked: QuestionFocus,
    /// What the question asks at once, where it asks for several things.
    pub(crate) parts: Vec<QuestionFocus>,
    pub(crate) further: Vec<QuestionFocus>,
}

impl Focuses {
    /// The question and its parts, of which a passage with the title of its page has to hold every word; what a model made of the
    /// question is not what was asked.
    pub(crate) fn wholly(self) -> Self {
        Self {
            asked: self.asked.wholly(),
            parts: self.parts.into_iter().map(QuestionFocus::wholly).collect(),
            further: Vec::new(),
        }
    }

    /// Whether a sentence, or the title of its page, has any word of the questions.
    pub(crate) fn touches(&self, sentence: &str, title: &str) -> bool {
        let mut all = std::iter::once(&self.asked).chain(&self.further);
        all.any(|focus| focus.touches(sentence, title))
    }

    /// Whether a sentence answers the question, a part of it, or one that was made of it and is near it.
    pub(crate) fn are_answered_by(&self, sentence: &str, passage: &str, title: &str) -> bool {
        let answers = |focus: &QuestionFocus| focus.is_answered_by(sentence, passage, title);
        answers(&self.asked)
            || self
                .parts
                .iter()
                .any(|part| answers(part) && self.fits(part, sentence, passage, title))
            || (self.is_near(sentence, passage, title) && self.further.iter().any(answers))
    }

    /// Whether a sentence is near what is asked. One that answers a part has not the kinds of answer that the others ask for.
    pub(crate) fn is_near(&self, sentence: &str, passage: &str, title: &str) -> bool {
        match self.parts.is_empty() {
            true => self.asked.is_near(sentence, passage, title),
            false => self.asked.share_held(sentence, passage, title, false) >= NEAR,
        }
    }

    /// Whether what answers a part is about the thing that the question is about.
    pub(crate) fn fits(&self, part: &QuestionFocus, sentence: &str, passage: &str, title: &str) -> bool {
        part.stands_alone() || self.is_near(sentence, passage, title)
    }
}

fn has_term(terms: &HashSet<String>, wanted: &str) -> bool {
    terms.iter().any(|term| is_same(term, wanted))
}

/// Whether words have one that is the same as another, or a form of it.
pub(crate) fn has(terms: &[String], wanted: &str) -> bool {
    terms.iter().any(|term| is_same(term, wanted))
}

/// Whether two stems are of one word: the same, of one meaning, or alike at their beginning, as forms of words of any language are.
fn is_same(one: &str, other: &str) -> bool {
    if one == other
        || SYNONYMS
            .iter()
            .any(|words| words.contains(&one) && words.contains(&other))
    {
        return true;
    }
    let shared = one.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
    let longer = one.chars().count().max(other.chars().count());
    shared >= SHARED && ratio(shared, longer) >= SHARE
}

/// Whether a line is a statement: it ends as a sentence does, or gives a value to a label. Headings and teasers do not.
pub(crate) fn is_statement(line: &str, numbers: &[NumberMention]) -> bool {
    let text = line.trim_end_matches(['"', '\'', '”', '’', '»', ')', ']', ' ']);
    let is_sentence =
        text.ends_with(['.', '!', '。', '！', '।', ':', ';']) && line.split_whitespace().count() >= 3;
    let has_unspaced = line.chars().any(locale::words::is_unspaced);
    let is_value = !numbers.is_empty() && line.contains(':');
    (is_sentence || has_unspaced || is_value) && !POINTS.is_match(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PASSAGE: &str =
        "The Quern mill is 22 metres high. It was built by Anna Holt in 1822 and stands by the river Aln.";

    fn answers(question: &str, sentence: &str) -> bool {
        QuestionFocus::new(question).is_answered_by(sentence, PASSAGE, "The Quern mill")
    }

    #[test]
    fn names_of_the_question_are_no_answer_to_it() {
        let focus = QuestionFocus::new("Who founded Quern Mills?");
        assert!(!focus.has_kind("Quern Mills has a shop in Alnwick."));
        assert!(focus.has_kind("Quern Mills was founded by Anna Holt."));
        let is_held = |sentence: &str| focus.is_answered_by(sentence, sentence, "A shop");
        assert!(is_held("Quern Mills belongs to Anna Holt."));
        let focus = QuestionFocus::new("Who founded Quern Mills?").wholly();
        assert!(!focus.is_answered_by("Quern Mills belongs to Anna Holt.", "", "A shop"));
    }

    #[test]
    fn a_clause_that_is_joined_asks_for_nothing() {
        let has_kind = |question: &str| QuestionFocus::new(question).has_kind("It was the wrong road.");
        assert!(has_kind(
            "Why was the man who built the mill refused when he came?"
        ));
        assert!(has_kind(
            "Warum musste der Müller warten, und wie kann die Anzahl der Räder wachsen?"
        ));
        for question in [
            "Who built the mill?",
            "Why was the mill built, and who built it?",
            "Where is the mill and when was it built?",
            "By whom was it built?",
        ] {
            assert!(!has_kind(question), "{question}");
        }
    }

    #[test]
    fn what_is_said_of_the_entity_answers_only_what_is_asked_of_it() {
        assert!(answers(
            "How tall is the Quern mill?",
            "The Quern mill is 22 metres high."
        ));
        assert!(answers(
            "Who built the Quern mill?",
            "It was built by Anna Holt in 1822."
        ));
        assert!(answers(
            "When was the Quern mill built?",
            "It was built by Anna Holt in 1822."
        ));
        assert!(!answers(
            "How much is a ticket to the Quern mill?",
            "The Quern mill is 22 metres high."
        ));
        assert!(!answers(
            "Which films were shot at the Quern mill?",
            "The Quern mill is 22 metres high."
        ));
        assert!(!answers(
            "Who built the Quern mill?",
            "The Quern mill is 22 metres high."
        ));
        assert!(answers(
            "Tell me about the Quern mill",
            "The Quern mill is 22 metres high."
        ));
    }

    #[test]
    fn a_number_of_something_else_does_not_answer_how_many() {
        let is = |sentence: &str| {
            let passage = format!("{sentence} Members of the Quern club choose titles each month.");
            QuestionFocus::new("How many titles can members of the Quern club choose?")
                .is_answered_by(sentence, &passage, "")
        };
        assert!(is("Members of the Quern club choose 5 to 7 titles."));
        assert!(!is("Members of the Quern club choose for 3 months."));
    }

    #[test]
    fn a_page_without_the_names_of_a_question_does_not_answer_it() {
        let words = |text: &str| terms(text).into_iter().collect::<HashSet<String>>();
        let known = words("Quern mill Holt corn tickets price");
        let focus = QuestionFocus::among("How much is a ticket to the Quern mill?", &known);
        assert!(focus.can_be_in(&words("Tickets to Quern mill")));
        assert!(!focus.can_be_in(&words("Tickets to Holt mill")));
        // A name that no source has decides nothing.
        let unknown = QuestionFocus::among("How much is a ticket to the Zarn mill?", &known);
        assert!(unknown.can_be_in(&words("Tickets to Holt mill")));
    }

    #[test]
    fn questions_of_a_model_are_kept_where_they_ask_for_the_same() {
        let asked = QuestionFocus::new("What are the disadvantages of the Quern mill stones?");
        let covers = |made: &str| asked.covers(&QuestionFocus::new(made));
        assert!(covers("What are the drawbacks of the Quern mill?"));
        assert!(!covers(
            "Which other mills are there beside the Quern mill in the county?"
        ));
        let open = QuestionFocus::new("Tell me about the Quern mill");
        assert!(open.covers(&QuestionFocus::new("What is the history of the Quern mill?")));
    }

    #[test]
    fn two_questions_of_one_sentence_are_parts() {
        assert_eq!(
            parts("How tall is the Quern mill, who built it, and which river is it on?"),
            [
                "How tall is the Quern mill",
                "who built it",
                "which river is it on"
            ]
        );
        assert_eq!(parts("Who built it, and when?").len(), 1);
        assert_eq!(
            parts("How many people and dogs live in Quern?"),
            ["How many people and dogs live in Quern"]
        );
        assert_eq!(
            parts("Wie hoch ist die Mühle und wer hat sie gebaut?"),
            ["Wie hoch ist die Mühle", "wer hat sie gebaut"]
        );
        assert_eq!(
            parts("In a test of old mills, which was the fastest and who built it?"),
            ["In a test of old mills, which was the fastest", "who built it"]
        );
        assert!(QuestionFocus::new("How tall is the Quern mill by the river").stands_alone());
        assert!(!QuestionFocus::new("who built it").stands_alone());
    }

    #[test]
    fn a_sentence_about_something_else_does_not_touch_the_question() {
        let focus = QuestionFocus::new("How tall is the Quern mill?");
        assert!(focus.touches("It is 22 metres high.", "The Quern mill"));
        assert!(!focus.touches("Subscribe to our letter.", "News"));
    }

    #[test]
    fn a_word_that_no_source_has_weighs_twice_and_a_strict_reading_wants_more() {
        let known: HashSet<String> = terms(PASSAGE)
            .into_iter()
            .chain(terms("The Quern mill"))
            .collect();
        let sentence = "It was built by Anna Holt in 1822.";
        let is = |question: &str| {
            QuestionFocus::among(question, &known).is_answered_by(sentence, PASSAGE, "The Quern mill")
        };
        assert!(is("Who built the Quern mill?"));
        // Nothing is said of sails anywhere.
        assert!(!is("Who built the sails of the Quern mill?"));
        let question = "Who built the river bridge and the dam of the Quern mill?";
        let focus = QuestionFocus::new(question);
        assert!(focus.is_answered_by(sentence, PASSAGE, "The Quern mill"));
        assert!(
            !focus
                .strictly()
                .is_answered_by(sentence, PASSAGE, "The Quern mill")
        );
    }

    #[test]
    fn a_question_about_an_address_is_answered_by_what_stands_there() {
        let known: HashSet<String> = terms(PASSAGE).into_iter().collect();
        let focus = QuestionFocus::among("What does https://mills.example/quern/1 say?", &known).strictly();
        assert!(focus.is_answered_by("The Quern mill is 22 metres high.", PASSAGE, "The Quern mill"));
    }

    #[test]
    fn a_question_for_a_share_is_answered_by_a_number() {
        let is = |sentence: &str| {
            let passage = format!("{sentence} The Quern mill grinds wheat and rye.");
            QuestionFocus::new("What share of the wheat did the Quern mill grind?")
                .is_answered_by(sentence, &passage, "")
        };
        assert!(is("The Quern mill ground 12 percent of the wheat."));
        assert!(!is("The Quern mill ground much of the wheat."));
    }

    #[test]
    fn a_number_in_words_counts_something_that_is_measured() {
        let is = |sentence: &str| {
            let passage = format!("{sentence} The Quern mill has stones.");
            QuestionFocus::new("What is the number of stones of the Quern mill?")
                .is_answered_by(sentence, &passage, "")
        };
        assert!(is("The Quern mill has had its 4 stones for two years."));
        assert!(!is("The Quern mill has two kinds of stones."));
    }

    #[test]
    fn a_question_for_a_way_is_not_answered_by_a_number_alone() {
        let asks_way = QuestionFocus::new("How can I change the number of stones of the Quern mill?");
        assert!(asks_way.has_kind("Pull the lever at the wheel of the mill."));
        let asks_number = QuestionFocus::new("What is the number of stones of the Quern mill?");
        assert!(!asks_number.has_kind("Pull the lever at the wheel of the mill."));
    }

    #[test]
    fn a_question_for_a_comparison_is_answered_by_one() {
        let is = |sentence: &str| {
            let passage = format!("{sentence} The Quern mill and the Holt mill grind wheat.");
            QuestionFocus::new("How do the grinding times of the Quern mill and the Holt mill compare?")
                .is_answered_by(sentence, &passage, "")
        };
        assert!(is("Grinding takes the Holt mill more times than the Quern mill."));
        assert!(!is("The Quern mill has the usual grinding times."));
    }

    #[test]
    fn headings_are_no_statements() {
        let is = |text: &str| is_statement(text, &TextFacts::new(text).numbers);
        assert!(is("The mill is high."));
        assert!(is("Height: 22 m"));
        assert!(!is("Ten mills you have to see in 2024"));
        assert!(!is("More."));
        assert!(!is("See our guide to the best mills for more."));
        assert!(!is("The video above shows the mill."));
    }
}
