//! ResearchState: what a run knows so far.

use std::collections::{BTreeMap, HashSet};

use serde::{Deserialize, Serialize};
use url::Url;
use wire::research::{
    CitationCounts, GapEvaluation, Judgment, QueryComplexity, Rating, ReportOutline, UrlSource,
};

use super::planner::ResearchProgress;
use super::relevance::{self, Focuses, QuestionFocus};

/// Everything that was found out.
#[derive(Debug, Default)]
pub(crate) struct ResearchState {
    /// The question as the request has it, with the addresses in it.
    pub(crate) question: String,
    /// Addresses that the request names.
    pub(crate) named: Vec<Url>,
    pub(crate) plan: ResearchPlan,
    /// What the next loop searches for.
    pub(crate) queries: Vec<String>,
    /// What the loops so far searched for.
    pub(crate) executed: Vec<Vec<String>>,
    /// Pages that were found and not read yet, best first.
    pub(crate) candidates: Vec<PageCandidate>,
    /// Addresses that need not be looked at again, in canonical form.
    pub(crate) known: HashSet<String>,
    /// Pages that were read, numbered from 1 as the models know them.
    pub(crate) sources: Vec<ResearchSource>,
    /// Sources that copy others, each with the first of its kind.
    pub(crate) copies: Vec<(usize, usize)>,
    /// Pairs of sources that say the same with other numbers.
    pub(crate) conflicts: Vec<NumberConflict>,
    pub(crate) evaluations: Vec<GapEvaluation>,
    pub(crate) outline: Option<ReportOutline>,
    pub(crate) draft: Option<Draft>,
    /// How the draft was rated.
    pub(crate) score: Option<f64>,
    /// The draft before, which answers as much of the question, and how it was rated.
    pub(crate) former: Option<(Draft, f64)>,
    pub(crate) judgments: Vec<Judgment>,
    pub(crate) progress: ResearchProgress,
    /// What a reader of the report should know.
    pub(crate) notes: Vec<String>,
}

/// What the report has to achieve and how.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ResearchPlan {
    pub(crate) complexity: QueryComplexity,
    pub(crate) objective: String,
    pub(crate) plan: String,
    pub(crate) questions: Vec<String>,
    pub(crate) queries: Vec<String>,
}

impl Default for ResearchPlan {
    fn default() -> Self {
        Self {
            complexity: QueryComplexity::Simple,
            objective: String::new(),
            plan: String::new(),
            questions: Vec::new(),
            queries: Vec::new(),
        }
    }
}

/// A page that may be read.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PageCandidate {
    pub(crate) url: Url,
    pub(crate) title: String,
    pub(crate) found: UrlSource,
    /// Queries that found it.
    pub(crate) queries: Vec<String>,
    /// Its text, where the search engine has it.
    pub(crate) text: Option<String>,
    /// How high the searches rank it.
    pub(crate) score: f64,
    pub(crate) depth: u32,
    pub(crate) parent: Option<String>,
}

/// A page that was read.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ResearchSource {
    /// From 1.
    pub(crate) id: usize,
    pub(crate) url: String,
    pub(crate) title: String,
    pub(crate) text: String,
    pub(crate) links: Vec<OutgoingLink>,
    pub(crate) found: UrlSource,
    pub(crate) queries: Vec<String>,
    pub(crate) depth: u32,
    pub(crate) parent: Option<String>,
    pub(crate) reading: Option<PageAnalysis>,
}

/// Where a page leads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct OutgoingLink {
    pub(crate) url: String,
    pub(crate) words: String,
}

/// What came of reading one page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct PageAnalysis {
    pub(crate) relevance: Rating,
    pub(crate) reliability: Rating,
    pub(crate) summary: String,
    #[serde(default)]
    pub(crate) claims: Vec<Claim>,
}

/// Something that a page says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Claim {
    /// In the reader's words.
    pub(crate) claim: String,
    /// In the page's own.
    #[serde(default)]
    pub(crate) quote: String,
}

