//! Check of the form, scheme and site of URLs.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use url::Url;

use crate::checked_items::{field, list, remaining};
use crate::{Error, Tool, ToolContext};

/// The tool `validation.url_format_check`.
pub struct ValidationUrlFormatCheck;

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    field: String,
    source: Option<String>,
    schemes: Vec<String>,
    domain: Option<String>,
    mode: String,
}

#[derive(Serialize)]
pub struct Output {
    valid: bool,
    checked: usize,
    invalid: Vec<InvalidUrl>,
    items: Vec<Value>,
}

/// An address that does not fit.
#[derive(Serialize)]
pub struct InvalidUrl {
    index: usize,
    value: Value,
    reason: String,
}

impl Tool for ValidationUrlFormatCheck {
    type Params = Params;
    type Output = Output;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Output, Error> {
        let items = list(context, params.source.as_deref())?;
        let mut invalid = Vec::new();
        let mut passed = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            // A list of bare addresses is a list of addresses.
            let value = if item.is_string() {
                Some(item)
            } else {
                field(item, &params.field)
            };
            let fault = fault(value, &params);
            passed.push(fault.is_none());
            if let Some(reason) = fault {
                invalid.push(InvalidUrl {
                    index,
                    value: value.cloned().unwrap_or_default(),
                    reason,
                });
            }
        }
        let kept = remaining(&params.mode, items.clone(), &passed);
        Ok(Output {
            valid: invalid.is_empty(),
            checked: items.len(),
            invalid,
            items: kept,
        })
    }
}

fn fault(value: Option<&Value>, params: &Params) -> Option<String> {
    let Some(text) = value else {
        return Some(format!("it has no {}", params.field));
    };
    let Some(text) = text.as_str() else {
        return Some("it is no text".to_owned());
    };
    if text.trim() != text || text.contains(char::is_whitespace) {
        return Some("it has white space in it".to_owned());
    }
    let url = match Url::parse(text) {
        Ok(url) => url,
        Err(error) => return Some(error.to_string()),
    };
    if !params
        .schemes
        .iter()
        .any(|it| it.eq_ignore_ascii_case(url.scheme()))
    {
        return Some(format!(
            "its scheme is {} and not {}",
            url.scheme(),
            params.schemes.join(" or ")
        ));
    }
    if matches!(url.scheme(), "http" | "https") && url.host_str().is_none_or(str::is_empty) {
        return Some("it has no host".to_owned());
    }
    let domain = params
        .domain
        .as_deref()?
        .trim_start_matches("*.")
        .to_ascii_lowercase();
    let host = url.host_str().unwrap_or_default().to_ascii_lowercase();
    let within = host == domain || host.strip_suffix(&domain).is_some_and(|it| it.ends_with('.'));
    (!within).then(|| format!("its host is {host} and not {domain}"))
}
