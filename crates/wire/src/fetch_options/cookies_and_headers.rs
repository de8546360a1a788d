//! Headers and cookies of a request for its pages, by the site that may have them.

use std::collections::BTreeMap;

use schemars::{Schema, SchemaGenerator, json_schema};
use url::Url;

use crate::strict::{Fields, RequestRefusal};

/// Values by name, for each site. A site is an origin, such as `https://shop.example`.
pub type SiteValues = BTreeMap<String, BTreeMap<String, String>>;

/// Most sites, and most values of one site.
const MAX_SITES: usize = 20;
const MAX_VALUES: usize = 50;
/// The longest name, and the longest value, in characters.
const MAX_NAME: usize = 100;
const MAX_VALUE: usize = 4_096;

/// Headers that belong to the connection, or have a field of their own.
const NOT_FOR_REQUESTS: &[(&str, &str)] = &[
    ("accept-encoding", "the engine sets it"),
    ("accept-language", "use fetch.locale"),
    ("connection", "it belongs to the connection"),
    ("content-encoding", "it belongs to a body"),
    ("content-length", "it belongs to a body"),
    ("content-type", "it belongs to a body"),
    ("cookie", "use fetch.cookies"),
    ("expect", "it belongs to the connection"),
    ("host", "it belongs to the connection"),
    ("http2-settings", "it belongs to the connection"),
    ("keep-alive", "it belongs to the connection"),
    ("metadata", METADATA),
    ("metadata-flavor", METADATA),
    ("origin", "the engine sets it"),
    ("proxy-authenticate", "it belongs to the connection"),
    ("proxy-authorization", "it belongs to the connection"),
    ("proxy-connection", "it belongs to the connection"),
    ("set-cookie", "it belongs to answers"),
    ("te", "it belongs to the connection"),
    ("trailer", "it belongs to the connection"),
    ("transfer-encoding", "it belongs to the connection"),
    ("upgrade", "it belongs to the connection"),
    ("user-agent", "use fetch.user_agent"),
    ("via", "it belongs to the connection"),
    ("x-aws-ec2-metadata-token", METADATA),
    ("x-aws-ec2-metadata-token-ttl-seconds", METADATA),
];
/// Why headers that metadata services of clouds ask for are not sent.
const METADATA: &str = "it opens the metadata service of a cloud";

pub(super) fn headers(from: &mut Fields) -> Result<SiteValues, RequestRefusal> {
    by_site(from, "headers", |name, value| {
        check_name(name)?;
        let lower = name.to_ascii_lowercase();
        let own = NOT_FOR_REQUESTS.iter().find(|(own, _)| *own == lower);
        if let Some((_, why)) = own {
            return Err(format!("cannot be set here: {why}"));
        }
        match value.bytes().all(|it| it == b'\t' || (b' '..=b'~').contains(&it)) {
            true => Ok(()),
            false => Err("must be plain ASCII without line ends".to_owned()),
        }
    })
}

pub(super) fn cookies(from: &mut Fields) -> Result<SiteValues, RequestRefusal> {
    by_site(from, "cookies", |name, value| {
        check_name(name)?;
        // RFC 6265, section 4.1.1, and blanks, which browsers take too.
        let is_octet = |it: u8| (b' '..=b'~').contains(&it) && !matches!(it, b'"' | b',' | b';' | b'\\');
        match value.bytes().all(is_octet) && value.trim() == value {
            true => Ok(()),
            false => Err(
                "must be plain ASCII without line ends, quotes, commas, semicolons and backslashes, \
                 and without blanks around it"
                    .to_owned(),
            ),
        }
    })
}

/// RFC 9110, section 5.6.2: a token.
fn check_name(name: &str) -> Result<(), String> {
    let is_token = |it: u8| it.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&it);
    match (1..=MAX_NAME).contains(&name.len()) && name.bytes().all(is_token) {
        true => Ok(()),
        false => Err(format!(
            "must have a name of 1 to {MAX_NAME} letters, digits and hyphens"
        )),
    }
}

