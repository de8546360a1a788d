//! Configuration: the table of settings, and the values that flags, variables, file and defaults give them.
//!
//! A setting is one row of the table in `table.rs`, which makes it a field of [`Config`]. Everything else derives from the
//! row: flag and `--help` (`flags`), variable and precedence (`resolve`), key of `huntsman.toml` (`file`), `docs/config.md`
//! (`document`).

use std::path::PathBuf;

use store::engines::nats::NatsSettings;
use url::Url;
use wire::tenancy::TenantLimits;

pub mod document;
mod error;
pub mod file;
pub mod flags;
mod origin;
mod resolve;
mod secret;
mod setting;
mod store_engine;
mod table;
#[cfg(test)]
mod tests;
mod value;

pub use error::Error;
pub use origin::{Origin, Origins};
pub use secret::Secret;
pub use setting::{Setting, SettingValue};
pub use store_engine::StoreEngine;
pub use table::{Config, SETTINGS};
pub use value::{CountryProxy, PositiveNumber, Switch};

impl Config {
    /// The folder of the operator's own tools: the one set, else `tools.d` in the data folder.
    pub fn tools_folder(&self) -> PathBuf {
        self.tools_dir
            .clone()
            .unwrap_or_else(|| self.data_folder().join("tools.d"))
    }

    /// The data folder: the one set, else `huntsman` in the user's data folder, else `.huntsman` in the current folder.
    pub fn data_folder(&self) -> PathBuf {
        let home = || file::absolute_folder("HOME").map(|home| home.join(".local/share"));
        let users = || file::absolute_folder("XDG_DATA_HOME").or_else(home);
        self.data_dir
            .clone()
            .or_else(|| users().map(|folder| folder.join("huntsman")))
            .unwrap_or_else(|| PathBuf::from(".huntsman"))
    }

    /// The text of a setting about models by its variable; of a provider's own variable, such as `OPENAI_API_KEY`, the
    /// environment's value.
    pub fn llm_variable(&self, variable: &str) -> Option<String> {
        if !variable.starts_with("HUNTSMAN_") {
            return std::env::var(variable).ok();
        }
        let setting = SETTINGS
            .iter()
            .find(|setting| setting.name.starts_with("llm_") && setting.variable() == variable)?;
        let text = self.origins.texts(setting).into_iter().next()?;
        text.into_string().ok()
    }

    /// The limits of tenants that have none of their own.
    ///
    /// # Errors
    /// When one is unknown, or no number of 0 or more.
    pub fn tenant_limits(&self) -> Result<TenantLimits, String> {
        TenantLimits::read(&self.tenant_limits).map_err(|error| format!("HUNTSMAN_TENANT_LIMITS: {error}"))
    }

    fn check_issuer(&self) -> Result<(), String> {
        let (issuer, audience) = match (&self.token_issuer, &self.token_audience) {
            (None, None) => return Ok(()),
            (Some(issuer), Some(audience)) => (issuer, audience),
            _ => {
                return Err(
                    "HUNTSMAN_TOKEN_ISSUER and HUNTSMAN_TOKEN_AUDIENCE belong together: set both or none"
                        .into(),
                );
            }
        };
        let is_local = |url: &Url| match url.host() {
            Some(url::Host::Ipv4(address)) => address.is_loopback(),
            Some(url::Host::Ipv6(address)) => address.is_loopback(),
            Some(url::Host::Domain(name)) => name == "localhost",
            None => false,
        };
        for (name, url) in [
            ("HUNTSMAN_TOKEN_ISSUER", issuer),
            ("HUNTSMAN_TOKEN_AUDIENCE", audience),
        ] {
            let has_scheme = url.scheme() == "https" || (url.scheme() == "http" && is_local(url));
            if !has_scheme || url.query().is_some() || url.fragment().is_some() {
                return Err(format!(
                    "{name} is {url}; it takes an https address without query and fragment (http on this machine)"
                ));
            }
        }
        Ok(())
    }

    /// Checks what cannot stand together, before anything starts.
    ///
    /// # Errors
    /// One sentence that names the setting and what to do.
    pub fn check(&self) -> Result<(), String> {
        if !self.listen.ip().is_loopback() && self.api_keys.is_empty() {
            return Err(format!(
                "HUNTSMAN_LISTEN is {}, which others can reach: set HUNTSMAN_API_KEYS, or listen on 127.0.0.1",
                self.listen
            ));
        }
        self.tenant_limits()?;
        if let Some(short) = self.api_keys.iter().position(|key| key.reveal().len() < 8) {
            return Err(format!(
                "HUNTSMAN_API_KEYS: key {} is shorter than 8 characters",
                short + 1
            ));
        }
        self.check_issuer()?;
        if !NatsSettings::is_prefix(&self.nats_prefix) {
            return Err("HUNTSMAN_NATS_PREFIX takes 1 to 16 of a-z, 0-9, `_` and `-`".into());
        }
        if self.nats_user.is_some() != self.nats_password.is_some() {
            return Err(
                "HUNTSMAN_NATS_USER and HUNTSMAN_NATS_PASSWORD belong together: set both or none".into(),
            );
        }
        if self.nats_certificate.is_some() != self.nats_key.is_some() {
            return Err(
                "HUNTSMAN_NATS_CERTIFICATE and HUNTSMAN_NATS_KEY belong together: set both or none".into(),
            );
        }
        if matches!(self.store, StoreEngine::Nats(_)) && self.secret_key.is_empty() {
            return Err(
                "HUNTSMAN_SECRET_KEY is not set and HUNTSMAN_STORE is shared: set the same key for every server and \
                 worker; `openssl rand -hex 32` makes one"
                    .into(),
            );
        }
        Ok(())
    }
}
