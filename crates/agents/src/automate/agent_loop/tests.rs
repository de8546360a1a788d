//! Runs of the state machine as tables.

use serde_json::{Value, json};
use tools::Registry;
use wire::Code;

use super::*;

fn action(id: &str, tool: &str, arguments: &Value) -> ToolInvocation {
    let arguments = arguments.as_object().unwrap();
    ToolInvocation {
        id: id.to_owned(),
        call: Registry::builtin().read_call(tool, arguments).unwrap(),
    }
}

fn click(number: u32) -> ToolInvocation {
    action(
        &format!("c{number}"),
        "click",
        &json!({"ref": format!("E{number}")}),
    )
}

fn finish(answer: &str) -> ToolInvocation {
    action("x", "done", &json!({"result": answer}))
}

fn actions(actions: &[ToolInvocation]) -> TurnReply {
    TurnReply::Actions {
        actions: actions.to_vec(),
        refused: 0,
    }
}

fn agent_loop(turns: u32, answers: u32) -> AgentLoop {
    AgentLoop::new(LoopLimits::new(turns, answers), true)
}

fn fingerprint(action: &ToolInvocation) -> String {
    format!("{:?}", action.call)
}

/// Begins the next turn, observes this page, and gives this answer of the model.
fn turn(agent_loop: &mut AgentLoop, page: u64, answer: TurnReply) -> LoopNotes {
    assert!(matches!(agent_loop.decide(), Decision::Turn(_)), "{agent_loop:?}");
    if agent_loop.decide() == Decision::Observe {
        agent_loop.observed(page);
    }
    assert_eq!(agent_loop.decide(), Decision::AskModel);
    agent_loop.answered(answer, fingerprint)
}

fn end(agent_loop: &mut AgentLoop) -> Ending {
    match agent_loop.decide() {
        Decision::End(ending) => ending,
        other => panic!("not at its end: {other:?}"),
    }
}

#[test]
fn an_accepted_answer_ends_the_run() {
    let mut agent_loop = agent_loop(9, 3);
    turn(&mut agent_loop, 1, actions(&[click(1)]));
    assert_eq!(agent_loop.decide(), Decision::Act(click(1)));
    agent_loop.acted(StepResult::Surprise, "");
    turn(&mut agent_loop, 2, actions(&[finish("42")]));
    let judge = Decision::Judge {
        answer: "42".into(),
        attempt: 1,
    };
    assert_eq!(agent_loop.decide(), judge);
    agent_loop.judged(Verdict::Accepted);
    assert_eq!(end(&mut agent_loop), Ending::Accepted("42".into()));
    assert_eq!((agent_loop.turns(), agent_loop.actions()), (2, 1));
}

#[test]
fn no_answer_is_accepted_because_the_attempts_are_used_up() {
    let mut agent_loop = agent_loop(9, 2);
    for attempt in 1..=2 {
        turn(&mut agent_loop, 1, actions(&[finish("41")]));
        let judge = Decision::Judge {
            answer: "41".into(),
            attempt,
        };
        assert_eq!(agent_loop.decide(), judge);
        agent_loop.judged(Verdict::Refused("it is 42".into()));
    }
    let rejected = Ending::Rejected {
        answer: "41".into(),
        feedback: "it is 42".into(),
    };
    assert_eq!(end(&mut agent_loop), rejected);
}

#[test]
fn a_run_out_of_turns_keeps_its_last_answer() {
    let mut agent_loop = agent_loop(1, 3);
    turn(&mut agent_loop, 1, actions(&[finish("41")]));
    agent_loop.decide();
    agent_loop.judged(Verdict::Refused("no".into()));
    assert_eq!(end(&mut agent_loop), Ending::OutOfTurns(Some("41".into())));
}

#[test]
fn several_moves_are_done_in_order_up_to_the_first_surprise() {
    for (deed, why) in [
        (
            StepResult::Surprise,
            "not done: the page has changed since it was decided; look again",
        ),
        (StepResult::Failed, "not done: a call before it failed"),
    ] {
        let mut agent_loop = agent_loop(9, 3);
        turn(&mut agent_loop, 1, actions(&[click(1), click(2), click(3)]));
        assert_eq!(agent_loop.decide(), Decision::Act(click(1)));
        assert_eq!(agent_loop.acted(StepResult::AsExpected, ""), LoopNotes::default());
        assert_eq!(agent_loop.decide(), Decision::Act(click(2)));
        let words = agent_loop.acted(deed, "x");
        assert_eq!(words.skipped, [("c3".to_owned(), why.to_owned())]);
        assert_eq!(agent_loop.decide(), Decision::Turn(1));
        assert_eq!(agent_loop.decide(), Decision::Observe);
    }
}

