//! Which calls may run, and when.

use llm::assemble::AssemblerOptions;
use llm::delta::{CallArguments, Fragment, Place};
use llm::{
    Assembler, Delta, FinishReason, Malformed, ModelAnswer, Part, Repair, ToolEffects, ToolSet, ToolSpec,
};
use serde_json::json;

fn offer() -> ToolSet {
    let schema = json!({"type": "object", "properties": {"a": {}}});
    ToolSet::new([
        ToolSpec::new("look", "", schema.clone(), ToolEffects::Read),
        ToolSpec::new("set", "", schema.clone(), ToolEffects::Idempotent),
        ToolSpec::new("pay", "", schema, ToolEffects::Act),
        ToolSpec::new("shot", "", json!({"type": "object"}), ToolEffects::Act),
    ])
}

fn piece(index: i64, name: &str, arguments: &str) -> Delta {
    Delta::of(Part::Call(Fragment {
        id: Some(format!("id{index}")),
        name: Some(name.to_owned()),
        arguments: Some(CallArguments::Fragment(arguments.to_owned())),
        ..Fragment::at(Place::Loose {
            index: Some(index),
            position: 0,
        })
    }))
}

fn turn(rules: AssemblerOptions, deltas: impl IntoIterator<Item = Delta>) -> ModelAnswer {
    let mut assembler = Assembler::new(offer(), rules);
    deltas.into_iter().for_each(|delta| assembler.push(delta));
    assembler.push(Delta::of(Part::Finish(FinishReason::ToolCalls)));
    assembler.push(Delta::of(Part::End));
    assembler.finish().expect("a turn")
}

fn outcome(turn: &ModelAnswer) -> Vec<Result<Option<Repair>, Malformed>> {
    turn.calls
        .iter()
        .map(|call| call.as_ref().map(|it| it.repair()).map_err(|it| it.why.clone()))
        .collect()
}

#[test]
fn a_risky_repair_runs_only_where_running_it_wrongly_does_no_harm() {
    for (arguments, repair) in [
        ("{\"a\":1", Repair::ClosedBraces),
        ("{\"a\":1}{\"a\":2}", Repair::Split),
    ] {
        for (name, harmless) in [("look", true), ("set", true), ("pay", false)] {
            let got = outcome(&turn(AssemblerOptions::default(), [piece(0, name, arguments)]));
            if harmless {
                assert!(
                    got.iter().all(|it| *it == Ok(Some(repair))),
                    "{name} {arguments}: {got:?}"
                );
            } else {
                assert_eq!(got, [Err(Malformed::UnsafeRepair(repair))], "{name} {arguments}");
            }
        }
    }
    let harmless = outcome(&turn(
        AssemblerOptions::default(),
        [piece(0, "pay", "{\"a\":1}</tool_call>")],
    ));
    assert_eq!(
        harmless,
        [Ok(Some(Repair::TrailingGarbage))],
        "nothing of the object itself was touched"
    );
}

#[test]
fn with_repairs_off_only_what_needs_none_runs() {
    let rules = || AssemblerOptions {
        repair: false,
        ..AssemblerOptions::default()
    };
    for mended in [
        "{\"a\":1",
        "{}{\"a\":1}",
        "\"{\\\"a\\\":1}\"",
        "{\"a\":1}</s>",
        "```json\n{\"a\":1}\n```",
        "",
    ] {
        let got = outcome(&turn(rules(), [piece(0, "look", mended)]));
        assert!(
            matches!(got.as_slice(), [Err(Malformed::RepairOff(_))]),
            "{mended}: {got:?}"
        );
    }
    assert_eq!(
        outcome(&turn(rules(), [piece(0, "look", "{\"a\":1}")])),
        [Ok(None)]
    );
    assert_eq!(
        outcome(&turn(rules(), [piece(0, "shot", "")])),
        [Ok(Some(Repair::EmptyArgs))],
        "nothing is missing"
    );
}

#[test]
fn more_calls_than_a_turn_may_hold_are_refused_with_the_reason() {
    let all = (0..200).map(|index| piece(index, "look", &format!("{{\"a\":{index}}}")));
    let got = outcome(&turn(AssemblerOptions::default(), all));
    assert_eq!(got.iter().filter(|it| it.is_ok()).count(), 64);
    assert_eq!(got[64..], vec![Err(Malformed::TooManyCalls { limit: 64 }); 136]);
}

#[test]
fn calls_are_given_out_once_as_soon_as_the_wire_closed_them() {
    let open = |block: u32, name: &str| {
        Delta::of(Part::Call(Fragment {
            id: Some(name.into()),
            name: Some(name.into()),
            ..Fragment::at(Place::Block(block))
        }))
    };
    let grow = |block: u32, text: &str| {
        let arguments = Some(CallArguments::Fragment(text.into()));
        Delta::of(Part::Call(Fragment {
            arguments,
            ..Fragment::at(Place::Block(block))
        }))
    };
    let mut assembler = Assembler::new(offer(), AssemblerOptions::default());
    let mut given = Vec::new();
    for (chunk, delta) in [
        open(0, "look"),
        grow(0, "{}"),
        open(1, "pay"),
        grow(1, "{\"a\":1"),
        Delta::of(Part::Seal(0)),
        grow(1, "}"),
        open(2, "look"),
        grow(2, "{\"a\":[1]}"),
        Delta::of(Part::Seal(2)),
        Delta::of(Part::Seal(1)),
        Delta::of(Part::End),
    ]
    .into_iter()
    .enumerate()
    {
        assembler.push(delta);
        given.extend(assembler.take_ready().into_iter().map(|call| (chunk, call)));
    }
    let order: Vec<(usize, &str)> = given.iter().map(|(chunk, call)| (*chunk, call.name())).collect();
    assert_eq!(order, [(4, "look"), (8, "look"), (9, "pay")]);
    let turn = assembler.finish().expect("a turn");
    let mut ids: Vec<&str> = turn.whole_calls().map(llm::ToolCall::id).collect();
    let mut given: Vec<&str> = given.iter().map(|(_, call)| call.id()).collect();
    ids.sort_unstable();
    given.sort_unstable();
    assert_eq!(ids, given, "the turn has the very calls that were given out");
}
