//! PageEvidence: what is known of a page when its item is rated.

use crate::rules::content::MainContent;
use crate::rules::entities::TypedEntity;
use crate::rules::product::ProductFacts;
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
}

/// The measures of one value by name: what the models are learned from.
pub type Features = Vec<(&'static str, f32)>;
