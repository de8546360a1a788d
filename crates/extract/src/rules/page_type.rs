//! The type of a page, from its entities, from what it sells and from its main content.

use super::content::MainContent;
use super::entities::TypedEntity;
use super::labelled_fields;
use super::list_page;
use super::page_kind::PageKind;
use super::page_signs;
use super::product::ProductFacts;
use super::recipe_lists;
use super::records;
use super::rows::ListReader;
use super::thread;
use super::visible_page::{VisiblePage, covered, meta, words};
use crate::fields::PageType;

/// Schema.org types (lower case) by the type of page they make.
#[rustfmt::skip]
const ENTITY_TYPES: &[(PageType, &[&str])] = &[
    (PageType::Job, &["jobposting"]),
    (PageType::Recipe, &["recipe"]),
    (PageType::Event, &["event", "musicevent", "theaterevent", "sportsevent", "festival", "businessevent", "educationevent", "exhibitionevent", "comedyevent", "danceevent", "screeningevent", "socialevent", "childrensevent", "literaryevent", "foodevent", "visualartsevent"]),
    (PageType::RealEstate, &["realestatelisting", "apartment", "house", "singlefamilyresidence", "accommodation", "residence"]),
    (PageType::Product, &["product", "productgroup", "individualproduct", "productmodel", "vehicle", "car", "book"]),
    (PageType::Forum, &["discussionforumposting", "qapage", "question"]),
    (PageType::Video, &["movie", "tvseries", "tvepisode", "videoobject", "film"]),
    (PageType::Documentation, &["techarticle", "apireference"]),
    (PageType::Article, &["article", "newsarticle", "blogposting", "report", "reportagenewsarticle", "analysisnewsarticle", "opinionnewsarticle", "reviewnewsarticle", "scholarlyarticle", "liveblogposting", "socialmediaposting"]),
    (PageType::Profile, &["profilepage", "person", "restaurant", "localbusiness", "foodestablishment", "hotel", "store", "collegeoruniversity", "educationalorganization", "place", "organization", "cafeorcoffeeshop", "barorpub", "dentist", "physician", "musicgroup", "hairsalon", "beautysalon", "dayspa", "nailsalon", "healthandbeautybusiness", "autorepair", "autodealer", "bakery", "icecreamshop", "fastfoodrestaurant", "brewery", "winery", "lodgingbusiness", "bedandbreakfast", "hostel", "motel", "resort", "campground", "medicalclinic", "medicalbusiness", "hospital", "pharmacy", "optician", "veterinarycare", "legalservice", "attorney", "notary", "accountingservice", "insuranceagency", "financialservice", "travelagency", "electrician", "plumber", "locksmith", "roofingcontractor", "housepainter", "generalcontractor", "hvacbusiness", "movingcompany", "homeandconstructionbusiness", "professionalservice", "childcare", "library", "drycleaningorlaundry", "exercisegym", "healthclub", "sportsactivitylocation", "nightclub", "artgallery", "museum", "movietheater", "touristattraction", "animalshelter"]),
];

/// Properties behind which an entity is not the page's subject.
#[rustfmt::skip]
const NOT_SUBJECT: &[&str] = &[
    "isrelatedto", "issimilarto", "itemlistelement", "review", "reviews", "author", "publisher", "creator", "brand",
    "worksfor", "hiringorganization", "offers", "itemoffered", "location", "organizer", "performer", "performers",
    "director", "actor", "actors", "provider", "seller", "isaccessoryorsparepartfor", "comment", "comments",
    "suggestedanswer", "acceptedanswer", "ispartof", "publishingprinciples", "copyrightholder", "sourceorganization",
    "manufacturer", "parentorganization", "superevent", "subevent", "video", "associatedmedia", "contributor",
    "editor", "about", "mentions",
];

