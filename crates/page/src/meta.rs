//! Structured data that a page carries for machines, in the shapes of the Python library extruct.

mod embedded_state;
mod entities;
mod inner_markup;
mod items;
mod jsonld;
mod lenient_json;
mod meta_tags;
mod metadata;
mod microdata;
mod microformats;
mod opengraph;
mod rdfa;
mod references;

pub use embedded_state::{State, state};
pub use entities::decode_entities;
pub use items::{ItemFormat, ItemProperty, StructuredItem, StructuredItems};
pub use jsonld::jsonld;
pub use meta_tags::{Tag, dublincore, meta, tags, twitter};
pub use metadata::Metadata;
pub use microdata::microdata;
pub use microformats::microformats;
pub use opengraph::opengraph;
pub use rdfa::rdfa;
