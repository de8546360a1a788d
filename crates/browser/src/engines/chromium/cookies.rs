//! Cookies: from the run's jar to the browser context and back.

use std::time::{Duration, UNIX_EPOCH};

use super::cdp::BROWSER_SESSION;
use super::cdp::storage::{BrowserCookie, GetBrowserCookies, SetBrowserCookies};
use super::failure::TabFailure;
use super::tab::ChromiumTab;
use crate::error::Error;

/// Seconds since 1970 above which an expiry is taken for a mistake.
const MAX_EXPIRY: f64 = 1e11;

impl ChromiumTab {
    /// Gives the browser the cookies of the jar that it does not know yet. Those that it does not take stay in the jar.
    pub(super) async fn export_cookies(&mut self) -> Result<(), Error> {
        let mut fresh = self.profile.jar.all();
        fresh.retain(|cookie| !self.cookies.contains(cookie) && !self.refused_cookies.contains(cookie));
        if fresh.is_empty() {
            return Ok(());
        }
        let tracker = self.tracker()?.clone();
        // The browser takes all cookies of one command, or none.
        let commands = fresh.iter().map(|cookie| {
            let command = SetBrowserCookies {
                cookies: vec![to_browser(cookie)],
                browser_context_id: &tracker.context_id,
            };
            tracker.connection.call(BROWSER_SESSION, &command)
        });
        for response in commands.collect::<Vec<_>>() {
            match self.response(BROWSER_SESSION, response).await {
                // A cookie that the browser refuses does not keep from navigating.
                Ok(_) | Err(TabFailure::Refused(_) | TabFailure::DocumentGone) => {}
                Err(failure) => return Err(failure.into()),
            }
        }
        // It says that it has taken a cookie also where it has not, such as one with `SameSite=None` and without `Secure`.
        let held = self.browser_cookies().await?;
        let is_held = |cookie: &net::Cookie| {
            let mut same = held.iter().filter(|held| is_same(held, cookie));
            same.any(|held| held.value == cookie.value)
        };
        let (taken, refused): (Vec<_>, Vec<_>) = fresh.into_iter().partition(is_held);
        self.cookies
            .retain(|old| !taken.iter().any(|new| is_same(old, new)));
        self.cookies.extend(taken);
        self.refused_cookies.extend(refused);
        Ok(())
    }

    /// Puts the browser's cookies into the jar.
    pub(super) async fn import_cookies(&mut self) -> Result<(), Error> {
        let cookies = self.browser_cookies().await?;
        for cookie in cookies.iter().filter(|cookie| !self.cookies.contains(cookie)) {
            self.profile.jar.insert(cookie.clone());
        }
        // What the browser has dropped expires in the jar too.
        let is_dropped = |old: &&net::Cookie| !cookies.iter().any(|cookie| is_same(cookie, old));
        for dropped in self.cookies.iter().filter(is_dropped) {
            self.profile.jar.insert(net::Cookie {
                expires: Some(UNIX_EPOCH),
                ..dropped.clone()
            });
        }
        self.cookies = cookies;
        Ok(())
    }

    /// The cookies that the browser has.
    async fn browser_cookies(&self) -> Result<Vec<net::Cookie>, TabFailure> {
        let browser_context_id = self.tracker()?.context_id.as_str();
        let command = GetBrowserCookies { browser_context_id };
        let response = self.execute(BROWSER_SESSION, &command).await?;
        Ok(response.cookies.into_iter().map(from_browser).collect())
    }
}

/// Whether one cookie takes the place of the other.
fn is_same(a: &net::Cookie, b: &net::Cookie) -> bool {
    (&a.name, &a.domain, &a.path) == (&b.name, &b.domain, &b.path)
}

fn from_browser(cookie: BrowserCookie) -> net::Cookie {
    let seconds = cookie.expires.unwrap_or_default();
    let expires = seconds > 0.0 && seconds < MAX_EXPIRY;
    net::Cookie {
        name: cookie.name,
        value: cookie.value,
        host_only: !cookie.domain.starts_with('.'),
        domain: cookie.domain.trim_start_matches('.').to_owned(),
        path: cookie.path,
        secure: cookie.secure,
        http_only: cookie.http_only,
        expires: expires.then(|| UNIX_EPOCH + Duration::from_secs(seconds as u64)),
        same_site: cookie.same_site.as_deref().and_then(net::SameSite::parse),
    }
}

fn to_browser(cookie: &net::Cookie) -> BrowserCookie {
    let since_epoch = cookie.expires.map(|expires| expires.duration_since(UNIX_EPOCH));
    BrowserCookie {
        name: cookie.name.clone(),
        value: cookie.value.clone(),
        domain: match cookie.host_only {
            true => cookie.domain.clone(),
            false => format!(".{}", cookie.domain),
        },
        path: cookie.path.clone(),
        expires: since_epoch.and_then(|since| Some(since.ok()?.as_secs() as f64)),
        http_only: cookie.http_only,
        secure: cookie.secure,
        same_site: cookie.same_site.map(|it| it.as_str().to_owned()),
    }
}
