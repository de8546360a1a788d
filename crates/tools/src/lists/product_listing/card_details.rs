//! What a card of a list says beside name, price and picture: old price, instalment, rating, reviews, delivery, labelled
//! values such as a colour, and its other short texts.

use extract::normalize::from_decimal;
use extract::rules::product::availability::stated;
use extract::rules::product::rating::{plain_rating_in, rating_in, review_count_in};
use locale::price::{self, PriceHints};
use page::Page;
use page::dom::{Node, NodeId};
use serde::Serialize;
use serde_json::{Map, Value};

use super::block_price::{in_text, is_struck};
use crate::controls::ui_words::{fold, has};
use crate::lists::articles;
use crate::rows::ages::ages;
use crate::rows::days::DAY;
use crate::words::field_names::{canonical, named_field};

/// Most characters of a text that is kept.
const MAX_TEXT: usize = 120;
/// Most texts and labelled values that are kept of one card.
const MAX_TEXTS: usize = 20;
/// Most characters of a label.
const MAX_LABEL: usize = 30;
/// Most elements of a card that are read.
const MAX_NODES: usize = 2_000;

locale::patterns! {
    /// Labels of the stars of a hotel, and of the marks that people give.
    static STARS = r"(?i)^(?:stars?|star rating|sterne|hotelsterne|gwiazdki)$";
    static SCORE = r"(?i)^(?:(?:guests?|users?|customers?|reviews?|overall) )?(?:score|rating|bewertung|gästebewertung|note|ocena)s?$";
    /// A label, a colon and a value.
    static LABELLED = r"^([\p{L}][\p{L}\d ./-]{0,29}?)\s*:\s*(\S.*)$";
    /// Words for delivery.
    static DELIVERY = r"(?i)deliver|shipping|ships\b|postage|versand|liefer|dostaw|wysyłk|livraison|envío|envio|spedizione|consegna|verzending|doprava|frakt";
    /// Words for "free of charge".
    static FREE = r"(?i)\bfree\b|kostenlos|gratis|kostenfrei|frei haus|darmow|za darmo|bezpłatn|gratuit|zdarma|\b0[.,]00\b";
    /// What is free there is the way back.
    static FREE_RETURNS = r"(?i)(?:\bfree|kostenlos|gratis|kostenfrei|darmow|bezpłatn|gratuit|zdarma)\p{L}*\s+(?:returns?|retour|rückgabe|rücksend|zwrot|reso|vrácení|devol)\p{L}*";
    /// A minimum that an order has to reach: "over £50", "ab 29 €".
    static MINIMUM = r"(?i)\b(?:over|above|from|ab|über|od|powyżej|dès|desde|oltre|vanaf|nad)\s+(?:[€$£]\s?\d|\d[\d.,]*\s?(?:[€$£]|zł|kč|(?:eur|kr|chf)\b))";
    /// The last pieces.
    static LIMITED = r"(?i)(?:only|just|last|nur noch|noch|letzte[ns]?|ostatni\w*|tylko|zostało|plus que|solo quedan|solo|quedan|nog)\s+[1-9]\d?\b(?:\s+(?P<of>\p{L}+))?|\b[1-9]\d?\s+(?:left|remaining|übrig|restants?)\b|\b(?:dostępn\w*|magazyn\w*|stanie|ilość|stan)\b[^.;\d]{0,20}[1-9]\d?\s+szt|\b[1-9]\d?\s+szt\.?\s+(?:w\s+magazynie|na\s+stanie|dostępn)|^\s*[1-9]\d{0,3}\s+szt\.?\s*$|^(?:low (?:in )?stock|(?:only |just )?a? ?few left|almost (?:gone|sold out)|wenige? (?:auf lager|verfügbar|stück)|geringer bestand|fast ausverkauft|ostatnie sztuki|mała ilość|niski stan|prawie wyprzedane)$";
    /// What numbers behind such words measure where they count no pieces: "last 7 days", "only 5 km".
    static MEASURED = r"(?i)^(?:(?:minut|hour|stund|day|tag|week|woch|month|monat|year|jahr|godzin|dni|tygod|miesi|lat|rok|jour|heure|semain|mois|d[ií]as?|horas?|seman|mes|dag|uur|ur|step|click)\p{L}*|min|h|km|m|cm|mm|mi|miles?|kg|g|mg|l|ml|w|kw|ah|gb|mb|tb|kcal|euro?s?|usd|gbp|zł|pln|kr)$";
    /// A rate paid in parts.
    static INSTALMENT = r"(?i)\d\s*(?:x|×|rat\b|rat[ay]\b|raten\b|instal?lments?|payments|months?|mensualités|cuotas|rate)\s*|/\s*(?:mo|month|monat|mies)|\brat[ay]\b";
}

