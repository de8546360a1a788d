//! The parts of an address.

use serde::Deserialize;
use serde_json::{Map, Value, json};
use url::Url;

use crate::{Error, Tool, ToolContext};

/// The tool `url.parse`.
pub struct UrlParse;

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    url: String,
}

impl Tool for UrlParse {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, _: &mut ToolContext) -> Result<Value, Error> {
        let url = Url::parse(&params.url).map_err(|error| Error::param("url", format!("{error}")))?;
        let mut query = Map::new();
        for (name, value) in url.query_pairs() {
            match query.get_mut(name.as_ref()) {
                Some(Value::Array(several)) => several.push(value.into()),
                Some(one) => *one = json!([one.take(), value]),
                None => {
                    query.insert(name.into_owned(), value.into());
                }
            }
        }
        let user = Some(url.username()).filter(|user| !user.is_empty());
        Ok(json!({
            "scheme": url.scheme(),
            "user": user,
            "has_password": url.password().is_some(),
            "domain": url.host_str().unwrap_or_default(),
            "port": url.port_or_known_default(),
            "path": url.path(),
            "params": query,
            "fragment": url.fragment(),
        }))
    }
}
