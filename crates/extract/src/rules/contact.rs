//! Telephone, mail, address and web site of a person or place.
//!
//! Links that dial or mail, the class names of hCard, and numbers near the heading, where no label says which they are.

use page::dom::Node;

use super::comments::is_in_comments;
use super::element_source::element_source;
use super::labelled_fields::is_file;
use super::lines::is_hidden;
use super::visible_page::{VisiblePage, percent_decoded, squeeze};
use crate::fields::PageType;
use crate::provenance::Sourced;

locale::patterns! {
    /// How a line begins that says how else a place is reached: such a word with a colon, a point or a number behind it, or alone.
    /// "Tel Aviv" and "Mobile, AL" are towns.
    static CONTACT_LINE = r"(?i)^(?:tel|telephone|phone|ph|call|fax|mobile|mob|e-?mail|mail|web|website|telefon|telefax|faks|handy|mobil|téléphone|tél|courriel|portable|teléfono|móvil|correo|kom|https?|www)(?:\s*[/&]\s*\p{L}+)?(?:\s+(?:us|number|no|nr|on|at))*(?:\s*[.:]|[\s–-]*[+(0-9@]|\s*$)";
    /// Telephone numbers as people write them: a country code or an area code, then groups, of which any but the last may stand in
    /// brackets. The longest numbers have fifteen digits. A time of day behind one is no part of it.
    static PHONE = r"(?:^|[^0-9/.-])(\+[0-9]{1,3}(?:[\s.-]*(?:\([0-9]{1,5}\)[\s.-]*)?[0-9]){7,12}|\+[0-9]{3}(?:\s[0-9]{2}){3}|\([0-9]{2,4}\)\s*[0-9]{3,4}[\s.-]?[0-9]{3,4}|[0-9]{3}[.\-/][0-9]{3}[.\-][0-9]{4})(?:$|[^0-9:-]|:$|:[^0-9])";
}

/// Address, telephone, mail and web site, as far as a page of that type shows them without a label.
pub fn read(view: &VisiblePage<'_>, page_type: PageType) -> Vec<(&'static str, Sourced<String>)> {
    let mut out = Vec::new();
    out.extend(
        linked(view, "tel:")
            .or_else(|| classed(view, |node| !is_beside(view, node) && !is_within_hidden(node)))
            .or_else(|| number(view))
            .or_else(|| {
                classed(view, |node| {
                    !is_in_comments(view, node) && !is_filled_in_later(node)
                })
            })
            .map(|found| ("phone", found)),
    );
    out.extend(linked(view, "mailto:").map(|found| ("email", found)));
    out.extend(address(view).map(|found| ("address", found)));
    out.extend(website(view, page_type).map(|found| ("website", found)));
    out
}

/// Most links to addresses of letters, or to telephones, that are looked at.
const MOST_LINKS: usize = 200;

/// Users of mail addresses that are not for who reads the page.
const FOR_OTHERS: [&str; 7] = [
    "abuse",
    "ads",
    "advertise",
    "advertising",
    "dmca",
    "postmaster",
    "privacy",
];

