//! The official Python and TypeScript clients of the `/v1` contract, run against our server.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Python with the client in it, installed by `tools/sdk/install.sh` when it is not there yet.
pub fn python() -> PathBuf {
    install("sdk/install.sh").join(".cache/sdk/bin/python")
}

/// The folder of the TypeScript client, installed by `tools/sdk/install-node.sh` when it is not there yet.
pub fn node_modules() -> PathBuf {
    install("sdk/install-node.sh").join(".cache/sdk-node/node_modules")
}

/// Runs a script of `tools`, and gives the folder of the workspace.
fn install(script: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .expect("the workspace");
    let script = root.join("tools").join(script);
    let status = Command::new(&script).status().expect("a shell");
    assert!(status.success(), "{} ended with {status}", script.display());
    root
}

/// Runs a script of the crate under test against the server at `base`, which ends in `/v1`; `words` are its arguments.
pub fn run(script: &str, base: &str, words: &[&str]) -> Output {
    run_in(Command::new(python()), script, base, words)
}

/// The same for the TypeScript client, which needs `npm` on the machine.
pub fn run_node(script: &str, base: &str, words: &[&str]) -> Output {
    let root = install("sdk/install-node.sh");
    let mut command = Command::new("node");
    command.env("SDK_FOLDER", root.join(".cache/sdk-node"));
    run_in(command, script, base, words)
}

/// The same for the clients of the Model Context Protocol that `tools/mcp-clients/install.sh` installs: Node for a script of
/// JavaScript, else Python.
pub fn run_mcp_client(script: &str, base: &str, words: &[&str]) -> Output {
    let folder = install("mcp-clients/install.sh").join(".cache/mcp-clients");
    let is_script_of_node = Path::new(script).extension().is_some_and(|it| it == "mjs");
    let program = match is_script_of_node {
        true => "node_modules/node/bin/node",
        false => "python/bin/python",
    };
    let mut command = Command::new(folder.join(program));
    command.env("SDK_FOLDER", folder);
    run_in(command, script, base, words)
}

/// Runs a script of Node with Playwright and axe-core, which `tools/console/install.sh` installs; `given` is its argument.
pub fn run_console_script(script: &str, given: &str) -> Output {
    let folder = install("console/install.sh").join(".cache/console");
    let mut command = Command::new("node");
    command.arg(script).arg(given).env("CONSOLE_TOOLS", folder);
    command.output().expect("node")
}

fn run_in(mut command: Command, script: &str, base: &str, words: &[&str]) -> Output {
    command
        .arg(script)
        .args(words)
        // Compiled scripts would lie beside those in the repository.
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("TABSTACK_BASE_URL", base)
        .env("TABSTACK_API_KEY", "a-key-of-the-tests");
    command.output().expect("the script's program")
}
