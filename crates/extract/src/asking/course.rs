//! What is asked next about a page, and what is taken from an answer?
//!
//! A plain state machine without IO: [`Course::ask`] gives a question, its driver puts it, [`Course::hear`] takes the
//! answer in. Fields are only ever added: what the rules or an earlier answer filled stays.

mod take;

use std::collections::BTreeMap;

use jiff::civil::DateTime;
use llm::structured::Wanted;
use serde_json::{Map, Value};

use crate::fields::{PageType, canonical};
use crate::item::Item;
use crate::mode::{Mode, Request};
use crate::modes::{llm_dynamic, llm_dynamic_adaptive, llm_fixed};

use super::answer;
use super::material::{self, Material};
use super::meta::{Attempt, Meta, Score};
use super::passages;
use super::question::{Heard, Question, Shape};
use super::{fields, prompt};

/// Bytes of the page in one question.
const WINDOW: usize = 5000;
/// The smallest window that is tried when a model cannot read more.
const SMALLEST: usize = 750;
/// Most fields of one question.
const MOST_FIELDS: usize = 12;
/// Bytes of what is known that a question repeats.
const KNOWN: usize = 1500;
/// Bytes of what the head says that a question shows.
const HEAD: usize = 1200;
/// How often a model has to say, independently, that the page does not have a field.
const STATEMENTS: u32 = 2;

/// What to do next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Next {
    /// Ask for these fields.
    Ask {
        /// Which fields.
        fields: Vec<String>,
        /// Whether further facts are welcome.
        more: bool,
    },
    /// Ask no more.
    Done,
}

/// What a mode decides by.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    /// Questions so far.
    pub asked: u32,
    /// Questions that may follow the first one.
    pub retries: u32,
    /// Wanted fields that are open.
    pub open: Vec<String>,
    /// Required fields that are open and not known to be unavailable.
    pub missing: Vec<String>,
    /// Whether entries of a list are wanted and part of the page was not shown yet.
    pub entries_open: bool,
    /// Questions in a row that filled nothing.
    pub idle: u32,
    /// Whether it was asked for further facts when nothing required was missing.
    pub discovered: bool,
    /// Whether the last question had no answer that could be used.
    pub unusable: bool,
}

/// The reading of one page with a model.
#[derive(Debug, Clone)]
pub struct Course {
    mode: Mode,
    request: Request,
    material: Material,
    item: Item,
    retries: u32,
    now: DateTime,
    window: usize,
    attempts: Vec<Attempt>,
    denied: BTreeMap<String, u32>,
    idle: u32,
    discovered: bool,
    unusable: bool,
    answered: bool,
    over: bool,
    dropped: u32,
    entries: bool,
    error: Option<llm::Error>,
}

/// What a reading came to.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The item.
    pub item: Item,
    /// How it came to be.
    pub meta: Meta,
    /// Why the model gave nothing at all, where it was asked and gave nothing.
    pub error: Option<llm::Error>,
}

impl Course {
    /// A reading in this mode that may ask again `retries` times after the first question.
    pub fn new(material: Material, mode: Mode, request: Request, retries: u32) -> Course {
        let now = request.now.unwrap_or_else(|| jiff::Zoned::now().datetime());
        let item = material.item.clone();
        let lacking = |it: &Map<String, Value>| {
            request
                .fields
                .iter()
                .any(|field| !it.contains_key(&canonical(field, PageType::Other)))
        };
        let entries =
            item.page_type == PageType::Listing && (item.items.is_empty() || item.items.iter().all(lacking));
        Course {
            mode,
            request,
            material,
            item,
            retries,
            now,
            window: WINDOW,
            attempts: Vec::new(),
            denied: BTreeMap::new(),
            idle: 0,
            discovered: false,
            unusable: false,
            answered: false,
            over: false,
            dropped: 0,
            entries,
            error: None,
        }
    }

    /// The item as it stands.
    pub fn item(&self) -> &Item {
        &self.item
    }

    /// The questions so far and what they gave.
    pub fn attempts(&self) -> &[Attempt] {
        &self.attempts
    }

    fn required(&self) -> Vec<String> {
        fields::required(self.mode, self.item.page_type, &self.request)
    }

    fn unavailable(&self) -> Vec<String> {
        let twice = self.denied.iter().filter(|(_, count)| **count >= STATEMENTS);
        let names = twice.map(|(field, _)| field.clone());
        names.filter(|it| !self.item.has(it)).collect()
    }

    /// What the mode decides by.
    pub fn state(&self) -> State {
        let unavailable = self.unavailable();
        let open = |list: Vec<String>| {
            let mut open = fields::open(&self.item, &list);
            open.retain(|it| !unavailable.contains(it));
            open
        };
        State {
            asked: u32::try_from(self.attempts.len()).unwrap_or(u32::MAX),
            retries: self.retries,
            open: open(fields::wanted(self.mode, self.item.page_type, &self.request)),
            missing: open(self.required()),
            entries_open: self.entries && self.material.passages.unseen() > 0,
            idle: self.idle,
            discovered: self.discovered,
            unusable: self.unusable,
        }
    }

    /// The next question; none when nothing is left to ask.
    pub fn ask(&mut self) -> Option<Question> {
        if self.over {
            return None;
        }
        let state = self.state();
        let next = match self.mode {
            Mode::RuleBased => Next::Done,
            Mode::LlmFixed => llm_fixed::next(&state),
            Mode::LlmDynamic => llm_dynamic::next(&state),
            Mode::LlmDynamicAdaptive => llm_dynamic_adaptive::next(&state),
        };
        let Next::Ask { mut fields, more } = next else {
            self.over = true;
            return None;
        };
        fields.truncate(MOST_FIELDS);
        self.discovered |= more && state.missing.is_empty();
        match self.question(fields, more) {
            Ok(question) => Some(question),
            Err(reason) => {
                self.over = true;
                self.item
                    .notes
                    .push(format!("the model could not be asked: {reason}"));
                None
            }
        }
    }

