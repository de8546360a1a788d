//! The conformance suite of the Model Context Protocol, against our server and our client.

use crate::{schemathesis, shell};

/// Scenarios of a client that speaks to a server without logins.
const CLIENT_SCENARIOS: [&str; 3] = ["initialize", "tools_call", "sse-retry"];

/// Builds the program, and runs the suite's scenarios of servers and of clients. What does not apply stands, with its reason,
/// in `tools/mcp-conformance/expected.yml`.
pub(crate) fn run() -> anyhow::Result<()> {
    shell::run("tools/mcp-conformance/install.sh", &[])?;
    shell::run("cargo", &["build", "--workspace", "--bin", "huntsman"])?;
    let address = schemathesis::free_address()?;
    let server = schemathesis::start(&address)?;
    suite(&["server", "--url", &format!("http://{address}/mcp")])?;
    drop(server);
    for scenario in CLIENT_SCENARIOS {
        suite(&[
            "client",
            "--command",
            "tools/mcp-conformance/client.sh",
            "--scenario",
            scenario,
        ])?;
    }
    Ok(())
}

fn suite(words: &[&str]) -> anyhow::Result<()> {
    let suite = ".cache/mcp-conformance/node_modules/@modelcontextprotocol/conformance/dist/index.js";
    let expected = ["--expected-failures", "tools/mcp-conformance/expected.yml"];
    let program = std::path::absolute("target/debug/huntsman")?;
    shell::run_with(
        ".cache/mcp-conformance/node_modules/node/bin/node",
        &[&[suite], words, &expected].concat(),
        &[("HUNTSMAN", &program.to_string_lossy())],
    )
}
