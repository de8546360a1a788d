//! The bodies of `/v1/tools/{name}/run`, `/v1/plans/check`, `/v1/plans/run` and `/api/sites/match`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::fetch_options::FetchOptions;
use crate::profile::ProfileChoice;
use crate::run::PlanRequest;
use crate::strict::{self, Fields, RequestRefusal};

/// `POST /v1/tools/{name}/run`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(extend("additionalProperties" = false))]
pub struct ToolRequest {
    /// What the tool is given.
    #[serde(default)]
    pub parameters: Map<String, Value>,
    /// The page it works on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(
        url,
        length(max = 8192),
        pattern(r"^[Hh][Tt][Tt][Pp][Ss]?://[^/?#@\s\\]+([/?#]|$)")
    )]
    pub url: Option<String>,
    /// The page's HTML, when it is not to be fetched; `url` is its address then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 4_000_000))]
    pub html: Option<String>,
    /// What earlier steps gave, by name.
    #[serde(default)]
    pub input: Map<String, Value>,
    /// How pages are opened.
    #[serde(default, skip_serializing_if = "FetchOptions::is_empty")]
    #[schemars(with = "Option<FetchOptions>")]
    pub fetch: FetchOptions,
}

/// Longest page that is sent along, in characters.
const LONGEST_HTML: usize = 4_000_000;

impl ToolRequest {
    /// Reads a body. An empty one runs the tool without parameters.
    ///
    /// # Errors
    /// Naming the first field that is wrong. A field that is not known is refused, since it would change nothing.
    pub fn parse(body: &[u8]) -> Result<Self, RequestRefusal> {
        let body = if body.iter().all(u8::is_ascii_whitespace) {
            b"{}"
        } else {
            body
        };
        let mut from = strict::object(body)?;
        from.refuse_operator_keys()?;
        let mut object = |key: &str| match from.any(key) {
            None => Ok(Map::new()),
            Some(Value::Object(map)) => Ok(map),
            Some(other) => Err(RequestRefusal::field(
                key,
                format!("must be an object, not {other:.40}"),
            )),
        };
        let request = Self {
            parameters: object("parameters")?,
            input: object("input")?,
            url: from.address("url")?,
            html: from.text("html", LONGEST_HTML)?,
            fetch: FetchOptions::take(&mut from)?,
        };
        from.refuse_others()?;
        Ok(request)
    }
}

/// `POST /api/sites/match`: which of the known sites a task is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(extend("additionalProperties" = false))]
pub struct SiteMatchRequest {
    /// The task, which may name a site.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 20_000))]
    pub instructions: Option<String>,
    /// Addresses of pages, or bare domains.
    #[serde(default)]
    #[schemars(
        with = "Option<Vec<String>>",
        length(max = 100),
        inner(length(min = 1, max = 8192), pattern(r"[^\s\u0085]"))
    )]
    pub assets: Vec<String>,
}

impl SiteMatchRequest {
    /// Reads a body.
    ///
    /// # Errors
    /// Naming the first field that is wrong. A field that is not known is refused, since it would change nothing.
    pub fn parse(body: &[u8]) -> Result<Self, RequestRefusal> {
        let mut from = strict::object(body)?;
        let request = Self {
            instructions: from.text("instructions", 20_000)?,
            assets: from.texts("assets", 100, 8192)?.unwrap_or_default(),
        };
        from.refuse_others()?;
        Ok(request)
    }
}

impl PlanRequest {
    /// Reads a body: `{"plan": ..., "url": ..., "fetch": ...}`, where `plan` is a plan of the DSL or its list of steps; or a plan of the
    /// DSL itself with `url` and `fetch` beside its keys.
    ///
    /// # Errors
    /// Naming the first field that is wrong. Whether the plan can run is not judged here.
    pub fn parse(body: &[u8]) -> Result<Self, RequestRefusal> {
        let body = match strict::value(body)? {
            Value::Object(map) => map,
            steps @ Value::Array(_) => {
                return Ok(Self {
                    plan: steps,
                    url: None,
                    profile: ProfileChoice::default(),
                    fetch: FetchOptions::default(),
                });
            }
            _ => return Err(RequestRefusal::body("the body must be a JSON object")),
        };
        let mut from = Fields::new(body);
        from.refuse_operator_keys()?;
        let url = from.address("url")?;
        let profile = ProfileChoice::take(&mut from)?;
        let fetch = FetchOptions::take(&mut from)?;
        let plan = match from.any("plan") {
            Some(plan @ Value::Object(_)) => {
                from.refuse_others()?;
                plan
            }
            // What else stands there is the plan's, and read with it.
            Some(steps @ Value::Array(_)) => {
                let mut plan = Map::from_iter([("plan".to_owned(), steps)]);
                plan.extend(from.into_map());
                Value::Object(plan)
            }
            Some(_) => {
                return Err(RequestRefusal::field(
                    "plan",
                    "must be a plan or its list of steps",
                ));
            }
            None => return Err(RequestRefusal::field("plan", "is required")),
        };
        Ok(Self {
            plan,
            url,
            profile,
            fetch,
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_plan_may_be_the_body_or_a_field_of_it() {
        let parse = |body: Value| PlanRequest::parse(body.to_string().as_bytes());
        let dsl = json!({"plan": [{"tool": "a.b"}], "fallback": "c.d"});
        let inside = parse(json!({"plan": dsl, "url": "https://a.example/"})).unwrap();
        assert_eq!(
            (inside.plan, inside.url.as_deref()),
            (dsl.clone(), Some("https://a.example/"))
        );
        let beside =
            parse(json!({"plan": [{"tool": "a.b"}], "fallback": "c.d", "url": "https://a.example/"}))
                .unwrap();
        assert_eq!(beside.plan, dsl);
        assert_eq!(
            parse(json!([{"tool": "a.b"}])).unwrap().plan,
            json!([{"tool": "a.b"}])
        );
        assert_eq!(
            parse(json!({"url": "https://a.example/"}))
                .unwrap_err()
                .field
                .as_deref(),
            Some("plan")
        );
        let refused = |body: Value| parse(body).unwrap_err().field.unwrap_or_default();
        for (field, body) in [
            ("url", json!({"plan": [], "url": "file:///etc/passwd"})),
            ("html", json!({"plan": dsl, "html": "<p>a</p>"})),
            ("profle", json!({"plan": dsl, "profle": "x"})),
            ("fallback", json!({"plan": dsl, "fallback": "c.d"})),
            (
                "headers",
                json!({"plan": [{"tool": "a.b"}], "headers": {"x": "y"}}),
            ),
        ] {
            assert_eq!(refused(body), field);
        }
    }

    #[test]
    fn a_tool_needs_no_body() {
        assert!(ToolRequest::parse(b" ").unwrap().parameters.is_empty());
        assert!(ToolRequest::parse(br#"{"parameters": "{}"}"#).is_err());
    }
}