/// What a card says beside name, price and picture. What it does not say is absent.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub(crate) struct CardDetails {
    /// The former price, which is struck out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) old_price: Option<Value>,
    /// How much less than the former price one pays, in percent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) discount: Option<f64>,
    /// The payment in parts, as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) instalment: Option<String>,
    /// Average rating out of five.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rating: Option<Value>,
    /// The number of reviews.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reviews: Option<u64>,
    /// Whether delivery costs nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) free_delivery: Option<bool>,
    /// Whether the entry says what its delivery costs.
    #[serde(skip)]
    pub(crate) pays_delivery: bool,
    /// Values by their label, such as `colour`, or by what the page calls them, such as `brand`.
    #[serde(flatten)]
    pub(crate) labelled: Map<String, Value>,
    /// Other short texts, such as the text of a badge.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) details: Vec<String>,
}

impl CardDetails {
    /// Reads an entry whose name is known, and what it says about stock, as a schema.org name. An entry may be several elements
    /// in a row.
    pub(crate) fn read(page: &Page, cards: &[NodeId], name: &str) -> (CardDetails, Option<String>) {
        let mut read = CardDetails::default();
        let mut stock = None;
        for card in cards {
            let found = read.card(page, page.dom().node(*card), name);
            stock = stock.or(found);
        }
        (read, stock)
    }

    /// Reads one element of an entry; returns what it says about stock.
    fn card(&mut self, page: &Page, card: Node<'_>, name: &str) -> Option<String> {
        let mut stock = None;
        let mut walk = card.descendants();
        let mut nodes = 0;
        while let Some(node) = walk.next() {
            nodes += 1;
            if nodes > MAX_NODES {
                break;
            }
            if !node.is_element() {
                continue;
            }
            let is_control = matches!(
                node.tag(),
                "button" | "label" | "form" | "select" | "script" | "style" | "template" | "svg"
            );
            if is_control || node.is_hidden_by_tag() || node.attr("hidden").is_some() {
                walk.leave_out(node);
                continue;
            }
            self.opinions(node);
            if is_struck(node) {
                self.old_price = self
                    .old_price
                    .take()
                    .or_else(|| Some(in_text(&node.text(), page)?.amount));
                walk.leave_out(node);
                continue;
            }
            if node.id() != card.id() && is_line(node) {
                self.line(page, node, name);
                stock = stock.or_else(|| availability(node));
            }
        }
        stock
    }

