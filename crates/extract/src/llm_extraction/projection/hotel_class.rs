//! The official class of a hotel, in stars, which is no rating of its guests.

use page::Page;
use page::meta::{ItemProperty, Metadata};

use crate::fields::{PageType, fold, named};

/// Whether a property asks for the stars of a hotel: one called so beside another, of `names`, that asks for the rating.
pub(super) fn is_asked<'n>(
    name: &str,
    mut names: impl Iterator<Item = &'n str>,
    page_type: PageType,
) -> bool {
    fold(name) == "stars" && names.any(|other| other != name && named(other, page_type) == "rating")
}

/// The number of stars that the markup states as the class of a hotel.
pub(super) fn stars(page: &Page) -> Option<String> {
    let metadata = Metadata::read(page);
    let things = metadata.things();
    things.iter().find_map(|thing| {
        let ratings = thing.get("starRating");
        let rating = ratings.iter().find_map(ItemProperty::thing)?;
        Some(rating.text("ratingValue")?.0)
    })
}
