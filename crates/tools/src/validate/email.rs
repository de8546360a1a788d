//! Syntax of an e-mail address.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::{Error, Tool, ToolContext};

locale::patterns! {
    static ADDRESS = r"^[^\s@,;:<>()\[\]\\]{1,64}@(?:[^\s@.,;:<>()\[\]\\/_]+\.)+[^\s@.,;:<>()/\\_0-9]{2,63}$";
}

/// The tool `validate.email`.
pub struct ValidateEmail;

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    email: String,
}

impl Tool for ValidateEmail {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, _: &mut ToolContext) -> Result<Value, Error> {
        let text = params.email.trim();
        let local = text.split('@').next().unwrap_or_default();
        let valid = ADDRESS.is_match(text)
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
