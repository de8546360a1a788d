//! Processor time and memory from /proc, and the text and tokens of a prompt.

use std::collections::HashMap;

use serde_json::Value;
use tiktoken_rs::CoreBPE;

/// The kernel's ticks in a second, on every Linux there is.
const TICKS: f64 = 100.0;
/// MB of a page of memory.
const PAGE: f64 = 4096.0 / 1_048_576.0;

/// What a server uses, without Chromium and of Chromium alone.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Spent {
    /// Processor time of the server and of what it has started, but for Chromium, in seconds.
    pub(crate) ours: f64,
    /// Processor time of its Chromium, in seconds.
    pub(crate) chromium: f64,
    /// Resident memory of the server and of what it has started, but for Chromium, in MB.
    pub(crate) resident: f64,
}

impl Spent {
    /// What a process and its descendants use.
    pub(crate) fn of(pid: u32) -> Self {
        let mut parents = HashMap::new();
        let mut used = HashMap::new();
        for entry in std::fs::read_dir("/proc").unwrap().flatten() {
            let Ok(one) = entry.file_name().to_string_lossy().parse::<u32>() else {
                continue;
            };
            // Fields of proc(5) after the name: 4 is the parent, 14 and 15 are the times, 24 the resident pages.
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
            used.insert(one, ((number(11) + number(12)) / TICKS, number(21) * PAGE));
        }
        let below = |one: u32| {
            let mut at = one;
            for _ in 0..20 {
                match parents.get(&at) {
                    _ if at == pid => return true,
                    Some(parent) => at = *parent,
                    None => return false,
                }
            }
            false
        };
        let mut spent = Spent::default();
        for (one, (time, resident)) in used.into_iter().filter(|(one, _)| below(*one)) {
            if is_chromium(one) {
                spent.chromium += time;
            } else {
                spent.ours += time;
                spent.resident += resident;
            }
        }
        spent
    }
}

/// Resident memory of one process alone, in MB.
pub(crate) fn resident(pid: u32) -> f64 {
    let text = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = text.lines().find(|line| line.starts_with("VmRSS")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<f64>().unwrap() / 1024.0
}

/// Whether a process is Chromium, or the script that starts it.
fn is_chromium(pid: u32) -> bool {
    let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    let line = String::from_utf8_lossy(&line);
    // Its processes write their command lines anew, with spaces; some are called `/proc/self/exe` before they do.
    line.split(['\0', ' ']).take(2).any(|word| {
        let name = word.rsplit('/').next().unwrap_or("");
        name.starts_with("chrom") || name.starts_with("headless_shell") || word == "/proc/self/exe"
    })
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
