//! PageKind: what kind of page it is.
//!
//! Evidence is gathered from the address, the page's own data, the names of its elements and its text
//! ([`KindEvidence`]). Seven kinds are distinguished by learned weights, one number for each piece of evidence and kind;
//! jobs, recipes, events and profiles are taken from the markup or not recognized.

use super::content::decision_forest;
use super::content::element::{BlockTag, OutlineElement};
use super::content::outline::BlockOutline;
use super::content::siblings::SiblingGroups;
use super::content::totals::{PageTotals, share};
use super::vocabulary;
use page::Page;

/// The kinds of page that are read in different ways.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PageKind {
    /// A news story, a blog post, an essay: one text by someone.
    Article,
    /// One product for sale.
    Product,
    /// Many entries of one sort: search results, news lists, rankings.
    Listing,
    /// The products of one category of a shop.
    Collection,
    /// Posts by several people: a thread, questions and answers.
    Forum,
    /// Manuals, references, how-to pages.
    Documentation,
    /// What someone offers: home pages, landing pages, services.
    Service,
    /// A job posting.
    Job,
    /// A recipe.
    Recipe,
    /// An event.
    Event,
    /// A person or an organisation.
    Profile,
    /// Nothing of the above.
    Other,
}

impl PageKind {
    /// Every kind.
    pub const ALL: [PageKind; 12] = [
        PageKind::Article,
        PageKind::Product,
        PageKind::Listing,
        PageKind::Collection,
        PageKind::Forum,
        PageKind::Documentation,
        PageKind::Service,
        PageKind::Job,
        PageKind::Recipe,
        PageKind::Event,
        PageKind::Profile,
        PageKind::Other,
    ];

    /// The name, in lower case.
    pub fn name(self) -> &'static str {
        match self {
            PageKind::Article => "article",
            PageKind::Product => "product",
            PageKind::Listing => "listing",
            PageKind::Collection => "collection",
            PageKind::Forum => "forum",
            PageKind::Documentation => "documentation",
            PageKind::Service => "service",
            PageKind::Job => "job",
            PageKind::Recipe => "recipe",
            PageKind::Event => "event",
            PageKind::Profile => "profile",
            PageKind::Other => "other",
        }
    }
}

/// How many kinds the weights distinguish: the first of [`PageKind::ALL`].
pub(crate) const LEARNED_KINDS: usize = 7;

/// The probability of each learned kind, and the kind that the markup declares.
#[derive(Clone, Debug, Default)]
pub(crate) struct KindSignals {
    /// The probability of each learned kind.
    pub(crate) probabilities: [f32; LEARNED_KINDS],
    declared: Option<PageKind>,
    pub(crate) evidence: KindEvidence,
}

impl KindSignals {
    /// Weighs the evidence of a page.
    pub(crate) fn read(
        page: &Page,
        outline: &BlockOutline<'_>,
        totals: &PageTotals,
        siblings: &SiblingGroups,
    ) -> KindSignals {
        let mut evidence = KindEvidence::default();
        evidence.address(page);
        let declared = evidence.data(page);
        evidence.structure(outline, totals);
        evidence.siblings(totals, siblings);
        let mut signals = KindSignals {
            probabilities: [0.0; LEARNED_KINDS],
            declared,
            evidence,
        };
        let sums: Vec<f32> = (0..LEARNED_KINDS)
            .map(|kind| decision_forest::kind_logit(kind, &signals.evidence.values))
            .collect();
        let top = sums.iter().copied().fold(f32::MIN, f32::max);
        let whole: f32 = sums.iter().map(|sum| (sum - top).exp()).sum();
        for (probability, sum) in signals.probabilities.iter_mut().zip(&sums) {
            *probability = (sum - top).exp() / whole.max(1e-9);
        }
        signals
    }

    /// Puts other probabilities in place of its own, as far as there are any.
    pub(crate) fn set(&mut self, probabilities: &[f32]) {
        for (own, given) in self.probabilities.iter_mut().zip(probabilities) {
            *own = *given;
        }
    }

