//! The grant of an automate request, and answers without pictures from elsewhere.

use policy::{AgentRules, Grant, Guardrails, addresses_in};
use regex::Regex;
use url::Url;
use wire::tabstack::AutomateRequest;

locale::patterns! {
    static IMAGE = r#"!\[([^\]]*)\]\(\s*<?([^)\s>]+)[^)]*\)|<img\b[^>]*?src\s*=\s*["']?([^"'\s>]+)[^>]*>"#;
}

/// What a request allows its run: values go to the sites of the start address and of the task, and to trusted hosts.
pub(super) fn grant_of(request: &AutomateRequest) -> Grant {
    let start = request.url.as_deref().and_then(|url| Url::parse(url).ok());
    let mut named = addresses_in(&request.task);
    named.extend(start.clone());
    let rules = request.guardrails.as_deref().unwrap_or_default();
    // Who says where to work means nowhere else.
    let roams = request.url.is_none() && request.trusted_hostnames.is_empty();
    let guardrails = Guardrails::read(rules, start.as_ref());
    let grant = Grant {
        agent: AgentRules::new(request.trusted_hostnames.clone(), roams, guardrails),
        ..Grant::acting(&named)
    };
    match request.unsafe_mode {
        true => Grant { hosts: None, ..grant },
        false => grant,
    }
}

/// An answer without pictures from places that are not trusted: whoever renders it would fetch them, and their addresses
/// can carry anything the model knows.
pub(super) fn without_foreign_images(answer: &str, grant: &Grant) -> String {
    let image: &Regex = &IMAGE;
    let replaced = image.replace_all(answer, |found: &regex::Captures<'_>| {
        let part = |number: usize| found.get(number).map(|part| part.as_str());
        let address = part(2).or_else(|| part(3)).unwrap_or_default();
        match Url::parse(address) {
            Ok(url) if grant.trusts(&url) => part(0).unwrap_or_default().to_owned(),
            _ => format!("[picture left out: {}]", part(1).unwrap_or_default()),
        }
    });
    replaced.into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_shows_no_pictures_from_elsewhere() {
        let mut request = AutomateRequest::new("x");
        request.url = Some("https://a.example.com/".to_owned());
        let answer = "see ![mine](https://a.example.com/x.png) ![x](https://evil.test/?k=1) <img src='//evil.test/y'> [link](https://evil.test/)";
        assert_eq!(
            without_foreign_images(answer, &grant_of(&request)),
            "see ![mine](https://a.example.com/x.png) [picture left out: x] [picture left out: ] [link](https://evil.test/)"
        );
    }

    #[test]
    fn a_request_is_bounded_by_its_address_unless_it_is_unsafe() {
        let mut request = AutomateRequest::new("order at pay.example.org");
        let foreign: Url = "https://evil.test/".parse().unwrap();
        assert!(grant_of(&request).open(&foreign).is_ok());
        request.url = Some("https://a.example.com/".to_owned());
        let bounded = grant_of(&request);
        assert!(bounded.open(&foreign).is_err());
        assert!(bounded.trusts(&"https://x.example.org/".parse().unwrap()));
        request.unsafe_mode = true;
        assert!(grant_of(&request).open(&foreign).is_ok() && grant_of(&request).trusts(&foreign));
    }
}
