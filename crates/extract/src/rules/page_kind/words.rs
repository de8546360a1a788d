//! Words of addresses, of markup and of class names that hint at the kind of a page.

use super::kind::PageKind;

/// Kinds that a page has when its data says so.
pub(super) const DECLARED_KINDS: &[(&str, PageKind)] = &[
    ("JobPosting", PageKind::Job),
    ("Recipe", PageKind::Recipe),
    (EVENTS, PageKind::Event),
    ("ProfilePage", PageKind::Profile),
];
pub(super) const EVENTS: &str =
    "Event MusicEvent BusinessEvent SportsEvent TheaterEvent EducationEvent Festival";

/// Parts of host names.
pub(super) const HOSTS: &[&str] = &[
    "docs doc developer developers dev learn wiki help support manual readthedocs api",
    "forum forums community discuss discourse boards board talk answers discussion discussions stackexchange stackoverflow reddit",
    "shop store boutique",
    "blog blogs news",
    "jobs careers job career karriere",
];

/// Parts of paths.
pub(super) const PATHS: &[&str] = &[
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
pub(super) const TYPES: &[&str] = &[
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
pub(super) const GENERATORS: &[&str] = &[
    "discourse phpbb vbulletin flarum xenforo",
    "docusaurus mkdocs sphinx gitbook vitepress doxygen javadoc mediawiki",
    "woocommerce shopify magento prestashop",
    "hugo jekyll ghost eleventy",
];

/// Parts of the class names of the body.
pub(super) const BODIES: &[&str] = &[
    "single-product template-product product-page catalog-product",
    "template-collection tax-product_cat catalog-category",
    "single-post post-template",
    "archive category",
    "page-template home",
];
