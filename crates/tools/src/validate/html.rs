//! Well-formedness of HTML.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::{Error, Tool, ToolContext};

locale::patterns! {
    static TAG = r"<!--[\s\S]*?-->|<(/?)([a-zA-Z][a-zA-Z0-9-]*)((?:[^>\x22']|\x22[^\x22]*\x22|'[^']*')*?)(/?)>";
}

/// The tool `validate.html`.
pub struct ValidateHtml;

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    html: String,
}

impl Tool for ValidateHtml {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, _: &mut ToolContext) -> Result<Value, Error> {
        let void = "area base br col embed hr img input link meta source track wbr";
        let optional = "p li dt dd tr td th thead tbody tfoot option optgroup html head body colgroup rt rp";
        let listed = |list: &str, name: &str| list.split(' ').any(|it| it == name);
        let (mut open, mut errors): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
        let mut elements = 0_usize;
        for hit in TAG.captures_iter(&params.html) {
            let Some(name) = hit.get(2).map(|it| it.as_str().to_ascii_lowercase()) else {
                continue;
            };
            let closes = hit.get(1).is_some_and(|it| !it.is_empty());
            if !closes {
                elements += 1;
                if !listed(void, &name) && hit.get(4).is_none_or(|it| it.is_empty()) {
                    open.push(name);
                }
                continue;
            }
            match open.iter().rposition(|it| *it == name) {
                Some(at) => errors.extend(
                    open.drain(at..)
                        .skip(1)
                        .filter(|it| !listed(optional, it))
                        .map(|it| format!("<{it}> is not closed")),
                ),
                None => errors.push(format!("</{name}> closes nothing")),
            }
        }
        errors.extend(
            open.into_iter()
                .filter(|it| !listed(optional, it))
                .map(|it| format!("<{it}> is not closed")),
        );
        if elements == 0 {
            errors.push("there is no tag in it".to_owned());
        }
        errors.truncate(100);
        Ok(
            json!({"valid": errors.is_empty(), "errors": errors, "elements": elements, "empty": elements == 0}),
        )
    }
}
