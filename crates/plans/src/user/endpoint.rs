//! A tool that asks a declared HTTP endpoint, through the guard like everything else.

use std::cell::RefCell;

use async_trait::async_trait;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use url::Url;

use crate::reference::bind_parameters;
use tools::Error;
use tools::ToolContext;
use tools::manifest::{Effects, Manifest};
use tools::registry::ToolExecutor;
use tools::variables;

/// Longest answer that is read, in bytes.
const LONGEST: usize = 4 << 20;

/// Values of variables that are shorter are not looked for in answers: they would hide too much.
const SHORTEST_HIDDEN: usize = 6;

/// The endpoint as a manifest declares it. `{{params.x}}` stands for a parameter, never within the host; `${NAME}` for a
/// variable of the environment, which is read at every call.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct HttpEndpoint {
    url: String,
    #[serde(default = "get")]
    method: String,
    #[serde(default)]
    query: Map<String, Value>,
    #[serde(default)]
    headers: Map<String, Value>,
    #[serde(default)]
    body: Option<Value>,
}

fn get() -> String {
    "GET".into()
}

/// The value of a variable of the environment.
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

impl HttpEndpoint {
    pub(super) fn new(manifest: &Manifest, http: &Value) -> Result<HttpEndpoint, String> {
        let declared: HttpEndpoint =
            serde_json::from_value(http.clone()).map_err(|error| format!("`http`: {error}"))?;
        if !["GET", "POST"].contains(&declared.method.as_str()) {
            return Err("`http.method` is GET or POST".into());
        }
        if declared.method == "POST" && manifest.effects == Effects::Read {
            return Err("a POST is not `read`; say `idempotent` or `act`".into());
        }
        let endpoint = declared.with_variables(&variable)?;
        // Whatever the parameters are, the host stays the declared one.
        let with = |sample: &str| endpoint.address(&|_| Some(sample.into()));
        let origins: Vec<url::Origin> = ["a", "b.example", "@evil.example/"]
            .iter()
            .map(|it| with(it).map(|it| it.origin()))
            .collect::<Result<_, _>>()?;
        if origins.windows(2).any(|it| it.first() != it.last()) {
            return Err("`http.url` has a parameter in its host; the host is fixed".into());
        }
        for part in [
            json!(endpoint.query),
            json!(endpoint.headers),
            json!(endpoint.body),
            json!(endpoint.url),
        ] {
            let mut part = part;
            bind_parameters(&mut part, &|name| manifest.parameter(name).map(|_| json!("x")))?;
        }
        Ok(declared)
    }

    /// The endpoint with the values of its variables. They are filled in before parameters are, so that no parameter names
    /// a variable.
    fn with_variables(&self, variable: &dyn Fn(&str) -> Option<String>) -> Result<HttpEndpoint, String> {
        let map = |part: &str, map: &Map<String, Value>| {
            map.iter()
                .map(|(name, value)| {
                    let mut value = value.clone();
                    variables::expand_json(&mut value, variable)
                        .map_err(|error| format!("`http.{part}.{name}`: {error}"))?;
                    Ok((name.clone(), value))
                })
                .collect::<Result<Map<String, Value>, String>>()
        };
        let mut body = self.body.clone();
        if let Some(body) = &mut body {
            variables::expand_json(body, variable).map_err(|error| format!("`http.body`: {error}"))?;
        }
        Ok(HttpEndpoint {
            url: variables::expand(&self.url, variable).map_err(|error| format!("`http.url`: {error}"))?,
            method: self.method.clone(),
            query: map("query", &self.query)?,
            headers: map("headers", &self.headers)?,
            body,
        })
    }

    /// The endpoint with the values of its variables as they are now, and the values with their names.
    fn resolved(&self) -> Result<(HttpEndpoint, Vec<(String, String)>), String> {
        let used = RefCell::new(Vec::new());
        let endpoint = self.with_variables(&|name| {
            let value = variable(name)?;
            used.borrow_mut().push((value.clone(), format!("${{{name}}}")));
            Some(value)
        })?;
        let mut used = used.into_inner();
        // A value within a longer one is hidden after it, so that nothing of the longer one is left.
        used.sort_by_key(|(value, _)| std::cmp::Reverse(value.len()));
        Ok((endpoint, used))
    }

    fn address(&self, value: &dyn Fn(&str) -> Option<Value>) -> Result<Url, String> {
        let encoded = |name: &str| {
            let value = value(name)?;
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            Some(Value::String(
                url::form_urlencoded::byte_serialize(text.as_bytes()).collect(),
            ))
        };
        let mut url = json!(self.url);
        bind_parameters(&mut url, &encoded)?;
        let mut url = Url::parse(url.as_str().unwrap_or_default())
            .map_err(|error| format!("`http.url`: {error}; no parameter may stand in its host"))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err("`http.url` is an address of the web".into());
        }
        let mut query = json!(self.query);
        bind_parameters(&mut query, value)?;
        for (name, value) in query
            .as_object()
            .into_iter()
            .flatten()
            .filter(|(_, it)| !it.is_null())
        {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            url.query_pairs_mut().append_pair(name, &text);
        }
        Ok(url)
    }
}

/// Replaces values of variables that an endpoint gives back by their names.
fn hide(answer: &mut Value, used: &[(String, String)]) {
    match answer {
        Value::String(text) => {
            for (value, name) in used.iter().filter(|(value, _)| value.len() >= SHORTEST_HIDDEN) {
                if text.contains(value.as_str()) {
                    *text = text.replace(value.as_str(), name);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| hide(item, used)),
        Value::Object(map) => map.values_mut().for_each(|value| hide(value, used)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[async_trait]
impl ToolExecutor for HttpEndpoint {
    async fn run(
        &self,
        parameters: Map<String, Value>,
        context: &mut ToolContext,
        _registry: &tools::Registry,
    ) -> Result<Value, Error> {
        let Some(client) = context.services.client.clone() else {
            return Err(Error::Missing {
                what: "the network",
                advice: "this tool asks an HTTP endpoint",
            });
        };
        let value = |name: &str| Some(parameters.get(name).cloned().unwrap_or(Value::Null));
        let (endpoint, used) = self.resolved().map_err(Error::Failed)?;
        let url = endpoint.address(&value).map_err(Error::Failed)?;
        let mut request = match endpoint.method.as_str() {
            "POST" => {
                let mut body = endpoint.body.clone().unwrap_or_default();
                bind_parameters(&mut body, &value).map_err(Error::Failed)?;
                net::Request::post(url, "application/json", body.to_string())
            }
            _ => net::Request::get(url),
        };
        let mut headers = json!(endpoint.headers);
        bind_parameters(&mut headers, &value).map_err(Error::Failed)?;
        for (name, value) in headers.as_object().into_iter().flatten() {
            request = request.header(name, value.as_str().unwrap_or_default())?;
        }
        request.cancel = context.services.profile.cancel.clone();
        let response = client.fetch(request).await?.accepted()?;
        if response.body.len() > LONGEST {
            return Err(Error::TooMuch {
                what: "the endpoint's answer".into(),
                limit: format!("{LONGEST} bytes"),
            });
        }
        let mut answer: Value = serde_json::from_slice(&response.body)
            .map_err(|error| Error::Failed(format!("the endpoint did not answer with JSON: {error}")))?;
        hide(&mut answer, &used);
        Ok(match answer {
            object @ Value::Object(_) => object,
            list @ Value::Array(_) => json!({"items": list}),
            other => json!({"result": other}),
        })
    }
}
