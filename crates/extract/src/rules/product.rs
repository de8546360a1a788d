//! Facts about the product of a page.
//!
//! Markup and the visible page are read apart and then compared: markup is precise where it is kept up to date, the visible
//! page is what the buyer is held to. Where they disagree on the price, the one shown as the current price wins.

pub mod availability;
pub mod brand;
mod evidence;
pub mod identifiers;
pub mod image;
pub mod markup;
pub mod number_guesses;
mod phrases;
pub(crate) mod price_element;
pub mod rating;
pub mod script_data;
mod star_icons;
pub mod visible_price;

#[cfg(test)]
mod tests;

use super::element_source::element_source;
use super::entities::TypedEntity;
use super::visible_page::{VisiblePage, covered, words};
use crate::provenance::{FieldSource, Sourced};
use identifiers::is_printed;
use locale::price;
use markup::{MarkupOffer, ProductMarkup};
use rating::ShownRating;
use visible_price::PriceCandidate;

/// The product of a page. Every field is there only when the page states it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ProductFacts {
    /// Its name.
    pub name: Option<Sourced<String>>,
    /// The price to pay, an exact decimal.
    pub price: Option<Sourced<String>>,
    /// The price before a reduction, an exact decimal greater than `price`.
    pub old_price: Option<Sourced<String>>,
    /// ISO 4217 code, else the currency as written.
    pub currency: Option<Sourced<String>>,
    /// "InStock", "OutOfStock", "PreOrder", "BackOrder" or "Discontinued".
    pub availability: Option<Sourced<String>>,
    /// The shop's own number.
    pub sku: Option<Sourced<String>>,
    /// Global trade item number.
    pub gtin: Option<Sourced<String>>,
    /// The maker's part number.
    pub mpn: Option<Sourced<String>>,
    /// Brand, else maker.
    pub brand: Option<Sourced<String>>,
    /// Average rating, a decimal.
    pub rating: Option<Sourced<String>>,
    /// The average rating where the page states exactly what its markup rounds.
    pub exact_rating: Option<Sourced<String>>,
    /// Count of reviews.
    pub review_count: Option<Sourced<String>>,
    /// The best rating that the markup allows, where it is not five.
    pub best_rating: Option<Sourced<String>>,
    /// Address of the main picture.
    pub image: Option<Sourced<String>>,
    /// Description.
    pub description: Option<Sourced<String>>,
    /// Log-odds that the page sells one product: above 0 it does, below -1.5 it hardly shows one at all.
    pub evidence: f32,
    /// Whether the likeliest price shown is that of an entry of a list.
    pub is_listed: bool,
    /// Whether a button below the heading buys something, or the likeliest price shown is set as one.
    pub is_offered: bool,
    /// Every price that the page shows, the likeliest first.
    pub shown_prices: Vec<PriceCandidate>,
}

/// Fewest bytes of a name that its markup may have cut off.
const CUT_NAME: usize = 60;

impl ProductFacts {
    /// Whether the price is stated for machines, and not only shown.
    pub fn has_stated_price(&self) -> bool {
        let price = self.price.as_ref();
        price.is_some_and(|price| !matches!(price.source, FieldSource::Selector { .. }))
    }

    /// The heading of the page, where the name of the markup is how it begins and has been cut off.
    pub fn heading_of_cut_name(&self, view: &VisiblePage<'_>) -> Option<Sourced<String>> {
        let heading = view.heading.as_ref()?;
        let node = view.dom().node(heading.node);
        let start = self.name.as_ref()?.value.trim_end_matches(['…', '.', ' ']);
        let is_cut =
            start.len() >= CUT_NAME && start.len() < heading.text.len() && heading.text.starts_with(start);
        (node.is("h1") && is_cut).then(|| Sourced::new(heading.text.clone(), element_source(node)))
    }

