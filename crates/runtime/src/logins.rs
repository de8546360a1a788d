//! `Logins`: the logins of a run, opened when it begins: its profile, and the secrets that it may fill in.

use std::sync::Arc;

use agents::run::BeforeEnd;
use agents::session::{RunSession, SecretValue};
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

    /// Hides the values in every event of the run.
    pub(crate) fn hide(&self, secrets: &mut RequestSecrets) {
        let filled = self.session.secrets.iter().filter_map(|it| match &it.value {
            SecretValue::Text(text) => Some((it.key.clone(), text.clone())),
            SecretValue::Totp(_) => None,
        });
        let profile = self.session.profile.iter();
        let left_out = secrets.hide(filled.chain(profile.flat_map(|profile| profile.secret_values())));
        if left_out > 0 {
            tracing::warn!(
                left_out,
                "values of the profile of a run are not hidden: there are too many"
            );
        }
    }

    /// What writes the profile back before the run's last event.
    pub(crate) fn before_end(&self) -> Option<Arc<dyn BeforeEnd>> {
        let work = self.write_back.clone()?;
        Some(work)
    }
}
