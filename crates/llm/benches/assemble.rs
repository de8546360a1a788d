//! Cost of assembling an answer, compared with one parse of the same arguments.
//!
//! CPU time of the fastest of several rounds. For comparison the habit of parsing everything again after each delta is
//! sampled and extrapolated.

use std::time::{Duration, Instant};

use llm::assemble::{Assembler, AssemblerOptions};
use llm::delta::{CallArguments, Fragment, Place};
use llm::{Delta, Part, ToolEffects, ToolSet, ToolSpec};
use serde_json::{Value, json};

const BYTES: usize = 1_330_000;
const DELTAS: usize = 110_000;
const ROUNDS: usize = 7;
const RUNS: u32 = 4;

fn arguments(bytes: usize) -> String {
    let mut text = String::from("{\"rows\":[");
    let mut nth = 0_usize;
    while text.len() < bytes {
        if nth > 0 {
            text.push(',');
        }
        text.push_str(&format!("{{\"id\":{nth},\"title\":\"Row number {nth} with a \\\"quoted\\\" word\",\"price\":{}.5,\"tags\":[\"a\",\"b\"]}}", nth % 997));
        nth += 1;
    }
    text.push_str("]}");
    text
}

/// The text in pieces. It is ASCII, so it can be cut anywhere.
fn pieces(text: &str, count: usize) -> Vec<&str> {
    let step = text.len().div_ceil(count);
    (0..text.len())
        .step_by(step)
        .filter_map(|at| text.get(at..(at + step).min(text.len())))
        .collect()
}

fn delta(nth: usize, piece: &str) -> Delta {
    Delta::of(Part::Call(Fragment {
        id: (nth == 0).then(|| "call_1".to_owned()),
        name: (nth == 0).then(|| "store".to_owned()),
        arguments: Some(CallArguments::Fragment(piece.to_owned())),
        ..Fragment::at(Place::Loose {
            index: Some(0),
            position: 0,
        })
    }))
}

/// The CPU time of this thread, where the system tells it (Linux: `schedstat`, in nanoseconds), else the clock's.
fn now(started: Instant) -> Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos = told.and_then(|it| it.split_whitespace().next()?.parse().ok());
    nanos.map_or_else(|| started.elapsed(), Duration::from_nanos)
}

/// The CPU time of one run, from several in a row, because the system counts in steps.
fn cost(mut run: impl FnMut()) -> Duration {
    let started = Instant::now();
    let start = now(started);
    (0..RUNS).for_each(|_| run());
    now(started).saturating_sub(start) / RUNS
}

fn assemble(offer: &ToolSet, pieces: &[&str]) {
    let mut assembler = Assembler::new(offer.clone(), AssemblerOptions::default());
    for (nth, piece) in pieces.iter().enumerate() {
        assembler.push(delta(nth, piece));
    }
    assembler.push(Delta::of(Part::End));
    let turn = assembler.finish();
    assert!(turn.is_ok_and(|turn| turn.whole_calls().count() == 1));
}

fn main() {
    let text = arguments(BYTES);
    let tool = ToolSpec::new(
        "store",
        "",
        json!({"type": "object", "properties": {"rows": {}}}),
        ToolEffects::Read,
    );
    let offer = ToolSet::new([tool]);
    let twice = arguments(BYTES * 2);
    let (short, long) = (pieces(&text, DELTAS), pieces(&twice, DELTAS * 2));
    let [mut parse, mut parse_twice, mut once, mut doubled] = [Duration::MAX; 4];
    // In turn, so that a busy machine slows all alike; the fastest round of each counts.
    for _ in 0..ROUNDS {
        parse = parse.min(cost(|| assert!(serde_json::from_str::<Value>(&text).is_ok())));
        parse_twice = parse_twice.min(cost(|| assert!(serde_json::from_str::<Value>(&twice).is_ok())));
        once = once.min(cost(|| assemble(&offer, &short)));
        doubled = doubled.min(cost(|| assemble(&offer, &long)));
    }
    let step = text.len() / DELTAS;
    let samples = 24;
    let naive: Duration = (1..=samples)
        .map(|nth| {
            let upto = text.get(..nth * text.len() / samples).unwrap_or(&text);
            let started = Instant::now();
            let start = now(started);
            let _ = std::hint::black_box(serde_json::from_str::<Value>(upto));
            now(started).saturating_sub(start)
        })
        .sum();
    let naive = naive.mul_f64(DELTAS as f64 / samples as f64);
    let ratio = |one: Duration, other: Duration| one.as_secs_f64() / other.as_secs_f64();
    println!(
        "arguments: {} bytes in {DELTAS} deltas of about {step} bytes",
        text.len()
    );
    println!("one parse of the whole      {parse:>12.2?}");
    println!(
        "assembling                  {once:>12.2?}   {:.2} parses (at most 3)",
        ratio(once, parse)
    );
    println!(
        "twice the length            {doubled:>12.2?}   {:.2} times (at most 2.2; a parse: {:.2} times)",
        ratio(doubled, once),
        ratio(parse_twice, parse)
    );
    println!(
        "parsing after every delta   {naive:>12.2?}   {:.0} parses (extrapolated from {samples})",
        ratio(naive, parse)
    );
}