    /// The heading of the page, where the name of the markup is this heading with more words: variants, search words or the name of
    /// the shop.
    pub fn heading_within_name(&self, view: &VisiblePage<'_>) -> Option<Sourced<String>> {
        let heading = view.heading.as_ref()?;
        let node = view.dom().node(heading.node);
        let named = &self.name.as_ref()?.value;
        let (own, name) = (words(&heading.text), words(named));
        let is_within = own.len() >= 2 && own.len() < name.len() && covered(&own, &name) >= 1.0;
        // One word is the name only where the rest says what it is.
        let rest = named.strip_prefix(heading.text.as_str());
        let is_explained =
            rest.is_some_and(|rest| rest.starts_with([':', '–', '|']) || rest.starts_with(" - "));
        (node.is("h1") && (is_within || is_explained))
            .then(|| Sourced::new(heading.text.clone(), element_source(node)))
    }
}

/// The share of the words of a lower heading that a title of the page has when it names the product.
const SAME_NAME: f32 = 0.8;

/// Log-odds of a product from which embedded state is asked: a button to buy below the heading is enough.
const ASKS_STATE: f32 = -4.0;

/// Reads the product of a page.
pub fn read(view: &VisiblePage<'_>, entities: &[TypedEntity<'_>]) -> ProductFacts {
    let markup = markup::read(view, entities);
    let candidates = visible_price::candidates(view);
    let mut out = ProductFacts {
        evidence: evidence::log_odds(view, &markup, &candidates),
        is_listed: !markup.found && evidence::is_listed(view, &candidates),
        is_offered: evidence::is_offered(view, &candidates),
        ..ProductFacts::default()
    };
    price(view, &markup, &candidates, &mut out);
    out.availability = availability(view, &markup, &candidates);
    let (sku, guessed_sku) = sku(view, &markup, out.price.as_ref());
    out.sku = sku;
    if out.price.is_none() && out.evidence > ASKS_STATE {
        let known = script_data::read(view);
        let code =
            |written: String| price::iso(&written, view.country.as_deref()).map_or(written, str::to_owned);
        out.price = known.price;
        out.currency = out.currency.or(known.currency.map(|currency| currency.map(code)));
        out.sku = out.sku.or(known.sku);
        out.brand = known.brand;
        out.availability = out.availability.or(known.availability);
    }
    out.sku = out.sku.or(guessed_sku);
    if out.sku.is_none() && out.price.is_some() && out.evidence > 0.0 {
        out.sku = script_data::named(view)
            .and_then(|known| known.sku)
            .filter(is_shop_number);
    }
    out.shown_prices = candidates;
    out.gtin = markup
        .gtin
        .clone()
        .filter(|gtin| identifiers::is_gtin(&gtin.value))
        .or_else(|| identifiers::gtin(view))
        .or(markup.gtin);
    out.mpn = markup.mpn.or_else(|| identifiers::mpn(view));
    out.brand = markup.brand.or_else(|| brand::shown(view)).or(out.brand);
    let shown = match (&markup.rating, &markup.review_count) {
        (Some(_), Some(_)) => ShownRating::default(),
        _ => rating::shown(view),
    };
    out.review_count = markup.review_count.or(shown.count);
    let count = out.review_count.as_ref();
    let rating = shown.average;
    let of_ten = rating
        .as_ref()
        .filter(|_| markup.rating.is_none() && shown.is_of_ten)
        .map(|rating| rating.clone().map(|_| "10".to_owned()));
    out.best_rating = markup.best_rating.clone().or(of_ten);
    out.exact_rating = markup
        .rating
        .as_ref()
        .and_then(|rounded| rating::exact(view, entities, &rounded.value, &count?.value));
    out.rating = out.exact_rating.clone().or(markup.rating).or(rating);
    out.image = markup
        .image
        .map(|image| {
            image.map(|address| {
                view.page
                    .absolute(&address)
                    .map_or(address, |url| url.to_string())
            })
        })
        .or_else(|| image::shown(view, entities));
    out.description = markup.description;
    out.name = markup.name.or_else(|| {
        let heading = view.heading.as_ref()?;
        let node = view.dom().node(heading.node);
        // A heading of a lower level may be one of a section.
        let own = words(&heading.text);
        let mut titles = view.titles.iter();
        let is_named = node.is("h1")
            || view.titles.is_empty()
            || titles.any(|title| covered(&own, &words(title)) >= SAME_NAME);
        is_named.then(|| Sourced::new(heading.text.clone(), element_source(node)))
    });
    out
}

