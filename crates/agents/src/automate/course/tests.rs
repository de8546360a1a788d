//! Courses as tables.

use std::time::Duration;

use browser::{Action, Ref};

use super::*;

fn click(number: u32) -> Move {
    Move {
        id: format!("c{number}"),
        tool: "click".into(),
        doing: Doing::Act(Action::Click {
            target: Ref(number),
            times: 1,
        }),
    }
}

fn does(doing: Doing) -> Move {
    Move {
        id: "x".into(),
        tool: "x".into(),
        doing,
    }
}

fn moves(moves: &[Move]) -> Thought {
    Thought::Moves {
        moves: moves.to_vec(),
        refused: 0,
    }
}

fn course(turns: u32, answers: u32) -> Course {
    Course::new(Limits::new(turns, answers), true)
}

fn print(it: &Move) -> String {
    format!("{:?}", it.doing)
}

/// Begins the next turn, looks at this page, and gives this thought.
fn turn(course: &mut Course, page: u64, thought: Thought) -> Words {
    assert!(matches!(course.next(), Next::Turn(_)), "{course:?}");
    if course.next() == Next::Look {
        course.looked(page);
    }
    assert_eq!(course.next(), Next::Think);
    course.thought(thought, print)
}

fn end(course: &mut Course) -> Ending {
    match course.next() {
        Next::End(ending) => ending,
        other => panic!("not at its end: {other:?}"),
    }
}

#[test]
fn an_accepted_answer_ends_the_run() {
    let mut course = course(9, 3);
    turn(&mut course, 1, moves(&[click(1)]));
    assert_eq!(course.next(), Next::Do(click(1)));
    course.did(Deed::Surprise, "");
    turn(&mut course, 2, moves(&[does(Doing::Done("42".into()))]));
    let judge = Next::Judge {
        answer: "42".into(),
        attempt: 1,
    };
    assert_eq!(course.next(), judge);
    course.judged(Verdict::Accepted);
    assert_eq!(end(&mut course), Ending::Accepted("42".into()));
    assert_eq!((course.turns(), course.actions()), (2, 1));
}

#[test]
fn no_answer_is_accepted_because_the_attempts_are_used_up() {
    let mut course = course(9, 2);
    for attempt in 1..=2 {
        turn(&mut course, 1, moves(&[does(Doing::Done("41".into()))]));
        let judge = Next::Judge {
            answer: "41".into(),
            attempt,
        };
        assert_eq!(course.next(), judge);
        course.judged(Verdict::Refused("it is 42".into()));
    }
    let rejected = Ending::Rejected {
        answer: "41".into(),
        feedback: "it is 42".into(),
    };
    assert_eq!(end(&mut course), rejected);
}

#[test]
fn a_run_out_of_turns_keeps_its_last_answer() {
    let mut course = course(1, 3);
    turn(&mut course, 1, moves(&[does(Doing::Done("41".into()))]));
    course.next();
    course.judged(Verdict::Refused("no".into()));
    assert_eq!(end(&mut course), Ending::OutOfTurns(Some("41".into())));
}

#[test]
fn several_moves_are_done_in_order_up_to_the_first_surprise() {
    for (deed, why) in [
        (
            Deed::Surprise,
            "not done: the page has changed since it was decided; look again",
        ),
        (Deed::Failed, "not done: a call before it failed"),
    ] {
        let mut course = course(9, 3);
        turn(&mut course, 1, moves(&[click(1), click(2), click(3)]));
        assert_eq!(course.next(), Next::Do(click(1)));
        assert_eq!(course.did(Deed::Quiet, ""), Words::default());
        assert_eq!(course.next(), Next::Do(click(2)));
        let words = course.did(deed, "x");
        assert_eq!(words.skipped, [("c3".to_owned(), why.to_owned())]);
        assert_eq!(course.next(), Next::Turn(1));
        assert_eq!(course.next(), Next::Look);
    }
}

