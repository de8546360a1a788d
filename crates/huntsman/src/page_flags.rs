//! PageFlags: the flags that say how a command opens its pages.

use clap::Args;
use serde_json::{Map, Value, json};
use url::Url;
use wire::FetchOptions;

use crate::address;
use crate::failure::Failure;
use crate::flag_names::with_flags;

/// How pages are opened. Headers and cookies go to the sites of the addresses on the command line, and to no other.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct PageFlags {
    /// Header for the sites of the addresses; repeatable.
    #[arg(short = 'H', long = "header", value_name = "NAME: VALUE")]
    headers: Vec<String>,

    /// Cookie of the sites of the addresses; repeatable.
    #[arg(long = "cookie", value_name = "NAME=VALUE")]
    cookies: Vec<String>,

    /// The `User-Agent` that pages are asked with.
    #[arg(long, value_name = "TEXT")]
    user_agent: Option<String>,

    /// Longest time for one page (1 to 600).
    #[arg(long, value_name = "SECONDS")]
    timeout: Option<u32>,

    /// Selector, text=WORDS, milliseconds or network-idle; Chromium.
    #[arg(long, value_name = "WHAT", allow_negative_numbers = true)]
    wait_for: Option<String>,

    /// Size of the view, such as 390x844, in Chromium.
    #[arg(long, value_name = "WIDTHxHEIGHT")]
    viewport: Option<String>,

    /// Language that pages are asked for, such as pt-BR.
    #[arg(long, value_name = "TAG")]
    locale: Option<String>,

    /// Time zone, such as Europe/Oslo, in Chromium.
    #[arg(long, value_name = "NAME")]
    timezone: Option<String>,

    /// Ask servers again for what is at hand.
    #[arg(long)]
    nocache: bool,

    /// robots.txt: `obey` for every page, `ignore` for none.
    #[arg(long, value_name = "RULE")]
    robots: Option<String>,

    /// Country that pages are seen from, of HUNTSMAN_PROXIES.
    #[arg(long, value_name = "COUNTRY")]
    country: Option<String>,
}

impl PageFlags {
    /// The options of a request, by the same rules that hold for clients of the server. `addresses` are those of the
    /// command line.
    pub(crate) fn options<'a>(
        &self,
        addresses: impl Iterator<Item = &'a str>,
    ) -> Result<FetchOptions, Failure> {
        let sites: Vec<String> = addresses
            .filter_map(|typed| Url::parse(&address::with_scheme(typed)).ok())
            .map(|url| url.origin().ascii_serialization())
            .collect();
        let given = [
            ("user_agent", self.user_agent.clone().map(Value::from)),
            ("timeout", self.timeout.map(Value::from)),
            ("wait_for", self.wait_for.as_deref().map(wait_for).transpose()?),
            ("viewport", self.viewport.as_deref().map(viewport).transpose()?),
            ("locale", self.locale.clone().map(Value::from)),
            ("timezone", self.timezone.clone().map(Value::from)),
            ("nocache", self.nocache.then_some(Value::Bool(true))),
            ("robots", self.robots.clone().map(Value::from)),
            (
                "geo_target",
                self.country.as_deref().map(|country| json!({"country": country})),
            ),
            (
                "headers",
                by_site(&sites, "--header", &pairs(&self.headers, ':', "--header")?)?,
            ),
            (
                "cookies",
                by_site(&sites, "--cookie", &pairs(&self.cookies, '=', "--cookie")?)?,
            ),
        ];
        let given = given
            .into_iter()
            .filter_map(|(name, value)| Some((name.to_owned(), value?)));
        FetchOptions::of(Value::Object(given.collect())).map_err(|refusal| {
            let field = refusal.field.unwrap_or_default();
            let name = field
                .trim_start_matches("fetch.")
                .split('.')
                .next()
                .unwrap_or_default();
            let flag = match name {
                "headers" => "--header".to_owned(),
                "cookies" => "--cookie".to_owned(),
                "geo_target" => "--country".to_owned(),
                other => format!("--{}", other.replace('_', "-")),
            };
            // The flag of many values does not say which of them is wrong.
            let name = match name {
                "headers" => named(&self.headers, ':', &field),
                "cookies" => named(&self.cookies, '=', &field),
                _ => None,
            };
            let name = name.map(|name| format!("{name} ")).unwrap_or_default();
            Failure::usage(format!("{flag}: {name}{}", with_flags(&refusal.message)))
        })
    }
}

/// The name of the value that a refusal is about, whose field ends with that name.
fn named<'t>(texts: &'t [String], separator: char, field: &str) -> Option<&'t str> {
    let names = texts
        .iter()
        .filter_map(|text| Some(text.split_once(separator)?.0.trim()));
    names
        .filter(|name| !name.is_empty() && field.ends_with(*name))
        .max_by_key(|name| name.len())
}

/// Names and values around a separator. What is wrong is told without the value, which may be a secret.
fn pairs(texts: &[String], separator: char, flag: &str) -> Result<Map<String, Value>, Failure> {
    let pair = |text: &String| match text.split_once(separator) {
        Some((name, value)) => Ok((name.trim().to_owned(), Value::from(value.trim()))),
        None => Err(Failure::usage(format!(
            "{flag}: must be a name and a value with {separator:?} between"
        ))),
    };
    let mut values = Map::new();
    for (name, value) in texts.iter().map(pair).collect::<Result<Vec<_>, Failure>>()? {
        // The second of two values would take the place of the first.
        if values
            .keys()
            .any(|known: &String| known.eq_ignore_ascii_case(&name))
        {
            return Err(Failure::usage(format!("{flag}: {name:?} is given twice")));
        }
        values.insert(name, value);
    }
    Ok(values)
}

