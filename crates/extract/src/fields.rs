//! PageType: the fields of each type of page, their other names and their weights.

use std::fmt;
use std::str::FromStr;

use crate::rules::page_kind::PageKind;

/// What a page is about, as an item names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PageType {
    /// One product for sale.
    Product,
    /// A job posting.
    Job,
    /// A news story, a blog post, an essay.
    #[serde(alias = "blog", alias = "news")]
    Article,
    /// Many entries of one sort; its item has `items`.
    #[serde(alias = "collection")]
    Listing,
    /// A recipe.
    Recipe,
    /// An event with a date and a place.
    Event,
    /// A person, a company, a place.
    Profile,
    /// A house or flat for sale or rent.
    RealEstate,
    /// A thread of posts by several people.
    Forum,
    /// Manuals and references.
    Documentation,
    /// A film, a clip.
    Video,
    /// Nothing of the above.
    Other,
}

/// Weight of a filled field that has none of its own.
const SMALL: f32 = 0.3;

impl PageType {
    /// Every type.
    pub const ALL: [PageType; 12] = [
        PageType::Product,
        PageType::Job,
        PageType::Article,
        PageType::Listing,
        PageType::Recipe,
        PageType::Event,
        PageType::Profile,
        PageType::RealEstate,
        PageType::Forum,
        PageType::Documentation,
        PageType::Video,
        PageType::Other,
    ];

    /// The name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            PageType::Product => "product",
            PageType::Job => "job",
            PageType::Article => "article",
            PageType::Listing => "listing",
            PageType::Recipe => "recipe",
            PageType::Event => "event",
            PageType::Profile => "profile",
            PageType::RealEstate => "real_estate",
            PageType::Forum => "forum",
            PageType::Documentation => "documentation",
            PageType::Video => "video",
            PageType::Other => "other",
        }
    }

    /// The fields that a complete item of this type has, the most telling first.
    pub fn required(self) -> &'static [&'static str] {
        match self {
            PageType::Product => &["title", "price", "description"],
            PageType::Job => &["job_title", "company", "location", "date_posted"],
            PageType::Article => &["title", "author", "date_published", "summary"],
            PageType::Listing => &["title", "items"],
            PageType::Recipe => &["title", "ingredients", "steps"],
            PageType::Event => &["title", "start_date", "location"],
            PageType::Profile => &["name", "description"],
            PageType::RealEstate => &["title", "price", "location"],
            PageType::Forum => &["title", "author", "text"],
            PageType::Documentation => &["title", "text"],
            PageType::Video => &["title", "description"],
            PageType::Other => &["title", "description"],
        }
    }

    /// Further fields that an item of this type often has.
    pub fn usual(self) -> &'static [&'static str] {
        match self {
            PageType::Product => &[
                "currency",
                "availability",
                "sku",
                "brand",
                "gtin",
                "mpn",
                "rating",
                "review_count",
                "image",
            ],
            PageType::Job => &["job_type", "salary", "application_deadline", "description"],
            PageType::Article => &["description", "image", "text"],
            PageType::Listing => &["description"],
            PageType::Recipe => &["author", "total_time", "yield", "image", "rating"],
            PageType::Event => &["end_date", "organizer", "price", "description"],
            PageType::Profile => &["job_title", "company", "location", "phone", "email", "website"],
            PageType::RealEstate => &["area", "rooms", "description", "image"],
            PageType::Forum => &["date_published"],
            PageType::Documentation | PageType::Other => &[],
            PageType::Video => &["author", "date_published", "duration", "image"],
        }
    }

    /// How much a filled field counts.
    pub fn weight(self, field: &str) -> f32 {
        let own = match field {
            "title" | "price" | "name" => 3.0,
            "summary" | "description" | "author" | "company" | "job_title" | "items" | "ingredients"
            | "steps" => 2.0,
            "location" | "date_published" | "date_posted" | "start_date" | "text" => 1.0,
            _ => SMALL,
        };
        if self.required().contains(&field) {
            own.max(1.0)
        } else {
            own
        }
    }

    /// Filled weight over possible weight of the required and the usual fields, 0 to 1.
    pub fn coverage(self, filled: impl Fn(&str) -> f32) -> f32 {
        let fields = || self.required().iter().chain(self.usual());
        let possible: f32 = fields().map(|field| self.weight(field)).sum();
        let held: f32 = fields().map(|field| self.weight(field) * filled(field)).sum();
        if possible > 0.0 { held / possible } else { 0.0 }
    }
}

