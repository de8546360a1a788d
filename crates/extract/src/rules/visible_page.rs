//! VisiblePage: lines, pairs, heading and class flags of a page, shared by the rules for visible fields.

use std::sync::OnceLock;

use page::Page;
use page::dom::{Dom, Node, NodeId};
use page::meta::Metadata;

use super::class_flags::ClassFlags;
use super::labels::{self, LabelValue};
use super::lines::VisibleLines;
use super::overlays::Overlays;
use super::page_address;

/// The name of what a detail page is about, as the page shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageHeading {
    /// Its text on one line.
    pub text: String,
    /// The element that holds it.
    pub node: NodeId,
    /// Index of its line in [`VisibleLines`].
    pub line: usize,
}

/// One page, read once for all rules about visible fields.
pub struct VisiblePage<'p> {
    /// The page itself.
    pub page: &'p Page,
    /// Its visible lines.
    pub lines: VisibleLines,
    /// Its label-value pairs.
    pub pairs: Vec<LabelValue>,
    /// The main heading.
    pub heading: Option<PageHeading>,
    /// `<title>`, and `og:title` behind it when it differs.
    pub titles: Vec<String>,
    /// What class names say.
    pub(crate) class_flags: ClassFlags,
    /// What lies over the page.
    pub(crate) overlays: Overlays,
    /// Two-letter country of the shop, from its address, `<html lang>` or `og:locale`.
    pub country: Option<String>,
    /// See [`VisiblePage::metadata`].
    metadata: OnceLock<Metadata>,
}

impl<'p> VisiblePage<'p> {
    /// Reads lines, pairs and heading of the page.
    pub fn of(page: &'p Page) -> VisiblePage<'p> {
        let dom = page.dom();
        let overlays = Overlays::of(dom);
        let lines = VisibleLines::of(dom, &overlays);
        let pairs = labels::read(dom, &lines, &overlays);
        let titles = titles(dom);
        let heading = heading(dom, &lines, &titles);
        let country = country(page);
        let class_flags = ClassFlags::of(dom);
        VisiblePage {
            page,
            lines,
            pairs,
            heading,
            titles,
            class_flags,
            overlays,
            country,
            metadata: OnceLock::new(),
        }
    }

    /// What the markup of the page says of things ([`Metadata::of_things`]), read when it is first asked for.
    pub fn metadata(&self) -> &Metadata {
        self.metadata.get_or_init(|| Metadata::of_things(self.page))
    }

    /// The tree of the page.
    pub fn dom(&self) -> &'p Dom {
        self.page.dom()
    }

    /// The first pair whose folded label is one of `keys`; earlier keys win, then earlier pairs.
    pub fn pair(&self, keys: &[&str]) -> Option<&LabelValue> {
        keys.iter()
            .find_map(|key| self.pairs.iter().find(|pair| pair.key == *key))
    }
}

/// The content of the first `<meta>` of that name or property.
pub fn meta<'d>(dom: &'d Dom, name: &str) -> Option<&'d str> {
    dom.by_tag("meta")
        .find(|meta| {
            let is = |attr| {
                meta.attr(attr)
                    .is_some_and(|value| value.eq_ignore_ascii_case(name))
            };
            is("property") || is("name") || is("itemprop")
        })
        .and_then(|meta| meta.attr("content").or_else(|| meta.attr("value")))
        .map(str::trim)
        .filter(|it| !it.is_empty())
}

fn titles(dom: &Dom) -> Vec<String> {
    let mut titles: Vec<String> = Vec::new();
    let own = dom.by_tag("title").next().map(|title| squeeze(&title.raw_text()));
    let og = meta(dom, "og:title").map(squeeze);
    for title in own.into_iter().chain(og).filter(|it| !it.is_empty()) {
        if !titles.contains(&title) {
            titles.push(title);
        }
    }
    titles
}

/// White space collapsed.
pub fn squeeze(text: &str) -> String {
    let mut squeezed = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !squeezed.is_empty() {
            squeezed.push(' ');
        }
        squeezed.push_str(word);
    }
    squeezed
}