/// The offer whose price is shown, else the first with a price.
fn offer<'m>(markup: &'m ProductMarkup, candidates: &[PriceCandidate]) -> Option<&'m MarkupOffer> {
    let sold = SoldVariants::of(markup);
    let priced: Vec<&MarkupOffer> = markup
        .offers
        .iter()
        .filter(|offer| offer.price.is_some() && !sold.contain(offer))
        .collect();
    let same = |offer: &MarkupOffer, candidate: &PriceCandidate| {
        offer
            .price
            .as_ref()
            .is_some_and(|price| equal(price, &candidate.amount))
    };
    // Of two offers that stand beside each other the lower is the one to pay.
    let top: Vec<&PriceCandidate> = candidates
        .iter()
        .take(3)
        .filter(|candidate| !candidate.earlier)
        .collect();
    if let [a, b, ..] = top.as_slice() {
        let lower = if price::compare(&a.amount, &b.amount).is_gt() {
            b
        } else {
            a
        };
        let both = [a, b]
            .iter()
            .all(|candidate| priced.iter().any(|offer| same(offer, candidate)));
        let beside = a.line.abs_diff(b.line) <= 2 && (a.score - b.score).abs() < 1.5;
        if both && beside {
            return priced.iter().find(|offer| same(offer, lower)).copied();
        }
    }
    candidates
        .iter()
        .take(3)
        .filter(|candidate| !candidate.earlier)
        .find_map(|candidate| priced.iter().find(|offer| same(offer, candidate)))
        .or_else(|| priced.first())
        .copied()
}

/// Which offers of the markup are of variants that are sold out, where it has another variant that can be bought.
struct SoldVariants {
    /// Whether some variant with a price can be bought.
    others_can_be_had: bool,
}

impl SoldVariants {
    fn of(markup: &ProductMarkup) -> SoldVariants {
        let can_be_had = |offer: &MarkupOffer| offer.price.is_some() && is_variant(offer, &["InStock"]);
        SoldVariants {
            others_can_be_had: markup.offers.iter().any(can_be_had),
        }
    }

    fn contain(&self, offer: &MarkupOffer) -> bool {
        self.others_can_be_had && is_variant(offer, &["OutOfStock", "Discontinued"])
    }
}

/// Whether an offer is of a variant with one of these availabilities.
fn is_variant(offer: &MarkupOffer, availabilities: &[&str]) -> bool {
    let stock = || offer.availability.as_deref().and_then(availability::normalize);
    offer.is_of_variant() && stock().is_some_and(|stock| availabilities.contains(&stock))
}

fn equal(one: &str, other: &str) -> bool {
    price::compare(one, other).is_eq()
}

