//! What do the labels of a detail page mean?
//!
//! One table from labels, in the languages they are met in, to fields. It serves every type of page whose facts stand beside
//! labels: jobs, books, films, cars, restaurants, schools, players.

use std::collections::HashMap;
use std::sync::LazyLock;

use page::dom::NodeId;
use regex::Regex;

use super::labels::{Pair, Ranks};
use super::product::stock::describe;
use super::view::View;
use crate::provenance::{Found, Source};

/// A field, whether it holds a list, and its labels, the plainest first.
type Row = (&'static str, bool, &'static [&'static str]);

#[rustfmt::skip]
const FIELDS: &[Row] = &[
    // jobs
    ("job_title", false, &["job title", "position title", "position", "title", "role", "job", "stellenbezeichnung", "position/titel", "stelle", "intitulé du poste", "poste", "intitulé", "puesto", "cargo", "título", "vaga", "posizione", "functie", "stanowisko", "pozice", "должность", "вакансия", "job name", "vacancy", "tjänst", "stilling", "职位", "職種", "职位名称"]),
    ("company", false, &["company", "company name", "employer", "hiring company", "hiring organization", "organization", "organisation", "advertiser", "agency", "recruiter", "firma", "unternehmen", "arbeitgeber", "entreprise", "société", "employeur", "empresa", "compañía", "azienda", "bedrijf", "werkgever", "pracodawca", "společnost", "компания", "работодатель", "организация", "arbetsgivare", "arbeidsgiver", "会社名", "公司", "client", "posted by company"]),
    ("location", false, &["location", "locations", "job location", "work location", "location(s)", "city", "city, state", "city/state", "region", "area", "place", "where", "ort", "standort", "arbeitsort", "einsatzort", "lieu", "localisation", "lieu de travail", "ubicación", "lugar", "localidad", "localização", "local", "sede", "luogo", "plaats", "locatie", "standplaats", "lokalizacja", "miejsce pracy", "místo", "lokalita", "местоположение", "город", "регион", "место работы", "plats", "sted", "勤務地", "工作地点", "地点"]),
    ("date_posted", false, &["date posted", "posted", "posted on", "posting date", "post date", "posted date", "job posted", "listed", "date listed", "date", "publication date", "date added", "added", "updated", "last updated", "veröffentlicht", "datum", "online seit", "veröffentlicht am", "publié le", "date de publication", "publiée le", "publicado", "publicada", "fecha de publicación", "fecha", "data de publicação", "data", "pubblicato", "pubblicato il", "geplaatst", "geplaatst op", "data dodania", "opublikowano", "zveřejněno", "дата публикации", "размещено", "дата", "publicerad", "掲載日", "发布日期", "发布时间"]),
    ("job_type", false, &["job type", "employment type", "employ. type", "employment", "type of employment", "contract type", "contract", "type of contract", "type", "work type", "position type", "job status", "employee type", "time type", "schedule", "hours", "vertragsart", "anstellungsart", "beschäftigungsart", "arbeitszeit", "type de contrat", "contrat", "tipo de contrato", "jornada", "tipo de empleo", "regime", "tipo di contratto", "contratto", "dienstverband", "rodzaj umowy", "wymiar pracy", "typ úvazku", "тип занятости", "занятость", "雇用形態", "工作性质"]),
    ("salary", false, &["salary", "pay rate", "pay", "compensation", "salary range", "base salary", "wage", "wages", "rate", "base pay", "annual salary", "hourly rate", "remuneration", "salary/rate", "gehalt", "vergütung", "lohn", "salaire", "rémunération", "salario", "sueldo", "salário", "remuneração", "stipendio", "retribuzione", "salaris", "wynagrodzenie", "mzda", "plat", "зарплата", "заработная плата", "оклад", "lön", "lønn", "給与", "薪资", "薪水"]),
    ("application_deadline", false, &["application deadline", "deadline", "closing date", "apply by", "applications close", "expires", "expiry date", "valid through", "last date to apply", "closes", "end date", "bewerbungsfrist", "bewerbungsschluss", "date limite", "date limite de candidature", "fecha límite", "prazo", "scadenza", "sluitingsdatum", "termin składania", "uzávěrka", "срок подачи", "sista ansökningsdag", "søknadsfrist", "応募締切", "截止日期"]),
    // books and articles
    ("author", true, &["author", "authors", "written by", "author(s)", "autor", "autoren", "auteur", "auteurs", "autore", "autori", "autores", "schrijver", "автор", "авторы", "författare", "forfatter", "kirjailija", "yazar", "著者", "作者"]),
    ("publisher", false, &["publisher", "verlag", "éditeur", "editorial", "editora", "editore", "uitgever", "wydawnictwo", "wydawca", "nakladatelství", "издательство", "förlag", "forlag", "kustantaja", "yayınevi", "出版社"]),
    ("publication_date", false, &["publication date", "published", "pub. date", "pub date", "publish date", "date published", "date of publication", "release date", "released", "erscheinungsdatum", "erscheinungstermin", "date de parution", "date de publication", "fecha de publicación", "data de publicação", "data di pubblicazione", "verschijningsdatum", "data wydania", "datum vydání", "дата выхода", "год издания", "出版日期"]),
    ("isbn_13", false, &["isbn-13", "isbn13", "isbn 13", "isbn/ean", "ean", "isbn"]),
    ("isbn_10", false, &["isbn-10", "isbn10", "isbn 10"]),
    ("pages", false, &["pages", "print length", "number of pages", "seitenzahl", "nombre de pages", "número de páginas", "pagine", "страниц"]),
    ("language", false, &["language", "languages", "sprache", "langue", "idioma", "lingua", "taal", "język", "язык", "språk"]),
    // films
    ("director", true, &["director", "directors", "directed by", "director(s)", "regie", "réalisateur", "réalisation", "dirección", "direção", "regia", "reżyseria", "režie", "режиссер", "режиссёр", "regissör"]),
    ("genre", true, &["genre", "genres", "genre(s)", "género", "gênero", "genere", "gatunek", "žánr", "жанр", "genrer"]),
    ("mpaa_rating", false, &["mpaa rating", "motion picture rating (mpaa)", "motion picture rating", "mpaa", "rated", "rating (mpaa)", "certification", "certificate", "content rating", "parental rating", "fsk", "classification"]),
    ("cast", true, &["cast", "stars", "starring", "actors", "darsteller", "besetzung", "acteurs", "reparto", "elenco", "obsada", "в ролях"]),
    ("runtime", false, &["runtime", "running time", "run time", "duration", "length", "laufzeit", "durée", "duración", "duração", "durata", "czas trwania", "длительность"]),
    // people
    ("height", false, &["height", "ht", "größe", "taille", "altura", "altezza", "wzrost", "рост"]),
    ("weight", false, &["weight", "wt", "gewicht", "poids", "peso", "waga", "вес", "shipping weight", "item weight"]),
    ("team", false, &["team", "current team", "club", "current club", "verein", "équipe", "equipo", "squadra", "клуб", "команда"]),
    ("born", false, &["born", "birth date", "birthdate", "date of birth", "birthday", "dob", "geboren", "geburtsdatum", "date de naissance", "fecha de nacimiento", "data de nascimento", "data di nascita", "дата рождения"]),
    ("college", false, &["college", "school", "university", "alma mater", "education"]),
    // places and organisations
    ("address", false, &["address", "street address", "adresse", "anschrift", "dirección", "endereço", "indirizzo", "adres", "adresa", "адрес", "adress", "osoite", "住所", "地址"]),
    ("phone", false, &["phone", "telephone", "tel", "tel.", "phone number", "call", "telefon", "téléphone", "teléfono", "telefone", "telefono", "telefoon", "телефон", "puhelin", "電話", "电话", "ph", "admissions phone", "admissions"]),
    ("email", false, &["email", "e-mail", "e-mail address", "email address", "correo", "correo electrónico", "courriel", "почта", "mail"]),
    ("website", false, &["website", "web site", "web", "homepage", "home page", "url", "official site", "webseite", "site web", "sitio web", "site", "sito web", "strona www", "сайт"]),
    ("cuisine", true, &["cuisine", "cuisines", "cuisine(s)", "cuisine type", "food type", "type of food", "küche", "type de cuisine", "cocina", "cozinha", "cucina", "keuken", "kuchnia", "кухня"]),
    ("hours", false, &["hours", "opening hours", "open", "business hours", "öffnungszeiten", "horaires", "horario", "horário", "orari", "openingstijden", "godziny otwarcia", "часы работы", "営業時間"]),
    ("type", false, &["type", "school type", "institution type", "type of school", "type of institution", "institutional control", "control", "sector", "kind", "category"]),
    // cars
    ("engine", false, &["engine", "standard engine", "engine type", "base engine", "engine size", "motor", "moteur", "motore", "silnik", "двигатель"]),
    ("fuel_economy", false, &["fuel economy", "mpg", "mpg (city/hwy)", "fuel economy (cty/hwy)", "epa fuel economy", "city/hwy mpg", "gas mileage", "epa mileage est. (cty/hwy)", "est. mpg", "mileage", "fuel economy city/highway", "city (mpg)", "city mpg", "consumption", "verbrauch", "kraftstoffverbrauch", "consommation", "consumo", "verbruik", "расход топлива"]),
    ("transmission", false, &["transmission", "gearbox", "getriebe", "boîte de vitesses", "transmisión", "cambio", "skrzynia biegów", "коробка передач"]),
    ("manufacturer", false, &["manufacturer", "maker", "make", "brand", "brand name", "hersteller", "marke", "fabricant", "marque", "fabricante", "marca", "produttore", "producent", "výrobce", "производитель"]),
    ("model", false, &["model", "model name", "modell", "modèle", "modelo", "modello", "модель"]),
    ("year", false, &["year", "model year", "baujahr", "année", "año", "ano", "anno", "rok produkcji", "год выпуска"]),
    // real estate
    ("area", false, &["area", "living area", "floor area", "size", "square feet", "sq ft", "sqft", "living space", "wohnfläche", "fläche", "surface", "superficie", "área", "oppervlakte", "powierzchnia", "plocha", "площадь"]),
    ("rooms", false, &["rooms", "number of rooms", "bedrooms", "beds", "zimmer", "pièces", "chambres", "habitaciones", "dormitorios", "quartos", "camere", "locali", "kamers", "pokoje", "комнат"]),
    // events
    ("start_date", false, &["date", "start date", "starts", "when", "event date", "start", "datum", "beginn", "fecha", "inicio", "data", "дата", "début"]),
    ("organizer", false, &["organizer", "organiser", "hosted by", "host", "veranstalter", "organisateur", "organizador", "organizzatore", "organisator", "организатор"]),
    // recipes
    ("prep_time", false, &["prep time", "preparation time", "prep", "vorbereitungszeit", "temps de préparation", "tiempo de preparación", "tempo di preparazione"]),
    ("cook_time", false, &["cook time", "cooking time", "cook", "kochzeit", "temps de cuisson", "tiempo de cocción", "tempo di cottura"]),
    ("total_time", false, &["total time", "total", "ready in", "gesamtzeit", "temps total", "tiempo total", "tempo totale"]),
    ("yield", false, &["yield", "yields", "servings", "serves", "makes", "portionen", "ergibt", "portions", "raciones", "porciones", "porções", "porzioni"]),
];

/// A field found beside its label.
#[derive(Debug, Clone, PartialEq)]
pub struct Detail {
    /// The field's name.
    pub field: &'static str,
    /// Its values; more than one only in fields that hold lists.
    pub values: Vec<String>,
    /// Where the value stands.
    pub source: Source,
    /// Whether the field holds a list.
    pub list: bool,
}

/// The labels of a field, in the languages they are met in; none for a field that is not read beside labels.
pub fn labels_of(field: &str) -> &'static [&'static str] {
    FIELDS
        .iter()
        .find(|(name, ..)| *name == field)
        .map_or(&[], |(.., labels)| labels)
}

/// The wanted fields that the page states beside labels, in the order of `wanted`.
pub fn read(view: &View<'_>, wanted: &[&str]) -> Vec<Detail> {
    let heading = view.heading.as_ref().map(|heading| heading.node);
    wanted
        .iter()
        .filter_map(|field| find(view, field, heading))
        .collect()
}

static RANKS: LazyLock<HashMap<&'static str, Ranks>> = LazyLock::new(|| {
    FIELDS
        .iter()
        .map(|(field, _, labels)| (*field, Ranks::new(labels)))
        .collect()
});

