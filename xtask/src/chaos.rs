//! The chaos test of the cluster, as long as wanted.

use anyhow::Context as _;

use crate::shell;

/// Installs the NATS server and runs the test.
pub(crate) fn run(words: &[String]) -> anyhow::Result<()> {
    let (mut minutes, mut seed) = (5_u64, 1_u64);
    for pair in words.chunks(2) {
        let [name, value] = pair else {
            anyhow::bail!("usage: cargo xtask chaos [--minutes N] [--seed N]");
        };
        let number = value
            .parse()
            .with_context(|| format!("{name} takes a whole number"))?;
        match name.as_str() {
            "--minutes" => minutes = number,
            "--seed" => seed = number,
            other => anyhow::bail!("chaos takes --minutes and --seed, not {other:?}"),
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
            ("HUNTSMAN_CHAOS_SECONDS", &minutes.saturating_mul(60).to_string()),
            ("HUNTSMAN_CHAOS_SEED", &seed.to_string()),
        ],
    )
}