/// The first link that dials or mails behind the heading, else before it, outside menus and footers.
fn linked(view: &VisiblePage<'_>, scheme: &str) -> Option<Sourced<String>> {
    let without_scheme = |target: &str| {
        let prefix = target.get(..scheme.len())?;
        let rest = prefix
            .eq_ignore_ascii_case(scheme)
            .then(|| target.get(scheme.len()..));
        rest.flatten().map(str::to_owned)
    };
    let targets = view.dom().by_tag("a").filter_map(|link| {
        let value = without_scheme(link.attr("href")?.trim())?;
        // "mailto:mailto:" is written by hand.
        let value = without_scheme(&value).unwrap_or(value);
        // What a mail is to say follows its address, and may hold anything.
        let address = value.split('?').next().unwrap_or_default();
        Some((link, percent_decoded(address).trim().to_owned()))
    });
    let own: Vec<(Node<'_>, String)> = targets
        .take(MOST_LINKS)
        .filter(|(link, _)| !is_beside(view, *link) && !is_within_hidden(*link))
        .collect();
    // What stands behind the heading is of the page; what stands before, of the site.
    let heading = view.heading.as_ref().map(|heading| heading.node);
    let is_behind = |link: &Node<'_>| heading.is_some_and(|heading| link.id() > heading);
    let (behind, before): (Vec<_>, Vec<_>) = own.into_iter().partition(|(link, _)| is_behind(link));
    behind.into_iter().chain(before).find_map(|(link, value)| {
        let shown = link.text();
        let digits = |text: &str| text.chars().filter(char::is_ascii_digit).count();
        let kept = if scheme == "tel:" && digits(&shown) >= 6 && shown.len() <= 40 {
            // "Call (415) 263-9024"
            shown.trim_start_matches(|c: char| !c.is_ascii_digit() && !matches!(c, '+' | '('))
        } else {
            value.as_str()
        };
        let fits = if scheme == "tel:" {
            digits(kept) >= 6
        } else {
            let user = kept.split('@').next().unwrap_or_default().to_ascii_lowercase();
            kept.contains('@') && !FOR_OTHERS.contains(&user.as_str())
        };
        fits.then(|| Sourced::new(kept.to_owned(), element_source(link)))
    })
}

/// Whether an element stands in a menu, at the side, or among what readers wrote.
fn is_beside(view: &VisiblePage<'_>, node: Node<'_>) -> bool {
    let mut above = node.ancestors();
    above.any(|above| matches!(above.tag(), "nav" | "footer" | "aside")) || is_in_comments(view, node)
}

/// Whether an element is hidden, or one around it.
fn is_within_hidden(node: Node<'_>) -> bool {
    is_hidden(node) || node.ancestors().any(is_hidden)
}

/// Whether an element stands in one that is never shown as it is, such as a template. Others come with a click.
fn is_filled_in_later(node: Node<'_>) -> bool {
    node.ancestors().any(|above| above.is_hidden_by_tag())
}

/// Classes of telephone numbers.
const PHONE_CLASSES: [&str; 4] = ["tel", "phone", "telephone", "phone-number"];

/// The first element of a class of telephone numbers with a short text that has digits, among those that are wanted.
fn classed(view: &VisiblePage<'_>, is_wanted: impl Fn(Node<'_>) -> bool) -> Option<Sourced<String>> {
    view.dom()
        .nodes()
        .filter(|node| {
            node.is_element()
                && node
                    .classes()
                    .any(|class| PHONE_CLASSES.contains(&class.to_ascii_lowercase().as_str()))
                && is_wanted(*node)
        })
        .take(20)
        .find_map(|node| {
            let text = node.text();
            let digits = text.chars().filter(char::is_ascii_digit).count();
            // "Work(800) 460-6228": what kind of number it is stands in front.
            let number = text.trim_start_matches(|c: char| !c.is_ascii_digit() && !matches!(c, '+' | '('));
            let fits = (6..=40).contains(&digits) && text.len() <= 60;
            fits.then(|| Sourced::new(number.to_owned(), element_source(node)))
        })
}

/// A telephone number near the heading.
fn number(view: &VisiblePage<'_>) -> Option<Sourced<String>> {
    let from = view.heading.as_ref().map_or(0, |heading| heading.line);
    view.lines.iter().skip(from).take(40).find_map(|line| {
        let text = view.lines.line_text(line);
        let hit = (text.len() <= 160)
            .then(|| PHONE.captures(text)?.get(1))
            .flatten()?;
        Some(Sourced::new(
            hit.as_str().trim().to_owned(),
            element_source(view.dom().node(line.block)),
        ))
    })
}