fn find(view: &View<'_>, wanted: &str, heading: Option<NodeId>) -> Option<Detail> {
    let (field, list, _) = FIELDS.iter().find(|(field, _, _)| *field == wanted)?;
    let ranks = RANKS.get(wanted)?;
    let mut best: Option<(f32, Vec<String>, &Pair)> = None;
    for pair in &view.pairs {
        let Some(rank) = ranks.get(&pair.key) else {
            continue;
        };
        let values = values(wanted, &pair.value, *list);
        if values.is_empty() {
            continue;
        }
        let behind = heading.is_none_or(|heading| pair.node >= heading);
        let score = -(rank as f32) - if behind { 0.0 } else { 6.0 } - f32::from(pair.how as u8) * 0.2;
        if best.as_ref().is_none_or(|(most, _, _)| score > *most) {
            best = Some((score, values, pair));
        }
    }
    let (_, values, pair) = best?;
    let source = Source::selector(describe(view.dom().node(pair.node)));
    Some(Detail {
        field,
        values,
        source,
        list: *list,
    })
}

static TAIL: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)\s*(?:\||»|›|\bsee (?:more|all)\b.*|\bview (?:all|map|larger map|on map)\b.*|\bread more\b.*|\b(?:get )?directions\b|\[edit\]|\(map\))\s*$").ok()
});

