//! Pages behind a login: a form with a password, a one-time password, and sessions that can be ended.
//!
//! Sessions are the only state of the site. Every user name is known; password and one-time secret are the same for all.

use std::collections::BTreeMap;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use ring::hmac;

use crate::ask::{DemoRequest, DemoResponse};
use crate::html::escape;

/// The password of every account.
pub const PASSWORD: &str = "demo-pass-9431";
/// The secret of the one-time passwords of every account (RFC 6238: SHA-1, 6 digits, 30 seconds), in base32.
pub const TOTP_SECRET: &str = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";
/// The same, in bytes.
const TOTP_KEY: &[u8] = b"Hello!\xde\xad\xbe\xefHello!\xde\xad\xbe\xef";
/// The cookie of a session.
pub const COOKIE: &str = "account";
/// Most sessions; the oldest go first.
const MAX_SESSIONS: usize = 1_000;

/// A session by its token.
struct Session {
    number: u64,
    user: String,
    /// Whether the one-time password was given.
    is_complete: bool,
}

static SESSIONS: Mutex<BTreeMap<String, Session>> = Mutex::new(BTreeMap::new());

fn sessions() -> MutexGuard<'static, BTreeMap<String, Session>> {
    SESSIONS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// `/account/..`.
pub(crate) fn page(ask: &DemoRequest, rest: &str) -> Option<DemoResponse> {
    match rest {
        "" | "orders" => Some(orders(ask)),
        "api/orders" => Some(api(ask)),
        "login" => Some(login(ask)),
        "code" => Some(code(ask)),
        "end" => Some(end(ask)),
        "theme" => Some(theme()),
        _ => None,
    }
}

/// The user of a session, as far as it is logged in.
fn user(ask: &DemoRequest, is_complete: bool) -> Option<String> {
    let token = ask.cookie(COOKIE)?;
    let sessions = sessions();
    let session = sessions.get(token).filter(|it| it.is_complete == is_complete)?;
    Some(session.user.clone())
}

/// Puts a session, and gives the cookie that names it.
fn begin(user: &str, is_complete: bool) -> String {
    let half = || RandomState::new().hash_one(user);
    let token = format!("{:016x}{:016x}", half(), half());
    let mut sessions = sessions();
    let number = sessions.values().map(|it| it.number + 1).max().unwrap_or(0);
    if sessions.len() >= MAX_SESSIONS {
        sessions.retain(|_, it| it.number + (MAX_SESSIONS as u64) / 2 > number);
    }
    let session = Session {
        number,
        user: user.to_owned(),
        is_complete,
    };
    sessions.insert(token.clone(), session);
    format!("{COOKIE}={token}; Path=/account; HttpOnly; SameSite=Lax; Max-Age=3600")
}

fn orders(ask: &DemoRequest) -> DemoResponse {
    let Some(user) = user(ask, true) else {
        return DemoResponse::redirect("/account/login");
    };
    let user = escape(&user);
    let content = format!(
        "<h1>Orders of {user}</h1><p>Only {user} sees this page: it lists what {user} has ordered at the demo shop, and what \
         each of the parcels has cost.</p><table><tr><th>Order</th><th>Product</th><th>Price</th></tr>\
         <tr><td>4711</td><td>Copper kettle</td><td>49.90 EUR</td></tr>\
         <tr><td>4712</td><td>Blue teapot</td><td>31.50 EUR</td></tr></table>\
         <p>The parcel of order 4712 left the depot of Tollen on the third of May 2026 and weighs 2.4 kg.</p>"
    );
    DemoResponse::page(&format!("Orders of {user}"), &content)
}

fn api(ask: &DemoRequest) -> DemoResponse {
    let kind = "application/json";
    match user(ask, true) {
        Some(user) => DemoResponse::of(
            kind,
            format!("{{\"user\":\"{}\",\"orders\":[4711,4712]}}", escape(&user)),
        ),
        None => DemoResponse::of(kind, "{\"error\":\"log in first\"}").status(401),
    }
}

fn login(ask: &DemoRequest) -> DemoResponse {
    let mut alert = "";
    if let (Some(user), Some(password)) = (ask.get("user"), ask.get("password")) {
        if password == PASSWORD {
            return DemoResponse::redirect("/account/code").header("set-cookie", begin(user, false));
        }
        alert = "<p role=\"alert\">The password is wrong.</p>";
    }
    let form = "<form method=\"post\" action=\"/account/login\"><label>User <input name=\"user\"></label>\
        <label>Password <input type=\"password\" name=\"password\"></label><button>Log in</button></form>";
    DemoResponse::page("Log in", &format!("<h1>Log in</h1>{alert}{form}"))
}

fn code(ask: &DemoRequest) -> DemoResponse {
    let Some(user) = user(ask, false) else {
        return DemoResponse::redirect("/account/login");
    };
    let mut alert = "";
    if let Some(code) = ask.get("code") {
        let now = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |it| it.as_secs());
        // What was typed at the end of a period counts for a while (RFC 6238, 5.2).
        if [now, now.saturating_sub(30)]
            .iter()
            .any(|at| one_time_password(*at) == code)
        {
            return DemoResponse::redirect("/account/orders").header("set-cookie", begin(&user, true));
        }
        alert = "<p role=\"alert\">The code is wrong.</p>";
    }
    let form = "<form method=\"post\" action=\"/account/code\"><label>Code <input name=\"code\" \
        autocomplete=\"one-time-code\"></label><button>Confirm</button></form>";
    DemoResponse::page("Code", &format!("<h1>One more step</h1>{alert}{form}"))
}

fn one_time_password(seconds: u64) -> String {
    let key = hmac::Key::new(hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, TOTP_KEY);
    let tag = hmac::sign(&key, &(seconds / 30).to_be_bytes());
    let tag = tag.as_ref();
    let at = usize::from(tag.last().copied().unwrap_or_default() & 15);
    let part = tag.get(at..at + 4).unwrap_or_default();
    let number = part
        .iter()
        .fold(0_u32, |number, byte| (number << 8) | u32::from(*byte));
    format!("{:06}", (number & 0x7fff_ffff) % 1_000_000)
}

/// Ends the sessions of a user, as a site does that wants a new login.
fn end(ask: &DemoRequest) -> DemoResponse {
    let user = ask.get("user").unwrap_or_default();
    sessions().retain(|_, it| it.user != user);
    DemoResponse::page("Ended", "<h1>The sessions have ended</h1>")
}

/// A page that keeps what it is told (`?set=`) in the local storage of the browser, and shows it.
fn theme() -> DemoResponse {
    let script = "<script>const given = new URLSearchParams(location.search).get('set'); \
        if (given) localStorage.setItem('theme', given); if (given === '') localStorage.clear(); \
        document.getElementById('theme').textContent = 'The theme of this browser is ' + \
        (localStorage.getItem('theme') || 'not chosen') + ', and this page says so at some length.';</script>";
    DemoResponse::page("Theme", &format!("<h1>Theme</h1><p id=\"theme\"></p>{script}"))
}