    fn question(&mut self, fields: Vec<String>, more: bool) -> Result<Question, String> {
        let entry = if self.entries { self.entry() } else { Vec::new() };
        let shape = Shape {
            fields: &fields,
            more,
            entry: &entry,
            page_type: self.item.page_type == PageType::Other && self.mode != Mode::LlmFixed,
        };
        let wanted = Wanted {
            retries: 0,
            ..Wanted::new("facts", shape.schema().map_err(|it| it.to_string())?)
        };
        let told = passages::Wanted {
            fields: &fields,
            said: &self.request.instructions,
        };
        let text = self.material.passages.window(&told, self.window);
        let shown = text.len();
        let head: String = self
            .material
            .head
            .iter()
            .map(|(_, line)| format!("{line}\n"))
            .collect();
        let head: String = head
            .get(..head.floor_char_boundary(HEAD))
            .unwrap_or_default()
            .to_owned();
        let page = format!("{}\n{head}\n{text}", self.item.url);
        let again = fields.iter().filter(|it| self.denied.contains_key(*it)).cloned();
        let listed: Vec<_> = fields
            .iter()
            .map(|it| minijinja::context!(name => it.as_str(), hint => fields::hint(it)))
            .collect();
        let known = material::known(&self.item);
        let known = (!known.is_empty()).then(|| prompt::quoted(&known, KNOWN).to_string());
        let rules = prompt::render(
            "facts_rules",
            minijinja::context!(more => more, items => !entry.is_empty()),
        )?;
        let words = prompt::render(
            "facts",
            minijinja::context!(
                page_type => self.item.page_type.name(),
                instructions => self.request.instructions.as_str(),
                known => known,
                again => again.collect::<Vec<String>>(),
                fields => listed,
                page => prompt::quoted(&page, self.window * 2 + HEAD * 2 + 1000).to_string(),
            ),
        )?;
        let number = u32::try_from(self.attempts.len() + 1).unwrap_or(u32::MAX);
        Ok(Question::new(number, rules, words, wanted, fields, shown)
            .telling(&self.material.seen, self.window))
    }

    /// The fields of an entry of a list.
    fn entry(&self) -> Vec<String> {
        if self.request.fields.is_empty() {
            let usual = ["title", "price", "author", "date", "description"];
            return usual.iter().map(|it| (*it).to_owned()).collect();
        }
        let asked = self.request.fields.iter().filter(|it| it.as_str() != "url");
        asked.map(|it| canonical(it, PageType::Other)).collect()
    }

    /// Takes in what a question brought.
    pub fn hear(&mut self, question: &Question, heard: &Heard) {
        let before: Vec<String> = self.item.fields().keys().cloned().collect();
        let entries = self.item.items.len();
        let dropped = match &heard.value {
            Some(value) => self.take(&answer::read(value), &question.fields),
            None => 0,
        };
        let mut gained: Vec<String> = self
            .item
            .fields()
            .keys()
            .filter(|it| !before.contains(it))
            .cloned()
            .collect();
        if self.item.items.len() > entries {
            gained.push("items".to_owned());
        }
        self.unusable = heard.value.is_none();
        self.answered |= heard.value.is_some();
        if self.unusable {
            self.material.passages.take_back();
        }
        if gained.is_empty() {
            self.idle += 1;
        } else {
            self.idle = 0;
        }
        if let Some(error) = &heard.error {
            if matches!(error, llm::Error::ContextTooLong { .. }) {
                self.window = (self.window / 2).max(SMALLEST);
            }
            // What no second try can mend is not tried again.
            self.over |= heard.value.is_none() && (error.ends_run() || !may_pass(error));
            if heard.value.is_none() {
                self.error = Some(error.clone());
            }
        }
        self.dropped += dropped;
        self.attempts.push(Attempt {
            attempt: question.number,
            asked: question.fields.clone(),
            gained,
            dropped,
            score: Score::of(&self.item, &self.required()),
            input_tokens: heard.usage.input,
            output_tokens: heard.usage.output,
            shown: question.shown,
            unseen: self.material.passages.unseen(),
            error: heard
                .error
                .as_ref()
                .filter(|_| heard.value.is_none())
                .map(ToString::to_string),
        });
    }

    /// The item and how it came to be.
    pub fn finish(self) -> Outcome {
        let required = self.required();
        let unavailable = self.unavailable();
        let mut item = self.item;
        let mut meta = Meta::of(&item, self.mode, &required);
        meta.missing.retain(|it| !unavailable.contains(it));
        meta.unavailable = unavailable;
        meta.attempts = self.attempts;
        meta.dropped = self.dropped;
        if self.dropped > 0 {
            let text = format!(
                "{} value(s) of the model were dropped: the page does not hold them",
                self.dropped
            );
            item.notes.push(text);
        }
        if let Some(error) = self.error.as_ref().filter(|_| self.unusable) {
            item.notes
                .push(format!("the model was asked no further: {error}"));
        }
        item.notes.retain(|it| {
            let field = it.strip_prefix(NOTE).and_then(|it| it.split_whitespace().next());
            field.is_none_or(|it| !item.fields.contains_key(it))
        });
        let error = self.error.filter(|_| !self.answered);
        Outcome { item, meta, error }
    }
}

/// How a note begins that a field was not found.
const NOTE: &str = "the page does not state ";

/// Whether asking again can help.
fn may_pass(error: &llm::Error) -> bool {
    error.is_passing()
        || matches!(
            error,
            llm::Error::SchemaMismatch { .. } | llm::Error::ContextTooLong { .. }
        )
}
