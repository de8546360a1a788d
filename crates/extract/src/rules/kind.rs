//! What kind of page is it?
//!
//! Evidence is gathered from the address, the page's own data, the names of its elements and its text, and each piece
//! speaks for or against some kinds. The weights are in one table, [`WEIGHTS`].

use super::content::context::{Context, share};
use super::content::outline::{Outline, Tag};
use super::words;
use page::Page;

/// The kinds of page that are read in different ways.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A news story, a blog post, an essay: one text by someone.
    Article,
    /// One thing for sale.
    Product,
    /// Many entries of one sort: search results, news lists, rankings.
    Listing,
    /// The things a shop has in one category.
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

impl Kind {
    /// Every kind.
    pub const ALL: [Kind; 12] = [
        Kind::Article,
        Kind::Product,
        Kind::Listing,
        Kind::Collection,
        Kind::Forum,
        Kind::Documentation,
        Kind::Service,
        Kind::Job,
        Kind::Recipe,
        Kind::Event,
        Kind::Profile,
        Kind::Other,
    ];

    /// The name, in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Article => "article",
            Kind::Product => "product",
            Kind::Listing => "listing",
            Kind::Collection => "collection",
            Kind::Forum => "forum",
            Kind::Documentation => "documentation",
            Kind::Service => "service",
            Kind::Job => "job",
            Kind::Recipe => "recipe",
            Kind::Event => "event",
            Kind::Profile => "profile",
            Kind::Other => "other",
        }
    }
}

/// How strongly the page looks like each kind.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Signals {
    scores: [f32; 12],
}

impl Signals {
    /// Each kind's name with its score.
    pub(crate) fn scores(&self) -> impl Iterator<Item = (&'static str, f32)> {
        Kind::ALL.into_iter().map(Kind::name).zip(self.scores)
    }

    /// The likeliest kind.
    pub(crate) fn best(&self) -> Kind {
        let mut best = (1.0, Kind::Other);
        for (kind, score) in Kind::ALL.into_iter().zip(self.scores) {
            if score > best.0 {
                best = (score, kind);
            }
        }
        best.1
    }

    fn add(&mut self, weights: &[(Kind, f32)], by: f32) {
        for (kind, weight) in weights {
            if let Some(score) = self.scores.get_mut(*kind as usize) {
                *score += weight * by;
            }
        }
    }

    /// Weighs the evidence of a page.
    pub(crate) fn read(page: &Page, outline: &Outline<'_>, context: &Context) -> Signals {
        let mut signals = Signals::default();
        signals.address(page);
        signals.data(page);
        signals.structure(outline, context);
        signals
    }

    fn address(&mut self, page: &Page) {
        let Some(url) = page.url() else { return };
        let host = url.host_str().unwrap_or("");
        for part in host.split('.') {
            for (tokens, weights) in HOSTS {
                if tokens.split(' ').any(|it| it == part) {
                    self.add(weights, 1.0);
                }
            }
        }
        let path = url.path().to_lowercase();
        let parts: Vec<&str> = path.split('/').filter(|it| !it.is_empty()).collect();
        for (at, part) in parts.iter().enumerate() {
            let part = part.split('.').next().unwrap_or(part);
            for (tokens, weights) in PATHS {
                if tokens.split(' ').any(|it| it == part) {
                    // The last part is more often a name than a place in the site.
                    self.add(weights, if at + 1 == parts.len() { 0.6 } else { 1.0 });
                }
            }
            let year = part.len() == 4 && part.starts_with("20") && part.bytes().all(|b| b.is_ascii_digit());
            if year {
                self.add(&[(Kind::Article, 1.5)], 1.0);
            }
        }
        if parts.is_empty() {
            self.add(
                &[
                    (Kind::Service, 2.0),
                    (Kind::Listing, 0.5),
                    (Kind::Article, -2.0),
                    (Kind::Product, -1.0),
                ],
                1.0,
            );
        }
        let last = parts.last().copied().unwrap_or("");
        let hyphens = last.matches('-').count();
        if hyphens >= 4 {
            self.add(
                &[(Kind::Article, 0.8), (Kind::Product, 0.2), (Kind::Forum, 0.2)],
                1.0,
            );
        }
        if url
            .query_pairs()
            .any(|(key, _)| matches!(&*key, "q" | "query" | "s" | "search" | "k"))
        {
            self.add(&[(Kind::Listing, 1.5)], 1.0);
        }
    }