impl From<PageKind> for PageType {
    fn from(kind: PageKind) -> PageType {
        match kind {
            PageKind::Article => PageType::Article,
            PageKind::Product => PageType::Product,
            PageKind::Listing | PageKind::Collection => PageType::Listing,
            PageKind::Forum => PageType::Forum,
            PageKind::Documentation => PageType::Documentation,
            PageKind::Job => PageType::Job,
            PageKind::Recipe => PageType::Recipe,
            PageKind::Event => PageType::Event,
            PageKind::Profile => PageType::Profile,
            PageKind::Service | PageKind::Other => PageType::Other,
        }
    }
}

impl fmt::Display for PageType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A page type that nobody knows.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "no page type is called {0:?}; the types are product, job, article, listing, recipe, event, profile, real_estate, forum, documentation, video, other"
)]
pub struct UnknownType(String);

impl FromStr for PageType {
    type Err = UnknownType;

    fn from_str(text: &str) -> Result<PageType, UnknownType> {
        let name = text.trim().to_lowercase().replace(['-', ' '], "_");
        match name.as_str() {
            "blog" | "news" | "post" => return Ok(PageType::Article),
            "collection" | "category" | "search" => return Ok(PageType::Listing),
            "docs" => return Ok(PageType::Documentation),
            "service" => return Ok(PageType::Other),
            _ => {}
        }
        PageType::ALL
            .into_iter()
            .find(|page_type| page_type.name() == name)
            .ok_or_else(|| UnknownType(text.to_owned()))
    }
}

/// Names that mean one of our fields.
#[rustfmt::skip]
const ALIASES: &[(&str, &[&str])] = &[
    ("price", &["cost", "amount", "current_price", "sale_price", "offer_price", "final_price", "selling_price", "list_price_now"]),
    ("title", &["heading", "product_name", "product_title", "headline", "article_title", "post_title", "page_title", "event_name", "recipe_name"]),
    ("author", &["posted_by", "byline", "writer", "written_by", "authors", "by", "creator", "author_name"]),
    ("summary", &["abstract", "excerpt", "tldr", "lead", "standfirst"]),
    ("description", &["desc", "product_description", "about", "details"]),
    ("date_published", &["date", "published", "published_at", "publication_date", "publish_date", "date_created", "published_on", "published_date", "pub_date", "release_date"]),
    ("date_modified", &["updated", "updated_at", "last_updated", "modified", "modified_at", "last_modified", "updated_on", "date_updated"]),
    ("old_price", &["list_price", "original_price", "regular_price", "previous_price", "was_price", "rrp", "msrp"]),
    ("company", &["employer", "company_name", "organization", "organisation", "hiring_organization", "hiring_company"]),
    ("job_title", &["position", "role", "job", "job_name", "position_title"]),
    ("date_posted", &["posted", "posted_on", "posting_date", "posted_at", "posted_date", "job_posted"]),
    ("salary", &["salary_range", "pay", "compensation", "base_salary", "wage", "pay_rate", "remuneration"]),
    ("application_deadline", &["deadline", "apply_by", "closing_date", "valid_through", "application_closing_date"]),
    ("job_type", &["employment_type", "contract_type", "work_type"]),
    ("location", &["job_location", "place", "venue", "city"]),
    ("availability", &["stock", "stock_status", "in_stock"]),
    ("image", &["image_url", "picture", "photo", "thumbnail", "main_image"]),
    ("rating", &["average_rating", "rating_value", "stars", "score"]),
    ("review_count", &["reviews", "reviews_count", "number_of_reviews", "rating_count", "num_reviews"]),
    ("currency", &["price_currency", "currency_code"]),
    ("brand", &["manufacturer", "maker", "brand_name"]),
    ("sku", &["item_number", "article_number", "product_id", "product_code", "item_no"]),
    ("gtin", &["ean", "upc", "gtin13", "gtin14", "gtin12", "barcode", "isbn"]),
    ("mpn", &["part_number", "manufacturer_part_number", "model_number"]),
    ("url", &["link", "href", "permalink"]),
    ("ingredients", &["recipe_ingredient", "recipe_ingredients"]),
    ("steps", &["instructions", "recipe_instructions", "directions", "method"]),
    ("start_date", &["starts", "start", "event_date", "starts_at"]),
    ("end_date", &["ends", "end", "ends_at"]),
    ("phone", &["telephone", "tel", "phone_number"]),
    ("text", &["content", "body", "article_body"]),
];