/// The type of the page where its entities or what it sells decide it, without reading the main content.
pub fn type_without_content(
    view: &VisiblePage<'_>,
    entities: &[TypedEntity<'_>],
    product: &ProductFacts,
) -> Option<PageType> {
    let typed = [
        PageType::Job,
        PageType::Recipe,
        PageType::Event,
        PageType::RealEstate,
    ];
    let named = typed.into_iter().find(|page_type| {
        main_entity(view, entities, *page_type).is_some_and(|entity| is_subject(view, entity))
    });
    let is_product = product.evidence >= SURE_EVIDENCE && !is_of_several(view) && !is_news(view, entities);
    if named.is_some() || !is_product {
        return named;
    }
    // What a posting pays is no price.
    let is_job = main_entity(view, entities, PageType::Product).is_none()
        && !product.is_offered
        && page_signs::is_posting(view);
    Some(if is_job { PageType::Job } else { PageType::Product })
}

/// Whether the page calls itself one of several products.
pub(crate) fn is_of_several(view: &VisiblePage<'_>) -> bool {
    let og_type = meta(view.dom(), "og:type");
    og_type.is_some_and(|og_type| og_type.eq_ignore_ascii_case("product.group"))
}

/// Log-odds of a product that outweigh every other sign.
const SURE_EVIDENCE: f32 = 0.0;

/// Types of entities (lower case) that are news, and never an offer: amounts of money in them are told.
const NEWS: [&str; 4] = [
    "newsarticle",
    "reportagenewsarticle",
    "analysisnewsarticle",
    "opinionnewsarticle",
];

/// Whether the markup calls what the page is about news, and nothing on it a product.
pub(crate) fn is_news(view: &VisiblePage<'_>, entities: &[TypedEntity<'_>]) -> bool {
    let is_subject = |entity: &TypedEntity<'_>| entity.is(&NEWS) && is_subject(view, entity);
    entities.iter().any(is_subject)
        && !entities
            .iter()
            .any(|entity| entity.is(&["product", "productgroup"]))
}

/// The type of a page that [`type_without_content`] left open: from its main content.
pub fn page_type(
    view: &VisiblePage<'_>,
    entities: &[TypedEntity<'_>],
    content: &MainContent,
    product: &ProductFacts,
    list: &ListReader<'_, '_>,
) -> PageType {
    if records::is_feed(view.page) && list.best_group().is_some() {
        return PageType::Listing;
    }
    let by_content = match PageType::from(content.kind) {
        // Whose entries come by script, and of which only menus are here, is no list yet.
        PageType::Listing if !can_list(view) || list.best_group().is_none() => PageType::Other,
        // Some forums call each thread an article, for those who share it.
        PageType::Article if thread::is_thread(view) || is_called_thread(view, entities) => PageType::Forum,
        PageType::Listing | PageType::Article | PageType::Other if thread::are_posts(view, list) => {
            PageType::Forum
        }
        PageType::Listing if is_article_after_all(view, content, list) => PageType::Article,
        by_content => by_content,
    };
    let enough = match by_content {
        PageType::Product => -2.5,
        PageType::Other if is_called_product(view, entities) => f32::NEG_INFINITY,
        PageType::Other | PageType::Profile => -1.0,
        PageType::Listing => -0.5,
        _ => SURE_EVIDENCE,
    };
    let is_event = || {
        !matches!(by_content, PageType::Forum | PageType::Product)
            && !is_news(view, entities)
            && page_signs::is_event(view)
    };
    let has_product = main_entity(view, entities, PageType::Product).is_some();
    // The price of an event is that of its tickets.
    if !has_product && is_event() {
        return PageType::Event;
    }
    let is_posting = by_content != PageType::Forum && page_signs::is_posting(view);
    if !has_product && !product.is_offered && is_posting {
        return PageType::Job;
    }
    if product.evidence >= enough && !is_of_several(view) && !is_news(view, entities) {
        return PageType::Product;
    }
    let is_list = || {
        list_page::log_odds(view, content, list) > least_list_odds(by_content)
            && list.best_group().is_some_and(|group| group.records.len() >= LIST)
    };
    // The filters beside a list of vacancies have the labels of one, too.
    let is_of_jobs = || by_content == PageType::Listing && is_list();
    if (is_job(view) && !is_of_jobs()) || is_posting {
        return PageType::Job;
    }
    if is_recipe(view, by_content) {
        return PageType::Recipe;
    }
    if has_product && is_event() {
        return PageType::Event;
    }
    if by_content != PageType::Listing && can_list(view) && is_list() {
        return PageType::Listing;
    }
    if matches!(
        by_content,
        PageType::Other | PageType::Profile | PageType::Listing
    ) {
        for page_type in [PageType::Video, PageType::Article, PageType::Profile] {
            let subject = main_entity(view, entities, page_type).is_some_and(|entity| {
                let broad = entity.is(&["organization", "place", "localbusiness", "store", "videoobject"]);
                let is_owner = page_type == PageType::Profile && !is_named_first(view, entity);
                is_subject(view, entity) && !broad && !is_owner
            });
            if subject && by_content != PageType::Listing {
                return page_type;
            }
        }
    }
    if by_content == PageType::Listing
        && main_entity(view, entities, PageType::Article).is_some_and(|entity| is_headlined(view, entity))
    {
        return PageType::Article;
    }
    by_content
}

/// Whether the markup calls what the page is about a thread of a forum.
fn is_called_thread(view: &VisiblePage<'_>, entities: &[TypedEntity<'_>]) -> bool {
    main_entity(view, entities, PageType::Forum)
        .is_some_and(|entity| entity.is(&["discussionforumposting"]) && is_subject(view, entity))
}

