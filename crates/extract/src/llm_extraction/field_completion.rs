//! FieldCompletion: the state machine that asks a model for the fields that rules leave open.
//!
//! A plain state machine without IO: [`FieldCompletion::ask`] gives a question, its driver puts it, [`FieldCompletion::hear`] takes the
//! answer in. Fields are only ever added: what the rules or an earlier answer filled stays.

mod accept;

use std::collections::BTreeMap;

use jiff::civil::DateTime;
use llm::structured::StructuredRequest;
use serde_json::{Map, Value};

use crate::fields::{PageType, canonical};
use crate::item::Item;
use crate::mode::ExtractionRequest;
use crate::modes::ItemMode;

use super::answer;
use super::decision::{CompletionState, NextQuestion};
use super::extraction_meta::{ExtractionMeta, ItemScore, ModelAttempt};
use super::input::{self, ExtractionInput, MEMORY};
use super::passages;
use super::question::{AnswerShape, ModelReply, Question};
use super::question_size::{MOST_WINDOWS, PageCoverage, QuestionSize};
use super::{prompt, wanted_fields};

/// Most bytes of the page in one question. Passages are ranked, so that more of them cost more than they bring.
const LARGEST: usize = 24_000;
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

/// The completion of one page's item by a model.
#[derive(Debug, Clone)]
pub struct FieldCompletion {
    mode: ItemMode,
    request: ExtractionRequest,
    input: ExtractionInput,
    item: Item,
    retries: u32,
    now: DateTime,
    size: QuestionSize,
    attempts: Vec<ModelAttempt>,
    denied: BTreeMap<String, u32>,
    idle: u32,
    discovered: bool,
    unusable: bool,
    answered: bool,
    over: bool,
    /// Whether the last window held nothing.
    nothing_shown: bool,
    dropped: u32,
    entries: bool,
    error: Option<llm::Error>,
}

/// The result of a completion.
#[derive(Debug, Clone)]
pub struct CompletionOutcome {
    /// The item.
    pub item: Item,
    /// How it came to be.
    pub meta: ExtractionMeta,
    /// Why the model gave nothing at all, where it was asked and gave nothing.
    pub error: Option<llm::Error>,
}

impl FieldCompletion {
    /// A completion in this mode that may ask again `retries` times after the first question.
    pub fn new(
        input: ExtractionInput,
        mode: ItemMode,
        request: ExtractionRequest,
        retries: u32,
    ) -> FieldCompletion {
        let now = request.now.unwrap_or_else(|| jiff::Zoned::now().datetime());
        let item = input.item.clone();
        let lacking = |record: &Map<String, Value>| {
            request
                .fields
                .iter()
                .any(|field| !record.contains_key(&canonical(field, PageType::Other)))
        };
        let entries =
            item.page_type == PageType::Listing && (item.items.is_empty() || item.items.iter().all(lacking));
        FieldCompletion {
            mode,
            request,
            input,
            item,
            retries,
            now,
            size: QuestionSize::between(SMALLEST, LARGEST),
            attempts: Vec::new(),
            denied: BTreeMap::new(),
            idle: 0,
            discovered: false,
            unusable: false,
            answered: false,
            over: false,
            nothing_shown: false,
            dropped: 0,
            entries,
            error: None,
        }
    }

    /// For a model that reads and writes so many tokens in one call.
    #[must_use]
    pub fn for_context(mut self, tokens: u32) -> FieldCompletion {
        self.size.set_context(tokens);
        self
    }

    /// Tells how many tokens the budget leaves before the next question; none where nothing bounds them.
    pub fn set_tokens_left(&mut self, tokens: Option<u64>) {
        self.size.set_tokens_left(tokens);
    }

    /// The item as it stands.
    pub fn item(&self) -> &Item {
        &self.item
    }

    /// The questions so far and what they gave.
    pub fn attempts(&self) -> &[ModelAttempt] {
        &self.attempts
    }

    fn required(&self) -> Vec<String> {
        wanted_fields::required(self.mode, self.item.page_type, &self.request)
    }

