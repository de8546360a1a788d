//! What does assembling cost, next to one parse of the same arguments?
//!
//! CPU time of the fastest of several rounds. For comparison the habit of parsing everything again after each delta is
//! sampled and extrapolated.

use std::time::{Duration, Instant};

use llm::assemble::{Assembler, Rules};
use llm::delta::{Arguments, Fragment, Place};
use llm::{Delta, Effects, Offer, Offered, Part};
use serde_json::{Value, json};

const BYTES: usize = 1_330_000;
const DELTAS: usize = 110_000;
const ROUNDS: usize = 9;

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

fn deltas(text: &str, count: usize) -> Vec<Delta> {
    let step = text.len().div_ceil(count);
    let pieces = text
        .as_bytes()
        .chunks(step)
        .map(|it| String::from_utf8_lossy(it).into_owned());
    let mut first = true;
    let mut deltas: Vec<Delta> = pieces
        .map(|piece| {
            let opening = std::mem::take(&mut first);
            Delta::of(Part::Call(Fragment {
                id: opening.then(|| "call_1".to_owned()),
                name: opening.then(|| "store".to_owned()),
                arguments: Some(Arguments::Fragment(piece)),
                ..Fragment::at(Place::Loose {
                    index: Some(0),
                    position: 0,
                })
            }))
        })
        .collect();
    deltas.push(Delta::of(Part::End));
    deltas
}

/// The fastest of some rounds; `prepare` is not counted.
fn fastest<I>(mut prepare: impl FnMut() -> I, mut run: impl FnMut(I)) -> Duration {
    (0..ROUNDS)
        .map(|_| {
            let input = prepare();
            let start = Instant::now();
            run(input);
            start.elapsed()
        })
        .min()
        .unwrap_or_default()
}

fn assemble(text: &str, count: usize) -> Duration {
    let tool = Offered::new(
        "store",
        "",
        json!({"type": "object", "properties": {"rows": {}}}),
        Effects::Read,
    );
    let offer = Offer::new([tool]);
    let all = deltas(text, count);
    fastest(
        || all.clone(),
        |deltas| {
            let mut assembler = Assembler::new(offer.clone(), Rules::default());
            for delta in deltas {
                assembler.push(delta);
            }
            let turn = assembler.finish();
            assert!(turn.is_ok_and(|turn| turn.whole_calls().count() == 1));
        },
    )
}

fn main() {
    let text = arguments(BYTES);
    let parse = fastest(|| (), |()| assert!(serde_json::from_str::<Value>(&text).is_ok()));
    let once = assemble(&text, DELTAS);
    let doubled = assemble(&arguments(BYTES * 2), DELTAS * 2);
    let step = text.len() / DELTAS;
    let samples = 24;
    let naive: Duration = (1..=samples)
        .map(|nth| {
            let upto = text.get(..nth * text.len() / samples).unwrap_or(&text);
            let start = Instant::now();
            let _ = std::hint::black_box(serde_json::from_str::<Value>(upto));
            start.elapsed()
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
        "twice the length            {doubled:>12.2?}   {:.2} times (at most 2.2)",
        ratio(doubled, once)
    );
    println!(
        "parsing after every delta   {naive:>12.2?}   {:.0} parses (extrapolated from {samples})",
        ratio(naive, parse)
    );
}
