//! Processor time and memory from /proc, and the text and tokens of a prompt.

use std::collections::HashMap;

use serde_json::Value;
use tiktoken_rs::CoreBPE;

/// The kernel's ticks in a second, on every Linux there is.
const TICKS: f64 = 100.0;

/// Processor time, in seconds.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Spent {
    /// Of the server's process.
    pub(crate) ours: f64,
    /// Of all processes that it has started.
    pub(crate) chromium: f64,
}

impl Spent {
    /// What a process and its descendants have used.
    pub(crate) fn of(pid: u32) -> Self {
        let mut parents = HashMap::new();
        let mut used = HashMap::new();
        for entry in std::fs::read_dir("/proc").unwrap().flatten() {
            let Ok(one) = entry.file_name().to_string_lossy().parse::<u32>() else {
                continue;
            };
            // Fields of proc(5) after the name: 4 is the parent, 14 and 15 are the times.
            let Ok(stat) = std::fs::read_to_string(format!("/proc/{one}/stat")) else {
                continue;
            };
            let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or("").split_whitespace().collect();
            let number = |at: usize| {
                fields
                    .get(at)
                    .and_then(|it| it.parse::<f64>().ok())
                    .unwrap_or(0.0)
            };
            parents.insert(one, number(1) as u32);
            used.insert(one, (number(11) + number(12)) / TICKS);
        }
        let below = |one: u32| {
            let mut at = one;
            for _ in 0..20 {
                match parents.get(&at) {
                    Some(parent) if *parent == pid => return true,
                    Some(parent) => at = *parent,
                    None => return false,
                }
            }
            false
        };
        Spent {
            ours: used.get(&pid).copied().unwrap_or(0.0),
            chromium: used
                .iter()
                .filter(|(one, _)| below(**one))
                .map(|(_, it)| it)
                .sum(),
        }
    }
}

/// Resident memory of a process, in MB.
pub(crate) fn resident(pid: u32) -> f64 {
    let text = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = text.lines().find(|line| line.starts_with("VmRSS")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<f64>().unwrap() / 1024.0
}

/// A request as the model reads it: tools or schema, then the messages.
pub(crate) fn text(body: &Value) -> String {
    let mut text = String::new();
    for part in ["tools", "response_format"] {
        if let Some(part) = body.get(part) {
            text.push_str(&part.to_string());
        }
    }
    for message in body["messages"].as_array().into_iter().flatten() {
        text.push_str(&format!("<|{}|>", message["role"].as_str().unwrap_or("")));
        match &message["content"] {
            Value::String(content) => text.push_str(content),
            Value::Array(parts) => {
                for part in parts {
                    text.push_str(part["text"].as_str().unwrap_or(""));
                }
            }
            _ => {}
        }
        if let Some(calls) = message.get("tool_calls") {
            text.push_str(&calls.to_string());
        }
    }
    text
}

/// What two texts begin with alike.
pub(crate) fn common<'a>(one: &str, other: &'a str) -> &'a str {
    let alike = one.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
    &other[..other.floor_char_boundary(alike)]
}

/// Counts tokens as o200k_base does.
pub(crate) struct Tokens(CoreBPE);

impl Default for Tokens {
    fn default() -> Self {
        Self(tiktoken_rs::o200k_base().unwrap())
    }
}

impl Tokens {
    /// How many tokens a text is.
    pub(crate) fn count(&self, text: &str) -> usize {
        self.0.encode_ordinary(text).len()
    }
}
