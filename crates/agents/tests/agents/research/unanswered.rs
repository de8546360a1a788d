//! Questions that no source answers.

use serde_json::{Value, json};
use wire::research::{ReportOutcome, ResearchComplete, ResearchMode};
use wire::tabstack::ResearchRequest;

use super::stand::{Asking, Stand, check_pairs, complete, honest, public};
use super::web::{ASKED, lake};

/// A question about a lake that exists, on something that no page says.
fn request(mode: ResearchMode) -> ResearchRequest {
    ResearchRequest {
        mode,
        fetch_timeout: Some(2),
        ..ResearchRequest::new(format!(
            "How much is a sauna voucher at Lake {}?",
            lake(ASKED).name
        ))
    }
}

/// A model that plans for this question, and otherwise works as the honest one, which writes about the lake's depth.
fn beside_the_question(ask: &Asking) -> Value {
    let mut answer = honest(ask);
    let question = format!("How much is a sauna voucher at Lake {}?", lake(ASKED).name);
    match ask.form.as_str() {
        "plan" => answer["questions"] = json!([question]),
        "verdicts" => {
            for verdict in answer["verdicts"].as_array_mut().into_iter().flatten() {
                verdict["relevant"] = false.into();
            }
        }
        _ => {}
    }
    answer
}

fn check_unanswered(done: &ResearchComplete) {
    assert!(
        done.report.starts_with("The sources do not answer this."),
        "{}",
        done.report
    );
    assert!(
        !done.report.contains("[1]") && !done.report.contains("## Sources"),
        "{}",
        done.report
    );
    assert_eq!(done.metadata.outcome, Some(ReportOutcome::NotAnswered));
    assert_eq!(done.metadata.cited_pages.as_deref(), Some(&[][..]));
    assert_eq!(done.metadata.citations.unwrap().supported, 0);
    assert!(done.metadata.total_pages_analyzed > 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_model_nothing_is_quoted_that_is_not_asked_for() {
    let mut stand = Stand::start(honest).await;
    stand.services.models = None;
    let log = stand.whole(&request(ResearchMode::Fast)).await;
    check_pairs(&public(&log));
    check_unanswered(&complete(&log));
}

#[tokio::test(flavor = "multi_thread")]
async fn sentences_beside_the_question_are_left_out_however_well_they_are_supported() {
    for mode in [ResearchMode::Fast, ResearchMode::Balanced] {
        let stand = Stand::start(beside_the_question).await;
        let log = stand.whole(&request(mode)).await;
        check_pairs(&public(&log));
        check_unanswered(&complete(&log));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_writer_that_finds_no_answer_gives_none() {
    let stand = Stand::start(|ask: &Asking| match ask.form.as_str() {
        "report" => json!({"sections": []}),
        _ => beside_the_question(ask),
    })
    .await;
    let log = stand.whole(&request(ResearchMode::Balanced)).await;
    check_unanswered(&complete(&log));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_that_is_answered_has_no_such_outcome() {
    let stand = Stand::start(honest).await;
    let question = ResearchRequest {
        fetch_timeout: Some(2),
        ..ResearchRequest::new(format!("How deep is Lake {}?", lake(ASKED).name))
    };
    let done = complete(&stand.whole(&question).await);
    assert_eq!(done.metadata.outcome, None);
    assert!(done.report.contains("metres deep"), "{}", done.report);
}

/// A model that writes what no source says, takes every passage for the answer, and copies these words.
async fn report_of_copies(question: String, copy: &'static str) -> ResearchComplete {
    let stand = Stand::start(move |ask: &Asking| match ask.form.as_str() {
        "report" => {
            json!({"sections": [{"heading": "", "sentences": [{"text": "Nobody knows 9999 of it.", "sources": [1]}]}]})
        }
        "answers" => json!({"answers": "yes"}),
        "copies" => json!({"quotes": [{"passage": 1, "text": copy}]}),
        _ => honest(ask),
    })
    .await;
    let request = ResearchRequest {
        fetch_timeout: Some(2),
        ..ResearchRequest::new(question)
    };
    *complete(&stand.whole(&request).await)
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_model_copies_is_quoted_with_its_sentence_where_its_own_sentences_are_not_supported() {
    let lake = lake(ASKED);
    let done = report_of_copies(
        format!("Where does the ferry of Lake {} leave from?", lake.name),
        "southern shore, where a ferry leaves",
    )
    .await;
    assert_eq!(done.metadata.outcome, None, "{}", done.report);
    assert!(
        done.report.contains(&format!(
            "- The town of {} lies on the southern shore, where a ferry leaves twice a day in summer. [1]",
            lake.town
        )),
        "{}",
        done.report
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn copied_words_that_stand_nowhere_or_answer_something_else_are_not_quoted() {
    let name = lake(ASKED).name;
    let nowhere = report_of_copies(
        format!("Where does the ferry of Lake {name} leave from?"),
        "the ferry leaves from the northern shore",
    )
    .await;
    check_unanswered(&nowhere);
    let beside = report_of_copies(
        format!("How much is a sauna voucher at Lake {name}?"),
        "where a ferry leaves twice a day",
    )
    .await;
    check_unanswered(&beside);
}

/// A model that writes this, says so of each text whether it answers, and copies nothing.
async fn report_of_draft(question: String, written: String, verdict: &'static str) -> ResearchComplete {
    let stand = Stand::start(move |ask: &Asking| match ask.form.as_str() {
        "report" => {
            json!({"sections": [{"heading": "", "sentences": [{"text": written, "sources": [1]}]}]})
        }
        "answers" => json!({"answers": verdict}),
        "copies" => json!({"quotes": []}),
        _ => honest(ask),
    })
    .await;
    let request = ResearchRequest {
        fetch_timeout: Some(2),
        ..ResearchRequest::new(question)
    };
    *complete(&stand.whole(&request).await)
}

#[tokio::test(flavor = "multi_thread")]
async fn the_line_that_a_draft_was_made_of_is_quoted_where_the_draft_is_not_supported_and_a_model_says_that_it_answers()
 {
    let lake = lake(ASKED);
    let report_of = async |verdict: &'static str| {
        let question = format!("Where does the ferry of Lake {} leave from?", lake.name);
        let written = "It goes 9999 times from the southern shore, twice a day.".to_owned();
        report_of_draft(question, written, verdict).await
    };
    let done = report_of("yes").await;
    let line = format!(
        "The town of {} lies on the southern shore, where a ferry leaves twice a day in summer.",
        lake.town
    );
    assert!(done.report.contains(&format!("- {line} [1]")), "{}", done.report);
    assert!(!done.report.contains("9999"), "{}", done.report);
    check_unanswered(&report_of("no").await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_supported_sentence_answers_in_other_words_where_a_model_says_so_and_says_more_than_the_question() {
    let lake = lake(ASKED);
    let told = lake.facts()[2].clone();
    let report_of = async |written: String, verdict: &'static str| {
        let question = format!("How do hikers cross Lake {} by boat?", lake.name);
        report_of_draft(question, written, verdict).await
    };
    let done = report_of(told.clone(), "partly").await;
    assert!(done.report.starts_with(&told), "{}", done.report);
    assert_eq!(done.metadata.citations.unwrap().supported, 1);
    check_unanswered(&report_of(told, "no").await);
    check_unanswered(&report_of(format!("Lake {} lies there.", lake.name), "partly").await);
}
