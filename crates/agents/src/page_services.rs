//! Services for the pages of one request: the engine, exit and profile that it wishes, as far as the operator offers them.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use browser::engines::auto::AutoBrowser;
use browser::{Browser, PageCondition, Profile, SiteHeaders};
use net::{CookieJar, RobotsMode};
use page::dom::Selector;
use url::Url;
use wire::error::ErrorBody;
use wire::fetch_options::{FetchOptions, RobotsRule, SiteValues, WaitFor};
use wire::tabstack::{FetchEffort, GeoTarget};
use wire::{BrowserEngine, Code};

use crate::page_settings::{PATIENCE, PageSettings, PageWishes};
use crate::services::AgentServices;

fn refuse<T>(field: &str, text: impl std::fmt::Display) -> Result<T, ErrorBody> {
    Err(ErrorBody::new(Code::InvalidRequest, format!("{field}: {text}")))
}

/// Refuses an effort that stands for another engine than the one that is named.
fn check_effort(fetch: &FetchOptions, effort: Option<FetchEffort>) -> Result<(), ErrorBody> {
    match (effort, fetch.engine) {
        (Some(FetchEffort::Max), Some(BrowserEngine::Http)) => refuse(
            "effort",
            "max opens a browser at once, and fetch.engine is http, which has none; give one of them",
        ),
        (Some(FetchEffort::Min), Some(engine @ (BrowserEngine::Chromium | BrowserEngine::Auto))) => refuse(
            "effort",
            format_args!(
                "min opens no browser, and fetch.engine is {}; give one of them",
                engine.as_str()
            ),
        ),
        _ => Ok(()),
    }
}

impl AgentServices {
    /// The services that open pages as a request wishes.
    ///
    /// # Errors
    /// When the operator does not offer it, or the engine cannot do it; the text names the field.
    pub fn for_pages(&self, wishes: PageWishes<'_>) -> Result<AgentServices, ErrorBody> {
        let none = FetchOptions::default();
        let fetch = wishes.fetch.unwrap_or(&none);
        let mut services = self.clone();
        if let Some(engine) = self.engine(fetch, wishes.effort)? {
            services.browser = engine;
        }
        let exit = self.exit(fetch, wishes.geo_target)?;
        if let Some(client) = &exit {
            services.client = client.clone();
        }
        let timeout = match (fetch.timeout, wishes.fetch_timeout) {
            (Some(one), Some(other)) if one != other => {
                return refuse(
                    "fetch.timeout",
                    "fetch_timeout says something else; give one of them",
                );
            }
            (one, other) => one.or(other),
        };
        services.pages = PageSettings {
            timeout: timeout.map(|seconds| Duration::from_secs(seconds.into())),
            languages: fetch.locale.as_deref().map(accept_language),
            user_agent: fetch.user_agent.clone(),
            timezone: fetch.timezone.clone(),
            viewport: fetch.viewport.map(|size| (size.width, size.height)),
            site_headers: site_headers(&fetch.headers),
            cookies: cookies(&fetch.cookies),
            fresh: wishes.nocache || fetch.nocache.unwrap_or(false),
            robots: fetch.robots,
            attempts: (wishes.effort == Some(FetchEffort::Min)).then_some(1),
            wait_for: fetch.wait_for.as_ref().map(condition).transpose()?,
            exit,
        };
        Ok(services)
    }

    /// The engine that a request asks for, by name, by its effort, or by what only a browser can do.
    fn engine(
        &self,
        fetch: &FetchOptions,
        effort: Option<FetchEffort>,
    ) -> Result<Option<Arc<dyn Browser>>, ErrorBody> {
        check_effort(fetch, effort)?;
        let needs_browser = fetch.needs_browser();
        let (field, engine) = match (fetch.engine, needs_browser, effort) {
            (Some(BrowserEngine::Http), Some(field), _) => {
                let text = "the engine http has no browser; leave this out, or choose the engine chromium";
                return refuse(&format!("fetch.{field}"), text);
            }
            (_, Some(field), _) => (format!("fetch.{field}"), BrowserEngine::Chromium),
            (Some(engine), None, _) => ("fetch.engine".to_owned(), engine),
            (None, None, Some(FetchEffort::Min)) => ("effort".to_owned(), BrowserEngine::Http),
            // Without a browser, more time is all that there is.
            (None, None, Some(FetchEffort::Max)) => return Ok(self.engines.chromium.clone()),
            (None, None, Some(FetchEffort::Standard) | None) => return Ok(None),
        };
        let chromium = || match &self.engines.chromium {
            Some(engine) => Ok(engine.clone()),
            None if self.policy_withholds_browser() => {
                let text =
                    format!("{field}: this needs a browser, which the policy of this tenant does not allow");
                Err(ErrorBody::new(Code::Forbidden, text))
            }
            None => refuse(
                &field,
                "this needs a browser, and the engine is http, which has none (HUNTSMAN_ENGINE)",
            ),
        };
        Ok(Some(match engine {
            BrowserEngine::Http => self.engines.http.clone(),
            BrowserEngine::Chromium => chromium()?,
            BrowserEngine::Auto if self.browser.name() == engine.as_str() => self.browser.clone(),
            BrowserEngine::Auto => Arc::new(AutoBrowser::new(self.engines.http.clone(), chromium()?)),
        }))
    }

