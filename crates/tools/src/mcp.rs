//! MCP client: tools of servers that speak the Model Context Protocol, configured by the operator in `mcp.json`.
//!
//! The protocol is at modelcontextprotocol.io, version 2025-06-18: JSON-RPC over the pipes of a child process, or over
//! HTTP. Each tool of a server becomes a tool `<server>.<tool>`; its output is untrusted data like the text of any page.

mod config;
mod connection;
mod http;
mod protocol;
mod remote_tool;
mod response_stream;
mod stateless;
mod stdio;
#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::registry::{Registry, RejectedTool};
use config::ServerConfig;
use connection::McpConnection;

pub use config::FILE;

/// Longest wait for a server to start and to list its tools.
const START_TIMEOUT: Duration = Duration::from_secs(20);

/// Adds the tools of the servers that `mcp.json` in this folder names. Servers and tools that cannot be used are left out
/// and returned with the reason.
pub fn load(registry: &Registry, folder: &Path, client: &net::Client) -> (Registry, Vec<RejectedTool>) {
    let mut refused = Vec::new();
    let servers = match config::read(folder) {
        Ok(servers) => servers,
        Err(why) => return (registry.clone(), vec![why]),
    };
    let mut loaded = registry.clone();
    if servers.is_empty() {
        return (loaded, refused);
    }
    let servers: Vec<Arc<ServerConfig>> = servers.into_iter().map(Arc::new).collect();
    for (server, listed) in servers.iter().zip(list_all(&servers, client)) {
        let taken = registry.iter().any(|it| it.manifest().category == server.word);
        let listed = match listed {
            _ if taken => Err(format!(
                "our own tools have the category {:?} already; give the server another name",
                server.word
            )),
            listed => listed,
        };
        let tools = match listed {
            Ok(tools) => tools,
            Err(why) => {
                refused.push(refusal(server, None, why));
                continue;
            }
        };
        let link = Arc::new(McpConnection::new(Arc::clone(server), client.clone()));
        for tool in tools {
            let name = remote_tool::name_of(&tool);
            match remote_tool::entry(&tool, server, &link) {
                Ok(Some(entry)) => match loaded.with(entry, &format!("{FILE}: {}", server.name)) {
                    Ok(with) => loaded = with,
                    Err(taken) => refused.push(taken),
                },
                Ok(None) => {}
                Err(why) => refused.push(refusal(server, Some(&name), why)),
            }
        }
    }
    (loaded, refused)
}

fn refusal(server: &ServerConfig, tool: Option<&str>, why: String) -> RejectedTool {
    RejectedTool::Server {
        server: server.name.clone(),
        tool: tool.map(|it| format!(", tool {it:?}")).unwrap_or_default(),
        why,
    }
}

/// The tools that each server lists. They are asked on a thread with a runtime of its own: the caller need not have one,
/// and the processes started here end with it.
fn list_all(
    servers: &[Arc<ServerConfig>],
    client: &net::Client,
) -> Vec<Result<Vec<serde_json::Value>, String>> {
    let list = || -> Result<_, std::io::Error> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        Ok(
            runtime.block_on(futures_util::future::join_all(servers.iter().map(
                |server| async {
                    let link = McpConnection::new(Arc::clone(server), client.clone());
                    match tokio::time::timeout(START_TIMEOUT, link.tools()).await {
                        Ok(listed) => listed.map_err(|error| error.to_string()),
                        Err(_) => Err(format!("it told no tools within {} s", START_TIMEOUT.as_secs())),
                    }
                },
            ))),
        )
    };
    let listed = std::thread::scope(|scope| scope.spawn(list).join());
    match listed {
        Ok(Ok(listed)) => listed,
        Ok(Err(why)) => servers.iter().map(|_| Err(why.to_string())).collect(),
        Err(_) => servers
            .iter()
            .map(|_| Err("asking it failed".to_owned()))
            .collect(),
    }
}
