//! What lies over a page and is not part of it: dialogs, what asks for consent to cookies, and the toolbar of a web archive.

use std::collections::HashMap;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind};
use foldhash::fast::RandomState;
use page::dom::{Dom, Node};

/// Of every name that [`CONSENT`] finds, a part in small letters: most names of a page have none.
const PARTS: [&str; 15] = [
    "ccpa",
    "cky-",
    "cmplz",
    "consent",
    "cookie",
    "didomi",
    "gdpr",
    "iubenda",
    "onetrust",
    "osano",
    "ot-sdk",
    "qc-cmp",
    "sp_message",
    "trust",
    "usercentrics",
];
/// None where the parts could not be compiled; then every name is looked at.
static MAY_ASK: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    AhoCorasick::builder()
        .kind(Some(AhoCorasickKind::DFA))
        .ascii_case_insensitive(true)
        .build(PARTS)
        .ok()
});

locale::patterns! {
    /// Names that tools for consent give to their elements, and words for what asks for it.
    static CONSENT = r"(?i)onetrust|ot-sdk|cookiebot|didomi|usercentrics|truste?-?consent|trustarc|qc-cmp|sp_message_container|osano|iubenda-cs|cookieyes|\bcky-|\bcmplz|borlabs-?cookie|cookie[-_]?(?:law|banner|bar|notice|notification|consent|popup|modal|dialog|settings|preferences|policy-?(?:banner|popup))|(?:consent|gdpr|ccpa)[-_]?(?:banner|bar|notice|popup|modal|dialog|overlay|manager|preferences|sdk)|cookieconsent";
}

/// Elements with names that are looked at: what holds a page has marks for all that it may show.
const HOLDERS: [&str; 4] = ["html", "body", "main", "article"];

/// Whether class names or an id are those of what asks for consent.
fn asks_for_consent(names: &str) -> bool {
    MAY_ASK.as_ref().is_none_or(|parts| parts.is_match(names)) && CONSENT.is_match(names)
}

/// Ids of the toolbar that the Wayback Machine puts into the pages that it keeps, with its notice about who gave them.
const OF_ARCHIVE: [&str; 3] = ["wm-ipp-base", "wm-ipp", "wm-ipp-print"];

/// Whether an element with that id is the toolbar of a web archive.
pub(crate) fn is_of_archive(id: &str) -> bool {
    OF_ARCHIVE.contains(&id)
}

/// Which elements of a page lie over it, found once for all rules that leave them out.
#[derive(Debug)]
pub(crate) struct Overlays(Vec<bool>);

impl Overlays {
    /// Looks at every element; class names and ids that come again are read once.
    pub(crate) fn of(dom: &Dom) -> Overlays {
        let mut known: HashMap<&str, bool, RandomState> = HashMap::default();
        let mut asks = |names| *known.entry(names).or_insert_with(|| asks_for_consent(names));
        let overlays = dom
            .nodes()
            .map(|node| node.is_element() && is_overlay_by(node, &mut asks));
        Overlays(overlays.collect())
    }

    /// Whether an element of the page lies over it.
    pub(crate) fn contains(&self, node: Node<'_>) -> bool {
        self.0.get(node.id().index()).copied().unwrap_or(false)
    }
}

/// Whether an element is a dialog, asks for consent or is the toolbar of an archive; not where it holds the main part of the page.
pub(crate) fn is_overlay(node: Node<'_>) -> bool {
    is_overlay_by(node, &mut asks_for_consent)
}

/// [`is_overlay`], where `asks` tells whether class names or an id are those of what asks for consent.
fn is_overlay_by<'p>(node: Node<'p>, asks: &mut impl FnMut(&'p str) -> bool) -> bool {
    if HOLDERS.contains(&node.tag()) {
        return false;
    }
    let is_own_element = node.is("dialog");
    let (mut is_dialog, mut is_open, mut asks_for_consent) = (is_own_element, false, false);
    for (name, value) in node.attrs() {
        match name {
            "open" => is_open = true,
            "aria-modal" => is_dialog |= value == "true",
            "role" => is_dialog |= matches!(value, "dialog" | "alertdialog"),
            "id" if is_of_archive(value) => return true,
            "id" | "class" => asks_for_consent |= asks(value),
            _ => {}
        }
    }
    if is_own_element {
        is_dialog = !is_open;
    }
    let holds = |tags: &[&str]| node.descendants().any(|inner| tags.contains(&inner.tag()));
    // Terms in a dialog have headings of their own.
    (is_dialog && !holds(&["main"])) || (asks_for_consent && !holds(&["main", "h1"]))
}

#[cfg(test)]
mod tests {
    use page::Page;

    use super::{CONSENT, asks_for_consent, is_overlay};

    #[test]
    fn every_name_of_a_tool_has_a_part_that_is_looked_for() {
        for names in [
            "OneTrust-banner",
            "ot-sdk-row",
            "CookieBot",
            "didomi-host",
            "usercentrics-root",
            "truste-consent",
            "trustarc",
            "qc-cmp2-ui",
            "sp_message_container_1",
            "osano-cm",
            "iubenda-cs-banner",
            "cookieyes",
            "cky-modal",
            "cmplz-cookiebanner",
            "borlabs-cookie",
            "cookie_law",
            "gdpr-popup",
            "ccpaBanner",
            "consent_manager",
            "cookieconsent",
        ] {
            assert!(CONSENT.is_match(names) && asks_for_consent(names), "{names}");
        }
        assert!(!asks_for_consent("site-header") && !asks_for_consent("trusted-shops"));
    }

    #[test]
    fn what_asks_for_consent_lies_over_the_page() {
        let is = |html: &str| {
            let page = Page::new(html.to_owned(), None);
            let body = page.dom().body().unwrap();
            let first = body
                .descendants()
                .find(|node| node.is("div") || node.is("dialog"));
            is_overlay(first.unwrap())
        };
        assert!(is(
            "<div id=onetrust-consent-sdk><p>We value your privacy</p></div>"
        ));
        assert!(is("<div class='site cookie-banner'>We use cookies</div>"));
        assert!(is("<dialog><p>Terms of service</p></dialog>"));
        assert!(is("<div role=dialog>Terms of service</div>"));
        assert!(is("<div id=wm-ipp-base><p>51 captures</p></div>"));
        assert!(!is("<dialog open><p>Choose a size</p></dialog>"));
        assert!(!is("<div class=cookie-recipe>Bake 12 minutes</div>"));
        assert!(!is("<div class=sticky-bar>From $899.99</div>"));
        assert!(!is("<div class=cookie-banner-active><h1>Kettles</h1></div>"));
    }
}
