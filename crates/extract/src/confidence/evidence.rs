//! PageEvidence: what is known of a page when its item is rated.

use std::collections::BTreeMap;

use crate::rules::content::MainContent;
use crate::rules::entities::TypedEntity;
use crate::rules::product::ProductFacts;
use crate::rules::rows::{ListReader, Row};
use crate::rules::visible_page::VisiblePage;

/// What is known of a page when its item is rated.
#[derive(Clone, Copy)]
pub(crate) struct PageEvidence<'e, 'p> {
    /// The page as it is seen.
    pub(crate) view: &'e VisiblePage<'p>,
    /// What its markup describes.
    pub(crate) entities: &'e [TypedEntity<'e>],
    /// What it sells.
    pub(crate) product: &'e ProductFacts,
    /// Its main content, where that was read.
    pub(crate) content: Option<&'e MainContent>,
    /// The list it may be there for.
    pub(crate) list: &'e ListReader<'e, 'p>,
    /// The entries of that list, one for each of the item's; empty where the page is not there for a list.
    pub(crate) rows: &'e [Row],
}

/// The measures of one value by name: what the models are learned from.
pub type Features = Vec<(&'static str, f32)>;

/// What is measured of an item.
#[derive(Debug, Clone, Default)]
pub struct ItemFeatures {
    /// The measures of each field that has a model, and of the type as `page_type`.
    pub fields: BTreeMap<String, Features>,
    /// The measures of each entry of its list.
    pub entries: Vec<Features>,
}
