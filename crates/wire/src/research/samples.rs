//! One full value per research event.

use std::collections::BTreeMap;

use super::*;
use crate::num::Num;

const ADDRESS: &str = "https://tides.example/moon";

fn said() -> String {
    "reading about tides — 50 % done".into()
}

fn one(text: &str) -> Vec<String> {
    vec![text.to_owned()]
}

fn page() -> PageSample {
    PageSample {
        url: ADDRESS.into(),
        title: "Tides".into(),
        domain: "tides.example".into(),
        url_source: UrlSource::SearchResult,
        relevance: Some(Rating::High),
        reliability: Some(Rating::Medium),
        summary: Some("why there are two tides a day".into()),
    }
}

fn assessment() -> QuestionAssessment {
    QuestionAssessment {
        question: "why two a day?".into(),
        status: AnswerStatus::Partial,
        findings: "the moon pulls on both sides".into(),
    }
}

fn metadata() -> Metadata {
    Metadata {
        prompt: "why are there two tides a day?".into(),
        mode: ResearchMode::Deep,
        query_complexity: QueryComplexity::Moderate,
        research_objective: "explain the two tides".into(),
        research_plan: "read about tidal forces".into(),
        research_questions: one("why two a day?"),
        executed_queries: vec![one("two tides a day cause")],
        total_pages_analyzed: 6,
        cited_pages: Some(vec![CitedPage {
            id: "1".into(),
            url: ADDRESS.into(),
            claims: one("the moon pulls unevenly"),
            source_queries: one("two tides a day cause"),
            title: Some("Tides".into()),
            summary: Some("about tidal forces".into()),
            full_text: Some("Tides are caused by ...".into()),
            relevance: Some(Rating::High),
            reliability: Some(Rating::High),
            depth: Some(1),
            parent_url: Some("https://tides.example/".into()),
            url_source: Some(UrlSource::ExtractedLink),
        }]),
        gap_evaluations: Some(vec![GapEvaluation {
            research_coverage: Coverage::Solid,
            gap_description: "nothing about the sun".into(),
            question_assessments: vec![assessment()],
            should_continue_research: true,
            new_research_questions: Some(one("what does the sun do?")),
            search_queries: Some(one("solar tide")),
        }]),
        judgments: Some(vec![Judgment {
            approved: true,
            observation: "every sentence has a source".into(),
            score: Num::new(8.5),
            feedback: Some("shorten the opening".into()),
        }]),
        metrics: Some(Metrics {
            total_duration: Num::new(41_250.0),
            iterations: 2,
            fetches: 7,
            cached_fetches: 1,
            robots_blocked: 1,
            searches: BTreeMap::from([("searxng".to_owned(), 2)]),
            cached_searches: BTreeMap::from([("searxng".to_owned(), 0)]),
            phases: BTreeMap::from([(
                "searching".to_owned(),
                PhaseMetrics {
                    duration: Num::new(950.5),
                },
            )]),
            tokens: BTreeMap::from([(
                "writer".to_owned(),
                TokenMetrics {
                    input: 9_000,
                    output: 1_200,
                },
            )]),
            success_rates: SuccessRates {
                fetches: Num::new(0.875),
                searches: Num::new(1.0),
                analyzes: Num::new(1.0),
            },
        }),
        outline: Some(Outline {
            direct_answer: "because the pull differs across the earth".into(),
            key_takeaways: one("two bulges"),
            outline: "# Two bulges".into(),
            relevant_source_ids: one("1"),
        }),
        url_sources: Some(UrlSources {
            user_provided: 0,
            search_results: 5,
            extracted_links: 1,
        }),
        citations: Some(Citations {
            checked: 3,
            supported: 2,
            dropped: 1,
        }),
        notes: one("One statement was left out because no source supports it."),
    }
}

pub(super) fn all() -> Vec<ResearchEvent> {
    use ResearchEvent as E;
    let (message, iteration, attempt) = (said, 1, 1);
    vec![
        E::Start(Start { message: message() }),
        E::PrefetchingStart(PrefetchingStart {
            message: message(),
            url_count: 1,
            urls: one(ADDRESS),
        }),
        E::PrefetchingEnd(PrefetchingEnd {
            message: message(),
            fetched: 1,
            failed: 0,
        }),
        E::PlanningStart(PlanningStart {
            message: message(),
            has_prefetched_context: true,
        }),
        E::PlanningEnd(PlanningEnd {
            message: message(),
            complexity: QueryComplexity::Moderate,
            objective: "explain the two tides".into(),
            plan: "read about tidal forces".into(),
            queries: one("two tides a day cause"),
            questions: one("why two a day?"),
        }),
        E::IterationStart(IterationStart {
            message: message(),
            iteration,
            max_iterations: 5,
            queries: one("tides"),
        }),
        E::IterationEnd(IterationEnd {
            message: message(),
            iteration,
            is_last: true,
            stop_reason: Some(StopReason::CoverageSufficient),
        }),
        E::SearchingStart(SearchingStart {
            message: message(),
            iteration,
            queries: one("tides"),
        }),
        E::SearchingEnd(SearchingEnd {
            message: message(),
            iteration,
            urls_found: 10,
            urls_new: 8,
        }),
        E::AnalyzingStart(AnalyzingStart {
            message: message(),
            iteration,
            page_count: 8,
        }),
        E::AnalyzingEnd(AnalyzingEnd {
            message: message(),
            iteration,
            analyzed: 7,
            failed: 1,
            samples: vec![page()],
        }),
        E::FollowingStart(FollowingStart {
            message: message(),
            iteration,
            link_count: 3,
        }),
        E::FollowingEnd(FollowingEnd {
            message: message(),
            iteration,
            followed: 2,
            failed: 1,
            samples: vec![page()],
        }),
        E::EvaluatingStart(EvaluatingStart {
            message: message(),
            iteration,
            pages_analyzed: 9,
            question_count: 1,
        }),
        E::EvaluatingEnd(EvaluatingEnd {
            message: message(),
            iteration,
            coverage: Coverage::Solid,
            gaps: "nothing about the sun".into(),
            next_queries: one("solar tide"),
            question_assessments: vec![assessment()],
            should_continue: true,
        }),
        E::OutliningStart(OutliningStart {
            message: message(),
            pages_analyzed: 9,
            quality_page_count: 4,
        }),
        E::OutliningEnd(OutliningEnd {
            message: message(),
            sources_selected: 3,
        }),
        E::WritingStart(WritingStart {
            message: message(),
            attempt: 2,
            max_attempts: 3,
            is_revision: true,
            previous_score: Some(Num::new(6.5)),
        }),
        E::WritingEnd(WritingEnd {
            message: message(),
            attempt,
        }),
        E::JudgingStart(JudgingStart {
            message: message(),
            attempt,
            max_attempts: 3,
        }),
        E::JudgingEnd(JudgingEnd {
            message: message(),
            attempt,
            approved: false,
            score: Num::new(6.5),
            feedback: Some("cite the second claim".into()),
        }),
        E::Complete(Box::new(Complete {
            message: message(),
            report: "# Tides [1]".into(),
            metadata: metadata(),
        })),
        E::Error(ResearchError {
            message: message(),
            error: ErrorDetail {
                name: "MODEL_FAILED".into(),
                message: "the model's provider answered 500 three times".into(),
                stack: Some("withheld".into()),
            },
            activity: Some(Activity::Planning),
            iteration: Some(1),
        }),
    ]
}
