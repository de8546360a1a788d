//! Tools of other programs: servers that speak the Model Context Protocol, configured by the operator in `mcp.json`.
//!
//! The protocol is at modelcontextprotocol.io, version 2025-06-18: JSON-RPC over the pipes of a child process, or over
//! HTTP. Each tool of a server becomes a tool `<server>.<tool>`; what it gives is data like the text of any page.

mod http;
mod link;
mod offer;
mod servers;
mod stdio;
#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::manifest::rules;
use crate::registry::{Refused, Registry};
use link::Link;
use servers::Server;

/// Name of the file that lists the servers.
pub const FILE: &str = "mcp.json";
/// Longest wait for a server to start and to tell its tools.
const START: Duration = Duration::from_secs(20);
/// Most tools of one server.
const MOST_TOOLS: usize = 500;

/// Adds the tools of the servers that `mcp.json` in this folder names. A server that cannot be used is told by its name
/// and left out, and so is each tool that cannot.
pub fn load(registry: &Registry, folder: &Path, client: &net::Client) -> (Registry, Vec<Refused>) {
    let mut refused = Vec::new();
    let servers = match servers::read(folder) {
        Ok(servers) => servers,
        Err(why) => return (registry.clone(), vec![why]),
    };
    let mut loaded = registry.clone();
    if servers.is_empty() {
        return (loaded, refused);
    }
    let servers: Vec<Arc<Server>> = servers.into_iter().map(Arc::new).collect();
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
        let link = Arc::new(Link::new(Arc::clone(server), client.clone()));
        for tool in tools {
            let name = offer::name_of(&tool);
            match offer::entry(&tool, server, &link) {
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

fn refusal(server: &Server, tool: Option<&str>, why: String) -> Refused {
    Refused::Server {
        server: server.name.clone(),
        tool: tool.map(|it| format!(", tool {it:?}")).unwrap_or_default(),
        why,
    }
}

/// What each server offers. It is asked on a thread with a clock of its own: whoever loads tools need not have one, and
/// the servers that are asked now need not outlive the asking.
fn list_all(servers: &[Arc<Server>], client: &net::Client) -> Vec<Result<Vec<serde_json::Value>, String>> {
    let ask = || -> Result<_, std::io::Error> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        Ok(
            runtime.block_on(futures_util::future::join_all(servers.iter().map(
                |server| async {
                    let link = Link::new(Arc::clone(server), client.clone());
                    match tokio::time::timeout(START, link.tools()).await {
                        Ok(listed) => listed.map_err(|trouble| trouble.to_string()),
                        Err(_) => Err(format!("it told no tools within {} s", START.as_secs())),
                    }
                },
            ))),
        )
    };
    let asked = std::thread::scope(|scope| scope.spawn(ask).join());
    match asked {
        Ok(Ok(listed)) => listed,
        Ok(Err(why)) => servers.iter().map(|_| Err(why.to_string())).collect(),
        Err(_) => servers
            .iter()
            .map(|_| Err("asking it failed".to_owned()))
            .collect(),
    }
}

/// A name in the letters that names of tools have: `readFile`, `read-file` and `read_file` are one.
fn word_of(name: &str) -> Option<String> {
    let mut word = String::new();
    let mut small = false;
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && small {
            word.push('_');
        }
        small = letter.is_ascii_lowercase() || letter.is_ascii_digit();
        word.push(match letter.to_ascii_lowercase() {
            letter @ ('a'..='z' | '0'..='9') => letter,
            _ => '_',
        });
    }
    let word = word.trim_matches('_').to_owned();
    rules::is_word(&word).then_some(word)
}
