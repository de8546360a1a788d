//! A tool that asks a declared HTTP endpoint, through the guard like everything else.

use async_trait::async_trait;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use url::Url;

use crate::reference::bind_parameters;
use tools::Error;
use tools::ToolContext;
use tools::manifest::{Effects, Manifest};
use tools::registry::ToolExecutor;

/// Longest answer that is read, in bytes.
const LONGEST: usize = 4 << 20;

/// The endpoint as a manifest declares it. `{{params.x}}` stands for a parameter, never within the host.
#[derive(Debug, Clone, Deserialize)]
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

impl HttpEndpoint {
    pub(super) fn new(manifest: &Manifest, http: &Value) -> Result<HttpEndpoint, String> {
        let endpoint: HttpEndpoint =
            serde_json::from_value(http.clone()).map_err(|error| format!("`http`: {error}"))?;
        if !["GET", "POST"].contains(&endpoint.method.as_str()) {
            return Err("`http.method` is GET or POST".into());
        }
        if endpoint.method == "POST" && manifest.effects == Effects::Read {
            return Err("a POST is not `read`; say `idempotent` or `act`".into());
        }
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
        Ok(endpoint)
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
        let url = self.address(&value).map_err(Error::Failed)?;
        let mut request = match self.method.as_str() {
            "POST" => {
                let mut body = self.body.clone().unwrap_or_default();
                bind_parameters(&mut body, &value).map_err(Error::Failed)?;
                net::Request::post(url, "application/json", body.to_string())
            }
            _ => net::Request::get(url),
        };
        let mut headers = json!(self.headers);
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
        let answer: Value = serde_json::from_slice(&response.body)
            .map_err(|error| Error::Failed(format!("the endpoint did not answer with JSON: {error}")))?;
        Ok(match answer {
            object @ Value::Object(_) => object,
            list @ Value::Array(_) => json!({"items": list}),
            other => json!({"result": other}),
        })
    }
}
