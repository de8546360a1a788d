//! A script of the caller, run in the page as one of its own.

use serde_json::{Value, json};

use super::frames::{Evaluated, HANG, Slip};
use super::tab::ChromiumTab;
use crate::error::Error;

/// Longest text of an exception that is told, in characters.
const TOLD: usize = 500;

impl ChromiumTab {
    /// Runs the body of a function in the document of the tab, in the page's own world: it sees what the page's scripts
    /// see. What it returns, or a promise gives, comes back as JSON of at most `most` bytes.
    pub(super) async fn run_foreign(
        &mut self,
        script: &str,
        args: &[Value],
        most: usize,
    ) -> Result<Value, Error> {
        // The length is looked at over there, so that a large value does not travel first.
        let expression = format!(
            "(async (...args) => {{\n\
               const given = await (async function () {{\n{script}\n}}).apply(globalThis, args);\n\
               const text = JSON.stringify(given === undefined ? null : given);\n\
               return text === undefined ? 'null' : text.length > {most} ? '' : text;\n\
             }})(...{})",
            Value::from(args)
        );
        let session = self.session()?;
        let watch = self.watch()?.clone();
        let asked = json!({
            "expression": expression,
            "returnByValue": true,
            "awaitPromise": true,
            "userGesture": false,
            "timeout": HANG.as_millis() as u64,
        });
        let reply = watch.connection.call(&session, "Runtime.evaluate", asked);
        let evaluated: Evaluated = match self.answer(&session, reply).await {
            Err(Slip::Hung) => {
                let stop = watch
                    .connection
                    .call(&session, "Runtime.terminateExecution", json!({}));
                drop(stop);
                return Err(Slip::Hung.into());
            }
            other => other?,
        };
        if let Some(why) = evaluated.exception_details {
            let text = why["exception"]["description"]
                .as_str()
                .or(why["exception"]["value"].as_str())
                .or(why["text"].as_str())
                .unwrap_or("it threw something");
            if text.contains("Execution was terminated") {
                return Err(Slip::Hung.into());
            }
            let text: String = text.chars().take(TOLD).collect();
            return Err(Error::Browser(format!("the script failed: {text}")));
        }
        match evaluated.result.value.as_str() {
            Some("") => Err(Error::Browser(format!(
                "the script gave more than {most} bytes; return less"
            ))),
            Some(text) => serde_json::from_str(text)
                .map_err(|_| Error::Browser("the script gave what is no JSON".into())),
            None => Err(Error::Browser("the script gave what is no JSON".into())),
        }
    }
}