/// Other names of a field, folded.
pub fn aliases(field: &str) -> &'static [&'static str] {
    ALIASES
        .iter()
        .find(|(name, _)| *name == field)
        .map_or(&[], |(_, aliases)| aliases)
}

/// The name under which a field is kept: case and separators folded, aliases resolved. `name` stays itself where people and
/// places are described, and is the title of anything else.
pub fn canonical(name: &str, page_type: PageType) -> String {
    let folded = fold(name);
    if folded == "name" {
        return if page_type == PageType::Profile {
            "name"
        } else {
            "title"
        }
        .to_owned();
    }
    if page_type == PageType::Job && matches!(folded.as_str(), "date" | "published" | "date_published") {
        return "date_posted".to_owned();
    }
    if page_type == PageType::Event && folded == "date" {
        return "start_date".to_owned();
    }
    let hit = ALIASES
        .iter()
        .find(|(_, aliases)| aliases.contains(&folded.as_str()));
    hit.map_or(folded, |(field, _)| (*field).to_owned())
}

/// Names of fields in German, French, Spanish, Italian, Portuguese, Dutch, Polish and Swedish, folded.
#[rustfmt::skip]
const FOREIGN_NAMES: &[(&str, &[&str])] = &[
    ("name", &["nom", "nombre", "nome", "nazwa", "naam", "namn"]),
    ("title", &["titel", "titre", "título", "titulo", "titolo", "tytuł", "tytul", "bezeichnung", "produktname"]),
    ("price", &["preis", "prix", "precio", "prezzo", "preço", "preco", "prijs", "cena", "pris"]),
    ("description", &["beschreibung", "descripción", "descripcion", "descrizione", "descrição", "descricao", "omschrijving", "opis", "beskrivning"]),
    ("author", &["autor", "auteur", "autore", "auteurs", "autoren", "autores", "autorzy", "författare"]),
    ("brand", &["marke", "marque", "marca", "merk", "marka", "märke", "varumärke"]),
    ("currency", &["währung", "devise", "moneda", "valuta", "moeda", "waluta"]),
    ("availability", &["verfügbarkeit", "disponibilité", "disponibilidad", "disponibilità", "beschikbaarheid", "dostępność"]),
    ("rating", &["bewertung", "valoración", "valutazione", "avaliação", "beoordeling", "ocena", "betyg"]),
    ("image", &["bild", "imagen", "immagine", "imagem", "afbeelding", "obraz", "zdjęcie"]),
    ("location", &["standort", "arbeitsort", "lieu", "lugar", "ubicación", "luogo", "locatie", "miejsce", "lokalizacja"]),
    ("company", &["firma", "arbeitgeber", "unternehmen", "entreprise", "employeur", "empresa", "azienda", "bedrijf", "pracodawca"]),
    ("salary", &["gehalt", "salaire", "salario", "stipendio", "salário", "salaris", "wynagrodzenie", "lön"]),
    ("application_deadline", &["bewerbungsfrist", "date_limite", "fecha_límite", "scadenza", "sluitingsdatum"]),
    ("date_published", &["veröffentlicht_am", "veroeffentlicht_am", "erschienen_am", "data_publikacji", "fecha_de_publicación"]),
    ("ingredients", &["zutaten", "ingrédients", "ingredientes", "ingredienti", "ingrediënten", "składniki", "skladniki", "ingredienser"]),
    ("steps", &["zubereitung", "étapes", "etapes", "pasos", "procedimento", "bereiding", "przygotowanie"]),
    ("phone", &["telefon", "téléphone", "teléfono", "telefono", "telefone", "telefoon"]),
    ("hours", &["öffnungszeiten", "opening_hours", "horaires", "horario", "orari", "openingstijden", "godziny_otwarcia"]),
    ("yield", &["servings", "portions", "portionen", "porciones", "porzioni", "porções", "porcje"]),
];

