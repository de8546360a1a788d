//! Candidates: what each source of a page says about a field, whichever of them the rules believed.

use page::dom::Node;

use super::evidence::PageEvidence;
use crate::item::Item;
use crate::provenance::FieldSource;
use crate::rules::element_source::element_source;
use crate::rules::entities::MarkupFormat;
use crate::rules::visible_page::squeeze;

/// Most candidates of one kind.
const MOST: usize = 6;
/// Longest text of a candidate, in bytes.
const LONGEST: usize = 300;

/// The kinds of sources.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SourceKind {
    /// JSON-LD.
    JsonLd,
    /// Microdata and RDFa.
    Attributes,
    /// `<meta>` and `<link>`.
    Meta,
    /// Elements and visible text.
    Visible,
    /// State for scripts and the address.
    Other,
}

impl SourceKind {
    /// The kind of a source.
    pub(crate) fn of(source: &FieldSource) -> SourceKind {
        match source {
            FieldSource::JsonLd { .. } => SourceKind::JsonLd,
            FieldSource::Microdata { .. } | FieldSource::Rdfa { .. } => SourceKind::Attributes,
            FieldSource::Meta { .. } => SourceKind::Meta,
            FieldSource::Selector { .. } | FieldSource::Text { .. } => SourceKind::Visible,
            FieldSource::State { .. } | FieldSource::Url | FieldSource::Model { .. } => SourceKind::Other,
        }
    }
}

/// A value that one source states.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Candidate {
    /// The value as written.
    pub(crate) value: String,
    /// Where it stands.
    pub(crate) source: FieldSource,
}