/// The parts of an hCard address in one line, else the `<address>` element near the content.
fn address(view: &VisiblePage<'_>) -> Option<Sourced<String>> {
    let dom = view.dom();
    let parts = ["street-address", "locality", "region", "postal-code"];
    let is_of_page = |node: &Node<'_>| !is_beside(view, *node) && !is_within_hidden(*node);
    let first = dom
        .nodes()
        .find(|node| node.is_element() && node.has_class("street-address") && is_of_page(node));
    if let Some(street) = first {
        let card = street
            .ancestors()
            .take(4)
            .find(|ancestor| ancestor.has_class("adr") || ancestor.has_class("vcard"))
            .unwrap_or(street);
        let texts = parts.iter().filter_map(|part| {
            card.descendants()
                .chain([card])
                .find(|node| node.is_element() && node.has_class(part))
        });
        let texts: Vec<String> = texts
            .map(|node| node.text().trim_matches([',', ' ']).to_owned())
            .filter(|it| !it.is_empty())
            .collect();
        return (!texts.is_empty()).then(|| Sourced::new(texts.join(", "), element_source(street)));
    }
    // Who wrote a text and when stands in such an element, too.
    let is_byline = |node: Node<'_>| node.descendants().any(|inner| inner.is("time"));
    let mut elements = dom
        .by_tag("address")
        .filter(|node| is_of_page(node) && !is_byline(*node));
    let element = elements.next()?;
    // Of several that differ each is of another place, such as those of a list.
    if elements.any(|other| squeeze(&other.text()) != squeeze(&element.text())) {
        return None;
    }
    let text = postal_lines(element);
    let fits = (10..=160).contains(&text.len()) && text.contains(|c: char| c.is_ascii_digit());
    fits.then(|| Sourced::new(text, element_source(element)))
}

/// The lines of an address without those of a telephone, a mail address or a web site, with commas between them.
fn postal_lines(element: Node<'_>) -> String {
    let text = page::text::render(element, &page::dom::NodeSet::default());
    // Postal codes have up to seven digits.
    let is_number = |line: &str| {
        let least = match line.chars().next() {
            Some('+' | '(') => 6,
            Some('0') => 7,
            _ => 8,
        };
        line.chars().filter(char::is_ascii_digit).count() >= least && !line.contains(char::is_alphabetic)
    };
    let lines = text.lines().map(squeeze);
    let postal: Vec<String> = lines
        .filter(|line| {
            !line.is_empty() && !line.contains('@') && !CONTACT_LINE.is_match(line) && !is_number(line)
        })
        .map(|line| line.trim_end_matches([',', ' ']).to_owned())
        .collect();
    postal.join(", ")
}

/// Whether a text in small letters is what a link to a web site is called.
fn is_site_name(text: &str) -> bool {
    const NAMES: [&str; 11] = [
        "website",
        "web site",
        "visit website",
        "official website",
        "official site",
        "homepage",
        "webseite",
        "site web",
        "sitio web",
        "sito web",
        "сайт",
    ];
    NAMES.contains(&text.trim_matches([' ', ':', '»', '›']))
}

