//! `Logins`: the logins of a run, opened when it begins: its profile, and the secrets that it may fill in.

use std::sync::Arc;

use agents::run::BeforeEnd;
use agents::session::{RunSession, SecretValue};
use serde_json::Value;
use wire::Code;
use wire::profile::ProfileChoice;
use wire::request_secrets::RequestSecrets;
use wire::run::RunSpec;

use crate::error::ServiceError;
use crate::profiles::{OpenProfile, Profiles, WriteBack};
use crate::secrets::Secrets;

/// The logins of one run.
#[derive(Default)]
pub(crate) struct Logins {
    pub(crate) session: RunSession,
    write_back: Option<Arc<WriteBack>>,
}

impl Logins {
    /// Opens what a run has asked for.
    ///
    /// # Errors
    /// When its owner has no such profile or secret.
    pub(crate) async fn of_run(
        profiles: &Profiles,
        secrets: &Secrets,
        spec: &RunSpec,
    ) -> Result<Self, ServiceError> {
        let mut logins = Self::of_profile(profiles, &spec.owner, spec.job.profile()).await?;
        logins.session.secrets = Arc::new(secrets.open(&spec.owner, &spec.job).await?);
        Ok(logins)
    }

    /// Opens a profile.
    ///
    /// # Errors
    /// When the owner has none of this name.
    pub(crate) async fn of_profile(
        profiles: &Profiles,
        owner: &str,
        choice: &ProfileChoice,
    ) -> Result<Self, ServiceError> {
        let Some(OpenProfile { profile, write_back }) = profiles.open(owner, choice).await? else {
            return Ok(Self::default());
        };
        let session = RunSession {
            profile: Some(profile),
            ..RunSession::default()
        };
        Ok(Self { session, write_back })
    }

    /// The values that are hidden in every event of a run: those of its request, of its secrets and of its profile.
    ///
    /// # Errors
    /// When they are too large together: no run begins whose events could show one of them.
    pub(crate) fn hidden(&self, request: &Value) -> Result<RequestSecrets, ServiceError> {
        let mut hidden = RequestSecrets::of(request);
        let filled = self.session.secrets.iter().filter_map(|it| match &it.value {
            SecretValue::Text(text) => Some((it.key.clone(), text.clone())),
            SecretValue::Totp(_) => None,
        });
        let profile = self.session.profile.iter();
        hidden.hide(filled.chain(profile.flat_map(|profile| profile.secret_values())));
        if hidden.left_out() == 0 {
            return Ok(hidden);
        }
        let most = RequestSecrets::MAX_BYTES >> 20;
        let text = match &self.session.profile {
            Some(profile) => format!(
                "profile: the secrets of the request and of the profile {} have more than {most} MiB together, which is more \
                 than can be hidden in events: export its storage state, take out what is not needed, and import it again",
                profile.name
            ),
            None => format!(
                "the secrets of the request have more than {most} MiB together, which is more than can be hidden in events"
            ),
        };
        Err(ServiceError::new(Code::InvalidRequest, text))
    }

    /// What writes the profile back before the run's last event.
    pub(crate) fn before_end(&self) -> Option<Arc<dyn BeforeEnd>> {
        let work = self.write_back.clone()?;
        Some(work)
    }
}