#[test]
fn an_end_beside_other_calls_waits_for_their_result() {
    let done = finish("42");
    let mut first = agent_loop(9, 3);
    let words = turn(&mut first, 1, actions(&[click(1), done.clone()]));
    assert_eq!(words.skipped.len(), 1);
    assert_eq!(first.decide(), Decision::Act(click(1)));
    let mut second = agent_loop(9, 3);
    let words = turn(&mut second, 1, actions(&[done, click(1)]));
    assert_eq!(
        words.skipped,
        [(
            "c1".to_owned(),
            "not done: the turn was finished before it".to_owned()
        )]
    );
    assert!(matches!(second.decide(), Decision::Judge { .. }));
}

#[test]
fn the_same_move_on_the_same_page_is_warned_of_and_then_ends_the_run() {
    let mut agent_loop = agent_loop(50, 3);
    let mut warnings = Vec::new();
    for count in 1..=4 {
        let words = turn(&mut agent_loop, 7, actions(&[click(1)]));
        warnings.push(words.warning.is_some());
        assert_eq!(agent_loop.decide(), Decision::Act(click(1)), "{count}");
        agent_loop.acted(StepResult::AsExpected, "");
    }
    assert_eq!(warnings, [false, false, false, true]);
    let words = turn(&mut agent_loop, 7, actions(&[click(1), click(2)]));
    assert_eq!(words.skipped.len(), 2);
    assert!(matches!(end(&mut agent_loop), Ending::Repeating(reason) if reason.contains("5 times")));
}

#[test]
fn what_changes_the_page_may_be_repeated() {
    let mut agent_loop = agent_loop(50, 3);
    for page in 0..20 {
        assert_eq!(
            turn(&mut agent_loop, page, actions(&[click(1)])),
            LoopNotes::default()
        );
        agent_loop.acted(StepResult::AsExpected, "");
    }
    for _ in 0..20 {
        let wait = action("x", "wait", &json!({"seconds": 0}));
        assert_eq!(turn(&mut agent_loop, 1, actions(&[wait])), LoopNotes::default());
        agent_loop.acted(StepResult::AsExpected, "");
    }
}

#[test]
fn errors_are_counted_in_a_row_and_in_all() {
    let passing = || TurnReply::Failed(RunError::recoverable(Code::ModelTimeout, "too slow"));
    let mut row = agent_loop(50, 3);
    for _ in 0..4 {
        turn(&mut row, 1, passing());
    }
    turn(
        &mut row,
        1,
        TurnReply::Actions {
            actions: Vec::new(),
            refused: 2,
        },
    );
    assert!(matches!(end(&mut row), Ending::TooManyErrors { count, .. } if count == "5 errors in a row"));
    let mut all = agent_loop(50, 3);
    for page in 0..15 {
        turn(&mut all, page, actions(&[click(1)]));
        all.acted(
            if page % 2 == 0 {
                StepResult::Failed
            } else {
                StepResult::AsExpected
            },
            "stale",
        );
    }
    for page in 20..40 {
        if matches!(all.state, LoopState::Over(_)) {
            break;
        }
        turn(&mut all, page, actions(&[click(1)]));
        all.acted(
            if page % 4 == 0 {
                StepResult::AsExpected
            } else {
                StepResult::Failed
            },
            "stale",
        );
    }
    assert!(matches!(end(&mut all), Ending::TooManyErrors { count, .. } if count == "15 errors in all"));
}

#[test]
fn what_cannot_be_mended_ends_the_run_at_once() {
    let fatal = RunError::fatal(Code::ModelUnauthorized, "no");
    let broken = Ending::Broken(RunFailure::new(Code::ModelUnauthorized, "no"));
    let mut thinking = agent_loop(50, 3);
    turn(&mut thinking, 1, TurnReply::Failed(fatal.clone()));
    assert_eq!(end(&mut thinking), broken);
    let mut judging = agent_loop(50, 3);
    turn(&mut judging, 1, actions(&[finish("x")]));
    judging.decide();
    judging.judged(Verdict::Missing(fatal.clone()));
    assert_eq!(end(&mut judging), broken);
    let mut looking = agent_loop(50, 3);
    looking.decide();
    looking.not_observed(fatal);
    assert_eq!(end(&mut looking), broken);
}

#[test]
fn reading_does_not_call_for_another_look() {
    let mut agent_loop = agent_loop(9, 3);
    turn(
        &mut agent_loop,
        1,
        actions(&[action("x", "search_page", &json!({"text": "x"}))]),
    );
    agent_loop.acted(StepResult::AsExpected, "");
    assert_eq!(agent_loop.decide(), Decision::Turn(1));
    assert_eq!(agent_loop.decide(), Decision::AskModel);
}