/// Two sources of the same words and other numbers: at most one of them is right.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct NumberConflict {
    pub(crate) left: usize,
    pub(crate) right: usize,
    /// The numbers that only the left, and only the right, has; as written.
    pub(crate) numbers: (Vec<String>, Vec<String>),
}

/// A report as it is cited and checked.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Draft {
    pub(crate) sections: Vec<Section>,
    pub(crate) citations: CitationCounts,
    /// Sentences that no source supports, or that were said before.
    pub(crate) left_out: usize,
    /// Written by rules from the words of the sources.
    pub(crate) extractive: bool,
    /// Whether the sources do not answer the question; then nothing is cited.
    pub(crate) is_unanswered: bool,
}

/// A part of a report.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Section {
    pub(crate) heading: String,
    pub(crate) sentences: Vec<Sentence>,
}

/// A sentence with the sources that support it, by number.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Sentence {
    pub(crate) text: String,
    pub(crate) sources: Vec<usize>,
}

/// What was counted on the way.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct ResearchCounters {
    pub(crate) fetches: u32,
    pub(crate) fetched: u32,
    pub(crate) cached_fetches: u32,
    pub(crate) robots_blocked: u32,
    pub(crate) searches: BTreeMap<String, u32>,
    pub(crate) cached_searches: BTreeMap<String, u32>,
    pub(crate) searches_failed: u32,
    pub(crate) analyses: u32,
    pub(crate) analyses_failed: u32,
    /// By model: tokens read and written.
    pub(crate) tokens: BTreeMap<String, (u64, u64)>,
    /// By phase, in milliseconds.
    pub(crate) phases: BTreeMap<&'static str, i64>,
}

/// How much of the question a draft answers, the least first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum DraftKind {
    Unanswered,
    Quoted,
    Written,
}

impl Draft {
    fn kind(&self) -> DraftKind {
        match self {
            draft if draft.is_unanswered || draft.sentences().next().is_none() => DraftKind::Unanswered,
            draft if draft.extractive => DraftKind::Quoted,
            _ => DraftKind::Written,
        }
    }

    /// Citations of the sentences of the draft, each of which its source supports.
    pub(crate) fn supported(&self) -> usize {
        self.sentences().map(|sentence| sentence.sources.len()).sum()
    }

    /// The sentences of all sections.
    pub(crate) fn sentences(&self) -> impl Iterator<Item = &Sentence> {
        self.sections.iter().flat_map(|section| &section.sentences)
    }
}

impl ResearchState {
    /// Takes a new draft, unless it answers less of the question than the one before. Gives whether it was taken.
    pub(crate) fn take_draft(&mut self, draft: Draft) -> bool {
        let before = self.draft.as_ref().map(Draft::kind);
        if before > Some(draft.kind()) {
            return false;
        }
        let is_as_good = before == Some(draft.kind());
        let former = self.draft.replace(draft).zip(self.score.take());
        self.former = former.filter(|_| is_as_good);
        true
    }

    /// Takes how the draft was rated. Where it is refused, and the draft before was rated higher, that one is the draft again.
    pub(crate) fn take_judgment(&mut self, judgment: Judgment) {
        let score = judgment.score.get();
        self.score = Some(score);
        let better = self.former.take().filter(|(_, former)| *former > score);
        if let (false, Some((draft, score))) = (judgment.approved, better) {
            (self.draft, self.score) = (Some(draft), Some(score));
        }
        self.judgments.push(judgment);
    }

    /// The source of a number.
    pub(crate) fn source(&self, id: usize) -> Option<&ResearchSource> {
        self.sources.get(id.checked_sub(1)?)
    }

    /// The question, its parts and the questions of the plan, ready to be compared with sentences.
    pub(crate) fn focuses(&self) -> Focuses {
        self.focuses_among(&self.source_terms())
    }

    /// As [`ResearchState::focuses`], where the words of all sources are at hand.
    pub(crate) fn focuses_among(&self, known: &HashSet<String>) -> Focuses {
        let focus = |question: &String| QuestionFocus::among(question, known);
        let further = self.further_questions();
        Focuses {
            asked: focus(&self.question),
            parts: self.parts().iter().map(focus).collect(),
            further: further.into_iter().map(focus).collect(),
        }
    }

