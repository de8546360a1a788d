//! What a run may do with tools, enforced in code: effects, tools, hosts.

use browser::{Action, Ref, Snapshot};
use page::Page;
use url::Url;

use crate::error::Error;
use crate::manifest::{Effects, Manifest};

/// What a run may do. The default allows everything: it is for plans that the user wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grant {
    /// The strongest effect that a tool may have.
    pub effects: Effects,
    /// Ids or categories of the tools that may run; all when absent.
    pub tools: Option<Vec<String>>,
    /// Hosts that may be visited and sent to, with everything under the same registrable domain; all when absent.
    pub hosts: Option<Vec<String>>,
}

impl Default for Grant {
    fn default() -> Self {
        Grant {
            effects: Effects::Act,
            tools: None,
            hosts: None,
        }
    }
}

impl Grant {
    /// A grant to look and to leaf through the sites of these addresses, and no more: for tools that a model chose.
    pub fn reading<'u>(urls: impl IntoIterator<Item = &'u Url>) -> Grant {
        let hosts = urls
            .into_iter()
            .filter_map(Url::host_str)
            .map(str::to_owned)
            .collect();
        Grant {
            effects: Effects::Idempotent,
            tools: None,
            hosts: Some(hosts),
        }
    }

    /// Adds the host of an address that the user's own address led to.
    pub fn admit(&mut self, url: &Url) {
        if let (Some(hosts), Some(host)) = (&mut self.hosts, url.host_str()) {
            hosts.push(host.to_owned());
        }
    }

    /// Whether a tool may run.
    ///
    /// # Errors
    /// When it may not, with the reason.
    pub fn tool(&self, manifest: &Manifest) -> Result<(), Error> {
        let id = manifest.id();
        if manifest.effects > self.effects {
            let why = format!(
                "its effects are `{}` and the run may only `{}`",
                manifest.effects.word(),
                self.effects.word()
            );
            return Err(Error::Denied { what: id, why });
        }
        let named = |it: &String| *it == id || *it == manifest.category;
        match &self.tools {
            Some(tools) if !tools.iter().any(named) => Err(Error::Denied {
                what: id,
                why: format!("only these tools are enabled: {}", tools.join(", ")),
            }),
            _ => Ok(()),
        }
    }

    /// Whether an address may be visited.
    ///
    /// # Errors
    /// When it may not.
    pub fn visit(&self, url: &Url) -> Result<(), Error> {
        let Some(hosts) = &self.hosts else {
            return Ok(());
        };
        let host = url.host_str().unwrap_or_default();
        if hosts.iter().any(|it| same_site(it, host)) {
            return Ok(());
        }
        let why = format!(
            "the run was given {}",
            if hosts.is_empty() {
                "no host".into()
            } else {
                hosts.join(", ")
            }
        );
        Err(Error::Denied {
            what: format!("visiting {host:?}"),
            why,
        })
    }
}

/// Whether two hosts belong to one registrable domain. Addresses and names without one have to be equal.
fn same_site(one: &str, other: &str) -> bool {
    if one.eq_ignore_ascii_case(other) {
        return true;
    }
    if one.parse::<std::net::IpAddr>().is_ok() || other.parse::<std::net::IpAddr>().is_ok() {
        return false;
    }
    let (one, other) = (one.to_ascii_lowercase(), other.to_ascii_lowercase());
    match (psl::domain_str(&one), psl::domain_str(&other)) {
        (Some(one), Some(other)) => one == other,
        _ => false,
    }
}

/// Refuses what would leave the granted hosts: a click on a link out, and sending a form while any form of the page
/// sends elsewhere (a page may move its fields between its forms until the moment of sending).
pub(crate) fn check_action(
    grant: &Grant,
    action: &Action,
    snapshot: &Snapshot,
    page: &Page,
) -> Result<(), Error> {
    let element = |target: &Ref| snapshot.find(*target);
    if let Action::Click { target, .. } = action
        && let Some(link) = element(target).and_then(|it| it.link.as_deref())
        && let Some(url) = page.absolute(link)
        && matches!(url.scheme(), "http" | "https")
    {
        return grant.visit(&url);
    }
    let sends = match action {
        Action::Submit { .. } => true,
        Action::Click { target, .. } => element(target).is_some_and(|it| it.role == "button"),
        Action::Press { keys, .. } => keys.contains("Enter"),
        // The end of a line is the key that sends.
        Action::Type { text, .. } => text.contains(['\n', '\r']),
        _ => false,
    };
    if !sends {
        return Ok(());
    }
    let actions = page.dom().nodes().filter_map(|node| match node.tag() {
        "form" => node.attr("action"),
        "button" | "input" => node.attr("formaction"),
        _ => None,
    });
    for url in actions.filter_map(|it| page.absolute(it)) {
        grant.visit(&url)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_granted_with_its_site_and_with_nothing_else() {
        let grant = Grant::reading([&Url::parse("https://www.shop.co.uk/a").unwrap()]);
        for (url, granted) in [
            ("https://shop.co.uk/", true),
            ("https://img.shop.co.uk/x", true),
            ("https://other.co.uk/", false),
            ("https://shop.co.uk.evil.test/", false),
            ("https://evil.test/?u=www.shop.co.uk", false),
            ("http://127.0.0.1/", false),
        ] {
            assert_eq!(grant.visit(&Url::parse(url).unwrap()).is_ok(), granted, "{url}");
        }
        let local = Grant::reading([&Url::parse("http://127.0.0.1:8080/").unwrap()]);
        assert!(local.visit(&Url::parse("http://127.0.0.1:9/").unwrap()).is_ok());
        assert!(local.visit(&Url::parse("http://127.0.0.2/").unwrap()).is_err());
    }

    #[test]
    fn a_form_that_sends_elsewhere_stops_every_sending() {
        let grant = Grant::reading([&Url::parse("https://shop.example/").unwrap()]);
        let page = |action: &str| {
            let html = format!("<form action='{action}'><input name=q><button>Go</button></form>");
            Page::new(html, Url::parse("https://shop.example/search").ok())
        };
        let submit = Action::Submit { target: Ref(1) };
        let check = |action: &str| check_action(&grant, &submit, &Snapshot::default(), &page(action));
        assert!(check("/find").is_ok());
        let typed = |text: &str| {
            let typed = Action::Type {
                target: Ref(1),
                text: text.into(),
            };
            check_action(
                &grant,
                &typed,
                &Snapshot::default(),
                &page("https://evil.test/take"),
            )
        };
        assert!(typed("tea").is_ok() && typed("tea\n").is_err());
        assert!(
            check("https://search.shop.example/find").is_ok()
                || psl::domain_str("search.shop.example").is_none()
        );
        assert_eq!(
            check("https://evil.test/take").unwrap_err().code(),
            "POLICY_DENIED"
        );
    }
}
