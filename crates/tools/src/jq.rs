//! jq queries over data of the run, within bounds of time, size and language.
//!
//! The language is cut to what ends: no definitions, no recursion, no endless generators, nothing of the machine. What
//! is left can still be slow (products of long lists), so it runs apart, few at once, and is given up after its time.

use std::sync::LazyLock;
use std::time::Duration;

use jaq_core::load::{Arena, File, Loader};
use jaq_core::{Compiler, Ctx, Vars, data, unwrap_valr};
use jaq_json::{Val, read};
use serde_json::Value;
use tokio::sync::Semaphore;

use crate::error::Error;

/// Largest data, in bytes of JSON.
const MAX_DATA_BYTES: usize = 4 << 20;
/// Longest result of one query, in bytes of JSON.
const MAX_RESULT_BYTES: usize = 4 << 20;
/// How long a query may take.
const TIMEOUT: Duration = Duration::from_secs(5);
/// Queries at once; one that timed out keeps its permit until it ends.
const MAX_CONCURRENT: usize = 2;

/// Words of programs that can run without end or reach beyond the data.
const REFUSED: &str = "def range repeat while until recurse recurse_down walk limit input inputs env debug stderr halt \
    halt_error now import include foreach reduce splits combinations getpath_all ltrimstr_all \
    input_filename $ENV $__prog_args implode tojson_all skip label error";

/// Runs a query.
pub(crate) async fn run(query: String, data: Value, most: usize) -> Result<Vec<Value>, Error> {
    if let Some(word) = refused(&query) {
        return Err(Error::param(
            "query",
            format!(
                "`{word}` is not part of the language here; queries have no definitions, loops or recursion"
            ),
        ));
    }
    let text = data.to_string();
    if text.len() > MAX_DATA_BYTES {
        return Err(Error::TooMuch {
            what: format!("data of {} bytes", text.len()),
            limit: format!("{MAX_DATA_BYTES} bytes"),
        });
    }
    static PERMITS: LazyLock<Semaphore> = LazyLock::new(|| Semaphore::new(MAX_CONCURRENT));
    let busy = || Error::Failed("too many queries are running; try again later".into());
    let permit = tokio::time::timeout(TIMEOUT, PERMITS.acquire())
        .await
        .map_err(|_| busy())?
        .map_err(|_| busy())?;
    let work = tokio::task::spawn_blocking(move || {
        let _permit = permit;
        evaluate(&query, &text, most)
    });
    match tokio::time::timeout(TIMEOUT, work).await {
        Ok(Ok(results)) => results,
        Ok(Err(_)) => Err(Error::Failed("the query broke; write it differently".into())),
        Err(_) => Err(Error::Timeout {
            tool: "the query".into(),
            limit: TIMEOUT,
        }),
    }
}

/// The first word of a query that is refused. Texts in it are no words; `..` recurses.
fn refused(query: &str) -> Option<String> {
    let mut words = vec![String::new()];
    let (mut quoted, mut escaped) = (false, false);
    for sign in query.chars() {
        match sign {
            _ if escaped => {
                // Within a text, `\(` begins a query again.
                quoted = quoted && sign != '(';
                escaped = false;
            }
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            sign if !quoted && (sign.is_alphanumeric() || matches!(sign, '_' | '$')) => {
                if let Some(word) = words.last_mut() {
                    word.push(sign);
                }
            }
            _ => words.push(String::new()),
        }
    }
    // After an interpolation the rest of its text is taken for words too, which only refuses more.
    let word = words
        .into_iter()
        .find(|word| REFUSED.split(' ').any(|refused| refused == word));
    word.or_else(|| query.contains("..").then(|| "..".to_owned()))
}

fn evaluate(query: &str, data: &str, most: usize) -> Result<Vec<Value>, Error> {
    let wrong = |why: String| Error::param("query", why);
    let input = read::parse_single(data.as_bytes())
        .map_err(|error| Error::Failed(format!("the data cannot be read: {error}")))?;
    let defs = jaq_core::defs().chain(jaq_std::defs()).chain(jaq_json::defs());
    let funs = jaq_core::funs().chain(jaq_std::funs()).chain(jaq_json::funs());
    let arena = Arena::default();
    let modules = Loader::new(defs)
        .load(
            &arena,
            File {
                code: query,
                path: (),
            },
        )
        .map_err(|_| wrong(format!("it is no jq query: {query}")))?;
    let filter = Compiler::default()
        .with_funs(funs)
        .compile(modules)
        .map_err(|errors| {
            let named = errors
                .iter()
                .flat_map(|(_, list)| list)
                .map(|(name, _)| (*name).to_owned());
            wrong(format!(
                "it names what is not there: {}",
                named.collect::<Vec<_>>().join(", ")
            ))
        })?;
    let context = Ctx::<data::JustLut<Val>>::new(&filter.lut, Vars::new([]));
    let (mut results, mut size) = (Vec::new(), 0);
    for output in filter.id.run((context, input)).map(unwrap_valr).take(most) {
        let output = output
            .map_err(|error| Error::Failed(format!("the query failed: {error}")))?
            .to_string();
        size += output.len();
        if size > MAX_RESULT_BYTES {
            return Err(Error::TooMuch {
                what: "the result of the query".into(),
                limit: format!("{MAX_RESULT_BYTES} bytes"),
            });
        }
        results.push(
            serde_json::from_str(&output)
                .map_err(|error| Error::Failed(format!("the result is no JSON: {error}")))?,
        );
    }
    Ok(results)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[tokio::test]
    async fn a_query_reads_data_and_nothing_else() {
        let data = json!({"a": [{"n": "x", "p": 3.5}, {"n": "y", "p": 2}], "t": "zażółć"});
        for (query, results) in [
            (".a | map(.p) | add", vec![json!(5.5)]),
            ("[.a[] | select(.p > 3) | .n]", vec![json!(["x"])]),
            (".a | sort_by(.p) | .[].n", vec![json!("y"), json!("x")]),
            (".a | group_by(.p > 3) | length", vec![json!(2)]),
            (r#""\(.t): \(.a | length)""#, vec![json!("zażółć: 2")]),
            (r#".a | map(.n) | join(", range ")"#, vec![json!("x, range y")]),
            ("{first: .a[0].n}", vec![json!({"first": "x"})]),
        ] {
            assert_eq!(
                run(query.into(), data.clone(), 100).await.unwrap(),
                results,
                "{query}"
            );
        }
        for query in [
            "def f: f; f",
            "[range(1e12)]",
            "repeat(1)",
            "..",
            "$ENV",
            "env",
            "[limit(3; .a)]",
            ".a | while(true; .)",
            "input",
            "\"\\(range(9))\"",
        ] {
            assert!(run(query.into(), data.clone(), 100).await.is_err(), "{query}");
        }
        assert_eq!(run(".a[]".into(), data, 1).await.unwrap().len(), 1);
    }
}