/// A link out of the site whose text says that it is the web site, or is its address. An address in a text is a source, and one
/// before the heading another site of the same firm.
fn website(view: &VisiblePage<'_>, page_type: PageType) -> Option<Sourced<String>> {
    let own = view
        .page
        .url()
        .and_then(|url| url.host_str().map(str::to_owned))
        .unwrap_or_default();
    let is_text = matches!(page_type, PageType::Article | PageType::Documentation);
    let heading = view.heading.as_ref().map(|heading| heading.node);
    view.dom()
        .by_tag("a")
        .filter(|link| !is_beside(view, *link) && !is_within_hidden(*link))
        .find_map(|link| {
            let target = link.attr("href").filter(|href| href.starts_with("http"))?;
            let host = url::Url::parse(target).ok()?.host_str()?.to_owned();
            // "http://localhost:3000" is an example.
            if !host.contains('.') {
                return None;
            }
            let text = link.text().to_lowercase();
            let named = is_site_name(&text);
            // "Website: https://quern.example/"
            let is_labelled = || {
                let around = link
                    .parent()
                    .map_or_else(String::new, |parent| parent.text().to_lowercase());
                around.trim().strip_suffix(text.trim()).is_some_and(is_site_name)
            };
            let bare = host.trim_start_matches("www.");
            let spelled = text
                .trim_start_matches("http://")
                .trim_start_matches("https://")
                .trim_start_matches("www.")
                .starts_with(bare);
            let outside = !own.ends_with(bare) && !bare.ends_with(own.trim_start_matches("www."));
            // The address of a page within another site is a source or a partner.
            let is_front =
                || url::Url::parse(target).is_ok_and(|url| url.path().len() <= 1 && url.query().is_none());
            // An address within a sentence is what the sentence is about.
            let is_apart = || {
                let around = link.parent().map_or_else(String::new, |parent| parent.text());
                around.len() <= text.len() * 3
            };
            let is_behind = || heading.is_some_and(|heading| link.id() > heading);
            let is_of_page = || is_labelled() || (!is_text && is_behind());
            let is_shown = || spelled && is_front() && is_apart() && is_of_page();
            (outside && !is_file(target) && (named || is_shown()))
                .then(|| Sourced::new(target.to_owned(), element_source(link)))
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use page::Page;

    #[test]
    fn a_recording_is_no_web_site() {
        let html = "<h1>Episode 9</h1><p><a href='https://media.example/e/9.mp3'>https://media.example/e/9.mp3</a></p>";
        let page = Page::new(html, url::Url::parse("https://guide.example/r/1").ok());
        assert!(website(&VisiblePage::of(&page), PageType::Other).is_none());
    }

    #[test]
    fn a_byline_is_no_address() {
        let of = |inside: &str| {
            let page = Page::new(format!("<h1>Hosting</h1><address>{inside}</address>"), None);
            address(&VisiblePage::of(&page)).map(|found| found.value)
        };
        assert_eq!(
            of("<span>By Ann Lee</span><time>Published: Jun 25, 2026</time>"),
            None
        );
        assert_eq!(of("2400 Central Ave SE").as_deref(), Some("2400 Central Ave SE"));
        assert_eq!(
            of("12 Mill Lane<br>Cambridge CB2 1RX<br>Tel: <a href=tel:+441223555012>01223 555 012</a><br><a href=mailto:a@b.example>a@b.example</a><br>01223 555 013")
                .as_deref(),
            Some("12 Mill Lane, Cambridge CB2 1RX")
        );
        for (inside, want) in [
            (
                "Rothschild Blvd 12<br>Tel Aviv 6688101",
                "Rothschild Blvd 12, Tel Aviv 6688101",
            ),
            (
                "123 Government St<br>Mobile, AL 36602",
                "123 Government St, Mobile, AL 36602",
            ),
            (
                "12 Connaught Place<br>New Delhi<br>110001",
                "12 Connaught Place, New Delhi, 110001",
            ),
            (
                "12 Mill Lane<br>Tel/Fax: 01223 555<br>Phone number 01223 556<br>Call us on 01223 557",
                "12 Mill Lane",
            ),
        ] {
            assert_eq!(of(inside).as_deref(), Some(want), "{inside}");
        }
    }

    #[test]
    fn a_place_is_reached_by_what_its_page_shows() {
        let html = "<h1>Frontier Restaurant</h1><p class=adr><span class=street-address>2400 Central Ave SE</span>,
            <span class=locality>Albuquerque</span>, <span class=region>NM</span> <span class=postal-code>87106</span></p>
            <p>(505) 266-0550</p><a href='mailto:hi@frontier.example?subject=x'>mail</a> <a href='http://www.frontier.example/'>Website</a>";
        let page = Page::new(html, url::Url::parse("https://guide.example/r/1").ok());
        let view = VisiblePage::of(&page);
        let got: Vec<_> = read(&view, PageType::Other)
            .into_iter()
            .map(|(field, found)| (field, found.value))
            .collect();
        let want = [
            ("phone", "(505) 266-0550"),
            ("email", "hi@frontier.example"),
            ("address", "2400 Central Ave SE, Albuquerque, NM, 87106"),
            ("website", "http://www.frontier.example/"),
        ];
        assert_eq!(got, want.map(|(field, value)| (field, value.to_owned())));
    }

    #[test]
    fn links_are_decoded_and_hidden_numbers_are_passed_over() {
        let got = |html: &str| -> Vec<(&'static str, String)> {
            let page = Page::new(format!("<h1>Lee</h1>{html}"), None);
            let found = read(&VisiblePage::of(&page), PageType::Other);
            found
                .into_iter()
                .map(|(field, found)| (field, found.value))
                .collect()
        };
        for (html, want) in [
            (
                "<a href='tel:+49%2030%201234567'>Call</a>",
                ("phone", "+49 30 1234567"),
            ),
            (
                "<a href='mailto:%20info@lee.example?subject=50%25'>Mail</a>",
                ("email", "info@lee.example"),
            ),
            (
                "<a href='mailto:info%40lee.example'>Mail</a>",
                ("email", "info@lee.example"),
            ),
            (
                "<div hidden><span class=phone>000 000 0000</span></div><p><span class=phone>0113 496 0000</span></p>",
                ("phone", "0113 496 0000"),
            ),
            (
                "<aside class=contact><p class=phone>0113 496 0000</p></aside>",
                ("phone", "0113 496 0000"),
            ),
            (
                "<footer><span class=phone>030 1234567</span></footer>",
                ("phone", "030 1234567"),
            ),
            (
                "<button>Show number</button><p hidden><span class=phone>0113 496 0000</span></p>",
                ("phone", "0113 496 0000"),
            ),
            (
                "<aside><span class=tel>000 000 0000</span></aside><p>+44 113 496 0000</p>",
                ("phone", "+44 113 496 0000"),
            ),
        ] {
            assert_eq!(got(html), [(want.0, want.1.to_owned())], "{html}");
        }
        let hidden = "<div hidden><address>12 Mill Lane, Leeds LS1 1AA</address><a href='https://lee.example/'>Website</a></div>";
        assert_eq!(got(hidden), []);
    }

    #[test]
    fn a_number_ends_before_the_hours_behind_it() {
        let phone = |text: &str| {
            let page = Page::new(format!("<h1>Lee</h1><p>{text}</p>"), None);
            number(&VisiblePage::of(&page)).map(|found| found.value)
        };
        for (text, want) in [
            ("Tel. +49 30 1234567 (9-17 Uhr)", "+49 30 1234567"),
            ("+49 30 1234567 8:00-18:00", "+49 30 1234567"),
            ("+49 30 1234567: ask for Lee", "+49 30 1234567"),
            ("Tel. +49 (0)30 1234567", "+49 (0)30 1234567"),
            ("Call +1 (415) 263-9024 today", "+1 (415) 263-9024"),
            ("+44 20 7946 0000", "+44 20 7946 0000"),
            ("+441134960000", "+441134960000"),
            ("+298 20 30 40", "+298 20 30 40"),
            ("+48 22 123 45 67", "+48 22 123 45 67"),
        ] {
            assert_eq!(phone(text).as_deref(), Some(want), "{text}");
        }
    }

    #[test]
    fn a_price_or_a_date_is_no_telephone() {
        let page = Page::new(
            "<h1>Lamp</h1><p>2026-03-04</p><p>$1,299.00</p><p>4006381333931</p>",
            None,
        );
        assert_eq!(read(&VisiblePage::of(&page), PageType::Other), []);
    }

    #[test]
    fn what_stands_behind_the_heading_is_of_the_page() {
        let html = "<div><a href='tel:3034366000'>303-436-6000</a></div><h1>Mental health</h1>
            <p><a href='tel:3036024851'>Call 303-602-4851</a> <a href='mailto:advertise@clinic.example'>advertise</a></p>
            <address>1 Mill Lane, 10115 Alnwick</address><address>2 Mill Lane, 10115 Alnwick</address>
            <p><a href='https://git.example/commit?id=9'>https://git.example/commit?id=9</a></p>";
        let page = Page::new(html, url::Url::parse("https://clinic.example/mental").ok());
        let got: Vec<_> = read(&VisiblePage::of(&page), PageType::Other)
            .into_iter()
            .map(|(field, found)| (field, found.value))
            .collect();
        assert_eq!(got, [("phone", "303-602-4851".to_owned())]);
    }
}