#[test]
fn an_end_beside_other_calls_waits_for_their_result() {
    let done = does(Doing::Done("42".into()));
    let mut first = course(9, 3);
    let words = turn(&mut first, 1, moves(&[click(1), done.clone()]));
    assert_eq!(words.skipped.len(), 1);
    assert_eq!(first.next(), Next::Do(click(1)));
    let mut second = course(9, 3);
    let words = turn(&mut second, 1, moves(&[done, click(1)]));
    assert_eq!(
        words.skipped,
        [(
            "c1".to_owned(),
            "not done: the turn was finished before it".to_owned()
        )]
    );
    assert!(matches!(second.next(), Next::Judge { .. }));
}

#[test]
fn the_same_move_on_the_same_page_is_warned_of_and_then_ends_the_run() {
    let mut course = course(50, 3);
    let mut warnings = Vec::new();
    for count in 1..=4 {
        let words = turn(&mut course, 7, moves(&[click(1)]));
        warnings.push(words.warning.is_some());
        assert_eq!(course.next(), Next::Do(click(1)), "{count}");
        course.did(Deed::Quiet, "");
    }
    assert_eq!(warnings, [false, false, false, true]);
    let words = turn(&mut course, 7, moves(&[click(1), click(2)]));
    assert_eq!(words.skipped.len(), 2);
    assert!(matches!(end(&mut course), Ending::Repeating(reason) if reason.contains("5 times")));
}

#[test]
fn what_changes_the_page_may_be_repeated() {
    let mut course = course(50, 3);
    for page in 0..20 {
        assert_eq!(turn(&mut course, page, moves(&[click(1)])), Words::default());
        course.did(Deed::Quiet, "");
    }
    for _ in 0..20 {
        let wait = does(Doing::Pause(Duration::ZERO));
        assert_eq!(turn(&mut course, 1, moves(&[wait])), Words::default());
        course.did(Deed::Quiet, "");
    }
}

#[test]
fn errors_are_counted_in_a_row_and_in_all() {
    let passing = || {
        Thought::Failed(Trouble {
            code: "LLM_TIMEOUT".into(),
            text: "too slow".into(),
            fatal: false,
        })
    };
    let mut row = course(50, 3);
    for _ in 0..4 {
        turn(&mut row, 1, passing());
    }
    turn(
        &mut row,
        1,
        Thought::Moves {
            moves: Vec::new(),
            refused: 2,
        },
    );
    assert!(matches!(end(&mut row), Ending::TooManyErrors { count, .. } if count == "5 errors in a row"));
    let mut all = course(50, 3);
    for page in 0..15 {
        turn(&mut all, page, moves(&[click(1)]));
        all.did(if page % 2 == 0 { Deed::Failed } else { Deed::Quiet }, "stale");
    }
    for page in 20..40 {
        if matches!(all.state, State::Over(_)) {
            break;
        }
        turn(&mut all, page, moves(&[click(1)]));
        all.did(if page % 4 == 0 { Deed::Quiet } else { Deed::Failed }, "stale");
    }
    assert!(matches!(end(&mut all), Ending::TooManyErrors { count, .. } if count == "15 errors in all"));
}

#[test]
fn what_cannot_be_mended_ends_the_run_at_once() {
    let fatal = Trouble {
        code: "LLM_UNAUTHORIZED".into(),
        text: "no".into(),
        fatal: true,
    };
    let broken = Ending::Broken {
        code: "LLM_UNAUTHORIZED".into(),
        text: "no".into(),
    };
    let mut thinking = course(50, 3);
    turn(&mut thinking, 1, Thought::Failed(fatal.clone()));
    assert_eq!(end(&mut thinking), broken);
    let mut judging = course(50, 3);
    turn(&mut judging, 1, moves(&[does(Doing::Done("x".into()))]));
    judging.next();
    judging.judged(Verdict::Missing(fatal.clone()));
    assert_eq!(end(&mut judging), broken);
    let mut looking = course(50, 3);
    looking.next();
    looking.blind(fatal);
    assert_eq!(end(&mut looking), broken);
}

#[test]
fn reading_does_not_call_for_another_look() {
    let mut course = course(9, 3);
    turn(&mut course, 1, moves(&[does(Doing::Search("x".into()))]));
    course.did(Deed::Quiet, "");
    assert_eq!(course.next(), Next::Turn(1));
    assert_eq!(course.next(), Next::Think);
}
