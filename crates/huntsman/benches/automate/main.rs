//! What a run of the browser agent costs: an order in a shop, by a model that answers at once from a script.
//!
//! `cargo bench --profile fast -p huntsman --bench automate -- [RUNS] [--no-sandbox] [--peer "NAME=COMMAND"]...`
//! (`--no-sandbox` as root). The server is a process of its own with a real Chromium; every request goes over HTTP, the
//! model's answers come as an event stream. Told are, for each turn: processor time, Chromium's apart (from /proc), and
//! wall time; of a whole run: the tokens of all prompts by o200k_base, and how much of each prompt repeats the one before;
//! the server's memory with one session and with more of them at once. Beside each figure stands what is aimed at.
//!
//! A peer is a program that takes `--port N --llm URL` and answers `POST /v1/automate` with `{"task", "url"}` in its body;
//! its model speaks the chat completions of OpenAI. It is measured in the same way on the same shop.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod meter;
mod script;
mod server;
mod shop;

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::Value;
use testkit::scripted::ProviderAnswer;
use testkit::{ScriptedProvider, TestSite};

use crate::meter::Spent;
use crate::server::Server;

/// Sessions at once when memory is measured.
const AT_ONCE: [usize; 4] = [1, 2, 4, 8];

/// A request to the model.
struct Prompt {
    run: usize,
    at: Instant,
    spent: Spent,
    body: Value,
}

/// The prompts of a server, and the model that gets them.
struct Model {
    prompts: Arc<Mutex<Vec<Prompt>>>,
    pid: Arc<Mutex<u32>>,
    provider: ScriptedProvider,
}

impl Model {
    async fn start() -> Self {
        let (prompts, pid) = (Arc::<Mutex<Vec<Prompt>>>::default(), Arc::<Mutex<u32>>::default());
        let (log, server) = (Arc::clone(&prompts), Arc::clone(&pid));
        let script = script::Script::default();
        let provider = ScriptedProvider::start(move |exchange, _| {
            let turn = script.answer(&exchange.body);
            // A plan stands before the turns of its run, a verdict behind them.
            let run = turn
                .as_ref()
                .map(|(run, _)| *run)
                .or_else(|| script::run_of(&exchange.body));
            log.lock().unwrap().push(Prompt {
                run: run.unwrap_or(usize::MAX),
                at: Instant::now(),
                spent: Spent::of(*server.lock().unwrap()),
                body: exchange.body.clone(),
            });
            match turn {
                Some((_, said)) => ProviderAnswer::Turn(said, 0),
                None => ProviderAnswer::Turn(script::aside(&exchange.body), 0),
            }
        })
        .await;
        Self {
            prompts,
            pid,
            provider,
        }
    }
}

#[tokio::main]
async fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let runs: usize = words.iter().find_map(|word| word.parse().ok()).unwrap_or(10);
    let sandbox = !words.iter().any(|word| word == "--no-sandbox");
    let site = TestSite::start(|asked| shop::answer(&asked.path)).await;
    let model = Model::start().await;
    let server = Server::ours(&model.provider.base_url(), sandbox);
    *model.pid.lock().unwrap() = server.pid();
    let idle = Spent::of(server.pid()).resident;
    let right = orders(&server, &site, 0, runs).await;
    println!("huntsman\n  orders            {right} of {runs} right");
    assert!(
        model.provider.faults().is_empty(),
        "{:?}",
        model.provider.faults()
    );
    let ours = tell(&model.prompts.lock().unwrap(), runs);
    ours.print(Some(&AIMS));
    let mut most = Vec::new();
    let mut next = runs + 1;
    for count in AT_ONCE {
        most.push(at_once(&server, &site, next, count).await);
        next += count;
    }
    let first = most.first().copied().unwrap_or(0.0);
    let last = most.last().copied().unwrap_or(0.0);
    println!("  memory            {idle:.1} MB at the start");
    for (count, most) in AT_ONCE.iter().zip(&most) {
        println!("                    {most:.1} MB at most with {count} sessions at once");
    }
    println!("                    {}", aim(first, 30.0, "MB with one session"));
    println!(
        "                    {}",
        aim(
            (last - first) / (AT_ONCE[3] - 1) as f64,
            3.0,
            "MB for each further session"
        )
    );
    drop(server);
    for at in words
        .iter()
        .enumerate()
        .filter(|(_, word)| *word == "--peer")
        .map(|(at, _)| at)
    {
        let (name, command) = words
            .get(at + 1)
            .and_then(|word| word.split_once('='))
            .expect("--peer NAME=COMMAND");
        let model = Model::start().await;
        let url = model.provider.base_url();
        let peer = Server::peer(command, url.trim_end_matches("/v1")).await;
        *model.pid.lock().unwrap() = peer.pid();
        let runs = runs.min(3);
        let right = orders(&peer, &site, 1000, runs).await;
        println!("{name}\n  orders            {right} of {runs} right");
        let prompts = model.prompts.lock().unwrap();
        let theirs = tell_from(&prompts, 1000, runs);
        theirs.print(None);
        let most = prompts.iter().map(|it| it.spent.resident).fold(0.0, f64::max);
        println!("  memory            {most:.1} MB at most");
        println!(
            "  huntsman takes    {:.2} of its CPU, {:.2} of its Chromium's, {:.2} of its wall time, {:.2} of its tokens",
            ours.cpu / theirs.cpu,
            ours.chromium / theirs.chromium,
            ours.wall / theirs.wall,
            ours.tokens as f64 / theirs.tokens as f64
        );
    }
}