    /// Adds what the list labels, and takes away the texts that said it without their label.
    pub(crate) fn add_facts(&mut self, facts: &Map<String, Value>) {
        let has_stars = facts.keys().any(|label| STARS.is_match(label));
        let has_score = facts.keys().any(|label| SCORE.is_match(label));
        for (label, value) in facts {
            let value = value.as_str().unwrap_or_default();
            self.details
                .retain(|text| text.trim_end_matches([':', ' ']) != label && text != value);
            // "Time: 3 h 15 min" is no day.
            let known = canonical(label).filter(|known| *known != "date" || DAY.is_match(value));
            let name = known.map_or_else(|| locale::snake_case(label), str::to_owned);
            // The stars of a hotel beside the score of its guests are its class.
            let is_class = has_score && STARS.is_match(label);
            let is_score = has_stars && SCORE.is_match(label);
            let name = match (is_class, is_score) {
                (true, _) => locale::snake_case(label),
                (_, true) => "rating".to_owned(),
                _ => name,
            };
            match name.as_str() {
                "rating" if is_score => self.rating = self.rating.take().or_else(|| leading_score(value)),
                "rating" if self.rating.is_none() => self.rating = leading_rating(value),
                _ if name.is_empty() || is_own_field(&name) => {}
                _ => {
                    self.labelled.entry(name).or_insert_with(|| value.into());
                }
            }
        }
    }

    /// Rating and number of reviews.
    fn opinions(&mut self, node: Node<'_>) {
        let called = fold(&format!(
            "{} {}",
            node.class(),
            node.attr("itemprop").unwrap_or_default()
        ));
        let is_called = has(
            &called,
            &[
                "rating*",
                "stars",
                "star",
                "score",
                "review*",
                "opini*",
                "ocen*",
                "bewertung*",
                "votes",
            ],
        );
        let attributes = ["aria-label", "title", "content", "data-rating"].into_iter();
        let mut texts: Vec<String> = attributes
            .filter_map(|name| node.attr(name))
            .map(str::to_owned)
            .collect();
        if is_called || is_line(node) {
            texts.push(node.text());
        }
        for text in texts.iter().filter(|text| text.chars().count() <= MAX_TEXT) {
            if self.rating.is_none() {
                let bare = || {
                    let text = text.trim().replace(',', ".");
                    let is_rating = is_called && text.len() <= 4 && text.contains('.');
                    (is_rating
                        && text
                            .parse()
                            .is_ok_and(|rating: f64| (0.0..=5.0).contains(&rating)))
                    .then_some(text)
                };
                let stated = match is_called {
                    true => rating_in(text),
                    false => plain_rating_in(text),
                };
                self.rating = stated.or_else(bare).and_then(|number| from_decimal(&number));
            }
            if self.reviews.is_none() {
                self.reviews = review_count_in(text).and_then(|count| count.parse().ok());
            }
            // "(128)" beside the stars.
            let is_bare = text
                .trim()
                .trim_matches(['(', ')', ' '])
                .chars()
                .all(|c| c.is_ascii_digit() || ".,\u{a0}\u{202f} ".contains(c));
            let is_count =
                is_called && is_bare && !has(&called, &["stars", "star", "score", "value", "average"]);
            let is_enclosed = text.trim().starts_with('(') && text.trim().ends_with(')');
            if self.reviews.is_none() && is_count && (is_enclosed || !text.contains(['.', ','])) {
                self.reviews = articles::number(text);
            }
        }
    }

    /// An element with one line of text, or some that are broken by hand.
    fn line(&mut self, page: &Page, node: Node<'_>, name: &str) {
        for text in broken_lines(node) {
            self.one_line(page, node, name, text);
        }
    }

    fn one_line(&mut self, page: &Page, node: Node<'_>, name: &str, text: String) {
        if text.is_empty()
            || text.chars().count() > MAX_TEXT
            || text == name
            || self.details.len() + self.labelled.len() >= MAX_TEXTS
        {
            return;
        }
        if DELIVERY.is_match(&text) {
            let is_free = is_free_delivery(&text);
            // "Ships in 24 hours" beside "Free delivery" says when, and not for how much.
            let is_unpaid = || price::find_all(&text, &PriceHints::default()).is_empty();
            match (self.free_delivery, is_free) {
                (None, _) => self.free_delivery = is_free,
                (Some(false), Some(true)) if !self.pays_delivery => self.free_delivery = is_free,
                _ => {}
            }
            self.pays_delivery |= is_free == Some(false) && !is_unpaid();
        }
        let is_money = in_text(&text, page).is_some();
        let is_paid = || !price::find_all(&text, &PriceHints::default()).is_empty();
        if INSTALMENT.is_match(&text) && is_paid() {
            self.instalment = self.instalment.take().or(Some(text));
            return;
        }
        let labelled = labelled(node, &text);
        // "Deposit: 150 €" is an amount of its own; what has no label is the price.
        if is_money && !DELIVERY.is_match(&text) && !LABELLED.is_match(&text) {
            return;
        }
        match labelled {
            Some((label, value)) if !is_own_field(&label) => {
                self.labelled.entry(label).or_insert_with(|| value.into());
            }
            Some(_) => {}
            None if rating_in(&text).is_some() || !text.contains(char::is_alphabetic) => {}
            None if self.details.contains(&text) => {}
            None => self.details.push(text),
        }
    }
}