    fn unavailable(&self) -> Vec<String> {
        let twice = self.denied.iter().filter(|(_, count)| **count >= STATEMENTS);
        let names = twice.map(|(field, _)| field.clone());
        names.filter(|field| !self.item.has(field)).collect()
    }

    /// What the mode decides by.
    pub fn state(&self) -> CompletionState {
        let unavailable = self.unavailable();
        let open = |list: Vec<String>| {
            let mut open = wanted_fields::open(&self.item, &list);
            open.retain(|field| !unavailable.contains(field));
            open
        };
        CompletionState {
            asked: u32::try_from(self.attempts.len()).unwrap_or(u32::MAX),
            retries: self.retries,
            open: open(wanted_fields::wanted(
                self.mode,
                self.item.page_type,
                &self.request,
            )),
            missing: open(self.required()),
            entries_open: self.entries && self.has_unread(),
            named_unread: !self.request.fields.is_empty() && self.has_unread(),
            idle: self.idle,
            discovered: self.discovered,
            unusable: self.unusable,
        }
    }

    /// Whether a further window can show a part of the page that no question has shown.
    fn has_unread(&self) -> bool {
        let asked = u32::try_from(self.attempts.len()).unwrap_or(u32::MAX);
        asked < MOST_WINDOWS && !self.nothing_shown && self.input.passages.unseen() > 0
    }

    /// How much of the page the model was shown.
    fn page_coverage(&self) -> PageCoverage {
        let passages = &self.input.passages;
        PageCoverage {
            bytes: passages.bytes() + passages.beyond(),
            unread_bytes: passages.unseen() + passages.beyond(),
            questions: u32::try_from(self.attempts.len()).unwrap_or(u32::MAX),
        }
    }

    /// The next question; none when nothing is left to ask.
    pub fn ask(&mut self) -> Option<Question> {
        if self.over {
            return None;
        }
        let state = self.state();
        let next = self.mode.next(&state);
        let NextQuestion::Ask { mut fields, more } = next else {
            self.over = true;
            return None;
        };
        fields.truncate(MOST_FIELDS);
        self.discovered |= more && state.missing.is_empty();
        match self.question(fields, more) {
            Ok(question) => question,
            Err(reason) => {
                self.over = true;
                self.item
                    .notes
                    .push(format!("the model could not be asked: {reason}"));
                None
            }
        }
    }

    /// A question; none when the budget has no room for a further one.
    fn question(&mut self, fields: Vec<String>, more: bool) -> Result<Option<Question>, String> {
        let entry = if self.entries { self.entry() } else { Vec::new() };
        let shape = AnswerShape {
            fields: &fields,
            more,
            entry: &entry,
            page_type: self.item.page_type == PageType::Other && !self.mode.has_fixed_fields(),
        };
        let wanted = StructuredRequest {
            retries: 0,
            ..StructuredRequest::new("facts", shape.schema().map_err(|error| error.to_string())?)
        };
        let query = passages::PassageQuery {
            fields: &fields,
            instructions: &self.request.instructions,
        };
        let rules = prompt::render(
            "facts_rules",
            minijinja::context!(more => more, items => !entry.is_empty()),
        )?;
        let schema = wanted.schema.source().to_string().len();
        let other =
            rules.len() + schema + query.instructions.len() + KNOWN + HEAD + MEMORY + self.item.url.len();
        if !self.attempts.is_empty() && self.size.is_spent(other) {
            self.over = true;
            return Ok(None);
        }
        // What tools found takes its share.
        let room = self.size.page(other) / (1 + usize::from(!self.input.findings.is_empty()));
        let text = self.input.passages.window(&query, room);
        let shown = text.len();
        self.nothing_shown = text.is_empty();
        let head: String = self
            .input
            .head
            .iter()
            .map(|(name, line)| format!("{name}: {line}\n"))
            .collect();
        let head: String = head
            .get(..head.floor_char_boundary(HEAD))
            .unwrap_or_default()
            .to_owned();
        let page = format!("{}\n{}{head}\n{text}", self.item.url, self.input.address_line());
        let again = fields
            .iter()
            .filter(|field| self.denied.contains_key(*field))
            .cloned();
        let required = self.required();
        let listed: Vec<_> = fields
            .iter()
            .map(|field| {
                let (hint, needed) = (wanted_fields::hint(field), required.contains(field));
                minijinja::context!(name => field.as_str(), hint => hint, needed => needed)
            })
            .collect();
        let known = input::known_fields(&self.item);
        let known = (!known.is_empty()).then(|| prompt::quoted(&known, KNOWN).to_string());
        let words = prompt::render(
            "facts",
            minijinja::context!(
                page_type => self.item.page_type.name(),
                instructions => self.request.instructions.as_str(),
                known => known,
                memory => self.input.quoted_memory(),
                again => again.collect::<Vec<String>>(),
                fields => listed,
                page => prompt::quoted(&page, room * 2 + HEAD * 2 + 1000).to_string(),
            ),
        )?;
        let number = u32::try_from(self.attempts.len() + 1).unwrap_or(u32::MAX);
        let question = Question::new(number, rules, words, wanted, fields, shown);
        Ok(Some(question.with_tool_findings(&self.input.findings, room)))
    }

