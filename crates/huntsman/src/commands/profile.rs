//! `huntsman profile`: saved logins by name: created, filled by a task or from a file, listed, exported, deleted.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use clap::{Args, Subcommand};
use runtime::config::Config;
use runtime::profiles::Profiles;
use store::engines::sqlite::ProcessRole;
use wire::Code;
use wire::profile::{CreateProfile, ProfileSummary, StorageState};

use super::automate::Automate;
use crate::composition;
use crate::failure::Failure;
use crate::output::Output;
use crate::profile_args::ProfileArgs;

#[derive(Debug, Args)]
pub(crate) struct Profile {
    #[command(subcommand)]
    action: ProfileAction,
}

#[derive(Debug, Subcommand)]
enum ProfileAction {
    /// The profiles there are.
    List {
        /// One JSON object instead of a table.
        #[arg(long)]
        json: bool,
    },
    /// Create a profile with nothing in it.
    Create(NewProfile),
    /// Do a task that logs in, and save the login in the profile; one that does not exist is created.
    Login(Box<Login>),
    /// Write the state of a profile, in Playwright's storage-state format.
    Export {
        /// Its name.
        name: String,
        /// File to write, readable for you alone; stdout when absent.
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Replace the state of a profile by a file in Playwright's storage-state format; one that does not exist is created.
    Import {
        #[command(flatten)]
        profile: NewProfile,
        /// The file; `-` for stdin.
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
    /// Delete a profile and its state.
    Delete {
        /// Its name.
        name: String,
    },
}

#[derive(Debug, Clone, Args)]
struct NewProfile {
    /// Its name.
    name: String,
    /// What people should know of it.
    #[arg(long, default_value = "", value_name = "TEXT")]
    note: String,
    /// Site that it is for; can be repeated. Every site when absent.
    #[arg(long = "site", value_name = "HOST")]
    sites: Vec<String>,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Example: huntsman profile login shop --url https://shop.example/login --secret user=shop-user --secret password=shop-password"
)]
struct Login {
    /// Profile that the login is saved in.
    name: String,
    /// Page that asks for the login.
    #[arg(long, value_name = "URL")]
    url: String,
    /// What to do instead of filling the form and sending it.
    #[arg(long, value_name = "TEXT", default_value = LOGIN_TASK)]
    task: String,
    /// Secret of the vault that may be filled, as KEY=NAME, or NAME for both; can be repeated.
    #[arg(long = "secret", value_name = "KEY=NAME")]
    secrets: Vec<String>,
    /// Ask here, at the terminal, for values that the vault does not have.
    #[arg(long)]
    interactive: bool,
    /// No log on stderr.
    #[arg(short, long)]
    quiet: bool,
}

const LOGIN_TASK: &str = "Log in with the values that you can fill in by key. Finish as soon as the site shows that the login \
                          has succeeded. If it is refused, abort and say what the site says.";

impl NewProfile {
    /// The same request that a client would send, so that the same rules hold.
    fn request(&self) -> Result<CreateProfile, Failure> {
        let body = serde_json::json!({"name": self.name, "note": self.note, "sites": self.sites});
        CreateProfile::parse(body.to_string().as_bytes()).map_err(|refusal| Failure::usage(refusal.text()))
    }
}

impl Profile {
    /// Runs the command.
    pub(crate) fn run(self, config: &Config) -> Result<ExitCode, Failure> {
        composition::log(config, true)?;
        if let ProfileAction::Login(login) = self.action {
            return login.run(config);
        }
        let application = composition::build(config, ProcessRole::Guest, Vec::new())?;
        composition::runtime()?.block_on(self.action.run(&application.service.profiles()))?;
        Ok(ExitCode::SUCCESS)
    }
}

impl ProfileAction {
    async fn run(self, profiles: &Profiles) -> Result<(), Failure> {
        let mut output = Output::new();
        match self {
            Self::List { json } => {
                let list = profiles.list("").await?;
                match json {
                    true => output.json(&list)?,
                    false => list.profiles.iter().try_for_each(|it| output.text(&line(it)))?,
                }
            }
            Self::Create(new) => output.json(&profiles.create("", new.request()?).await?)?,
            Self::Export { name, output: None } => output.json(&profiles.export("", &name).await?)?,
            Self::Export {
                name,
                output: Some(file),
            } => {
                let state = profiles.export("", &name).await?;
                write(
                    &file,
                    &serde_json::to_string_pretty(&state).context("cannot write the state")?,
                )?;
            }
            Self::Import { profile, file } => output.json(&import(profiles, &profile, &file).await?)?,
            Self::Delete { name } => {
                profiles.delete("", &name).await?;
                output.text("deleted")?;
            }
            // Done by a run, not here.
            Self::Login(_) => {}
        }
        output.done()?;
        Ok(())
    }
}

fn line(profile: &ProfileSummary) -> String {
    let when = profile.updated_at.strftime("%Y-%m-%d %H:%M:%S");
    let hosts = profile.hosts.join(" ");
    format!(
        "{:<20} {when}  {:>4} cookies {:>4} items  {hosts}  {}",
        profile.name, profile.cookies, profile.local_storage, profile.note
    )
}

async fn import(profiles: &Profiles, new: &NewProfile, file: &Path) -> Result<ProfileSummary, Failure> {
    let text = match file.as_os_str() == "-" {
        true => std::io::read_to_string(std::io::stdin()).context("cannot read stdin")?,
        false => fs::read_to_string(file)
            .map_err(|error| Failure::usage(format!("cannot read {}: {error}", file.display())))?,
    };
    let imported = StorageState::parse(text.as_bytes()).map_err(|refusal| Failure::usage(refusal.text()))?;
    match profiles.import("", &new.name, imported.clone()).await {
        Err(error) if error.code == Code::NotFound => {
            let request = CreateProfile {
                storage_state: serde_json::to_value(&imported.state).ok(),
                ..new.request()?
            };
            let created = profiles.create("", request).await?;
            Ok(ProfileSummary {
                left_out: imported.left_out,
                ..created
            })
        }
        imported => Ok(imported?),
    }
}

/// Writes a file that only its owner may read.
fn write(file: &Path, text: &str) -> Result<(), Failure> {
    let mut open = store::private_files::open_file(file)
        .and_then(|open| open.set_len(0).map(|()| open))
        .map_err(|error| Failure::usage(format!("cannot write {}: {error}", file.display())))?;
    open.write_all(format!("{text}\n").as_bytes())?;
    Ok(())
}

impl Login {
    fn run(self, config: &Config) -> Result<ExitCode, Failure> {
        let new = NewProfile {
            name: self.name.clone(),
            note: String::new(),
            sites: Vec::new(),
        };
        let request = new.request()?;
        let automate = Automate::login(
            &self.task,
            &self.url,
            self.secrets,
            ProfileArgs::saving(self.name),
            self.interactive,
            self.quiet,
        );
        automate.run_with(config, async |application| {
            match application.service.profiles().create("", request).await {
                Err(error) if error.code != Code::Conflict => Err(error.into()),
                // There is one already, and the login goes into it.
                Ok(_) | Err(_) => Ok(()),
            }
        })
    }
}