/// The values of a field in what stands beside its label; none when it cannot be one.
fn values(field: &str, text: &str, list: bool) -> Vec<String> {
    let mut text = text.trim().to_owned();
    if let Some(tail) = TAIL.as_ref() {
        for _ in 0..3 {
            let cut = tail.replace(&text, "").into_owned();
            if cut == text {
                break;
            }
            text = cut;
        }
    }
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let fits = match field {
        "phone" => digits >= 6 && text.len() <= 80,
        "email" => text.contains('@'),
        "website" => text.contains('.') && !text.contains(' '),
        "isbn_13" => digits == 13,
        "isbn_10" => (9..=10).contains(&digits),
        "date_posted" | "publication_date" | "born" | "application_deadline" | "start_date" => {
            (digits >= 1 || text.split_whitespace().count() <= 3) && text.len() <= 60
        }
        "salary" | "year" | "weight" | "height" | "pages" | "fuel_economy" | "area" | "rooms" => {
            digits >= 1 && text.len() <= 90
        }
        "company" | "location" | "job_title" | "publisher" | "team" | "manufacturer" | "model"
        | "address" | "type" | "job_type" => text.len() <= 150,
        _ => text.len() <= 250,
    };
    if !fits || text.is_empty() || super::super::normalize::is_placeholder(&text) {
        return Vec::new();
    }
    if list {
        let parts = text
            .split(['|', ',', ';', '/', '•', '·'])
            .flat_map(|it| it.split(" and "))
            .map(str::trim);
        return parts
            .filter(|it| !it.is_empty() && it.len() <= 80)
            .take(30)
            .map(str::to_owned)
            .collect();
    }
    // What stands behind a bar is another thing.
    let text = text.split(" | ").next().unwrap_or(&text).trim().to_owned();
    vec![text]
}