/// Decides between markup and the visible price.
fn price(
    view: &VisiblePage<'_>,
    markup: &ProductMarkup,
    candidates: &[PriceCandidate],
    out: &mut ProductFacts,
) {
    // The price of a variant that is sold out is not what one pays.
    let sold = SoldVariants::of(markup);
    let is_of_sold = |candidate: &PriceCandidate| {
        let mut same = markup.offers.iter().filter(|offer| {
            let price = offer.price.as_ref();
            price.is_some_and(|price| equal(price, &candidate.amount))
        });
        same.next().is_some_and(|offer| sold.contain(offer)) && same.all(|offer| sold.contain(offer))
    };
    let best = candidates
        .iter()
        .find(|candidate| !candidate.earlier && candidate.score > 1.0 && !is_of_sold(candidate))
        .or(candidates.first());
    let offered = offer(markup, candidates);
    let stated = offered.and_then(|offer| offer.price.clone().map(|price| (offer, price)));
    // Markup that offers nothing for a price, and says it is sold out, leaves only other products' prices on the page.
    let is_sold_out = |offer: &MarkupOffer| {
        offer.availability.as_deref().and_then(availability::normalize) == Some("OutOfStock")
    };
    let least = if markup.offers.iter().any(is_sold_out) {
        6.0
    } else {
        -0.5
    };
    let country = view.country.as_deref();
    let code = |written: &str| price::iso(written, country).map_or_else(|| written.to_owned(), str::to_owned);
    let source = |shown: &PriceCandidate| element_source(view.dom().node(shown.node));
    let amount = |shown: &PriceCandidate| Sourced::new(shown.amount.clone(), source(shown));
    let currency =
        |shown: &PriceCandidate| Some(Sourced::new(code(shown.currency.as_deref()?), source(shown)));
    (out.price, out.currency) = match (stated, best) {
        (Some((offer, stated)), Some(shown))
            if !equal(&stated, &shown.amount) && prefers_shown(&stated, shown, candidates) =>
        {
            let offered = || {
                let written = offer.currency.as_deref()?;
                Some(Sourced::new(code(written), offer.source("priceCurrency")))
            };
            (Some(amount(shown)), currency(shown).or_else(offered))
        }
        (Some((offer, stated)), _) => {
            let offered = offer.currency.as_deref();
            let offered = offered.map(|written| Sourced::new(code(written), offer.source("priceCurrency")));
            let shown = || {
                let same = candidates
                    .iter()
                    .find(|candidate| equal(&candidate.amount, &stated));
                currency(same.or(best)?)
            };
            let currency = offered.or_else(shown);
            (Some(Sourced::new(stated, offer.source("price"))), currency)
        }
        (None, Some(shown)) if shown.score > least => (Some(amount(shown)), currency(shown)),
        _ => (None, None),
    };
    let is_free = out.price.as_ref().is_some_and(|price| equal(&price.value, "0"));
    if out.currency.is_none() && is_free {
        let stated = markup.free_currency.clone();
        out.currency = stated.map(|stated| stated.map(|written| code(&written)));
    }
    if let Some(price) = &out.price {
        let line = best.map_or(0, |candidate| candidate.line);
        let old = candidates
            .iter()
            .filter(|candidate| candidate.earlier && candidate.line.abs_diff(line) <= 8);
        let mut above = old.filter(|candidate| price::compare(&candidate.amount, &price.value).is_gt());
        out.old_price = above.next().map(amount);
    }
}

/// Whether the price shown is to be believed although markup says another.
fn prefers_shown(stated: &str, shown: &PriceCandidate, candidates: &[PriceCandidate]) -> bool {
    let crossed = candidates.iter().any(|candidate| {
        candidate.earlier && equal(&candidate.amount, stated) && candidate.line.abs_diff(shown.line) <= 8
    });
    let seen = candidates
        .iter()
        .any(|candidate| equal(&candidate.amount, stated));
    // "$229" beside 229.99 has lost its cents in the typesetting.
    if shown.amount == stated.split('.').next().unwrap_or(stated) {
        return false;
    }
    let lower = price::compare(&shown.amount, stated).is_lt();
    let rival = candidates
        .iter()
        .find(|candidate| equal(&candidate.amount, stated))
        .map_or(f32::MIN, |candidate| candidate.score);
    (crossed && lower && shown.score > 3.0)
        || (!seen && shown.score > 6.5)
        || (shown.score > 6.5 && shown.score - rival > 1.9)
}

