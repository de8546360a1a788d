//! The grant of an automate request.

use policy::{AgentRules, Grant, Guardrails, addresses_in};
use url::Url;
use wire::tabstack::AutomateRequest;

/// What a request allows its run: values go to the sites of the start address and of the addresses that the task spells with
/// their scheme, and to trusted hosts.
pub(super) fn grant_of(request: &AutomateRequest) -> Grant {
    let start = request.url.as_deref().and_then(|url| Url::parse(url).ok());
    let mut named = addresses_in(&request.task);
    named.extend(start.clone());
    let rules = request.guardrails.as_deref().unwrap_or_default();
    // Who says where to work means nowhere else.
    let roams = request.url.is_none() && request.trusted_hostnames.is_empty();
    let guardrails = Guardrails::read(rules, start.as_ref());
    let grant = Grant {
        agent: AgentRules::new(
            &request.task,
            request.trusted_hostnames.clone(),
            roams,
            guardrails,
        ),
        ..Grant::acting(&named)
    };
    match request.unsafe_mode {
        true => Grant { hosts: None, ..grant },
        false => grant,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_bounded_by_its_address_unless_it_is_unsafe() {
        let mut request =
            AutomateRequest::new("order at https://pay.example.org as readme.md of shop.example.net says");
        let url = |text: &str| -> Url { text.parse().unwrap() };
        let foreign = url("https://evil.test/");
        assert!(grant_of(&request).open(&foreign).is_ok() && !grant_of(&request).trusts(&foreign));
        request.url = Some("https://a.example.com/".to_owned());
        let bounded = grant_of(&request);
        assert!(
            bounded.trusts(&url("https://x.example.org/")) && bounded.trusts(&url("https://example.com/"))
        );
        // A word that could be a host is none.
        for outside in [
            &foreign,
            &url("https://readme.md/"),
            &url("https://shop.example.net/"),
        ] {
            assert!(
                bounded.open(outside).is_err() && !bounded.trusts(outside),
                "{outside}"
            );
        }
        request.trusted_hostnames = vec!["shop.example.net".to_owned()];
        assert!(grant_of(&request).trusts(&url("https://shop.example.net/")));
        request.unsafe_mode = true;
        assert!(grant_of(&request).open(&foreign).is_ok() && grant_of(&request).trusts(&foreign));
    }
}
