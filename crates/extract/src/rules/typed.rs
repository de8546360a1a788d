//! Which type is the page of, and what do its typed things and its labels say in that type's fields?

use page::Page;
use serde_json::{Map, Value, json};

use super::content::MainContent;
use super::entities::{self, Entity, texts};
use super::labelled_fields;
use super::product::ProductFacts;
use super::records::Record;
use super::visible_page::{VisiblePage, covered, squeeze, words};
use crate::fields::PageType;
use crate::item::Item;
use crate::normalize;
use crate::provenance::Source;
use locale::price;

/// Schema.org types (lower case) by the type of page they make.
#[rustfmt::skip]
const TYPES: &[(PageType, &[&str])] = &[
    (PageType::Job, &["jobposting"]),
    (PageType::Recipe, &["recipe"]),
    (PageType::Event, &["event", "musicevent", "theaterevent", "sportsevent", "festival", "businessevent", "educationevent", "exhibitionevent", "comedyevent", "danceevent", "screeningevent", "socialevent", "childrensevent", "literaryevent", "foodevent", "visualartsevent"]),
    (PageType::RealEstate, &["realestatelisting", "apartment", "house", "singlefamilyresidence", "accommodation", "residence"]),
    (PageType::Product, &["product", "productgroup", "individualproduct", "productmodel", "vehicle", "car", "book"]),
    (PageType::Forum, &["discussionforumposting", "qapage", "question"]),
    (PageType::Video, &["movie", "tvseries", "tvepisode", "videoobject", "film"]),
    (PageType::Documentation, &["techarticle", "apireference"]),
    (PageType::Article, &["article", "newsarticle", "blogposting", "report", "reportagenewsarticle", "analysisnewsarticle", "opinionnewsarticle", "reviewnewsarticle", "scholarlyarticle", "liveblogposting", "socialmediaposting"]),
    (PageType::Profile, &["profilepage", "person", "restaurant", "localbusiness", "foodestablishment", "hotel", "store", "collegeoruniversity", "educationalorganization", "place", "organization", "cafeorcoffeeshop", "barorpub", "dentist", "physician", "musicgroup"]),
];

/// Properties behind which a thing is not the page's subject.
#[rustfmt::skip]
const ASIDE: &[&str] = &[
    "isrelatedto", "issimilarto", "itemlistelement", "review", "reviews", "author", "publisher", "creator", "brand",
    "worksfor", "hiringorganization", "offers", "itemoffered", "location", "organizer", "performer", "performers",
    "director", "actor", "actors", "provider", "seller", "isaccessoryorsparepartfor", "comment", "comments",
    "suggestedanswer", "acceptedanswer", "ispartof", "publishingprinciples", "copyrightholder", "sourceorganization",
    "manufacturer", "parentorganization", "superevent", "subevent", "video", "associatedmedia", "contributor",
    "editor", "about", "mentions",
];

