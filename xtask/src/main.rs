//! The project's own chores. `cargo xtask` alone lists them.

mod floors;
mod shell;
mod test;

const USAGE: &str = "\
usage: cargo xtask <chore>

  test     install what the tests need, then run every check and print the counts
  floors   compare who imports whom with the table in ARCHITECTURE.md, and look at file sizes
";

fn main() -> anyhow::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    std::env::set_current_dir(shell::workspace_root())?;
    match words.first().map(String::as_str) {
        Some("test") => test::run(),
        Some("floors") => floors::run(),
        other => {
            eprint!("{USAGE}");
            anyhow::bail!("{}", other.map_or("no chore named".into(), |name| format!("no chore is called {name:?}")))
        }
    }
}
