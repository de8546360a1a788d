//! DateCandidate: one place of a page that names a day.

use locale::dates::ParsedDate;

use crate::provenance::FieldSource;

/// One place that names a day.
#[derive(Debug, Clone)]
pub(super) struct DateCandidate {
    pub(super) moment: ParsedDate,
    pub(super) weight: f32,
    pub(super) source: FieldSource,
    /// It names the day of the last change.
    pub(super) changed: bool,
    /// It is shown outside of menus and of lists of other pages, beside the title or with words that say what it is.
    pub(super) own: bool,
    /// Markup, words or the name of its element call it the day of publication.
    pub(super) named: bool,
    /// It stands among the comments of readers.
    pub(super) commented: bool,
}

/// Weight of the day of the first publication, at the foot of a text more than that of an article's markup with a day that is shown.
pub(super) const FIRST_WEIGHT: f32 = 124.0;