    fn data(&mut self, page: &Page) {
        let dom = page.dom();
        for meta in dom.by_tag("meta") {
            let name = meta.attr("property").or(meta.attr("name")).unwrap_or("");
            let content = meta.attr("content").unwrap_or("").to_lowercase();
            if name == "og:type" {
                match content.as_str() {
                    "article" | "blog" => self.add(&[(Kind::Article, 1.2), (Kind::Documentation, 0.3)], 1.0),
                    it if it.contains("product") => {
                        self.add(&[(Kind::Product, 2.0), (Kind::Collection, 0.3)], 1.0)
                    }
                    "profile" => self.add(&[(Kind::Profile, 1.0)], 1.0),
                    _ => {}
                }
            }
            if name == "generator" {
                for (token, weights) in GENERATORS {
                    if content.contains(token) {
                        self.add(weights, 1.0);
                    }
                }
            }
            if name.starts_with("product:price") {
                self.add(&[(Kind::Product, 1.5)], 1.0);
                self.add(
                    &[(Kind::Product, -0.75)],
                    if name.ends_with("currency") { 1.0 } else { 0.0 },
                );
            }
            if name == "article:published_time" {
                self.add(&[(Kind::Article, 1.0)], 1.0);
            }
        }
        let mut seen = 0u32;
        for script in dom
            .by_tag("script")
            .filter(|it| it.attr("type").is_some_and(|it| it.contains("ld+json")))
        {
            let text = script.raw_text();
            for (at, _) in text.match_indices("\"@type\"").take(60) {
                let rest = text
                    .get(at + 7..)
                    .unwrap_or("")
                    .trim_start_matches([' ', ':', '[', '"', '\n', '\t']);
                let name = rest.split('"').next().unwrap_or("");
                for (bit, (types, weights)) in TYPES.iter().enumerate() {
                    if types.split(' ').any(|it| it == name) && seen >> bit & 1 == 0 {
                        seen |= 1 << bit;
                        self.add(weights, 1.0);
                    }
                }
            }
        }
        let body = dom.body().map(|it| it.class()).unwrap_or("").to_lowercase();
        for (token, weights) in BODIES {
            if body.contains(token) {
                self.add(weights, 1.0);
            }
        }
    }

