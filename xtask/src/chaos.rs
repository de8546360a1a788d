//! The chaos test of the cluster, as long as wanted.

use anyhow::Context as _;

use crate::shell;

/// Installs the NATS server and runs the test.
pub(crate) fn run(words: &[String]) -> anyhow::Result<()> {
    let (mut faults, mut runs, mut seed) = (200_u64, 2000_u64, 1_u64);
    for pair in words.chunks(2) {
        let [name, value] = pair else {
            anyhow::bail!("usage: cargo xtask chaos [--faults N] [--runs N] [--seed N]");
        };
        let number = value
            .parse()
            .with_context(|| format!("{name} takes a whole number"))?;
        match name.as_str() {
            "--faults" => faults = number,
            "--runs" => runs = number,
            "--seed" => seed = number,
            other => anyhow::bail!("chaos takes --faults, --runs and --seed, not {other:?}"),
        }
    }
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
        &[
            ("HUNTSMAN_CHAOS_FAULTS", &faults.to_string()),
            ("HUNTSMAN_CHAOS_RUNS", &runs.to_string()),
            ("HUNTSMAN_CHAOS_SEED", &seed.to_string()),
        ],
    )
}
