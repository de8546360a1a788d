//! `RunSession`: the logins of one run: the state of its profile and the secrets that it may fill in.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use browser::{LocalStorage, Visit};
use net::{Cookie, CookieJar};
use page::Page;
use policy::Site;
use serde_json::Value;
use url::Url;
use wire::Code;
use wire::error::ErrorBody;
use wire::profile::{LocalItem, OriginState, SameSite, StorageState, StoredCookie};

use crate::site_memory::Memory;
use crate::totp::TotpSecret;

/// The logins of one run. Cheap to clone; clones share the cookies.
#[derive(Debug, Clone, Default)]
pub struct RunSession {
    /// The profile that its pages are opened with.
    pub profile: Option<RunProfile>,
    /// The secrets of the vault that it may fill in.
    pub secrets: Arc<Vec<RunSecret>>,
    /// What earlier runs of its owner learned about sites; none where the run does not ask for it.
    pub memory: Option<Arc<dyn Memory>>,
}

/// The profile of a run: what it holds now, as the pages of the run have left it.
#[derive(Debug, Clone)]
pub struct RunProfile {
    /// Its name.
    pub name: String,
    /// The sites it is for; every site when empty.
    sites: Arc<Vec<String>>,
    /// The hosts that it held state of when the run began.
    hosts: Arc<Vec<String>>,
    pub(crate) jar: CookieJar,
    pub(crate) storage: LocalStorage,
    /// Cookies of the request, once they are in the jar.
    given: Arc<Mutex<Vec<GivenCookie>>>,
}

/// A cookie of a request, which is sent with those of the profile and not saved with them.
#[derive(Debug)]
struct GivenCookie {
    cookie: Cookie,
    /// The cookie of the profile whose place it has taken.
    former: Option<Cookie>,
}

/// A secret of the vault, by the key that a model is told.
#[derive(Clone)]
pub struct RunSecret {
    /// The key.
    pub key: String,
    /// The sites it may be filled on, as `host` or `host:port`.
    pub sites: Vec<String>,
    /// The value.
    pub value: SecretValue,
}

/// What is filled in for a secret.
#[derive(Clone)]
pub enum SecretValue {
    /// This text.
    Text(String),
    /// The one-time password of the moment.
    Totp(TotpSecret),
}

impl fmt::Debug for RunSecret {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "RunSecret({} for {:?})", self.key, self.sites)
    }
}

impl RunProfile {
    /// A profile as it is saved. Cookies that have ended are not sent.
    pub fn open(name: &str, sites: Vec<String>, state: &StorageState) -> Self {
        let (jar, storage) = (CookieJar::new(), LocalStorage::default());
        for cookie in &state.cookies {
            jar.insert(to_jar(cookie));
        }
        for origin in &state.origins {
            let items = origin.local_storage.iter();
            let items = items.map(|item| (item.name.clone(), item.value.clone()));
            storage.set(&origin.origin, items.collect());
        }
        Self {
            name: name.to_owned(),
            sites: Arc::new(sites),
            hosts: Arc::new(state.hosts()),
            jar,
            storage,
            given: Arc::default(),
        }
    }

    /// Puts the cookies of a request into the jar, by the sites that they are for. Once in a run: what a site has set since then is
    /// newer.
    pub(crate) fn give(&self, cookies: &[(Url, String)]) {
        let mut given = self.given.lock().unwrap_or_else(PoisonError::into_inner);
        if !given.is_empty() {
            return;
        }
        for (site, header) in cookies {
            let before = self.jar.all();
            self.jar.set(site, header);
            let set = self.jar.all().into_iter().find(|cookie| !before.contains(cookie));
            given.extend(set.map(|cookie| GivenCookie {
                former: before.into_iter().find(|former| is_same_cookie(former, &cookie)),
                cookie,
            }));
        }
    }

    /// The cookies as the pages have left them. Where a page has not set one of the request anew, the profile keeps its own.
    fn own_cookies(&self) -> Vec<Cookie> {
        let given = self.given.lock().unwrap_or_else(PoisonError::into_inner);
        let own = |cookie: Cookie| {
            let is_given = |given: &&GivenCookie| {
                is_same_cookie(&given.cookie, &cookie) && given.cookie.value == cookie.value
            };
            match given.iter().find(is_given) {
                Some(given) => given.former.clone(),
                None => Some(cookie),
            }
        };
        self.jar.all().into_iter().filter_map(own).collect()
    }

    /// The state as the pages have left it, as far as it is of the profile's sites. Cookies of the request are no part of it.
    pub fn state(&self) -> StorageState {
        let mut state = StorageState {
            cookies: self.own_cookies().iter().map(from_jar).collect(),
            origins: Vec::new(),
        };
        for (origin, items) in self.storage.all() {
            let items = items.into_iter().map(|(name, value)| LocalItem { name, value });
            state.origins.push(OriginState {
                origin,
                local_storage: items.collect(),
            });
        }
        keep_sites(&mut state, &self.sites);
        state
    }