    fn structure(&mut self, outline: &Outline<'_>, context: &Context) {
        let total = context.total;
        let (mut posts, mut products, mut cards, mut pre) = (0u32, 0u32, 0u32, 0.0);
        let (mut buy, mut reply, mut articles) = (0u32, 0u32, 0u32);
        for it in &outline.elements {
            let alike = it.alike >= 3 && it.to > it.from;
            posts += u32::from(alike && it.marks & (words::mark("thread") | words::mark("comment")) != 0);
            products += u32::from(alike && it.marks & words::mark("product") != 0);
            cards += u32::from(alike && it.marks & words::mark("list") != 0);
            articles += u32::from(it.tag == Tag::Article);
            if it.tag == Tag::Pre {
                pre += context.of(it).words;
            }
        }
        for block in &outline.blocks {
            buy += u32::from(block.words < 8 && block.shape.says & saying("buy") != 0);
            reply += u32::from(block.words < 8 && block.shape.says & saying("forum") != 0);
        }
        let prose = share(total.prose, total.words);
        let money = total.money.min(40.0) / 10.0;
        self.add(
            &[(Kind::Forum, 1.0), (Kind::Article, -0.2)],
            (posts as f32 / 10.0).min(1.5),
        );
        self.add(
            &[
                (Kind::Collection, 1.0),
                (Kind::Listing, 0.3),
                (Kind::Article, -0.4),
            ],
            (products as f32 / 15.0).min(1.5),
        );
        self.add(
            &[(Kind::Listing, 0.5), (Kind::Collection, 0.3)],
            (cards as f32 / 30.0).min(1.0),
        );
        self.add(
            &[(Kind::Listing, 0.4), (Kind::Article, -0.4)],
            (articles as f32 / 8.0).min(1.5),
        );
        self.add(
            &[(Kind::Documentation, 2.0)],
            share(pre, total.words).min(0.4) * 2.5,
        );
        self.add(
            &[
                (Kind::Product, 0.6),
                (Kind::Collection, 0.4),
                (Kind::Article, -0.6),
            ],
            (buy as f32 / 3.0).min(1.0),
        );
        self.add(
            &[
                (Kind::Collection, 0.7),
                (Kind::Product, 0.3),
                (Kind::Article, -0.5),
                (Kind::Documentation, -0.5),
            ],
            money.min(1.5),
        );
        self.add(&[(Kind::Forum, 0.8)], (reply as f32 / 8.0).min(1.5));
        self.add(
            &[
                (Kind::Article, 2.0),
                (Kind::Documentation, 0.8),
                (Kind::Forum, 0.4),
                (Kind::Service, -0.3),
            ],
            prose,
        );
        self.add(
            &[
                (Kind::Listing, 1.2),
                (Kind::Collection, 0.8),
                (Kind::Article, -0.8),
            ],
            total.link_density(),
        );
    }
}

fn saying(name: &str) -> u32 {
    words::SAYINGS
        .iter()
        .position(|(it, _)| *it == name)
        .map_or(0, |bit| 1 << bit)
}

type Weights = &'static [(Kind, f32)];

const HOSTS: &[(&str, Weights)] = &[
    (
        "docs doc developer developers dev learn wiki help support manual readthedocs api",
        &[(Kind::Documentation, 2.0)],
    ),
    (
        "forum forums community discuss discourse boards board talk answers discussion discussions stackexchange stackoverflow reddit",
        &[(Kind::Forum, 2.5)],
    ),
    (
        "shop store boutique",
        &[(Kind::Product, 0.7), (Kind::Collection, 0.7)],
    ),
    ("blog blogs news", &[(Kind::Article, 1.0), (Kind::Listing, 0.3)]),
    (
        "jobs careers job career karriere",
        &[(Kind::Job, 2.0), (Kind::Listing, 0.5)],
    ),
];

const PATHS: &[(&str, Weights)] = &[
    (
        "product products p dp item items itm pd prod produkt produkte produit producto sku ip",
        &[(Kind::Product, 2.2), (Kind::Collection, 0.3)],
    ),
    (
        "collections collection category categories c cat shop browse kategorie categorie catalog catalogue department departments kollektion plp",
        &[(Kind::Collection, 2.2), (Kind::Listing, 0.5)],
    ),
    ("store buy", &[(Kind::Collection, 0.8), (Kind::Product, 0.6)]),
    (
        "forum forums t thread threads topic topics questions question viewtopic showthread discussion discussions comments d ask community viewthread boards",
        &[(Kind::Forum, 2.0)],
    ),
    (
        "docs doc documentation reference guide guides manual tutorial tutorials api learn help handbook wiki man how-to howto support kb en-us latest stable book getting-started",
        &[(Kind::Documentation, 1.8)],
    ),
    (
        "blog blogs article articles news story stories post posts opinion magazine artikel nachrichten actualites noticias politics sport sports world business press",
        &[(Kind::Article, 1.3), (Kind::Listing, 0.4)],
    ),
    (
        "services service solutions solution pricing about about-us contact features platform industries company leistungen software use-cases enterprise plans programs departments",
        &[(Kind::Service, 2.0)],
    ),
    (
        "search list lists results top best tag tags archive archives directory listing listings rankings events courses resources listings people staff team faculty publications podcasts",
        &[(Kind::Listing, 1.3)],
    ),
    (
        "job jobs career careers vacancy vacancies stellenangebote",
        &[(Kind::Job, 1.5), (Kind::Listing, 0.4)],
    ),
    (
        "recipe recipes rezept rezepte recette recettes receta recetas",
        &[(Kind::Recipe, 1.5), (Kind::Article, 0.3)],
    ),
    (
        "event events veranstaltung veranstaltungen",
        &[(Kind::Event, 1.0)],
    ),
    (
        "profile user users u author people person",
        &[(Kind::Profile, 1.0)],
    ),
];