/// Whether a text about delivery says that it is free; `None` where it is free from a minimum on, which the text does not answer.
fn is_free_delivery(text: &str) -> Option<bool> {
    let is_free = FREE.is_match(&FREE_RETURNS.replace_all(text, ""));
    let amounts = price::find_all(text, &PriceHints::default());
    let has_amount = amounts
        .iter()
        .any(|price| price.amount.bytes().any(|byte| matches!(byte, b'1'..=b'9')))
        || (is_free && MINIMUM.is_match(text));
    match (is_free, has_amount) {
        (true, true) => None,
        (is_free, _) => Some(is_free),
    }
}

/// The facts of an entry that are fields that every product has, as written: `price` of the label "Cena". What is said of stock keeps
/// its label, since a number is no state of a stock: `stock` of "Stock".
pub(crate) fn own_fields(facts: &Map<String, Value>) -> impl Iterator<Item = (String, Value)> {
    facts.iter().filter_map(|(label, value)| {
        let name = canonical(label).map_or_else(|| locale::snake_case(label), str::to_owned);
        let name = match name.as_str() {
            "name" => return None,
            "availability" => locale::snake_case(label),
            _ if is_own_field(&name) => name,
            _ => return None,
        };
        Some((name, value.clone()))
    })
}

/// The text of an element, cut where `<br>` breaks it.
fn broken_lines(node: Node<'_>) -> Vec<String> {
    if !node.descendants().any(|inner| inner.is("br")) {
        return vec![locale::collapse_whitespace(&node.text())];
    }
    let mut lines = vec![String::new()];
    for inner in node.descendants() {
        if inner.is("br") {
            lines.push(String::new());
        } else if let (Some(text), Some(line)) = (inner.text_value(), lines.last_mut()) {
            line.push_str(text);
        }
    }
    lines
        .iter()
        .map(|line| locale::collapse_whitespace(line))
        .collect()
}

/// The number that a text labelled as a rating begins with: 4.6 of "4,6 (318 ratings)"; out of five.
fn leading_rating(text: &str) -> Option<Value> {
    leading_mark(text, 5.0)
}

/// The number that a mark on any usual scale begins with.
fn leading_score(text: &str) -> Option<Value> {
    leading_mark(text, 100.0)
}

fn leading_mark(text: &str, most: f64) -> Option<Value> {
    let number = text.split([' ', '/', '(']).next()?.replace(',', ".");
    let is_mark = number.parse().is_ok_and(|mark: f64| (0.0..=most).contains(&mark));
    from_decimal(&number).filter(|_| is_mark)
}

/// Names of elements that tell the stock.
const STOCK_NAMES: [&str; 5] = [
    "stock",
    "availability",
    "dostepnosc",
    "inventory",
    "verfuegbarkeit",
];

/// What a line says about stock, as a schema.org name: that little is left, or what an element that is named so says.
fn availability(line: Node<'_>) -> Option<String> {
    let text = line.text();
    let is_of_pieces =
        |found: regex::Captures<'_>| found.name("of").is_none_or(|of| !MEASURED.is_match(of.as_str()));
    if LIMITED.captures_iter(&text).any(is_of_pieces) {
        return Some("LimitedAvailability".into());
    }
    let is_named = has(&fold(line.class()), &STOCK_NAMES);
    stated(&text).filter(|_| is_named).map(str::to_owned)
}