    /// Values that are hidden wherever they turn up, with the names of their cookies and items: cookies that are long enough to
    /// prove a right, and what looks like a token in the local storage.
    pub fn secret_values(&self) -> Vec<(String, String)> {
        let cookies = self.jar.all().into_iter();
        let cookies = cookies
            .filter(|cookie| cookie.value.len() >= MIN_HIDDEN)
            .map(|cookie| (cookie.name, cookie.value));
        let items = self.storage.all().into_values().flatten();
        let tokens = items.flat_map(|(name, value)| {
            let tokens = tokens(&value).into_iter();
            tokens.map(move |token| (name.clone(), token)).collect::<Vec<_>>()
        });
        cookies.chain(tokens).collect()
    }

    /// Whether the profile is for the site of this address, or held state of it when the run began.
    fn covers(&self, url: &Url) -> bool {
        let Some(site) = Site::of(url) else { return false };
        let mut known = self.sites.iter().chain(self.hosts.iter());
        known.any(|host| Site::of_host(host).is_some_and(|known| known.is_same_domain(&site)))
    }

    /// Why a visit shows that its site has no login of this profile: it answered with status 401, or with 403 where the
    /// profile is for the site, or it has led to another page that asks for a password.
    pub(crate) fn login_error(&self, requested: &Url, visit: &Visit, page: &Page) -> Option<ErrorBody> {
        let reason = match visit.status {
            Some(status @ 401) => format!("the site answered with status {status}"),
            Some(status @ 403) if self.covers(&visit.url) => {
                format!("the site answered with status {status}")
            }
            _ if is_elsewhere(requested, &visit.url) && asks_for_password(page) => {
                format!(
                    "the site sent on to {}, which asks for a password",
                    place(&visit.url)
                )
            }
            _ => return None,
        };
        Some(ErrorBody::new(Code::LoginExpired, self.advice(&reason)))
    }

    /// A warning where the page itself asks for a password, which may be all of it or a part that everybody sees.
    pub(crate) fn login_warning(&self, page: &Page) -> Option<String> {
        let reason = "the page asks for a password";
        asks_for_password(page).then(|| format!("{}: {}", Code::LoginExpired, self.advice(reason)))
    }

    fn advice(&self, reason: &str) -> String {
        let name = &self.name;
        format!(
            "{reason}: the profile {name} holds no login there, or it has expired; log in again: huntsman profile login {name}"
        )
    }
}

/// Shorter values of cookies are not hidden: they would hide words of pages.
const MIN_HIDDEN: usize = 16;

/// The tokens of an item of the local storage, which is a text or JSON.
fn tokens(item: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let Ok(json) = serde_json::from_str::<Value>(item) else {
        tokens.extend(is_token(item).then(|| item.to_owned()));
        return tokens;
    };
    let mut open = vec![json];
    while let Some(value) = open.pop() {
        match value {
            Value::String(text) if is_token(&text) => tokens.push(text),
            Value::Array(items) => open.extend(items),
            Value::Object(map) => open.extend(map.into_iter().map(|(_, value)| value)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    tokens
}

/// Whether a text may be a token: one long word of the letters of Base64, JWT or hexadecimal numbers, with digits among them. What
/// else pages keep, such as sentences, addresses and times, they show, too.
fn is_token(text: &str) -> bool {
    let is_sign = |byte: u8| byte.is_ascii_alphanumeric() || b"+/=-_.~|".contains(&byte);
    text.len() >= MIN_HIDDEN
        && text.bytes().all(is_sign)
        && text.bytes().any(|byte| byte.is_ascii_digit())
        && text.bytes().any(|byte| byte.is_ascii_alphabetic())
}

/// Takes out of a state what is of other sites than these; nothing where there are none. Gives the hosts of what was taken
/// out.
pub fn keep_sites(state: &mut StorageState, sites: &[String]) -> Vec<String> {
    let sites: Vec<Site> = sites.iter().filter_map(|host| Site::of_host(host)).collect();
    let mut foreign = Vec::new();
    let mut is_own = |host: Option<&str>| {
        let site = host.and_then(Site::of_host);
        let is_own =
            sites.is_empty() || site.is_some_and(|site| sites.iter().any(|it| it.is_same_domain(&site)));
        if let (false, Some(host)) = (is_own, host) {
            foreign.push(host.to_owned());
        }
        is_own
    };
    state.cookies.retain(|cookie| is_own(Some(cookie.host())));
    state.origins.retain(|origin| is_own(origin.host().as_deref()));
    foreign.sort();
    foreign.dedup();
    foreign
}

/// The place of the first cookie in a state that no host may set: one for a name under which anybody can register.
pub fn unusable_cookie(state: &StorageState) -> Option<String> {
    let is_shared =
        |cookie: &StoredCookie| cookie.domain.starts_with('.') && net::is_public_suffix(cookie.host());
    let at = state.cookies.iter().position(is_shared)?;
    Some(format!("cookies[{at}].domain"))
}

fn asks_for_password(page: &Page) -> bool {
    let is_password = |node: page::dom::Node<'_>| {
        node.tag() == "input"
            && node
                .attr("type")
                .is_some_and(|kind| kind.eq_ignore_ascii_case("password"))
    };
    page.dom().nodes().any(is_password)
}

/// Longest text of a page that is there for logging in, in characters. Other pages have a form for that above what they say.
const LOGIN_TEXT: usize = 1_000;

/// Says so where a site answers a run without a profile with its page for logging in.
pub(crate) fn login_instead(requested: &Url, found: &Url, page: &Page) -> Option<String> {
    let is_short = || {
        let text = page.dom().body().map(|body| body.text()).unwrap_or_default();
        text.split_whitespace().map(str::len).sum::<usize>() <= LOGIN_TEXT
    };
    (is_elsewhere(requested, found) && asks_for_password(page) && is_short()).then(|| {
        format!(
            "the site sent on to {}, which asks for a password: what is read is that page; a profile holds a login \
             (huntsman profile login NAME, then --profile NAME)",
            place(found)
        )
    })
}

/// Whether an address is another page than the one that was asked for, whatever its scheme and its query.
fn is_elsewhere(requested: &Url, found: &Url) -> bool {
    place(requested) != place(found)
}

/// Host and path of an address.
fn place(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    let host = host.strip_prefix("www.").unwrap_or(host);
    format!("{host}{}", url.path().trim_end_matches('/'))
}

/// Whether one cookie takes the place of the other.
fn is_same_cookie(one: &Cookie, other: &Cookie) -> bool {
    one.name == other.name && one.domain == other.domain && one.path == other.path
}

fn to_jar(cookie: &StoredCookie) -> Cookie {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "checked when the state was read"
    )]
    let expires = (cookie.expires >= 0.0).then(|| UNIX_EPOCH + Duration::from_secs(cookie.expires as u64));
    Cookie {
        name: cookie.name.clone(),
        value: cookie.value.clone(),
        domain: cookie.host().to_owned(),
        host_only: !cookie.domain.starts_with('.'),
        path: cookie.path.clone(),
        secure: cookie.secure,
        http_only: cookie.http_only,
        expires,
        same_site: cookie.same_site.map(|it| match it {
            SameSite::Strict => net::SameSite::Strict,
            SameSite::Lax => net::SameSite::Lax,
            SameSite::None => net::SameSite::None,
        }),
    }
}