/// Bytes of visible text up to which a page shows hardly more than a name and a few values.
const LITTLE_TEXT: usize = 600;

/// Whether a page that shows too little to be known by its content is called a product by its markup.
fn is_called_product(view: &VisiblePage<'_>, entities: &[TypedEntity<'_>]) -> bool {
    view.lines.text().len() <= LITTLE_TEXT
        && main_entity(view, entities, PageType::Product).is_some_and(|entity| is_subject(view, entity))
}

/// Probability of an article from which a page that looks like a list may be one: that of seven kinds that are equally likely.
const EVEN_CHANCE: f32 = 1.0 / 7.0;

/// Whether a page that looks like a list has none that a reader came for, and is likelier an article than anything else: short
/// news below long menus. Of 345 labelled and unlabelled pages that look like lists this takes 8, none of which is a list.
fn is_article_after_all(view: &VisiblePage<'_>, content: &MainContent, list: &ListReader<'_, '_>) -> bool {
    let others = list_page::kinds(content)
        .filter(|(kind, _)| !matches!(kind, PageKind::Listing | PageKind::Collection));
    let likeliest = others.max_by(|one, other| one.1.total_cmp(&other.1));
    likeliest.is_some_and(|(kind, probability)| kind == PageKind::Article && probability >= EVEN_CHANCE)
        && list_page::log_odds(view, content, list) < 0.0
}

/// Whether a page without markup of a recipe shows one.
fn is_recipe(view: &VisiblePage<'_>, by_content: PageType) -> bool {
    let may_be = matches!(
        by_content,
        PageType::Article | PageType::Other | PageType::Listing | PageType::Documentation
    );
    may_be && (recipe_lists::read(view).are_of_one_recipe() || page_signs::has_ingredients(view))
}

/// Fewest records that make a list of a page that looks like something else: two or three alike parts are those of a whole.
const LIST: usize = 4;

/// Log-odds of a list from which a page is one although its content looks like another type of page. The posts of a thread are
/// a list of records as well: of 93 threads none had more than 3.5.
fn least_list_odds(by_content: PageType) -> f32 {
    match by_content {
        PageType::Forum => 4.0,
        _ => 0.0,
    }
}

/// Whether the page has elements that could be entries of a list, two at least.
fn can_list(view: &VisiblePage<'_>) -> bool {
    let dom = view.dom();
    let entries = ["a", "li", "tr", "article", "dt"];
    entries.into_iter().any(|tag| dom.by_tag(tag).nth(1).is_some())
}

/// Whether an entity with a headline is what the page is about: the heading or a title is this headline.
fn is_headlined(view: &VisiblePage<'_>, entity: &TypedEntity<'_>) -> bool {
    let Some(headline) = entity.text(&["headline"]).filter(|_| !entity.within(NOT_SUBJECT)) else {
        return false;
    };
    let own = words(&headline);
    let heading = view.heading.iter().map(|heading| heading.text.as_str());
    let mut named = heading.chain(view.titles.iter().map(String::as_str));
    own.len() >= 3
        && named.any(|text| {
            let title = words(text);
            covered(&own, &title) >= 0.9 && covered(&title, &own) >= 0.5
        })
}

