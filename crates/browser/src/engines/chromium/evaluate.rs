//! Evaluation of the caller's scripts in the page's own world.

use serde_json::Value;

use super::cdp::runtime::Evaluate;
use super::failure::{SCRIPT_TIMEOUT, TabFailure};
use super::tab::ChromiumTab;
use crate::error::Error;

/// Most characters of an exception's text.
const EXCEPTION_CHARS: usize = 500;

impl ChromiumTab {
    /// Runs the body of a function in the document of the tab, in the page's own world: it sees what the page's scripts
    /// see. What it returns, or a promise resolves to, comes back as JSON of at most `max_bytes`.
    pub(super) async fn evaluate_in_page(
        &mut self,
        script: &str,
        args: &[Value],
        max_bytes: usize,
    ) -> Result<Value, Error> {
        // The length is checked in the page too, where it counts UTF-16 units, so that a large value does not travel first.
        let expression = format!(
            "(async (...args) => {{\n\
               const given = await (async function () {{\n{script}\n}}).apply(globalThis, args);\n\
               const text = JSON.stringify(given === undefined ? null : given);\n\
               return text === undefined ? 'null' : text.length > {max_bytes} ? '' : text;\n\
             }})(...{})",
            Value::from(args)
        );
        let command = Evaluate {
            expression: &expression,
            return_by_value: true,
            await_promise: true,
            timeout: Some(SCRIPT_TIMEOUT.as_millis() as u64),
            ..Evaluate::default()
        };
        let evaluated = self.execute_or_terminate(&self.session()?, &command).await?;
        if let Some(exception) = evaluated.exception_details {
            if exception.is_termination() {
                return Err(TabFailure::Unresponsive.into());
            }
            let text: String = exception.message().chars().take(EXCEPTION_CHARS).collect();
            return Err(Error::Browser(format!("the script failed: {text}")));
        }
        let no_json = || Error::Browser("the script gave what is no JSON".into());
        match evaluated.result.value.as_str() {
            Some(text) if text.is_empty() || text.len() > max_bytes => Err(Error::Browser(format!(
                "the script gave more than {max_bytes} bytes; return less"
            ))),
            Some(text) => serde_json::from_str(text).map_err(|_| no_json()),
            None => Err(no_json()),
        }
    }
}
