//! What to paste into each MCP client, in the format that its documentation names.

use clap::ValueEnum;
use serde_json::{Value, json};
use url::Url;

/// A client whose configuration is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum McpClient {
    /// Claude Code: a command.
    ClaudeCode,
    /// Claude Desktop: claude_desktop_config.json.
    ClaudeDesktop,
    /// Cursor: .cursor/mcp.json.
    Cursor,
    /// VS Code: .vscode/mcp.json.
    Vscode,
    /// Codex: config.toml.
    Codex,
}

/// The variable that holds the key of a server which asks for one.
const KEY_VARIABLE: &str = "HUNTSMAN_API_KEY";

impl McpClient {
    /// What to paste, under a line that says where: to start this program, or to ask the server at `url`.
    pub(super) fn config(self, program: &str, url: Option<&Url>) -> String {
        match self {
            Self::ClaudeCode => claude_code(program, url),
            Self::ClaudeDesktop => claude_desktop(program, url),
            Self::Cursor => {
                let server = url.map_or_else(
                    || process(program),
                    |url| remote(url, &format!("${{env:{KEY_VARIABLE}}}")),
                );
                file(
                    "~/.cursor/mcp.json, or .cursor/mcp.json of a project",
                    "mcpServers",
                    &server,
                )
            }
            Self::Vscode => vscode(program, url),
            Self::Codex => codex(program, url),
        }
    }
}

fn file(place: &str, key: &str, server: &Value) -> String {
    let json = json!({key: {"huntsman": server}});
    format!("# {place}\n{json:#}\n")
}

fn process(program: &str) -> Value {
    json!({"command": program, "args": ["mcp"]})
}

fn remote(url: &Url, key: &str) -> Value {
    json!({"url": url.as_str(), "headers": {"Authorization": format!("Bearer {key}")}})
}

fn claude_code(program: &str, url: Option<&Url>) -> String {
    match url {
        None => format!(
            "# in a terminal\nclaude mcp add --scope user huntsman -- {} mcp\n",
            shell_word(program)
        ),
        Some(url) => format!(
            "# in a terminal\nclaude mcp add --scope user --transport http huntsman {} --header \"Authorization: Bearer ${KEY_VARIABLE}\"\n",
            shell_word(url.as_str())
        ),
    }
}

fn claude_desktop(program: &str, url: Option<&Url>) -> String {
    match url {
        None => file(
            "claude_desktop_config.json (Settings > Developer > Edit Config), then restart the app",
            "mcpServers",
            &process(program),
        ),
        Some(url) => format!(
            "# Settings > Connectors > Add custom connector: its name huntsman, its address\n{url}\n# The address has to be \
             reachable from the internet over https; a server of this machine is used by the form without --url.\n"
        ),
    }
}

fn vscode(program: &str, url: Option<&Url>) -> String {
    let Some(url) = url else {
        let mut server = process(program);
        server["type"] = json!("stdio");
        return file(
            ".vscode/mcp.json, or the command 'MCP: Open User Configuration'",
            "servers",
            &server,
        );
    };
    let mut server = remote(url, "${input:huntsman-key}");
    server["type"] = json!("http");
    let input = json!({"type": "promptString", "id": "huntsman-key", "description": "Huntsman API key", "password": true});
    let json = json!({"inputs": [input], "servers": {"huntsman": server}});
    format!("# .vscode/mcp.json, or the command 'MCP: Open User Configuration'\n{json:#}\n")
}

fn codex(program: &str, url: Option<&Url>) -> String {
    let server = match url {
        None => format!("command = {}\nargs = [\"mcp\"]", json!(program)),
        Some(url) => format!(
            "url = {}\nbearer_token_env_var = \"{KEY_VARIABLE}\"",
            json!(url.as_str())
        ),
    };
    format!("# ~/.codex/config.toml\n[mcp_servers.huntsman]\n{server}\n")
}

/// A word as a POSIX shell takes it.
fn shell_word(word: &str) -> String {
    let is_plain = |it: char| it.is_ascii_alphanumeric() || "/._-:+@%=".contains(it);
    match word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_client_gets_its_own_format() {
        let url = Url::parse("http://127.0.0.1:8787/mcp").unwrap();
        let all: String = McpClient::value_variants()
            .iter()
            .flat_map(|client| {
                [
                    client.config("/opt/my tools/huntsman", None),
                    client.config("/bin/huntsman", Some(&url)),
                ]
            })
            .collect();
        assert!(
            all.contains("claude mcp add --scope user huntsman -- '/opt/my tools/huntsman' mcp"),
            "{all}"
        );
        let codex = McpClient::Codex.config("/bin/huntsman", Some(&url));
        assert!(codex.contains("[mcp_servers.huntsman]\nurl = \"http://127.0.0.1:8787/mcp\""));
        for client in [McpClient::ClaudeDesktop, McpClient::Cursor, McpClient::Vscode] {
            let text = client.config("/bin/huntsman", None);
            let json = text.split_once('\n').map(|it| it.1).unwrap();
            let json: Value = serde_json::from_str(json).unwrap();
            let key = if client == McpClient::Vscode {
                "servers"
            } else {
                "mcpServers"
            };
            assert_eq!(json[key]["huntsman"]["args"], json!(["mcp"]));
        }
    }
}
