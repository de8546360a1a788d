//! `IssuerDocuments`: reads what the token issuer of the configuration publishes.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use runtime::config::Config;
use runtime::tenants::access_tokens::{AccessTokens, FetchDocument};
use url::Url;

use crate::composition;
use crate::failure::Failure;

/// How long the issuer may take for one document.
const TIMEOUT: Duration = Duration::from_secs(10);
/// Most bytes of a document.
const MAX_BYTES: usize = 256 * 1024;

struct IssuerDocuments {
    client: net::Client,
    issuer: Url,
}

/// Reads the access tokens of the issuer that the configuration names, if it names one.
///
/// # Errors
/// When the network settings are wrong.
pub(crate) fn access_tokens(config: &Config) -> Result<Option<Arc<AccessTokens>>, Failure> {
    let (Some(issuer), Some(audience)) = (&config.token_issuer, &config.token_audience) else {
        return Ok(None);
    };
    let fetch = IssuerDocuments {
        client: composition::client(config, Vec::new())?,
        issuer: issuer.clone(),
    };
    let tokens = AccessTokens::new(issuer.clone(), audience.clone(), Box::new(fetch));
    Ok(Some(Arc::new(tokens)))
}

#[async_trait]
impl FetchDocument for IssuerDocuments {
    async fn fetch(&self, url: &Url) -> Result<Vec<u8>, String> {
        let mut request = net::Request::get(url.clone());
        // The operator named the issuer, and no other host that the issuer may name.
        request.granted = url.origin() == self.issuer.origin();
        request.limits = Some(net::Limits {
            total: TIMEOUT,
            first_byte: TIMEOUT,
            body_bytes: MAX_BYTES,
            ..self.client.limits().clone()
        });
        let response = self
            .client
            .fetch(request)
            .await
            .map_err(|error| error.to_string())?;
        match response.status.as_u16() {
            200 => Ok(response.body.to_vec()),
            status => Err(format!("{url} answered with status {status}")),
        }
    }
}