    /// The questions that a model made of the question and that ask for what the question asks.
    pub(crate) fn further_questions(&self) -> Vec<&String> {
        let asked = QuestionFocus::new(&self.question);
        let own = super::text::words(&self.question);
        let made = self.plan.questions.iter();
        made.filter(|made| super::text::words(made) != own && asked.covers(&QuestionFocus::new(made)))
            .collect()
    }

    /// The parts of a question that asks for several things; none of one that does not.
    pub(crate) fn parts(&self) -> Vec<String> {
        let parts = relevance::parts(&self.question);
        if parts.len() > 1 { parts } else { Vec::new() }
    }

    /// The words of all sources and their titles.
    pub(crate) fn source_terms(&self) -> HashSet<String> {
        let texts = self
            .sources
            .iter()
            .flat_map(|source| [&source.title, &source.text]);
        texts.flat_map(|text| super::text::terms(text)).collect()
    }

    /// The question with those questions of the plan that ask for the same.
    pub(crate) fn asked_questions(&self) -> String {
        let made = self.further_questions();
        let all = std::iter::once(self.question.as_str()).chain(made.into_iter().map(String::as_str));
        all.collect::<Vec<_>>().join(" ")
    }

    /// The question with the questions of the plan: what a text is compared with.
    pub(crate) fn full_question(&self) -> String {
        let mut whole = self.question.clone();
        for question in &self.plan.questions {
            whole.push(' ');
            whole.push_str(question);
        }
        whole
    }

    /// Adds a page unless another address gave the same text; says whether it is new.
    pub(crate) fn add(
        &mut self,
        candidate: &PageCandidate,
        title: String,
        url: String,
        text: String,
        links: Vec<OutgoingLink>,
    ) -> bool {
        let (text, orders) = super::injection_filter::without(&text);
        if orders > 0 {
            self.notes.push(format!(
                "{url} speaks to programs that read it; {orders} line(s) of it were left out."
            ));
        }
        if let Some(same) = self
            .sources
            .iter_mut()
            .find(|source| source.url == url || source.text == text)
        {
            for query in &candidate.queries {
                if !same.queries.contains(query) {
                    same.queries.push(query.clone());
                }
            }
            return false;
        }
        self.sources.push(ResearchSource {
            id: self.sources.len() + 1,
            title: if title.trim().is_empty() {
                candidate.title.clone()
            } else {
                title
            },
            url,
            text,
            links,
            found: candidate.found,
            queries: candidate.queries.clone(),
            depth: candidate.depth,
            parent: candidate.parent.clone(),
            reading: None,
        });
        self.progress.sources = true;
        true
    }

    /// The sources that the report is written from, best first.
    pub(crate) fn relevant_sources(&self) -> Vec<&ResearchSource> {
        let weight = |source: &ResearchSource| match &source.reading {
            Some(reading) => 10 * (reading.relevance as u32) + reading.reliability as u32,
            None => 15,
        };
        let chosen = self.outline.as_ref().map(|outline| &outline.relevant_source_ids);
        let outlined =
            |source: &ResearchSource| chosen.is_none_or(|ids| ids.contains(&source.id.to_string()));
        let supporting = |source: &&ResearchSource| {
            source
                .reading
                .as_ref()
                .is_none_or(|reading| reading.relevance > Rating::Low)
        };
        let mut relevant_sources: Vec<&ResearchSource> = self
            .sources
            .iter()
            .filter(supporting)
            .filter(|source| outlined(source))
            .collect();
        if relevant_sources.is_empty() {
            relevant_sources = self.sources.iter().filter(supporting).collect();
        }
        if relevant_sources.is_empty() {
            relevant_sources = self.sources.iter().collect();
        }
        relevant_sources.sort_by_key(|relevant_source| std::cmp::Reverse(weight(relevant_source)));
        relevant_sources
    }
}