/// A part of an address with its percent signs resolved; as it is where these are no UTF-8.
pub(crate) fn percent_decoded(text: &str) -> String {
    let decoded = percent_encoding::percent_decode_str(text).decode_utf8();
    decoded.map_or_else(|_| text.to_owned(), |decoded| decoded.into_owned())
}

/// The words of a text in lower case.
pub fn words(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|it| !it.is_empty())
        .map(str::to_lowercase)
        .collect()
}

/// Share of the words of `part` that occur in `whole`, 0 to 1.
pub fn covered(part: &[String], whole: &[String]) -> f32 {
    if part.is_empty() {
        return 0.0;
    }
    let hits = part.iter().filter(|word| whole.contains(word)).count();
    hits as f32 / part.len() as f32
}

/// The heading that the page's titles name, else the first.
fn heading(dom: &Dom, lines: &VisibleLines, titles: &[String]) -> Option<PageHeading> {
    let titles: Vec<Vec<String>> = titles.iter().map(|title| words(title)).collect();
    best_heading(dom, lines, &titles, &[("h1", 1.0), ("h2", 0.25), ("h3", 0.0)])
        .or_else(|| hidden_heading(dom, lines, &titles))
        .or_else(|| best_heading(dom, lines, &titles, &[("h4", 0.0), ("h5", 0.0)]))
}

/// The visible heading that the titles name best, with what each tag is worth.
fn best_heading(
    dom: &Dom,
    lines: &VisibleLines,
    titles: &[Vec<String>],
    tags: &[(&str, f32)],
) -> Option<PageHeading> {
    let mut best: Option<(f32, PageHeading)> = None;
    for (tag, worth) in tags {
        for (order, node) in dom.by_tag(tag).take(40).enumerate() {
            let Some(heading) = visible_heading(node, lines) else {
                continue;
            };
            let own = words(&heading.text);
            if own.is_empty() || own.len() > 60 {
                continue;
            }
            let named = titles
                .iter()
                .map(|title| covered(&own, title) * covered(title, &own).sqrt())
                .fold(0.0, f32::max);
            let whole = titles.iter().any(|title| covered(&own, title) > 0.99);
            let first = own.first();
            let leads = titles.iter().any(|title| title.first() == first);
            let score = named + if leads { 0.25 } else { 0.0 } + if whole { 0.3 } else { 0.0 } + worth
                - 0.02 * order as f32
                - if own.len() == 1 && *tag != "h1" { 0.2 } else { 0.0 };
            if best.as_ref().is_none_or(|(most, _)| score > *most) {
                best = Some((score, heading));
            }
        }
    }
    best.filter(|(score, _)| *score > 0.5).map(|(_, heading)| heading)
}

/// A main heading that is not shown as the page was sent, but that the titles name.
fn hidden_heading(dom: &Dom, lines: &VisibleLines, titles: &[Vec<String>]) -> Option<PageHeading> {
    dom.by_tag("h1").take(10).find_map(|node| {
        let text = node.text();
        let own = words(&text);
        let named = titles.iter().any(|title| covered(&own, title) > 0.8);
        named.then(|| PageHeading {
            text,
            node: node.id(),
            line: lines.first_from(node.id()).min(lines.len().saturating_sub(1)),
        })
    })
}

/// A heading that is visible, with the line it starts on.
fn visible_heading(node: Node<'_>, lines: &VisibleLines) -> Option<PageHeading> {
    let line = lines.first_from(node.id());
    let first = lines.get(line)?;
    let inside = lines
        .segments(first)
        .first()
        .is_some_and(|segment| node.id() <= segment.element && segment.element < node.end());
    // Buttons and menus inside a heading are set on lines of their own.
    let text = lines.line_text(first);
    let aside = node
        .descendants()
        .find(|inner| is_beside_title(*inner))
        .map(|inner| squeeze(&inner.text()));
    let without = |aside: &String| {
        text.strip_suffix(aside.as_str())
            .or_else(|| text.strip_prefix(aside.as_str()))
    };
    let title = aside.as_ref().and_then(without);
    let title = title.map(str::trim).filter(|title| !title.is_empty());
    let text = title.unwrap_or(text).to_owned();
    inside.then_some(PageHeading {
        text,
        node: node.id(),
        line,
    })
}

