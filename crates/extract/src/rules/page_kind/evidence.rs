//! KindEvidence: what of a page speaks for its kind, as numbers in a fixed order.
//!
//! A changed number asks for new weights (`tools/train/content.py`).

use super::kind::PageKind;
use super::words::{BODIES, DECLARED_KINDS, GENERATORS, HOSTS, PATHS, TYPES};
use super::{elements, links};
use crate::rules::content::element::{BlockTag, OutlineElement};
use crate::rules::content::outline::BlockOutline;
use crate::rules::content::siblings::SiblingGroups;
use crate::rules::content::totals::{PageTotals, share};
use crate::rules::{page_address, vocabulary};
use page::Page;
use url::Url;

/// What speaks for one kind of page or another, always in the same order.
#[derive(Clone, Debug, Default)]
pub(crate) struct KindEvidence {
    pub(crate) values: Vec<f32>,
    /// How many of the values, the first ones, are of the address.
    pub(crate) of_address: usize,
    /// How many of the values, the next ones, are of what the markup says.
    pub(crate) of_markup: usize,
    /// Whether the page has a public address, which says more of its kind than all the rest.
    pub(super) has_address: bool,
    /// The kind that the markup declares.
    pub(super) declared: Option<PageKind>,
}

impl KindEvidence {
    fn put(&mut self, value: f32) {
        self.values.push(value);
    }

    fn flag(&mut self, value: bool) {
        self.put(f32::from(u8::from(value)));
    }

    /// Reads the evidence of a page.
    pub(super) fn read(
        page: &Page,
        outline: &BlockOutline<'_>,
        totals: &PageTotals,
        siblings: &SiblingGroups,
    ) -> KindEvidence {
        let address = page_address::of(page);
        let mut evidence = KindEvidence {
            has_address: address.is_some(),
            ..KindEvidence::default()
        };
        evidence.address(address.as_deref());
        evidence.of_address = evidence.values.len();
        evidence.declared = evidence.data(page);
        evidence.of_markup = evidence.values.len() - evidence.of_address;
        evidence.structure(outline, totals);
        evidence.siblings(totals, siblings);
        evidence.values.extend(links::read(page));
        evidence.values.extend(elements::read(page));
        evidence
    }

    fn address(&mut self, url: Option<&Url>) {
        let host = url.and_then(Url::host_str).unwrap_or("").to_owned();
        let path = url.map(|url| url.path().to_lowercase()).unwrap_or_default();
        for tokens in HOSTS {
            self.flag(host.split('.').any(|label| links::holds(tokens, label)));
        }
        let parts: Vec<&str> = path.split('/').filter(|it| !it.is_empty()).collect();
        for tokens in PATHS {
            let place = parts.iter().rposition(|part| {
                let part = part.split('.').next().unwrap_or(part);
                links::holds(tokens, part)
            });
            // The last part is more often a name than a place in the site.
            self.flag(place.is_some_and(|at| at + 1 < parts.len()));
            self.flag(place.is_some_and(|at| at + 1 == parts.len()));
        }
        let last = parts.last().copied().unwrap_or("");
        self.flag(parts.iter().any(|part| links::is_year(part)));
        self.flag(url.is_some() && parts.is_empty());
        self.put(parts.len().min(6) as f32 / 3.0);
        self.put(last.matches(['-', '_']).count().min(8) as f32 / 4.0);
        self.flag(last.bytes().any(|b| b.is_ascii_digit()));
        self.flag(last.ends_with(".html") || last.ends_with(".htm"));
        let asks = |key: &str| matches!(key, "q" | "query" | "s" | "search" | "k");
        self.flag(url.is_some_and(|url| url.query_pairs().any(|(key, _)| asks(&key))));
    }

    /// What the page says of itself; a kind when it says so plainly.
    fn data(&mut self, page: &Page) -> Option<PageKind> {
        let dom = page.dom();
        let (mut og, mut generator, mut price, mut published) = ([false; 3], 0u32, false, false);
        for meta in dom.by_tag("meta") {
            let name = meta.attr("property").or(meta.attr("name")).unwrap_or("");
            let content = meta.attr("content").unwrap_or("");
            match name {
                "og:type" => {
                    let content = content.to_lowercase();
                    og = [
                        content == "article",
                        content.contains("product"),
                        content == "website",
                    ];
                }
                "generator" => {
                    let content = content.to_lowercase();
                    for (bit, tokens) in GENERATORS.iter().enumerate() {
                        generator |= u32::from(tokens.split(' ').any(|token| content.contains(token))) << bit;
                    }
                }
                "article:published_time" => published = true,
                _ => price |= name.starts_with("product:price") || name.starts_with("og:price"),
            }
        }
        for flag in og {
            self.flag(flag);
        }
        for bit in 0..GENERATORS.len() {
            self.flag(generator >> bit & 1 == 1);
        }
        self.flag(price);
        self.flag(published);
        let mut seen = 0u32;
        for script in dom.by_tag("script").filter(|script| {
            script
                .attr("type")
                .is_some_and(|media_type| media_type.contains("ld+json"))
        }) {
            let text = script.raw_text();
            for (at, _) in text.match_indices("\"@type\"").take(60) {
                let rest = text
                    .get(at + 7..)
                    .unwrap_or("")
                    .trim_start_matches([' ', ':', '[', '"', '\n', '\t']);
                let name = rest.split('"').next().unwrap_or("");
                for (bit, types) in TYPES.iter().enumerate() {
                    seen |= u32::from(types.split(' ').any(|name_of_type| name_of_type == name)) << bit;
                }
            }
        }
        for bit in 0..TYPES.len() {
            self.flag(seen >> bit & 1 == 1);
        }
        let body = dom.body().map(|body| body.class()).unwrap_or("").to_lowercase();
        for tokens in BODIES {
            self.flag(tokens.split(' ').any(|token| body.contains(token)));
        }
        DECLARED_KINDS
            .iter()
            .find(|(name, _)| {
                TYPES
                    .iter()
                    .position(|types| types == name)
                    .is_some_and(|bit| seen >> bit & 1 == 1)
            })
            .map(|(_, kind)| *kind)
    }

