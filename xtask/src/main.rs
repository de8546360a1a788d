//! The project's own chores: `cargo xtask help` lists them.

fn main() -> anyhow::Result<()> {
    anyhow::bail!("no chores yet")
}