const GENERATORS: &[(&str, Weights)] = &[
    ("discourse", &[(Kind::Forum, 3.0)]),
    ("phpbb", &[(Kind::Forum, 3.0)]),
    ("vbulletin", &[(Kind::Forum, 3.0)]),
    ("flarum", &[(Kind::Forum, 3.0)]),
    ("docusaurus", &[(Kind::Documentation, 3.0)]),
    ("mkdocs", &[(Kind::Documentation, 3.0)]),
    ("sphinx", &[(Kind::Documentation, 3.0)]),
    ("gitbook", &[(Kind::Documentation, 3.0)]),
    ("vitepress", &[(Kind::Documentation, 3.0)]),
    ("hugo", &[(Kind::Article, 0.3), (Kind::Documentation, 0.5)]),
    ("mediawiki", &[(Kind::Documentation, 1.5)]),
    ("woocommerce", &[(Kind::Product, 0.5), (Kind::Collection, 0.5)]),
    ("doxygen", &[(Kind::Documentation, 3.0)]),
    ("javadoc", &[(Kind::Documentation, 3.0)]),
];

const TYPES: &[(&str, Weights)] = &[
    (
        "NewsArticle Article BlogPosting ReportageNewsArticle LiveBlogPosting OpinionNewsArticle AnalysisNewsArticle",
        &[(Kind::Article, 1.8)],
    ),
    (
        "Product ProductGroup IndividualProduct Vehicle Book",
        &[(Kind::Product, 1.8), (Kind::Collection, 0.2)],
    ),
    (
        "DiscussionForumPosting QAPage Question Answer",
        &[(Kind::Forum, 2.0)],
    ),
    ("TechArticle APIReference HowTo", &[(Kind::Documentation, 2.0)]),
    (
        "CollectionPage",
        &[
            (Kind::Collection, 1.0),
            (Kind::Listing, 1.0),
            (Kind::Article, -0.5),
        ],
    ),
    (
        "ItemList SearchResultsPage OfferCatalog",
        &[
            (Kind::Collection, 0.8),
            (Kind::Listing, 0.9),
            (Kind::Product, -0.4),
        ],
    ),
    (
        "FAQPage Service SoftwareApplication LocalBusiness ProfessionalService",
        &[(Kind::Service, 0.9)],
    ),
    ("JobPosting", &[(Kind::Job, 4.0)]),
    ("Recipe", &[(Kind::Recipe, 4.0)]),
    (
        "Event MusicEvent BusinessEvent SportsEvent TheaterEvent EducationEvent Festival",
        &[(Kind::Event, 1.5)],
    ),
    ("ProfilePage", &[(Kind::Profile, 2.5)]),
];

const BODIES: &[(&str, Weights)] = &[
    ("single-product", &[(Kind::Product, 2.0)]),
    ("template-product", &[(Kind::Product, 1.5)]),
    ("product-page", &[(Kind::Product, 1.5)]),
    ("template-collection", &[(Kind::Collection, 2.0)]),
    ("tax-product_cat", &[(Kind::Collection, 2.0)]),
    ("single-post", &[(Kind::Article, 1.5)]),
    ("archive", &[(Kind::Listing, 1.0), (Kind::Article, -0.5)]),
    (
        "category",
        &[
            (Kind::Listing, 0.5),
            (Kind::Collection, 0.5),
            (Kind::Article, -0.3),
        ],
    ),
    ("page-template", &[(Kind::Service, 0.8)]),
];