fn by_site(
    from: &mut Fields,
    key: &str,
    check: impl Fn(&str, &str) -> Result<(), String>,
) -> Result<SiteValues, RequestRefusal> {
    let mut sites = SiteValues::new();
    let Some(mut fields) = from.object(key)? else {
        return Ok(sites);
    };
    let named: Vec<String> = fields.keys().take(MAX_SITES + 1).map(str::to_owned).collect();
    if named.len() > MAX_SITES {
        return Err(from.refusal(key, format!("must have at most {MAX_SITES} sites")));
    }
    for site in named {
        let origin = origin(&site).ok_or_else(|| {
            let wanted = "is no site; name one by its origin, such as https://shop.example, without a path";
            fields.refusal(&site, wanted)
        })?;
        let Some(mut values) = fields.object(&site)? else {
            continue;
        };
        let names: Vec<String> = values.keys().take(MAX_VALUES + 1).map(str::to_owned).collect();
        if names.len() > MAX_VALUES {
            return Err(fields.refusal(&site, format!("must have at most {MAX_VALUES} values")));
        }
        let place: &mut BTreeMap<String, String> = sites.entry(origin).or_default();
        for name in names {
            let Some(value) = values.text(&name, MAX_VALUE)? else {
                continue;
            };
            check(&name, &value).map_err(|why| values.refusal(&name, why))?;
            let is_twice = place.keys().any(|known| known.eq_ignore_ascii_case(&name));
            if is_twice && key == "headers" {
                return Err(values.refusal(&name, "is given twice"));
            }
            place.insert(name, value);
        }
    }
    Ok(sites)
}

/// The origin that a site names: scheme, host and, where it is unusual, port.
fn origin(site: &str) -> Option<String> {
    if site.len() > 300 || site.chars().any(|it| it.is_control() || it.is_whitespace()) {
        return None;
    }
    let url = Url::parse(site).ok()?;
    let is_bare = matches!(url.scheme(), "http" | "https")
        && url.path() == "/"
        && url.query().is_none()
        && url.fragment().is_none()
        && url.username().is_empty()
        && url.password().is_none();
    is_bare.then(|| url.origin().ascii_serialization())
}

pub(super) fn headers_schema(_: &mut SchemaGenerator) -> Schema {
    let own: Vec<&str> = NOT_FOR_REQUESTS.iter().map(|(name, _)| *name).collect();
    let any_case = own
        .iter()
        .map(|name| any_case(name))
        .collect::<Vec<_>>()
        .join("|");
    let name = format!("^(?!({any_case})$)[!#$%&'*+.^_`|~0-9A-Za-z-]{{1,{MAX_NAME}}}$");
    sites_schema(&name, r"^[\t -~]*$")
}

pub(super) fn cookies_schema(_: &mut SchemaGenerator) -> Schema {
    let name = format!("^[!#$%&'*+.^_`|~0-9A-Za-z-]{{1,{MAX_NAME}}}$");
    sites_schema(
        &name,
        r"^([!#-+\--:<-\[\]-~]([ !#-+\--:<-\[\]-~]*[!#-+\--:<-\[\]-~])?)?$",
    )
}

/// A pattern that matches a name in any case.
fn any_case(name: &str) -> String {
    name.chars()
        .map(|it| match it.is_ascii_alphabetic() {
            true => format!("[{}{it}]", it.to_ascii_uppercase()),
            false => it.to_string(),
        })
        .collect()
}

/// A site in a schema: a host name, an IPv4 address or the IPv6 address of this machine.
const SITE: &str = concat!(
    r"^[Hh][Tt][Tt][Pp][Ss]?://(",
    r"([A-Za-z0-9]([A-Za-z0-9]{0,30}-?[A-Za-z0-9])?\.){0,4}[A-Za-z]{2,20}",
    r"|(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])(\.(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])){3}",
    r"|\[::1\])(:[1-9][0-9]{0,3}|:[1-5][0-9]{4})?/?$"
);

fn sites_schema(name: &str, value: &str) -> Schema {
    json_schema!({
        "type": ["object", "null"],
        "maxProperties": MAX_SITES,
        "propertyNames": {"pattern": SITE},
        "additionalProperties": {
            "type": ["object", "null"],
            "maxProperties": MAX_VALUES,
            "propertyNames": {"pattern": name},
            "additionalProperties": {"type": ["string", "null"], "maxLength": MAX_VALUE, "pattern": value},
        },
    })
}