/// The type of the page where its typed things or what it sells decide it, without looking at its text as a whole.
pub fn plain_type(
    view: &VisiblePage<'_>,
    entities: &[Entity<'_>],
    product: &ProductFacts,
) -> Option<PageType> {
    let typed = [
        PageType::Job,
        PageType::Recipe,
        PageType::Event,
        PageType::RealEstate,
    ];
    let named = typed
        .into_iter()
        .find(|page_type| main(view, entities, *page_type).is_some_and(|entity| is_subject(view, entity)));
    named.or_else(|| (product.evidence >= SURE).then_some(PageType::Product))
}

/// KindEvidence for a product that outweighs whatever else the page looks like.
const SURE: f32 = 3.8;

/// The type of a page that [`plain_type`] left open: from what it looks like.
pub fn page_type(
    view: &VisiblePage<'_>,
    entities: &[Entity<'_>],
    content: &MainContent,
    product: &ProductFacts,
) -> PageType {
    let looks = PageType::from(content.kind);
    let enough = match looks {
        PageType::Product => 0.8,
        PageType::Other | PageType::Profile => 2.6,
        PageType::Listing => 3.2,
        _ => SURE,
    };
    if product.evidence >= enough {
        return PageType::Product;
    }
    if is_job(view) {
        return PageType::Job;
    }
    if matches!(looks, PageType::Other | PageType::Profile | PageType::Listing) {
        for page_type in [PageType::Video, PageType::Article, PageType::Profile] {
            let subject = main(view, entities, page_type).is_some_and(|entity| {
                let broad = entity.is(&["organization", "place", "localbusiness", "store", "videoobject"]);
                is_subject(view, entity) && !broad
            });
            if subject && looks != PageType::Listing {
                return page_type;
            }
        }
    }
    looks
}

/// Whether the heading or the title names the thing, or it is the only one of its type and has no name.
fn is_subject(view: &VisiblePage<'_>, entity: &Entity<'_>) -> bool {
    let Some(name) = entity.text(&["title", "headline", "name"]) else {
        return true;
    };
    let own = words(&name);
    let heading = view.heading.iter().map(|heading| heading.text.as_str());
    heading.chain(view.titles.iter().map(String::as_str)).any(|text| {
        let it = words(text);
        covered(&own, &it) >= 0.6 || (it.len() >= 2 && covered(&it, &own) >= 0.8)
    })
}

/// A posting without markup: an address or title that says so, and the labels of one.
fn is_job(view: &VisiblePage<'_>) -> bool {
    let labels = labelled_fields::read(
        view,
        &[
            "company",
            "location",
            "date_posted",
            "job_type",
            "salary",
            "application_deadline",
        ],
    );
    let mut said = String::new();
    if let Some(url) = view.page.url() {
        said.push_str(url.path());
        said.push_str(url.host_str().unwrap_or_default());
    }
    for title in &view.titles {
        said.push(' ');
        said.push_str(title);
    }
    let said = said.to_lowercase();
    let hinted = [
        "job",
        "career",
        "vacanc",
        "stellen",
        "emploi",
        "empleo",
        "vaga",
        "lavoro",
        "vacature",
        "praca",
        "ваканс",
        "karriere",
        "carriere",
        "hiring",
        "recruit",
        "position",
    ]
    .iter()
    .any(|word| said.contains(word));
    labels.len() >= if hinted { 2 } else { 4 }
}

/// The thing of that type that the page is about.
pub fn main<'t>(
    view: &VisiblePage<'_>,
    entities: &'t [Entity<'t>],
    page_type: PageType,
) -> Option<&'t Entity<'t>> {
    let (_, types) = TYPES.iter().find(|(known, _)| *known == page_type)?;
    let mut best: Option<(f32, &Entity<'_>)> = None;
    let all: Vec<&Entity<'_>> = entities.iter().filter(|entity| entity.is(types)).collect();
    let many = all.len();
    for (order, entity) in all.into_iter().enumerate() {
        let mut score = (entity.value.len() as f32 * 0.05).min(0.6) - 0.01 * order as f32;
        score += if is_subject(view, entity) { 1.0 } else { 0.0 };
        score -= if entity.within(ASIDE) { 1.5 } else { 0.0 };
        if best.is_none_or(|(most, _)| score > most) {
            best = Some((score, entity));
        }
    }
    best.filter(|(score, _)| *score > if many > 2 { 0.6 } else { -0.2 })
        .map(|(_, entity)| entity)
}

/// Item fields and the properties that fill them, the better first.
#[rustfmt::skip]
const PROPERTIES: &[(&str, &[&str])] = &[
    ("author", &["author", "creator"]), ("date_published", &["datePublished", "dateCreated", "uploadDate"]), ("date_modified", &["dateModified"]),
    ("description", &["description", "abstract"]), ("job_type", &["employmentType"]), ("date_posted", &["datePosted"]),
    ("application_deadline", &["validThrough"]), ("start_date", &["startDate"]), ("end_date", &["endDate"]), ("organizer", &["organizer"]), ("performer", &["performer", "performers"]),
    ("prep_time", &["prepTime"]), ("cook_time", &["cookTime"]), ("total_time", &["totalTime"]), ("yield", &["recipeYield", "yield"]), ("cuisine", &["recipeCuisine", "servesCuisine"]), ("category", &["recipeCategory", "articleSection", "category"]),
    ("phone", &["telephone"]), ("email", &["email"]), ("duration", &["duration"]), ("director", &["director"]), ("cast", &["actor", "actors"]), ("genre", &["genre"]), ("mpaa_rating", &["contentRating"]),
    ("publisher", &["publisher"]), ("hours", &["openingHours"]), ("rooms", &["numberOfRooms", "numberOfBedrooms"]), ("isbn_13", &["isbn"]), ("keywords", &["keywords"]), ("text", &["articleBody"]),
];

/// Fills an item from the thing its page is about.
pub fn fill(item: &mut Item, entity: &Entity<'_>) {
    let page_type = item.page_type;
    let name = entity.text(&["headline", "name", "title"]);
    let name_field = match page_type {
        PageType::Job => "job_title",
        PageType::Profile => "name",
        _ => "title",
    };
    if let Some(name) = entity
        .text(&["title"])
        .filter(|_| page_type == PageType::Job)
        .or(name)
        && page_type != PageType::Product
    {
        item.put(name_field, name, entity.source("name"));
    }
    for (field, keys) in PROPERTIES {
        let fits = match *field {
            "author" | "date_published" | "text" => !matches!(
                page_type,
                PageType::Product | PageType::Job | PageType::Profile | PageType::Event
            ),
            "category" | "keywords" | "publisher" => page_type != PageType::Product,
            "description" => page_type != PageType::Product,
            _ => true,
        };
        if !fits {
            continue;
        }
        for key in *keys {
            let mut values = texts(entity.get(key));
            values.retain(|it| !it.starts_with("http"));
            if values.is_empty() {
                continue;
            }
            let value = match *field {
                "description" | "text" => Value::String(plain(&values.join("\n"))),
                "author" => Value::String(values.join(", ")),
                _ if values.len() == 1 => Value::String(values.remove(0)),
                _ => json!(values),
            };
            item.put(field, value, entity.source(key));
            break;
        }
    }
    match page_type {
        PageType::Job => {
            put_text(
                item,
                "company",
                entity.text(&["hiringOrganization"]),
                entity.source("hiringOrganization"),
            );
            put_text(
                item,
                "location",
                place(entity.get("jobLocation"), false),
                entity.source("jobLocation"),
            );
            if entity
                .text(&["jobLocationType"])
                .is_some_and(|it| it.eq_ignore_ascii_case("TELECOMMUTE"))
            {
                put_text(
                    item,
                    "location",
                    Some("Remote".to_owned()),
                    entity.source("jobLocationType"),
                );
            }
            put_text(
                item,
                "salary",
                salary(entity.get("baseSalary")),
                entity.source("baseSalary"),
            );
        }
        PageType::Recipe => {
            let list = |key: &str| {
                texts(entity.get(key))
                    .iter()
                    .map(|it| plain(it))
                    .collect::<Vec<_>>()
            };
            let ingredients = if entity.get("recipeIngredient").is_some() {
                "recipeIngredient"
            } else {
                "ingredients"
            };
            item.put(
                "ingredients",
                json!(list(ingredients)),
                entity.source(ingredients),
            );
            item.put(
                "steps",
                json!(steps(entity.get("recipeInstructions"))),
                entity.source("recipeInstructions"),
            );
        }
        PageType::Event | PageType::RealEstate | PageType::Profile => {
            let key = if page_type == PageType::Event {
                "location"
            } else {
                "address"
            };
            put_text(item, "location", place(entity.get(key), true), entity.source(key));
            put_text(item, "address", place(entity.get(key), true), entity.source(key));
            put_text(
                item,
                "company",
                entity.text(&["worksFor"]),
                entity.source("worksFor"),
            );
            put_text(
                item,
                "job_title",
                entity.text(&["jobTitle"]),
                entity.source("jobTitle"),
            );
            put_text(
                item,
                "website",
                entity.text(&["url"]).filter(|_| page_type == PageType::Profile),
                entity.source("url"),
            );
        }
        _ => {}
    }
    if let Some(Value::Object(rating)) = entity.get("aggregateRating") {
        for (field, key) in [
            ("rating", "ratingValue"),
            ("review_count", "reviewCount"),
            ("review_count", "ratingCount"),
        ] {
            if let Some(value) = texts(entities::get(rating, key)).into_iter().next() {
                item.put(field, value, entity.source("aggregateRating"));
            }
        }
    }
}

fn put_text(item: &mut Item, field: &str, text: Option<String>, source: Source) {
    if let Some(text) = text {
        item.put(field, text, source);
    }
}

/// Text of a property that may hold HTML.
fn plain(text: &str) -> String {
    if !text.contains('<') {
        return text.to_owned();
    }
    let dom = page::dom::Dom::parse(text);
    dom.body().map_or_else(|| squeeze(text), |it| it.text())
}

/// The steps of a recipe: texts, or `HowToStep`s in sections.
fn steps(value: Option<&Value>) -> Vec<String> {
    let mut out = Vec::new();
    let mut open: Vec<&Value> = value.into_iter().collect();
    while let Some(value) = open.pop() {
        if out.len() >= 200 {
            break;
        }
        match value {
            Value::String(text) => {
                let text = plain(text);
                out.extend(text.lines().map(squeeze).filter(|it| !it.is_empty()));
            }
            Value::Array(list) => open.extend(list.iter().rev()),
            Value::Object(map) => match entities::get(map, "itemListElement") {
                Some(inner) => open.push(inner),
                None => open.extend(["text", "name"].iter().find_map(|key| entities::get(map, key))),
            },
            _ => {}
        }
    }
    out
}

/// A place in one line: its name (when asked), street, town, region, country.
fn place(value: Option<&Value>, whole: bool) -> Option<String> {
    let places: Vec<&Value> = match value? {
        Value::Array(list) => list.iter().take(5).collect(),
        one => vec![one],
    };
    let mut out: Vec<String> = Vec::new();
    for place in places {
        let line = match place {
            Value::String(text) => squeeze(text),
            Value::Object(map) => {
                let address = entities::get(map, "address").unwrap_or(place);
                let mut parts: Vec<String> = Vec::new();
                if whole && entities::get(map, "address").is_some() {
                    parts.extend(texts(entities::get(map, "name")));
                }
                match address {
                    Value::Object(address) => {
                        let keys: &[&str] = if whole {
                            &[
                                "streetAddress",
                                "addressLocality",
                                "addressRegion",
                                "postalCode",
                                "addressCountry",
                            ]
                        } else {
                            &["addressLocality", "addressRegion", "addressCountry"]
                        };
                        for key in keys {
                            for part in texts(entities::get(address, key)) {
                                if !parts.contains(&part) {
                                    parts.push(part);
                                }
                            }
                        }
                    }
                    Value::String(text) => parts.push(squeeze(text)),
                    _ => {}
                }
                if parts.is_empty() {
                    parts.extend(texts(entities::get(map, "name")));
                }
                parts.join(", ")
            }
            _ => String::new(),
        };
        if !line.is_empty() && !out.contains(&line) {
            out.push(line);
        }
    }
    (!out.is_empty()).then(|| out.join("; "))
}

/// A salary in one line: "EUR 50000-60000 per YEAR".
fn salary(value: Option<&Value>) -> Option<String> {
    let map = match value? {
        Value::Object(map) => map,
        Value::Array(list) => list.first()?.as_object()?,
        Value::String(text) => return Some(squeeze(text)),
        Value::Number(number) => return Some(number.to_string()),
        _ => return None,
    };
    let inner = entities::get(map, "value")
        .and_then(Value::as_object)
        .unwrap_or(map);
    let text = |map: &Map<String, Value>, key: &str| texts(entities::get(map, key)).into_iter().next();
    let low = text(inner, "minValue").or_else(|| text(inner, "value"))?;
    let amount = match text(inner, "maxValue").filter(|high| *high != low) {
        Some(high) => format!("{low}-{high}"),
        None => low,
    };
    let currency = text(map, "currency").or_else(|| text(inner, "currency"));
    let unit = text(inner, "unitText")
        .or_else(|| text(map, "unitText"))
        .map(|it| format!("per {it}"));
    Some(
        currency
            .into_iter()
            .chain([amount])
            .chain(unit)
            .collect::<Vec<_>>()
            .join(" "),
    )
}

/// What a job page shows where no label stands: the title is its heading, the salary may stand alone.
pub fn job(item: &mut Item, view: &VisiblePage<'_>) {
    for detail in labelled_fields::read(view, &["job_title"]) {
        if let Some(found) = labelled_fields::first(&detail) {
            item.put("job_title", found.value, found.source);
        }
    }
    if let Some(heading) = &view.heading {
        let source = Source::selector(super::product::availability::describe(
            view.dom().node(heading.node),
        ));
        item.put("job_title", heading.text.clone(), source);
    }
    if let (Some(title), Some(source)) = (
        item.text("job_title").map(str::to_owned),
        item.source("job_title").cloned(),
    ) {
        item.put("title", title, source);
    }
}

/// A record of a list as an entry of `items`: its title and link, its price and picture, its text.
pub fn record(page: &Page, record: &Record) -> Map<String, Value> {
    let dom = page.dom();
    let mut out = Map::new();
    let nodes = || {
        record
            .roots
            .iter()
            .map(|node| dom.node(*node))
            .flat_map(|node| std::iter::once(node).chain(node.descendants()))
            .take(2_000)
    };
    let links = nodes().filter(|node| node.is("a") && node.attr("href").is_some());
    let titled = nodes()
        .find(|node| matches!(node.tag(), "h1" | "h2" | "h3" | "h4" | "h5") && !node.text().is_empty());
    let inside = titled.and_then(|node| {
        node.descendants()
            .find(|it| it.is("a"))
            .or_else(|| node.closest("a"))
    });
    let longest = links
        .filter(|node| !node.text().is_empty())
        .max_by_key(|node| node.text().chars().count().min(120));
    let link = inside.or(longest);
    let title = titled
        .or(link)
        .map(|node| node.text())
        .filter(|it| !it.is_empty());
    if let Some(title) = &title {
        out.insert("title".to_owned(), Value::String(title.clone()));
    }
    if let Some(url) = link
        .and_then(|link| link.attr("href"))
        .and_then(|it| page.absolute(it))
    {
        out.insert("url".to_owned(), Value::String(url.to_string()));
    }
    // The number at a title's end is no part of the price behind it: "Vita 103" and "278,99 €" are not 103 278,99 €.
    let beside = match &title {
        Some(title) => record.text.replacen(title.as_str(), "\n", 1),
        None => record.text.clone(),
    };
    let said = record.fields.get("price").and_then(Value::as_str);
    let costs = |text| {
        let money = price::find_all(text, &price::Hints::default());
        let full = money.iter().find(|price| price.kind == price::Kind::Full);
        full.or(money.first()).cloned()
    };
    if let Some(price) = said.and_then(costs).or_else(|| costs(&beside)) {
        if let Some(amount) = normalize::from_decimal(&price.amount) {
            out.insert("price".to_owned(), amount);
        }
        if let Some(currency) = price.iso {
            out.insert("currency".to_owned(), Value::String(currency.to_owned()));
        }
    }
    if let Some(image) = nodes()
        .find(|it| it.is("img"))
        .and_then(|it| it.attr("src").or_else(|| it.attr("data-src")))
        && let Some(url) = page.absolute(image).filter(|url| url.scheme() != "data")
    {
        out.insert("image".to_owned(), Value::String(url.to_string()));
    }
    out.insert("text".to_owned(), Value::String(record.text.clone()));
    out
}