    /// The exit in the country that a request names.
    fn exit(
        &self,
        fetch: &FetchOptions,
        target: Option<&GeoTarget>,
    ) -> Result<Option<net::Client>, ErrorBody> {
        let country = |target: &GeoTarget| target.country.clone();
        let (own, other) = (
            fetch.geo_target.as_ref().and_then(country),
            target.and_then(country),
        );
        let (field, country) = match (own, other) {
            (None, None) => return Ok(None),
            (Some(own), Some(other)) if own != other => {
                return refuse(
                    "fetch.geo_target.country",
                    "geo_target names another country; name one",
                );
            }
            (Some(own), _) => ("fetch.geo_target.country", own),
            (None, Some(other)) => ("geo_target.country", other),
        };
        if let Some(client) = self.exits.get(&country) {
            return Ok(Some(client.clone()));
        }
        match self.exits.is_empty() {
            true => refuse(field, "this server has no exits by country (HUNTSMAN_PROXIES)"),
            false => {
                let known: Vec<&str> = self.exits.keys().map(String::as_str).collect();
                let text = format!(
                    "there is no exit in {country}; there is one in {}",
                    known.join(", ")
                );
                refuse(field, text)
            }
        }
    }

    /// The profile of a tab for the pages of this request: with the cookies and the storage of the run's saved profile where
    /// it has one, else with cookies of its own. `robots` holds unless the request says otherwise.
    pub fn profile(&self, cancel: net::CancellationToken, robots: RobotsMode) -> Profile {
        let settings = &self.pages;
        let usual = Profile::default();
        let saved = self.session.profile.as_ref();
        let jar = match saved {
            Some(saved) => {
                saved.give(&settings.cookies);
                saved.jar.clone()
            }
            None => {
                let jar = CookieJar::new();
                for (site, cookie) in settings.cookies.iter() {
                    jar.set(site, cookie);
                }
                jar
            }
        };
        Profile {
            jar,
            storage: saved.map(|saved| saved.storage.clone()),
            granted: self.granted.clone(),
            robots: match settings.robots {
                Some(RobotsRule::Obey) => RobotsMode::Obey,
                Some(RobotsRule::Ignore) => RobotsMode::Ignore,
                None => robots,
            },
            fresh: settings.fresh,
            languages: settings.languages.clone(),
            user_agent: settings.user_agent.clone(),
            timezone: settings.timezone.clone(),
            site_headers: settings.site_headers.clone(),
            client: settings
                .exit
                .clone()
                .or_else(|| self.policy.as_ref()?.client.clone()),
            view: settings.viewport.unwrap_or(usual.view),
            patience: settings.timeout.unwrap_or(PATIENCE),
            attempts: settings.attempts,
            cancel,
            ..usual
        }
    }
}

/// A language with its plain form, for pages that do not know its region: `pt-BR,pt;q=0.9`.
fn accept_language(tag: &str) -> String {
    match tag.split_once('-') {
        Some((language, _)) => format!("{tag},{language};q=0.9"),
        None => tag.to_owned(),
    }
}

fn site_headers(sites: &SiteValues) -> Arc<[SiteHeaders]> {
    let site = |(site, headers): (&String, &BTreeMap<String, String>)| {
        let headers = headers.iter().map(|(name, value)| (name.clone(), value.clone()));
        Some(SiteHeaders {
            origin: Url::parse(site).ok()?.origin(),
            headers: headers.collect(),
        })
    };
    sites.iter().filter_map(site).collect()
}

/// Cookies of the named host alone; over https only where its site is.
fn cookies(sites: &SiteValues) -> Arc<[(Url, String)]> {
    let of_site = |(site, cookies): (&String, &BTreeMap<String, String>)| {
        let url = Url::parse(site).ok()?;
        let secure = if url.scheme() == "https" { "; Secure" } else { "" };
        let cookie =
            |(name, value): (&String, &String)| (url.clone(), format!("{name}={value}; Path=/{secure}"));
        Some(cookies.iter().map(cookie).collect::<Vec<_>>())
    };
    sites.iter().filter_map(of_site).flatten().collect()
}

fn condition(wait_for: &WaitFor) -> Result<PageCondition, ErrorBody> {
    Ok(match wait_for {
        WaitFor::Selector(css) => {
            if let Err(error) = Selector::parse(css) {
                return refuse("fetch.wait_for.selector", error);
            }
            PageCondition::Selector(css.clone())
        }
        WaitFor::Text(text) => PageCondition::Text(text.clone()),
        WaitFor::Milliseconds(time) => PageCondition::Passed(Duration::from_millis((*time).into())),
        WaitFor::NetworkIdle(_) => PageCondition::NetworkIdle,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_effort_that_contradicts_the_engine_is_refused() {
        let with = |engine| FetchOptions {
            engine,
            ..FetchOptions::default()
        };
        let check = |effort, engine| check_effort(&with(engine), effort);
        let (http, chromium) = (Some(BrowserEngine::Http), Some(BrowserEngine::Chromium));
        for (effort, engine) in [(FetchEffort::Max, http), (FetchEffort::Min, chromium)] {
            let refusal = check(Some(effort), engine).unwrap_err();
            assert!(refusal.message.starts_with("effort: "), "{}", refusal.message);
        }
        for (effort, engine) in [
            (Some(FetchEffort::Max), chromium),
            (Some(FetchEffort::Min), http),
            (Some(FetchEffort::Standard), http),
            (Some(FetchEffort::Max), None),
            (None, http),
        ] {
            assert!(check(effort, engine).is_ok(), "{effort:?} {engine:?}");
        }
    }
}