    /// The probability of the likeliest kind; 1 where the markup declares it.
    pub(crate) fn certainty(&self) -> f32 {
        match self.declared {
            Some(_) => 1.0,
            None => self.probabilities.iter().copied().fold(0.0, f32::max),
        }
    }

    /// The likeliest kind.
    pub(crate) fn best(&self) -> PageKind {
        if let Some(declared) = self.declared {
            return declared;
        }
        let mut best = (0.3, PageKind::Other);
        for (kind, probability) in PageKind::ALL.into_iter().zip(self.probabilities) {
            if probability > best.0 {
                best = (probability, kind);
            }
        }
        best.1
    }
}

/// What speaks for one kind of page or another, always in the same order.
#[derive(Clone, Debug, Default)]
pub(crate) struct KindEvidence {
    pub(crate) values: Vec<f32>,
}

impl KindEvidence {
    fn put(&mut self, value: f32) {
        self.values.push(value);
    }

    fn flag(&mut self, value: bool) {
        self.put(f32::from(u8::from(value)));
    }

    fn address(&mut self, page: &Page) {
        let host = page.url().and_then(|url| url.host_str()).unwrap_or("").to_owned();
        let path = page
            .url()
            .map(|url| url.path().to_lowercase())
            .unwrap_or_default();
        for tokens in HOSTS {
            self.flag(
                host.split('.')
                    .any(|part| tokens.split(' ').any(|token| token == part)),
            );
        }
        let parts: Vec<&str> = path.split('/').filter(|it| !it.is_empty()).collect();
        for tokens in PATHS {
            let place = parts.iter().rposition(|part| {
                let part = part.split('.').next().unwrap_or(part);
                tokens.split(' ').any(|token| token == part)
            });
            // The last part is more often a name than a place in the site.
            self.flag(place.is_some_and(|at| at + 1 < parts.len()));
            self.flag(place.is_some_and(|at| at + 1 == parts.len()));
        }
        let last = parts.last().copied().unwrap_or("");
        self.flag(parts.iter().any(|part| {
            part.len() == 4 && part.starts_with("20") && part.bytes().all(|b| b.is_ascii_digit())
        }));
        self.flag(page.url().is_some() && parts.is_empty());
        self.put(parts.len().min(6) as f32 / 3.0);
        self.put(last.matches(['-', '_']).count().min(8) as f32 / 4.0);
        self.flag(last.bytes().any(|b| b.is_ascii_digit()));
        self.flag(last.ends_with(".html") || last.ends_with(".htm"));
        let asks = |key: &str| matches!(key, "q" | "query" | "s" | "search" | "k");
        self.flag(
            page.url()
                .is_some_and(|url| url.query_pairs().any(|(key, _)| asks(&key))),
        );
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

/// Kinds that a page has when its data says so.
const DECLARED_KINDS: &[(&str, PageKind)] = &[
    ("JobPosting", PageKind::Job),
    ("Recipe", PageKind::Recipe),
    (EVENTS, PageKind::Event),
    ("ProfilePage", PageKind::Profile),
];
const EVENTS: &str = "Event MusicEvent BusinessEvent SportsEvent TheaterEvent EducationEvent Festival";

/// Parts of host names.
const HOSTS: &[&str] = &[
    "docs doc developer developers dev learn wiki help support manual readthedocs api",
    "forum forums community discuss discourse boards board talk answers discussion discussions stackexchange stackoverflow reddit",
    "shop store boutique",
    "blog blogs news",
    "jobs careers job career karriere",
];

/// Parts of paths.
const PATHS: &[&str] = &[
    "product products p dp item items itm pd prod produkt produkte produit producto sku ip",
    "collections collection category categories c cat shop browse kategorie categorie catalog catalogue department departments kollektion plp",
    "store buy",
    "forum forums t thread threads topic topics questions question viewtopic showthread discussion discussions comments d ask community viewthread boards",
    "docs doc documentation reference guide guides manual tutorial tutorials api learn help handbook wiki man how-to howto support kb en-us latest stable book getting-started",
    "blog blogs article articles news story stories post posts opinion magazine artikel nachrichten actualites noticias politics sport sports world business press",
    "services service solutions solution pricing about about-us contact features platform industries company leistungen software use-cases enterprise plans programs departments",
    "search list lists results top best tag tags archive archives directory listing listings rankings events courses resources listings people staff team faculty publications podcasts",
    "job jobs career careers vacancy vacancies stellenangebote",
    "recipe recipes rezept rezepte recette recettes receta recetas",
    "event events veranstaltung veranstaltungen",
    "profile user users u author people person",
];

/// Types of the page's JSON-LD.
const TYPES: &[&str] = &[
    "NewsArticle Article BlogPosting ReportageNewsArticle LiveBlogPosting OpinionNewsArticle AnalysisNewsArticle",
    "Product ProductGroup IndividualProduct Vehicle Book",
    "DiscussionForumPosting QAPage Question Answer",
    "TechArticle APIReference HowTo",
    "CollectionPage",
    "ItemList SearchResultsPage OfferCatalog",
    "FAQPage Service SoftwareApplication LocalBusiness ProfessionalService",
    "JobPosting",
    "Recipe",
    EVENTS,
    "ProfilePage",
];

/// Programs that make pages, by what they are for.
const GENERATORS: &[&str] = &[
    "discourse phpbb vbulletin flarum xenforo",
    "docusaurus mkdocs sphinx gitbook vitepress doxygen javadoc mediawiki",
    "woocommerce shopify magento prestashop",
    "hugo jekyll ghost eleventy",
];

/// Parts of the class names of the body.
const BODIES: &[&str] = &[
    "single-product template-product product-page catalog-product",
    "template-collection tax-product_cat catalog-category",
    "single-post post-template",
    "archive category",
    "page-template home",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::content::find;
    use url::Url;

    fn kind(url: &str, html: &str) -> PageKind {
        find(&Page::new(html, Url::parse(url).ok())).kind
    }

    const PROSE: &str = "<p>The river rose again on Monday night, and by the morning the lower streets were under water, \
        the mayor said. Schools stay closed until Thursday.</p>";

    #[test]
    fn a_page_that_says_what_it_is_is_believed() {
        for (declared, expected) in [
            ("JobPosting", PageKind::Job),
            ("Recipe", PageKind::Recipe),
            ("MusicEvent", PageKind::Event),
            ("ProfilePage", PageKind::Profile),
        ] {
            let html =
                format!("<script type=application/ld+json>{{\"@type\": \"{declared}\"}}</script>{PROSE}");
            assert_eq!(kind("https://example.org/x", &html), expected);
        }
    }

    #[test]
    fn address_data_and_structure_tell_the_common_kinds_apart() {
        let story = format!(
            "<head><meta property=og:type content=article><meta property=article:published_time content=2026-01-05></head>\
             <article><h1>River rises</h1>{}</article>",
            PROSE.repeat(8)
        );
        assert_eq!(
            kind(
                "https://example.org/news/2026/01/river-rises-again-in-the-lower-town",
                &story
            ),
            PageKind::Article
        );
        let manual = format!(
            "<head><meta name=generator content='Docusaurus 3'></head><h1>Flags</h1>{PROSE}<pre>run --all</pre>{PROSE}<pre>run --none --quiet</pre>"
        );
        assert_eq!(
            kind("https://docs.example.org/docs/reference/flags", &manual),
            PageKind::Documentation
        );
        let thread: String = (0..9)
            .map(|it| format!("<div class=post id=p{it}><a href=/u>user{it}</a>{PROSE}<a>Reply</a></div>"))
            .collect();
        let thread =
            format!("<head><meta name=generator content='Discourse 3.2'></head><h1>Loud pump?</h1>{thread}");
        assert_eq!(
            kind("https://forum.example.org/t/loud-pump/812", &thread),
            PageKind::Forum
        );
    }
}
