//! jq queries over JSON data.
//!
//! The whole language is there, apart from what reaches beyond the data: the environment, other inputs, modules, the end
//! of the process. What a query may cost is bounded by the limits of the child.

use std::time::Duration;

use jaq_core::load::{Arena, File, Loader};
use jaq_core::{Compiler, Ctx, Vars, data, unwrap_valr};
use jaq_json::{Val, read};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::error::Error;
use crate::pool::Sandbox;
use crate::protocol::{TaskKind, decode};

/// Longest query, in bytes.
pub const MAX_QUERY_BYTES: usize = 8000;
/// Deepest nesting of brackets in a query.
pub const MAX_QUERY_DEPTH: usize = 64;
/// Largest data, in bytes of JSON.
pub const MAX_DATA_BYTES: usize = 4 << 20;
/// Longest result of one query, in bytes of JSON.
pub const MAX_RESULT_BYTES: usize = 4 << 20;
/// How long a query may take.
pub const TIMEOUT: Duration = Duration::from_secs(5);
/// Longest text of an error of a query, in characters.
const MAX_ERROR_CHARS: usize = 300;

/// Functions of the standard library that reach beyond the data.
const ABSENT: &[&str] = &[
    "debug",
    "debug_empty",
    "env",
    "halt",
    "halt_error",
    "input",
    "inputs",
    "stderr",
    "stderr_empty",
];

#[derive(Serialize, Deserialize)]
struct Task<'t> {
    query: String,
    #[serde(borrow)]
    data: &'t RawValue,
    most: usize,
}

/// The results of a query, `most` of them at most.
///
/// # Errors
/// When the query is wrong, fails, or costs more than it may.
pub async fn query(sandbox: &Sandbox, query: &str, data: &Value, most: usize) -> Result<Vec<Value>, Error> {
    check(query)?;
    let data = serde_json::value::to_raw_value(data).map_err(|error| Error::Failed(error.to_string()))?;
    if data.get().len() > MAX_DATA_BYTES {
        let what = format!("data of {} bytes", data.get().len());
        return Err(Error::too_large(what, MAX_DATA_BYTES));
    }
    let query = &serde_json::to_string(query).unwrap_or_default();
    let task = format!("{{\"query\":{query},\"data\":{data},\"most\":{most}}}");
    let results = sandbox.run(TaskKind::Jq, task.into(), TIMEOUT, |_| {}).await?;
    decode(&results)
}

/// Refuses a query that is too long or nested too deeply, before a parser sees it.
///
/// # Errors
/// When the query is longer than [`MAX_QUERY_BYTES`], or its brackets are nested deeper than [`MAX_QUERY_DEPTH`].
pub fn check(query: &str) -> Result<(), Error> {
    if query.len() > MAX_QUERY_BYTES {
        return Err(Error::too_large(
            format!("a query of {} bytes", query.len()),
            MAX_QUERY_BYTES,
        ));
    }
    // A first filter: brackets in texts count as well, and a query that hides its depth in them ends its child alone.
    let mut depth = 0_usize;
    for sign in query.bytes() {
        match sign {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MAX_QUERY_DEPTH {
            return Err(Error::Rejected(format!(
                "its brackets are nested deeper than {MAX_QUERY_DEPTH} levels"
            )));
        }
    }
    Ok(())
}

/// Runs a task in the child. The result is the list of results as JSON.
pub(crate) fn execute(payload: &[u8]) -> Result<Vec<u8>, Error> {
    let task: Task<'_> = decode(payload)?;
    check(&task.query)?;
    let input = read::parse_single(task.data.get().as_bytes())
        .map_err(|error| Error::Failed(format!("the data cannot be read: {}", shortened(&error))))?;
    let present = |name: &str| !ABSENT.contains(&name);
    let defs = jaq_core::defs().chain(jaq_std::defs()).chain(jaq_json::defs());
    let funs = jaq_core::funs().chain(jaq_std::funs()).chain(jaq_json::funs());
    let arena = Arena::default();
    let file = File {
        code: task.query.as_str(),
        path: (),
    };
    let modules = Loader::new(defs.filter(|def| present(def.name)))
        .load(&arena, file)
        .map_err(|_| Error::Rejected(format!("it is no jq query: {}", shortened(&task.query))))?;
    let filter = Compiler::default()
        .with_funs(funs.filter(|(name, ..)| present(name)))
        .compile(modules)
        .map_err(|errors| {
            let named = errors.iter().flat_map(|(_, list)| list);
            let names: Vec<&str> = named.map(|(name, _)| *name).collect();
            let names = names.join(", ");
            Error::Rejected(format!("it names what is not there: {}", shortened(&names)))
        })?;
    let context = Ctx::<data::JustLut<Val>>::new(&filter.lut, Vars::new([]));
    let mut results = Vec::from(b"[");
    for output in filter.id.run((context, input)).map(unwrap_valr).take(task.most) {
        let output = output
            .map_err(|error| Error::Failed(format!("the query failed: {}", shortened(&error))))?
            .to_string();
        if results.len() + output.len() > MAX_RESULT_BYTES {
            return Err(Error::too_large("the result of the query", MAX_RESULT_BYTES));
        }
        // jq knows values that JSON does not.
        serde_json::from_str::<Value>(&output)
            .map_err(|error| Error::Failed(format!("the result is no JSON: {error}")))?;
        if results.len() > 1 {
            results.push(b',');
        }
        results.extend_from_slice(output.as_bytes());
    }
    results.push(b']');
    Ok(results)
}

/// The beginning of a text.
fn shortened(text: &impl std::fmt::Display) -> String {
    let text = text.to_string();
    match text.char_indices().nth(MAX_ERROR_CHARS) {
        Some((end, _)) => format!("{}...", text.get(..end).unwrap_or_default()),
        None => text,
    }
}
