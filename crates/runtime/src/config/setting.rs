//! One setting: its names, its type, its default, and the commands that it concerns; and what a type of settings has to do.

use std::ffi::OsString;

/// A type that a setting can have.
pub trait SettingValue: Sized {
    /// Whether several texts make one value.
    const IS_LIST: bool = false;
    /// Whether the value is never shown.
    const IS_SECRET: bool = false;

    /// What is accepted, in words that follow "takes".
    fn takes(setting: &Setting) -> String;

    /// Reads the texts of one source: none when nobody set it and it has no default.
    ///
    /// # Errors
    /// The text that is no value of this type.
    fn read(texts: &[OsString], setting: &Setting) -> Result<Self, OsString>;
}

/// One row of the table of settings ([`super::SETTINGS`]).
#[derive(Debug)]
pub struct Setting {
    /// The name: of the field in [`super::Config`], of the key in `huntsman.toml`, and, with hyphens, of the flag.
    pub name: &'static str,
    /// What it decides, in a sentence or two.
    pub help: &'static str,
    /// The variable, where it is not `HUNTSMAN_` and the name in capitals.
    pub variable: Option<&'static str>,
    /// Variables of other programs that count where ours is not set.
    pub other_variables: &'static [&'static str],
    /// The value when nobody sets it, as it would be written in a variable.
    pub default: Option<&'static str>,
    /// What is used without a value, in words, where there is no `default`.
    pub default_in_words: Option<&'static str>,
    /// Heading in `--help` and in `docs/config.md`.
    pub section: &'static str,
    /// Stands for the value in `--help`.
    pub value_name: &'static str,
    /// The commands that it concerns, by their first word. `--help` of every other command leaves it out.
    pub commands: &'static [&'static str],
    /// Least and greatest number, both allowed.
    pub range: (u64, u64),
    /// What stands between the items of a list.
    pub separator: char,
    /// Whether an empty text means that it is not set.
    pub blank_is_unset: bool,
    /// Whether the value after the flag may begin with a hyphen.
    pub allows_hyphen: bool,
    /// Whether a configuration file may set it that nobody named and that merely lies in the working folder. Such a file may
    /// come with a download: it chooses no program, file or folder, no host that is asked or told something, no key, and
    /// nothing that opens the server or the local network.
    pub in_found_file: bool,
    /// Whether `-h` shows it too, beside `--help`.
    pub is_in_short_help: bool,
    /// Whether it may be given several times.
    pub is_list: bool,
    /// Whether the value is never shown.
    pub is_secret: bool,
    /// What it takes, in words, such as "a whole number from 1 to 20".
    pub takes: fn(&Setting) -> String,
    /// Reads the texts as a value of the type, and gives the text that is none back.
    pub check: fn(&[OsString], &Setting) -> Result<(), OsString>,
}

impl Setting {
    /// A setting with nothing but what follows from its type `T`.
    pub(super) const fn new<T: SettingValue>(name: &'static str, help: &'static str) -> Self {
        Self {
            name,
            help,
            variable: None,
            other_variables: &[],
            default: None,
            default_in_words: None,
            section: "",
            value_name: "TEXT",
            commands: &[],
            range: (0, u64::MAX),
            separator: ',',
            blank_is_unset: false,
            allows_hyphen: false,
            in_found_file: false,
            is_in_short_help: false,
            is_list: T::IS_LIST,
            is_secret: T::IS_SECRET,
            takes: T::takes,
            check: |texts, setting| T::read(texts, setting).map(drop),
        }
    }

    /// The same in a section, for the commands that the section concerns.
    pub(super) const fn of(self, section: &'static str, commands: &'static [&'static str]) -> Self {
        Self {
            section,
            commands,
            ..self
        }
    }

    /// The flag without its two hyphens.
    pub fn flag(&self) -> String {
        self.name.replace('_', "-")
    }

    /// The variable.
    pub fn variable(&self) -> String {
        self.variable
            .map_or_else(|| format!("HUNTSMAN_{}", self.name.to_uppercase()), str::to_owned)
    }

    /// What it takes, in words.
    pub fn takes(&self) -> String {
        (self.takes)(self)
    }

    /// The help text on one line, without the full stop at its end.
    pub fn help(&self) -> &'static str {
        let text = self.help.trim();
        text.strip_suffix('.').unwrap_or(text)
    }

    /// Whether it concerns a command. Every setting concerns `settings`, which lists them; what concerns `scrape` concerns
    /// the commands that read whole sites.
    pub fn concerns(&self, command: &str) -> bool {
        let command = match command {
            "map" | "crawl" | "batch" => "scrape",
            other => other,
        };
        command == "settings" || self.commands.contains(&command)
    }
}
