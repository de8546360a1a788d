//! The flags of the settings on the command line.

use std::collections::BTreeMap;
use std::ffi::OsString;

use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command, builder::ValueParser};

use super::setting::Setting;
use super::table::SETTINGS;

/// Adds a flag for every setting to a command and to its subcommands. No `--help` shows them: `huntsman help settings` lists
/// them all. A subcommand's own flag of the same name stays.
pub fn add_to(mut command: Command) -> Command {
    let names: Vec<String> = command
        .get_subcommands()
        .map(|subcommand| subcommand.get_name().to_owned())
        .collect();
    for name in names {
        command = command.mut_subcommand(&name, |mut subcommand| {
            for setting in SETTINGS {
                let flag = setting.flag();
                if !subcommand
                    .get_arguments()
                    .any(|own| own.get_long() == Some(&flag))
                {
                    subcommand = subcommand.arg(flag_of(setting).global(true));
                }
            }
            subcommand
        });
    }
    command.args(SETTINGS.iter().map(flag_of))
}

/// The flag of one setting. Its text is read later, together with variables and file, so that a wrong one is reported
/// alike.
fn flag_of(setting: &'static Setting) -> Arg {
    let action = match setting.is_list {
        true => ArgAction::Append,
        false => ArgAction::Set,
    };
    Arg::new(setting.name)
        .long(setting.flag())
        .value_name(setting.value_name)
        .value_parser(ValueParser::os_string())
        .action(action)
        .allow_hyphen_values(setting.allows_hyphen)
        .help(setting.help())
        .hide(true)
}

/// The texts given by flags, by the setting's name. What stands after the command wins over what stands before it.
pub fn given(matches: &ArgMatches) -> BTreeMap<&'static str, Vec<OsString>> {
    let mut given = BTreeMap::new();
    let mut level = Some(matches);
    while let Some(matches) = level {
        for setting in SETTINGS {
            let is_ours = matches.ids().any(|id| id.as_str() == setting.name);
            if is_ours && matches.value_source(setting.name) == Some(ValueSource::CommandLine) {
                let texts = matches.get_many::<OsString>(setting.name);
                given.insert(setting.name, texts.into_iter().flatten().cloned().collect());
            }
        }
        level = matches.subcommand().map(|(_, matches)| matches);
    }
    given
}
