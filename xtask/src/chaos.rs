//! The chaos test of the cluster, as long as wanted.

use anyhow::Context as _;

use crate::shell;

/// Installs the NATS server and runs the test.
pub(crate) fn run(words: &[String]) -> anyhow::Result<()> {
    let (mut faults, mut runs, mut seed) = (200_u64, 2000_u64, 1_u64);
    let mut only = None;
    for pair in words.chunks(2) {
        let [name, value] = pair else {
            anyhow::bail!("usage: cargo xtask chaos [--faults N] [--runs N] [--seed N] [--only FAULT,...]");
        };
        if name == "--only" {
            only = Some(("HUNTSMAN_CHAOS_ONLY", value.as_str()));
            continue;
        }
        let number = value
            .parse()
            .with_context(|| format!("{name} takes a whole number"))?;
        match name.as_str() {
            "--faults" => faults = number,
            "--runs" => runs = number,
            "--seed" => seed = number,
            other => anyhow::bail!("chaos takes --faults, --runs, --seed and --only, not {other:?}"),
        }
    }
    let numbers = [faults, runs, seed].map(|number| number.to_string());
    let names = ["HUNTSMAN_CHAOS_FAULTS", "HUNTSMAN_CHAOS_RUNS", "HUNTSMAN_CHAOS_SEED"];
    let mut variables: Vec<(&str, &str)> = names
        .into_iter()
        .zip(numbers.iter().map(String::as_str))
        .collect();
    variables.extend(only);
    shell::run("tools/nats/install.sh", &[])?;
    shell::run_with(
        "cargo",
        &[
            "test",
            "--workspace",
            "--test",
            "cluster",
            "chaos",
            "--",
            "--ignored",
            "--nocapture",
        ],
        &variables,
    )
}
