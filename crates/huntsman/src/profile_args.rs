//! The flags that name the profile of a command's pages.

use clap::Args;
use wire::profile::ProfileChoice;

/// The profile of a command's pages.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct ProfileArgs {
    /// Profile that the pages are opened with: its cookies and local storage.
    #[arg(long, value_name = "NAME")]
    profile: Option<String>,

    /// Write what the pages changed back to the profile.
    #[arg(long, requires = "profile")]
    profile_save: bool,
}

impl ProfileArgs {
    /// As requests have it.
    pub(crate) fn choice(&self) -> ProfileChoice {
        ProfileChoice {
            profile: self.profile.clone(),
            profile_save: self.profile_save,
        }
    }

    /// The profile of this name, written back.
    pub(crate) fn saving(name: String) -> Self {
        Self {
            profile: Some(name),
            profile_save: true,
        }
    }
}