/// Properties of entities and names of `<meta>` that state a field.
type Names = (&'static str, &'static [&'static str], &'static [&'static str]);

#[rustfmt::skip]
const NAMES: &[Names] = &[
    ("title", &["headline", "name"], &["og:title", "twitter:title", "dc.title", "parsely-title", "sailthru.title", "title"]),
    ("author", &["author", "creator"], &["author", "article:author", "dc.creator", "parsely-author", "sailthru.author", "byl"]),
    ("date_published", &["datePublished", "uploadDate", "dateCreated"], &["article:published_time", "date", "dc.date", "dc.date.issued", "pubdate", "datepublished", "parsely-pub-date", "sailthru.date", "og:article:published_time"]),
    ("price", &["price", "lowPrice"], &["product:price:amount", "og:price:amount"]),
    ("currency", &["priceCurrency"], &["product:price:currency", "og:price:currency"]),
    ("availability", &["availability"], &["product:availability", "og:availability"]),
    ("sku", &["sku", "productID"], &["product:retailer_item_id"]),
    ("brand", &["brand", "manufacturer"], &["product:brand", "og:brand"]),
    ("gtin", &["gtin13", "gtin12", "gtin14", "gtin8", "gtin", "isbn"], &["product:ean", "product:upc", "product:isbn"]),
    ("mpn", &["mpn"], &["product:mfr_part_no"]),
    ("rating", &["ratingValue"], &[]),
    ("review_count", &["reviewCount", "ratingCount"], &[]),
];

/// Types (lower case) of entities that are never what a page is about.
#[rustfmt::skip]
const SURROUNDINGS: &[&str] = &[
    "website", "webpage", "organization", "newsmediaorganization", "breadcrumblist", "listitem", "imageobject", "person",
    "searchaction", "brand", "sitenavigationelement", "wpheader", "wpfooter", "wpsidebar", "corporation", "contactpoint",
    "postaladdress", "readaction", "comment",
];

/// The sources of a page, ready to be asked about a field.
pub(super) struct Candidates<'e, 'p> {
    evidence: PageEvidence<'e, 'p>,
}

impl<'e, 'p> Candidates<'e, 'p> {
    /// The sources of a page.
    pub(super) fn new(evidence: PageEvidence<'e, 'p>) -> Self {
        Candidates { evidence }
    }

    /// What the sources say about a field, markup first.
    pub(super) fn of(&self, field: &str, item: &Item) -> Vec<Candidate> {
        let mut found = Vec::new();
        if let Some((_, properties, metas)) = NAMES.iter().find(|names| names.0 == field) {
            self.described(field, properties, &mut found);
            self.metas(metas, &mut found);
        }
        match field {
            "title" => self.headings(&mut found),
            "author" => self.bylines(&mut found),
            "date_published" => self.times(&mut found),
            "price" if item.has("price") => self.prices(&mut found),
            _ => {}
        }
        found.retain(|candidate| !candidate.value.is_empty() && candidate.value.len() <= LONGEST);
        found
    }

    fn described(&self, field: &str, properties: &[&str], found: &mut Vec<Candidate>) {
        let aside = [
            "review",
            "reviews",
            "comment",
            "isrelatedto",
            "issimilarto",
            "itemlistelement",
        ];
        let main = |field: &str| matches!(field, "title" | "author" | "date_published");
        for markup in [MarkupFormat::JsonLd, MarkupFormat::Microdata, MarkupFormat::Rdfa] {
            let of_markup = self
                .evidence
                .entities
                .iter()
                .filter(|entity| entity.markup == markup && !entity.within(&aside))
                .filter(|entity| !(main(field) && entity.is(SURROUNDINGS)));
            let stated = of_markup.filter_map(|entity| {
                let key = properties.iter().find(|key| entity.text(&[key]).is_some())?;
                Some(Candidate {
                    value: entity.text(&[key])?,
                    source: entity.source(key),
                })
            });
            found.extend(stated.take(MOST));
        }
    }

    fn metas(&self, names: &[&str], found: &mut Vec<Candidate>) {
        let metas = self.evidence.view.dom().by_tag("meta").filter_map(|meta| {
            let name = meta.attr("property").or_else(|| meta.attr("name"))?;
            let known = names.iter().any(|known| name.eq_ignore_ascii_case(known));
            known.then(|| Candidate {
                value: squeeze(meta.attr("content").unwrap_or_default()),
                source: FieldSource::meta(name),
            })
        });
        found.extend(metas.take(MOST));
    }

    fn element(node: Node<'_>, value: String) -> Candidate {
        Candidate {
            value,
            source: element_source(node),
        }
    }

    fn headings(&self, found: &mut Vec<Candidate>) {
        let view = self.evidence.view;
        let heading = view.heading.as_ref();
        found.extend(
            heading.map(|heading| Self::element(view.dom().node(heading.node), heading.text.clone())),
        );
        let others = view.dom().by_tag("h1").take(3);
        found.extend(others.map(|node| Self::element(node, node.text())));
    }

    fn bylines(&self, found: &mut Vec<Candidate>) {
        let nodes = self.evidence.view.dom().nodes().filter(|node| node.is_element());
        let named = nodes.filter(|node| {
            let is = |name: &str, value: &str| node.attr(name) == Some(value);
            is("rel", "author") || is("itemprop", "author") || node.classes().any(is_byline)
        });
        let short = named.filter(|node| node.end().index() - node.id().index() <= 24);
        found.extend(short.take(MOST).map(|node| Self::element(node, node.text())));
    }

    fn times(&self, found: &mut Vec<Candidate>) {
        let times = self.evidence.view.dom().by_tag("time").filter_map(|node| {
            let stated = node.attr("datetime").filter(|text| !text.is_empty())?;
            Some(Self::element(node, stated.to_owned()))
        });
        found.extend(times.take(MOST));
    }

    fn prices(&self, found: &mut Vec<Candidate>) {
        let view = self.evidence.view;
        let shown = self.evidence.product.shown_prices.iter().take(MOST);
        found.extend(shown.map(|price| Self::element(view.dom().node(price.node), price.amount.clone())));
    }
}

fn is_byline(class: &str) -> bool {
    class
        .split(|c: char| !c.is_ascii_alphabetic())
        .any(|part| part.eq_ignore_ascii_case("author") || part.eq_ignore_ascii_case("byline"))
}