fn from_jar(cookie: &Cookie) -> StoredCookie {
    #[expect(clippy::cast_precision_loss, reason = "seconds of this age are exact")]
    let seconds = |at: SystemTime| at.duration_since(UNIX_EPOCH).map_or(0, |it| it.as_secs()) as f64;
    StoredCookie {
        name: cookie.name.clone(),
        value: cookie.value.clone(),
        domain: match cookie.host_only {
            true => cookie.domain.clone(),
            false => format!(".{}", cookie.domain),
        },
        path: cookie.path.clone(),
        expires: cookie.expires.map_or(-1.0, seconds),
        http_only: cookie.http_only,
        secure: cookie.secure,
        same_site: cookie.same_site.map(|it| match it {
            net::SameSite::Strict => SameSite::Strict,
            net::SameSite::Lax => SameSite::Lax,
            net::SameSite::None => SameSite::None,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_of_the_local_storage_are_hidden_and_what_pages_show_is_not() {
        let item = |name: &str, value: &str| LocalItem {
            name: name.to_owned(),
            value: value.to_owned(),
        };
        let state = StorageState {
            cookies: Vec::new(),
            origins: vec![OriginState {
                origin: "https://a.example".to_owned(),
                local_storage: vec![
                    item("jwt", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.x_y-z"),
                    item(
                        "auth",
                        r#"{"access": {"token": "0123456789abcdef0123"}, "user": "Ada Byron of London 1815"}"#,
                    ),
                    item("quoted", "\"abcdefghijklmnop1\""),
                    item("seen", "2024-01-01T00:00:00Z"),
                    item("last", "https://a.example/kettle-12345678901"),
                    item("count", "12345678901234567890"),
                    item("short", "abc123"),
                ],
            }],
        };
        let profile = RunProfile::open("p", Vec::new(), &state);
        let mut names: Vec<String> = profile
            .secret_values()
            .into_iter()
            .map(|(name, _)| name)
            .collect();
        names.sort();
        assert_eq!(names, ["auth", "jwt", "quoted"]);
    }

    #[test]
    fn a_page_for_logging_in_is_told_only_where_another_page_was_asked_for() {
        let url = |path: &str| -> Url { format!("https://club.example{path}").parse().unwrap() };
        let form =
            "<h1>Log in</h1><form><input name=u><input type=password name=p><button>Log in</button></form>";
        let told = |html: &str, requested: &str, found: &str| {
            let page = Page::new(html.to_owned(), Some(url(found)));
            login_instead(&url(requested), &url(found), &page)
        };
        let instead = told(form, "/members", "/login").unwrap();
        assert!(instead.contains("club.example/login"), "{instead}");
        assert_eq!(told(form, "/login", "/login?next=%2F"), None);
        assert_eq!(
            told("<h1>Members</h1><p>Welcome.</p>", "/members", "/start"),
            None
        );
        let home = format!("{form}<p>{}</p>", "Everything about brass. ".repeat(100));
        assert_eq!(told(&home, "/", "/en"), None);
    }
}
