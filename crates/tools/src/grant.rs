//! Grant: the policy's grant, asked about tools of a plan before they act on a page.

use browser::{Action, Ref, Snapshot};
use page::Page;
pub use policy::Grant;

use crate::error::Error;

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
        return Ok(grant.visit(&url)?);
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
        grant.send_to(&url)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::*;

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
        assert!(check("https://search.shop.example/find").is_ok());
        assert_eq!(
            check("https://evil.test/take").unwrap_err().code(),
            "POLICY_DENIED"
        );
    }
}