/// [`canonical`], for a name that may be in another language than English: `preis`, `nom`.
pub(crate) fn named(name: &str, page_type: PageType) -> String {
    let folded = fold(name);
    let known = FOREIGN_NAMES
        .iter()
        .find(|(_, names)| names.contains(&folded.as_str()));
    canonical(known.map_or(name, |(field, _)| *field), page_type)
}

/// The field of an amount and the ISO 4217 code of its currency, where a name says both: `price_eur`, `usd_price`, `Preis in EUR`.
pub fn amount_in_currency(name: &str) -> Option<(String, &'static str)> {
    let folded = fold(name);
    let parts: Vec<&str> = folded.split('_').filter(|part| *part != "in").collect();
    let code = |part: &&str| {
        let is_code = part.len() == 3 && part.bytes().all(|byte| byte.is_ascii_lowercase());
        let written = match *part {
            "euro" | "euros" => "EUR".to_owned(),
            _ if is_code => part.to_ascii_uppercase(),
            _ => return None,
        };
        locale::price::iso(&written, None).filter(|code| *code == written)
    };
    let (code, amount) = match (parts.split_last(), parts.split_first()) {
        (Some((last, amount)), _) if code(last).is_some() => (code(last)?, amount),
        (_, Some((first, amount))) => (code(first)?, amount),
        _ => return None,
    };
    let amount = canonical(&amount.join("_"), PageType::Other);
    let field = match amount.as_str() {
        "preis" | "cena" | "prix" | "precio" | "prezzo" => "price",
        field @ ("price" | "old_price" | "unit_price") => field,
        _ => return None,
    };
    Some((field.to_owned(), code))
}

/// Snake case: `datePublished`, `Date Published` and `date-published` are one name.
pub fn fold(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 4);
    let mut small = false;
    for c in name.trim().chars() {
        if c.is_alphanumeric() {
            if c.is_uppercase() && small {
                out.push('_');
            }
            small = c.is_lowercase() || c.is_numeric();
            out.extend(c.to_lowercase());
        } else if !out.is_empty() && !out.ends_with('_') {
            out.push('_');
            small = false;
        }
    }
    out.truncate(out.trim_end_matches('_').len());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_has_one_name_whatever_it_is_called() {
        for (name, want) in [
            ("Cost", "price"),
            ("current-price", "price"),
            ("headline", "title"),
            ("product_name", "title"),
            ("postedBy", "author"),
            ("datePublished", "date_published"),
            ("Published At", "date_published"),
            ("Employer", "company"),
            ("salaryRange", "salary"),
            ("updatedAt", "date_modified"),
            ("List Price", "old_price"),
            ("something_else", "something_else"),
        ] {
            assert_eq!(canonical(name, PageType::Other), want, "{name}");
        }
        assert_eq!(canonical("date", PageType::Job), "date_posted");
        assert_eq!(canonical("name", PageType::Profile), "name");
    }

    #[test]
    fn an_amount_in_a_currency_is_named_with_it() {
        let read = |name: &str| amount_in_currency(name);
        for name in ["price_eur", "eurPrice", "Price EUR", "Preis in EUR", "cost_euro"] {
            assert_eq!(read(name), Some(("price".to_owned(), "EUR")), "{name}");
        }
        assert_eq!(read("old_price_usd"), Some(("old_price".to_owned(), "USD")));
        for name in ["price", "price_now", "eur", "currency_eur", "price_per_kg", ""] {
            assert_eq!(read(name), None, "{name}");
        }
        for name in ["price_eur", "price_usd", "unit_price"] {
            assert_ne!(canonical(name, PageType::Product), "price", "{name}");
        }
    }

    #[test]
    fn coverage_goes_from_nothing_to_all() {
        for page_type in PageType::ALL {
            assert_eq!(page_type.coverage(|_| 0.0), 0.0, "{page_type}");
            assert!((page_type.coverage(|_| 1.0) - 1.0).abs() < 1e-6, "{page_type}");
            let title = page_type.coverage(|field| f32::from(u8::from(field == page_type.required()[0])));
            assert!(
                title > 0.0 && title < 1.0,
                "a title alone is not everything of a {page_type}"
            );
        }
    }

    #[test]
    fn a_type_is_read_back_from_its_name() {
        for page_type in PageType::ALL {
            assert_eq!(page_type.name().parse(), Ok(page_type));
        }
        assert_eq!("blog".parse(), Ok(PageType::Article));
        assert!("spaceship".parse::<PageType>().is_err());
    }
}