/// The first value of a detail as one found text.
pub fn first(detail: &Detail) -> Option<Found<String>> {
    detail
        .values
        .first()
        .map(|value| Found::new(value.clone(), detail.source.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use page::Page;

    fn read_one(html: &str, field: &str) -> Option<Vec<String>> {
        let page = Page::new(html, None);
        let view = View::of(&page);
        read(&view, &[field]).into_iter().next().map(|field| field.values)
    }

    #[test]
    fn a_label_is_understood_in_many_languages() {
        for (html, field, want) in [
            (
                "<dl><dt>Employer</dt><dd>Acme Inc.</dd></dl>",
                "company",
                "Acme Inc.",
            ),
            ("<p>Arbeitsort: Berlin</p>", "location", "Berlin"),
            ("<p><b>Type de contrat :</b> CDI</p>", "job_type", "CDI"),
            (
                "<table><tr><th>Зарплата</th><td>от 100 000 руб.</td></tr></table>",
                "salary",
                "от 100 000 руб.",
            ),
            ("<p>Phone: (505) 266-0550</p>", "phone", "(505) 266-0550"),
            ("<p>Address: 2 Main St. | </p>", "address", "2 Main St."),
        ] {
            assert_eq!(read_one(html, field), Some(vec![want.to_owned()]), "{html}");
        }
    }

    #[test]
    fn a_list_is_taken_apart() {
        assert_eq!(
            read_one("<p>Genres: Crime | Thriller See more »</p>", "genre"),
            Some(vec!["Crime".into(), "Thriller".into()])
        );
    }

    #[test]
    fn a_value_that_cannot_be_one_is_passed_over() {
        assert_eq!(read_one("<p>Phone: ask at the desk</p>", "phone"), None);
        assert_eq!(read_one("<p>Company: n/a</p>", "company"), None);
    }
}