/// Whether a name is one of the fields that every product has.
pub(crate) fn is_own_field(label: &str) -> bool {
    [
        "name",
        "price",
        "currency",
        "url",
        "image",
        "availability",
        "old_price",
        "instalment",
        "rating",
        "reviews",
        "free_delivery",
        "details",
    ]
    .contains(&label)
}

/// Whether an element is one line of text: its text is in no block inside it, and it is a block itself or stands beside
/// blocks.
fn is_line(node: Node<'_>) -> bool {
    let holds_block = || {
        node.descendants()
            .skip(1)
            .take(MAX_NODES)
            .any(|inner| inner.is_block())
    };
    let beside_blocks = || {
        node.parent()
            .is_some_and(|parent| parent.children().any(|sibling| sibling.is_block()))
    };
    let holds_line = || {
        node.children().filter(|child| child.is_element()).count() > 1
            && node
                .children()
                .all(|child| child.is_element() || child.text().trim().is_empty())
    };
    let inside_line = || {
        node.parent().is_some_and(|parent| {
            parent
                .children()
                .all(|child| child.is_element() || child.text().trim().is_empty())
        })
    };
    (node.is_block() || beside_blocks() || inside_line()) && !holds_block() && !holds_line()
}

/// The label and the value of a line: `Colour: green`, or what the page calls the element: `class="brand"`.
fn labelled(node: Node<'_>, text: &str) -> Option<(String, String)> {
    let called = || {
        let names = [node.attr("itemprop").unwrap_or_default(), node.class()];
        names
            .into_iter()
            .flat_map(str::split_whitespace)
            .find_map(named_field)
    };
    if let Some(found) = LABELLED.captures(text) {
        let (label, value) = (found.get(1)?.as_str(), found.get(2)?.as_str());
        // "Closes 18:02" is a time of day, no label.
        let is_time = label.ends_with(|c: char| c.is_ascii_digit())
            && value
                .get(..2)
                .is_some_and(|minutes| minutes.bytes().all(|byte| byte.is_ascii_digit()));
        if label.chars().count() <= MAX_LABEL && !is_time {
            let name = canonical(label)
                .or_else(called)
                .map_or_else(|| locale::snake_case(label), str::to_owned);
            return Some((name, value.to_owned()));
        }
    }
    let name = called()?;
    // "by <span>Bosch</span>": the value is the element, where it is most of the line.
    let mut elements = node.children().filter(|child| child.is_element());
    let inner = match (elements.next(), elements.next()) {
        (Some(inner), None) => locale::collapse_whitespace(&inner.text()),
        _ => String::new(),
    };
    let value = if inner.len() * 2 >= text.len() {
        inner
    } else {
        text.to_owned()
    };
    // "18+" in an element called `age` is no day.
    let is_age = name == "date" && !DAY.is_match(&value) && ages(&value).is_some();
    Some((name.to_owned(), value)).filter(|(_, value)| !value.is_empty() && !is_age)
}

#[cfg(test)]
mod tests {
    use super::is_free_delivery;

    #[test]
    fn delivery_is_free_where_the_text_says_so_without_a_condition() {
        for (text, free) in [
            ("Free delivery", Some(true)),
            ("Free shipping & returns", Some(true)),
            ("Versand: 2-4 Tage, kostenlos", Some(true)),
            ("Versand 0,00 €", Some(true)),
            ("Delivery from £4.99", Some(false)),
            ("Delivery in 3 days, free returns", Some(false)),
            ("Free delivery over £50", None),
            ("Versandkostenfrei ab 29 €", None),
            ("Delivery £4.99, free returns", Some(false)),
        ] {
            assert_eq!(is_free_delivery(text), free, "{text}");
        }
    }
}