    /// Groups of siblings that lead to other pages, and those that carry prices.
    fn siblings(&mut self, totals: &PageTotals, siblings: &SiblingGroups) {
        let (mut teasers, mut words, mut most, mut priced, mut texts) = (0.0, 0.0, 0.0f32, 0.0f32, 0.0f32);
        let mut until = 0;
        for group in siblings.all().iter().filter(|group| group.members >= 3.0) {
            let is_priced = group.sums.money >= 0.5 * group.members;
            if group.is_teasers() && is_priced {
                priced = priced.max(group.members);
            }
            if group.is_teasers() && group.from >= until {
                until = group.to;
                teasers += group.members;
                words += group.sums.words;
                most = most.max(group.members);
            }
            // Members with paragraphs each: posts of a thread, sections of a text.
            if share(group.sums.prose, group.members) >= 15.0 {
                texts = texts.max(group.members);
            }
        }
        self.put((teasers / 30.0f32).min(1.0));
        self.put((most / 20.0).min(1.0));
        self.put(share(words, totals.total.words));
        self.put((priced / 12.0).min(1.0));
        self.put((texts / 12.0).min(1.0));
    }

    fn structure(&mut self, outline: &BlockOutline<'_>, totals: &PageTotals) {
        let total = totals.total;
        let (mut posts, mut products, mut cards, mut pre, mut articles) = (0u32, 0u32, 0u32, 0.0, 0u32);
        let (mut repeated, mut repeated_links, mut items, mut until) = (0.0, 0.0, 0u32, 0u32);
        for element in &outline.elements {
            let sum = totals.of(element);
            let alike = element.alike >= 3 && element.to > element.from;
            posts += u32::from(
                alike
                    && element.class_bits
                        & (vocabulary::class_bit("thread") | vocabulary::class_bit("comment"))
                        != 0,
            );
            products += u32::from(alike && element.class_bits & vocabulary::class_bit("product") != 0);
            cards += u32::from(alike && element.class_bits & vocabulary::class_bit("list") != 0);
            articles += u32::from(element.tag == BlockTag::Article);
            if element.tag == BlockTag::Pre {
                pre += sum.words;
            }
            if element.alike >= 4
                && element.from >= until
                && (4.0..200.0).contains(&sum.words)
                && holds(element)
            {
                until = element.to;
                items += 1;
                repeated += sum.words;
                repeated_links += sum.link_words;
            }
        }
        let (mut buy, mut reply, mut questions) = (0u32, 0u32, 0u32);
        let (buying, replying) = (vocabulary::phrase_bit("buy"), vocabulary::phrase_bit("forum"));
        for block in &outline.blocks {
            let short = block.words < 8;
            buy += u32::from(short && block.shape.phrase_bits & buying != 0);
            reply += u32::from(short && block.shape.phrase_bits & replying != 0);
            questions += u32::from(block.shape.is_question);
        }
        let up_to = |value: f32, most: f32| (value / most).min(1.0);
        self.put(up_to(posts as f32, 20.0));
        self.put(up_to(products as f32, 20.0));
        self.put(up_to(cards as f32, 30.0));
        self.put(up_to(articles as f32, 10.0));
        self.flag(articles == 1);
        self.put(share(pre, total.words));
        self.put(share(repeated, total.words));
        self.put(share(repeated_links, repeated));
        self.put(up_to(items as f32, 40.0));
        self.put(up_to(buy as f32, 6.0));
        self.put(up_to(reply as f32, 12.0));
        self.put(up_to(questions as f32, 12.0));
        self.put(up_to(total.money, 3.0));
        self.put(up_to(total.money, 30.0));
        self.put(share(total.prose, total.words));
        self.put(total.link_density());
        self.put((1.0 + total.words).ln() / 6.0);
        self.put((1.0 + total.prose).ln() / 6.0);
        self.put(share(total.headings, total.blocks) * 4.0);
        self.put(share(total.controls, total.blocks) * 4.0);
        self.put(share(total.words, total.blocks) / 20.0);
        self.put(up_to(total.headings, 30.0));
    }
}

/// Whether an element can be an entry of a list, and not of a menu.
fn holds(element: &OutlineElement<'_>) -> bool {
    let menu =
        vocabulary::class_bit("nav") | vocabulary::class_bit("footer") | vocabulary::class_bit("header");
    element.class_bits & menu == 0
        && !matches!(
            element.tag,
            BlockTag::P
                | BlockTag::Span
                | BlockTag::Heading(_)
                | BlockTag::Cell
                | BlockTag::Pre
                | BlockTag::Quote
        )
}