/// Parts of class names of what stands below a title within its heading.
const SUBTITLES: [&str; 5] = ["subtitle", "sub-title", "sub_title", "subheading", "tagline"];

/// Parts of class names of the line above a title within its heading.
const KICKERS: [&str; 6] = [
    "roofline",
    "kicker",
    "overline",
    "eyebrow",
    "dachzeile",
    "spitzmarke",
];

/// Most characters of the label of a number within a heading.
const NUMBER_LABEL: usize = 16;

/// Whether a text is the number of an article behind its label: "Код: 01245".
fn is_labelled_number(text: &str) -> bool {
    let Some((label, number)) = text.split_once(':') else {
        return false;
    };
    let number = number.trim_start();
    let is_label = label.starts_with(char::is_alphabetic)
        && label.chars().count() <= NUMBER_LABEL
        && label.chars().all(|c| c.is_alphabetic() || matches!(c, '.' | ' '));
    let is_of_number = |c: char| c.is_alphanumeric() || matches!(c, '/' | '-');
    let has_digit_at_end = number.starts_with(char::is_numeric) || number.ends_with(char::is_numeric);
    is_label && has_digit_at_end && number.chars().count() >= 3 && number.chars().all(is_of_number)
}

/// Whether an element within a heading is no part of the title: a button, a line below it, the number of an article, the day before it.
pub(super) fn is_beside_title(inner: Node<'_>) -> bool {
    let is_subtitle = || {
        let class = inner.class().to_ascii_lowercase();
        SUBTITLES.iter().any(|name| class.contains(name))
    };
    let is_first = || {
        inner
            .siblings_before()
            .all(|before| before.text().trim().is_empty())
    };
    let is_kicker = || {
        let class = inner.class().to_ascii_lowercase();
        KICKERS.iter().any(|name| class.contains(name)) && is_first()
    };
    inner.is("button")
        || (inner.is("time") && is_first())
        || inner.is_element() && is_kicker()
        || inner.is_element() && (is_subtitle() || is_labelled_number(squeeze(&inner.text()).trim()))
}

/// Two-letter country: top-level domain, region of `<html lang>`, of `og:locale`, or a locale in the path.
fn country(page: &Page) -> Option<String> {
    let dom = page.dom();
    let address = page_address::of(page);
    let host = address.as_deref().and_then(url::Url::host_str);
    let tld = host
        .and_then(|host| host.rsplit('.').next())
        .filter(|label| label.len() == 2 && !matches!(*label, "io" | "co" | "me" | "tv" | "ai"));
    let region = |locale: &str| {
        let (_, region) = locale.split_once(['-', '_'])?;
        let region = region.split(['-', '_', '.']).next()?;
        (region.len() == 2).then(|| region.to_lowercase())
    };
    let lang = dom.by_tag("html").next().and_then(|html| html.attr("lang"));
    let locale = meta(dom, "og:locale");
    let language = lang
        .or(locale)
        .map(|locale| locale.split(['-', '_']).next().unwrap_or(locale).to_lowercase());
    let by_language = language.as_deref().and_then(|language| match language {
        "sv" => Some("se"),
        "da" => Some("dk"),
        "nb" | "nn" | "no" => Some("no"),
        "is" => Some("is"),
        "zh" => Some("cn"),
        "ja" => Some("jp"),
        _ => None,
    });
    tld.map(|label| {
        if label == "uk" {
            "gb".to_owned()
        } else {
            label.to_lowercase()
        }
    })
    .or_else(|| lang.and_then(region))
    .or_else(|| locale.and_then(region))
    .or_else(|| by_language.map(str::to_owned))
}
