//! Resolution of a link against a base address.

use serde::{Deserialize, Serialize};
use url::Url;

use crate::{Error, Tool, ToolContext};

/// The tool `url.join`.
pub struct UrlJoin;

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    base: Option<String>,
    path: String,
}

#[derive(Serialize)]
pub struct Output {
    url: Url,
}

impl Tool for UrlJoin {
    type Params = Params;
    type Output = Output;

    async fn run(&self, Params { base, path }: Params, context: &mut ToolContext) -> Result<Output, Error> {
        let base = match base {
            Some(base) => {
                Url::parse(&base).map_err(|error| Error::param("base", format!("{base:?}: {error}")))?
            }
            None => context
                .url()
                .ok_or_else(|| Error::param("base", "there is no page; give a base address"))?,
        };
        let url = base
            .join(&path)
            .map_err(|error| Error::param("path", format!("{path:?}: {error}")))?;
        Ok(Output { url })
    }
}