fn by_site(sites: &[String], flag: &str, values: &Map<String, Value>) -> Result<Option<Value>, Failure> {
    match (values.is_empty(), sites) {
        (true, _) => Ok(None),
        (false, []) => Err(Failure::usage(format!(
            "{flag}: goes to the sites of the addresses that a command names, and this one names none"
        ))),
        (false, sites) => {
            let sites = sites
                .iter()
                .map(|site| (site.clone(), Value::Object(values.clone())));
            Ok(Some(Value::Object(sites.collect())))
        }
    }
}

fn wait_for(text: &str) -> Result<Value, Failure> {
    if let Ok(milliseconds) = text.parse::<u32>() {
        return Ok(json!({"milliseconds": milliseconds}));
    }
    // No selector is a number.
    if text.parse::<f64>().is_ok() {
        return Err(Failure::usage(
            "--wait-for: a number is one of milliseconds, whole and not below 0, such as 1500",
        ));
    }
    Ok(match text.strip_prefix("text=") {
        Some(shown) => json!({"text": shown}),
        None if text == "network-idle" => json!({"network_idle": true}),
        None => json!({"selector": text}),
    })
}

fn viewport(text: &str) -> Result<Value, Failure> {
    let numbers = text.split_once(['x', 'X']);
    let numbers =
        numbers.and_then(|(width, height)| Some((width.parse::<u32>().ok()?, height.parse::<u32>().ok()?)));
    match numbers {
        Some((width, height)) => Ok(json!({"width": width, "height": height})),
        None => Err(Failure::usage(
            "--viewport: must be a width and a height, such as 390x844",
        )),
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        pages: PageFlags,
    }

    fn options(flags: &[&str], addresses: &[&str]) -> Result<Value, String> {
        let typed = std::iter::once("x").chain(flags.iter().copied());
        let pages = Command::try_parse_from(typed)
            .map_err(|error| error.to_string())?
            .pages;
        let options = pages.options(addresses.iter().copied());
        options.map(|it| json!(it)).map_err(|error| error.text())
    }

    #[test]
    fn flags_give_the_options_of_a_request() {
        let flags = [
            "-H",
            "X-Key: a:b",
            "--cookie",
            "s=1=2",
            "--user-agent",
            "Me/1",
            "--timeout",
            "9",
            "--wait-for",
            "#list",
            "--viewport",
            "390x844",
            "--timezone",
            "Europe/Oslo",
            "--locale",
            "de",
            "--nocache",
            "--robots",
            "obey",
            "--country",
            "no",
        ];
        let wanted = json!({
            "headers": {"https://shop.example": {"X-Key": "a:b"}, "http://127.0.0.1:80": {"X-Key": "a:b"}},
            "cookies": {"https://shop.example": {"s": "1=2"}, "http://127.0.0.1:80": {"s": "1=2"}},
            "user_agent": "Me/1", "timeout": 9, "wait_for": {"selector": "#list"},
            "viewport": {"width": 390, "height": 844}, "timezone": "Europe/Oslo", "locale": "de", "nocache": true,
            "robots": "obey", "geo_target": {"country": "NO"},
        });
        let mut given = options(&flags, &["shop.example/a", "http://127.0.0.1/b"]).unwrap();
        // An origin leaves its usual port out.
        for name in ["headers", "cookies"] {
            let value = given[name]
                .as_object_mut()
                .unwrap()
                .remove("http://127.0.0.1")
                .unwrap();
            given[name]["http://127.0.0.1:80"] = value;
        }
        assert_eq!(given, wanted);
        for (text, condition) in [
            ("1500", json!({"milliseconds": 1500})),
            ("text=Sold out", json!({"text": "Sold out"})),
            ("network-idle", json!({"network_idle": true})),
        ] {
            assert_eq!(
                options(&["--wait-for", text], &[]).unwrap()["wait_for"],
                condition
            );
        }
    }

    #[test]
    fn a_wrong_flag_is_named_and_its_value_is_not_repeated() {
        for (flags, named) in [
            (["--cookie", "s3cret"], "--cookie"),
            (["-H", "X-Key: s3cret"], "--header"),
            (["--viewport", "wide"], "--viewport"),
            (["--wait-for", "-5"], "--wait-for"),
            (["--wait-for", "1.5"], "--wait-for"),
            (["--timezone", "Mars/Olympus"], "--timezone"),
            (["--timeout", "0"], "--timeout"),
            (["--robots", "maybe"], "--robots"),
        ] {
            let error = options(&flags, &[]).unwrap_err();
            assert!(error.starts_with(named) && !error.contains("s3cret"), "{error}");
        }
        let error = options(
            &["-H", "X-Key: s3cret", "-H", "x-key: s3cret2"],
            &["https://a.example"],
        )
        .unwrap_err();
        assert_eq!(error, "--header: \"x-key\" is given twice");
        let error = options(
            &["-H", "Accept: a/b", "-H", "Cookie: s=s3cret"],
            &["https://a.example"],
        )
        .unwrap_err();
        assert_eq!(error, "--header: Cookie cannot be set here: use --cookie");
        let error = options(&["--wait-for", "90000", "--timeout", "3"], &[]).unwrap_err();
        assert!(
            error.starts_with("--wait-for") && error.contains("--timeout"),
            "{error}"
        );
        let error = options(&["-H", "X-Key: s3cret\nB: c"], &["https://a.example"]).unwrap_err();
        assert!(
            error.starts_with("--header") && !error.contains("s3cret"),
            "{error}"
        );
    }
}