/// Whether the product can be had: in one of its variants, else on a later day, else as the offer says whose price is given.
fn availability(
    view: &VisiblePage<'_>,
    markup: &ProductMarkup,
    candidates: &[PriceCandidate],
) -> Option<Sourced<String>> {
    let stated: Vec<(&MarkupOffer, &'static str)> = markup
        .offers
        .iter()
        .filter_map(|offer| Some((offer, availability::normalize(offer.availability.as_deref()?)?)))
        .collect();
    let any = |names: &[&str]| stated.iter().find(|(_, name)| names.contains(name));
    let chosen = offer(markup, candidates);
    let own = || {
        stated
            .iter()
            .find(|(offer, _)| chosen.is_some_and(|chosen| std::ptr::eq(chosen, *offer)))
    };
    let best = any(&["InStock"])
        .or_else(|| any(&["PreOrder", "BackOrder"]))
        .or_else(own);
    let Some((offer, name)) = best.or(stated.first()) else {
        return availability::shown(view).map(|(found, _)| found);
    };
    let sold = SoldVariants::of(markup);
    let corrected = availability::shown(view).filter(|(shown, sure)| match (*name, shown.value.as_str()) {
        // What is sold out on the page may be another variant.
        ("InStock", "OutOfStock") => *sure > 0.75 && !markup.offers.iter().any(|offer| sold.contain(offer)),
        ("OutOfStock", "InStock") => *sure >= 0.5,
        _ => false,
    });
    let stated = || Sourced::new((*name).to_owned(), offer.source("availability"));
    Some(corrected.map_or_else(stated, |(shown, _)| shown))
}

/// The number that the page states, and one that it may only use itself: in its address, or in attributes.
fn sku(
    view: &VisiblePage<'_>,
    markup: &ProductMarkup,
    price: Option<&Sourced<String>>,
) -> (Option<Sourced<String>>, Option<Sourced<String>>) {
    let usable =
        |sku: &Sourced<String>| sku.value.len() <= 60 && sku.value.chars().any(char::is_alphanumeric);
    let offered = markup
        .offers
        .iter()
        .find_map(|offer| offer.sku.clone())
        .filter(|_| !has_variants(markup));
    let stated = markup.sku.clone().filter(usable).or(offered.filter(usable));
    let shown = identifiers::sku(view)
        .or_else(|| printed_variant(view, markup))
        .or_else(|| script_data::variant_sku(view));
    // A trade item number in place of the shop's own is the weakest answer.
    let traded = |code: &Sourced<String>| identifiers::is_gtin(&code.value) && code.value.len() > 8;
    let in_url = number_guesses::in_address_and_text(view)
        .or_else(|| number_guesses::in_url(view.page))
        .or_else(|| number_guesses::in_attributes(view))
        .or_else(|| number_guesses::reported(view));
    // What is cut out of a longer word of the address is the weakest guess.
    let in_url = match (in_url, sold_variant(markup, price)) {
        (Some(code), Some(_)) if is_printed(view, &code.value) => Some(code),
        (code, variant) => variant.or(code),
    };
    let stated = match stated {
        Some(code) if traded(&code) => return (shown, in_url.or(Some(code))),
        stated => stated,
    };
    (shown.or(stated), in_url)
}

/// Whether embedded state calls the number the shop's, not that of its database.
fn is_shop_number(number: &Sourced<String>) -> bool {
    matches!(&number.source, FieldSource::State { path } if [".sku", ".itemNumber", ".articleNumber"].iter().any(|key| path.ends_with(key)))
}

/// Whether the offers of the markup are of several variants with numbers of their own.
fn has_variants(markup: &ProductMarkup) -> bool {
    let mut numbers = markup
        .offers
        .iter()
        .filter_map(|offer| offer.sku.as_ref().map(|sku| &sku.value));
    let first = numbers.next();
    first.is_some_and(|first| numbers.any(|number| number != first))
}

/// Of several variants of the markup the one whose number the page prints or its address names.
fn printed_variant(view: &VisiblePage<'_>, markup: &ProductMarkup) -> Option<Sourced<String>> {
    if !has_variants(markup) {
        return None;
    }
    let numbered = markup
        .offers
        .iter()
        .take(MOST_VARIANTS)
        .filter(|offer| offer.sku.is_some());
    let mut numbers = numbered.filter_map(|offer| offer.sku.as_ref());
    numbers.find(|sku| is_printed(view, &sku.value)).cloned()
}

/// Of several variants of the markup the only one that costs what was taken for the price.
fn sold_variant(markup: &ProductMarkup, price: Option<&Sourced<String>>) -> Option<Sourced<String>> {
    let price = price.filter(|_| has_variants(markup))?;
    let costs = |offer: &&MarkupOffer| {
        let stated = offer.price.as_deref();
        stated.is_some_and(|stated| equal(stated, &price.value))
    };
    let mut numbers = markup
        .offers
        .iter()
        .filter(costs)
        .filter_map(|offer| offer.sku.as_ref());
    let first = numbers.next()?;
    numbers
        .all(|other| other.value == first.value)
        .then(|| first.clone())
}

/// Most variants whose numbers are looked for on the page.
const MOST_VARIANTS: usize = 40;