/// Whether the heading or the title names the entity, or it is the only one of its type and has no name.
pub(crate) fn is_subject(view: &VisiblePage<'_>, entity: &TypedEntity<'_>) -> bool {
    let Some(name) = entity.text(&["title", "headline", "name"]) else {
        return true;
    };
    let own = words(&name);
    let heading = view.heading.iter().map(|heading| heading.text.as_str());
    heading.chain(view.titles.iter().map(String::as_str)).any(|text| {
        let title = words(text);
        covered(&own, &title) >= 0.6 || (title.len() >= 2 && covered(&title, &own) >= 0.8)
    })
}

locale::patterns! {
    /// What stands between the name of a page and that of its site.
    static TITLE_PARTS = r"\s[|–—·:»-]\s|:\s|\|";
}

/// Share of the words of a name and of a title that the other has, where both are of one thing.
const SAME_NAME: f32 = 0.6;

/// Whether the heading or the first part of a title is the name of an entity and little else, or the page is the first of its site:
/// a page about the fees of a school names the school, which is not what the page is about.
fn is_named_first(view: &VisiblePage<'_>, entity: &TypedEntity<'_>) -> bool {
    let Some(name) = entity.text(&["name"]) else {
        return true;
    };
    let own = words(&name);
    let is_name = |text: &str| {
        let title = words(text);
        covered(&own, &title) >= SAME_NAME && covered(&title, &own) >= SAME_NAME
    };
    let mut titles = view
        .titles
        .iter()
        .filter_map(|title| TITLE_PARTS.split(title).next());
    let is_home = view.page.url().is_some_and(|url| url.path() == "/");
    is_home
        || view
            .heading
            .as_ref()
            .is_some_and(|heading| is_name(&heading.text))
        || titles.any(is_name)
}

/// Labelled fields of a job posting.
#[rustfmt::skip]
const JOB_FIELDS: &[&str] = &[
    "company", "location", "date_posted", "job_type", "salary", "application_deadline",
];
/// Parts of words for jobs in addresses and titles.
#[rustfmt::skip]
const JOB_WORDS: &[&str] = &[
    "job", "career", "vacanc", "stellen", "emploi", "empleo", "vaga", "lavoro", "vacature", "praca", "ваканс", "karriere",
    "carriere", "hiring", "recruit", "position",
];

/// A posting without markup: an address or title that says so, and the labels of one.
fn is_job(view: &VisiblePage<'_>) -> bool {
    let labels = labelled_fields::read(view, JOB_FIELDS);
    let mut text = String::new();
    if let Some(url) = view.page.url() {
        text.push_str(url.path());
        text.push_str(url.host_str().unwrap_or_default());
    }
    for title in &view.titles {
        text.push(' ');
        text.push_str(title);
    }
    let text = text.to_lowercase();
    let hinted = JOB_WORDS.iter().any(|word| text.contains(word));
    labels.len() >= if hinted { 2 } else { 4 }
}

/// The entity of that type that the page is about.
pub fn main_entity<'t>(
    view: &VisiblePage<'_>,
    entities: &'t [TypedEntity<'t>],
    page_type: PageType,
) -> Option<&'t TypedEntity<'t>> {
    let (_, types) = ENTITY_TYPES.iter().find(|(known, _)| *known == page_type)?;
    let mut best: Option<(f32, &TypedEntity<'_>)> = None;
    let all: Vec<&TypedEntity<'_>> = entities.iter().filter(|entity| entity.is(types)).collect();
    let many = all.len();
    for (order, entity) in all.into_iter().enumerate() {
        let mut score = (entity.value.len() as f32 * 0.05).min(0.6) - 0.01 * order as f32;
        score += if is_subject(view, entity) { 1.0 } else { 0.0 };
        score -= if entity.within(NOT_SUBJECT) { 1.5 } else { 0.0 };
        if best.is_none_or(|(most, _)| score > most) {
            best = Some((score, entity));
        }
    }
    best.filter(|(score, _)| *score > if many > 2 { 0.6 } else { -0.2 })
        .map(|(_, entity)| entity)
}