    /// The fields of an entry of a list.
    fn entry(&self) -> Vec<String> {
        if self.request.fields.is_empty() {
            let usual = ["title", "price", "author", "date", "description"];
            return usual.iter().map(|field| (*field).to_owned()).collect();
        }
        let asked = self.request.fields.iter().filter(|field| field.as_str() != "url");
        asked.map(|field| canonical(field, PageType::Other)).collect()
    }

    /// Takes the reply to a question.
    pub fn hear(&mut self, question: &Question, reply: &ModelReply) {
        let before: Vec<String> = self.item.fields().keys().cloned().collect();
        let entries = self.item.items.len();
        let dropped = match &reply.value {
            Some(value) => self.accept(&answer::read(value), &question.fields),
            None => 0,
        };
        let mut gained: Vec<String> = self
            .item
            .fields()
            .keys()
            .filter(|field| !before.contains(field))
            .cloned()
            .collect();
        if self.item.items.len() > entries {
            gained.push("items".to_owned());
        }
        self.unusable = reply.value.is_none();
        self.answered |= reply.value.is_some();
        if self.unusable {
            self.input.passages.undo_window();
        }
        if gained.is_empty() {
            self.idle += 1;
        } else {
            self.idle = 0;
        }
        if let Some(error) = &reply.error {
            if matches!(error, llm::Error::ContextTooLong { .. }) {
                self.size.halve();
            }
            // An error that lasts is not tried again.
            self.over |= reply.value.is_none() && (error.ends_run() || !is_retryable(error));
            if reply.value.is_none() {
                self.error = Some(error.clone());
            }
        }
        self.dropped += dropped;
        self.attempts.push(ModelAttempt {
            attempt: question.number,
            asked: question.fields.clone(),
            gained,
            dropped,
            score: ItemScore::of(&self.item, &self.required()),
            input_tokens: reply.usage.input,
            output_tokens: reply.usage.output,
            shown: question.shown,
            unseen: self.input.passages.unseen(),
            error: reply
                .error
                .as_ref()
                .filter(|_| reply.value.is_none())
                .map(ToString::to_string),
        });
    }

    /// The item and how it came to be.
    pub fn finish(self) -> CompletionOutcome {
        let required = self.required();
        let unavailable = self.unavailable();
        let coverage = self.page_coverage();
        let mut item = self.item;
        let mut meta = ExtractionMeta::of(&item, self.mode, &required);
        meta.missing.retain(|field| !unavailable.contains(field));
        meta.unavailable = unavailable;
        meta.page_text = Some(coverage);
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
        item.notes.retain(|note| {
            let field = note
                .strip_prefix(NOTE)
                .and_then(|rest| rest.split_whitespace().next());
            field.is_none_or(|field| !item.fields.contains_key(field))
        });
        let error = self.error.filter(|_| !self.answered);
        CompletionOutcome { item, meta, error }
    }
}

/// How a note begins that a field was not found.
const NOTE: &str = "the page does not state ";

/// Whether asking again can help.
fn is_retryable(error: &llm::Error) -> bool {
    error.is_passing()
        || matches!(
            error,
            llm::Error::SchemaMismatch { .. } | llm::Error::ContextTooLong { .. }
        )
}
