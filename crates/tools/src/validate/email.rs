//! Is a text an e-mail address?

use serde::Deserialize;
use serde_json::{Value, json};

use crate::manifest::format::pattern;
use crate::{Cx, Error, Tool};

/// The tool `validate.email`.
pub struct Email;

/// Its parameters.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    email: String,
}

impl Tool for Email {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, _: &mut Cx) -> Result<Value, Error> {
        let text = params.email.trim();
        let form = pattern(
            r"^[\p{L}\p{N}._%+'-]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+\p{L}{2,63}$",
            false,
        )
        .map_err(Error::Failed)?;
        let local = text.split('@').next().unwrap_or_default();
        let valid = form.is_match(text)
            && text.len() <= 254
            && !text.contains("..")
            && !local.starts_with('.')
            && !local.ends_with('.');
        let normalized = text
            .rsplit_once('@')
            .filter(|_| valid)
            .map(|(local, host)| format!("{local}@{}", host.to_lowercase()));
        Ok(json!({"valid": valid, "normalized": normalized}))
    }
}