/// Does a first run, which starts the browser and is not counted, and then so many; says how many orders came in right.
async fn orders(server: &Server, site: &TestSite, first: usize, runs: usize) -> usize {
    let mut right = 0;
    for run in first..=first + runs {
        let url = site.url(&format!("/?run={run}"));
        let ended = server.automate(script::task(run), url).await;
        let asked = site.asked();
        let ordered = asked
            .iter()
            .any(|asked| shop::is_order(run, &asked.path, &asked.body));
        right += usize::from(run > first && ended && ordered);
    }
    right
}

/// The most memory of the server while so many sessions are under way at once, in MB.
async fn at_once(server: &Server, site: &TestSite, first: usize, count: usize) -> f64 {
    let sessions: Vec<_> = (first..first + count)
        .map(|run| {
            let url = site.url(&format!("/?run={run}"));
            tokio::spawn(server.automate(script::task(run), url))
        })
        .collect();
    let mut most = 0.0_f64;
    while !sessions.iter().all(tokio::task::JoinHandle::is_finished) {
        most = most.max(meter::resident(server.pid()));
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    for session in sessions {
        assert!(session.await.unwrap(), "a session among {count} did not end well");
    }
    most
}

/// What is aimed at: our milliseconds of a turn, tokens of a run, and the part of a prompt that repeats the one before.
const AIMS: (f64, f64, f64) = (10.0, 100_000.0, 0.85);

/// A figure beside its aim.
fn aim(figure: f64, most: f64, what: &str) -> String {
    format!(
        "{figure:.1} {what} (aim: at most {most}; {:.2} of it)",
        figure / most
    )
}

/// What runs cost.
#[derive(Debug, Default)]
struct Costs {
    turns: usize,
    cpu: f64,
    chromium: f64,
    wall: f64,
    mean_wall: f64,
    tokens: usize,
    largest: usize,
    repeats: f64,
    repeats_of_turns: f64,
}

impl Costs {
    fn print(&self, aims: Option<&(f64, f64, f64)>) {
        let of = |what: &str| aims.map_or_else(String::new, |_| what.to_owned());
        println!(
            "  a turn            {:.1} ms of CPU{}, {:.0} ms of Chromium's, {:.0} ms wall (median; mean {:.0}); {} turns a run",
            self.cpu,
            aims.map_or_else(String::new, |(ms, ..)| format!(
                " (aim: {ms}; {:.2} of it)",
                self.cpu / ms
            )),
            self.chromium,
            self.wall,
            self.mean_wall,
            self.turns
        );
        println!(
            "  prompts of a run  {} tokens in all{}, the largest {}",
            self.tokens,
            aims.map_or_else(String::new, |(_, tokens, _)| format!(
                " (aim: {tokens}; {:.2} of it)",
                self.tokens as f64 / tokens
            )),
            self.largest
        );
        println!(
            "                    {:.3} of each turn's repeats the one before{}; {:.3} with plan and verdict",
            self.repeats_of_turns,
            of(" (aim: 0.85)"),
            self.repeats
        );
    }
}

fn tell(prompts: &[Prompt], runs: usize) -> Costs {
    tell_from(prompts, 0, runs)
}

/// The costs of the runs after the first one, which is not counted.
fn tell_from(prompts: &[Prompt], first: usize, runs: usize) -> Costs {
    let tokens = meter::Tokens::default();
    let mut by_run: HashMap<usize, Vec<&Prompt>> = HashMap::new();
    for prompt in prompts {
        by_run.entry(prompt.run).or_default().push(prompt);
    }
    let (mut totals, mut wall) = (Vec::new(), Vec::new());
    let (mut all, mut turns): (Vec<f64>, Vec<f64>) = (Vec::new(), Vec::new());
    let mut costs = Costs::default();
    for run in first + 1..=first + runs {
        let own = by_run.get(&run).map(Vec::as_slice).unwrap_or_default();
        let texts: Vec<String> = own.iter().map(|it| meter::text(&it.body)).collect();
        let counts: Vec<usize> = texts.iter().map(|it| tokens.count(it)).collect();
        totals.push(counts.iter().sum::<usize>());
        costs.largest = costs.largest.max(counts.iter().copied().max().unwrap_or(0));
        let is_turn = |at: usize| own[at].body.get("tools").is_some();
        for at in 1..own.len() {
            let same = tokens.count(meter::common(&texts[at - 1], &texts[at]));
            let share = same as f64 / counts[at] as f64;
            all.push(share);
            if is_turn(at - 1) && is_turn(at) {
                turns.push(share);
                wall.push((own[at].at - own[at - 1].at).as_secs_f64() * 1e3);
                costs.cpu += own[at].spent.ours - own[at - 1].spent.ours;
                costs.chromium += own[at].spent.chromium - own[at - 1].spent.chromium;
            }
        }
    }
    let mean = |of: &[f64]| of.iter().sum::<f64>() / of.len().max(1) as f64;
    wall.sort_by(f64::total_cmp);
    totals.sort_unstable();
    let steps = turns.len().max(1) as f64;
    costs.cpu *= 1e3 / steps;
    costs.chromium *= 1e3 / steps;
    costs.wall = wall.get(wall.len() / 2).copied().unwrap_or(0.0);
    costs.mean_wall = mean(&wall);
    costs.tokens = totals.get(totals.len() / 2).copied().unwrap_or(0);
    costs.repeats = mean(&all);
    costs.repeats_of_turns = mean(&turns);
    costs.turns = turns.len() / runs.max(1) + 1;
    costs
}
