//! PageKind: the kinds of page that are read in different ways.

/// The kinds of page that are read in different ways.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PageKind {
    /// A news story, a blog post, an essay: one text by someone.
    Article,
    /// One product for sale.
    Product,
    /// Many entries of one sort: search results, news lists, rankings.
    Listing,
    /// The products of one category of a shop.
    Collection,
    /// Posts by several people: a thread, questions and answers.
    Forum,
    /// Manuals, references, how-to pages.
    Documentation,
    /// What someone offers: home pages, landing pages, services.
    Service,
    /// A job posting.
    Job,
    /// A recipe.
    Recipe,
    /// An event.
    Event,
    /// A person or an organisation.
    Profile,
    /// Nothing of the above.
    Other,
}

impl PageKind {
    /// Every kind.
    pub const ALL: [PageKind; 12] = [
        PageKind::Article,
        PageKind::Product,
        PageKind::Listing,
        PageKind::Collection,
        PageKind::Forum,
        PageKind::Documentation,
        PageKind::Service,
        PageKind::Job,
        PageKind::Recipe,
        PageKind::Event,
        PageKind::Profile,
        PageKind::Other,
    ];

    /// The name, in lower case.
    pub fn name(self) -> &'static str {
        match self {
            PageKind::Article => "article",
            PageKind::Product => "product",
            PageKind::Listing => "listing",
            PageKind::Collection => "collection",
            PageKind::Forum => "forum",
            PageKind::Documentation => "documentation",
            PageKind::Service => "service",
            PageKind::Job => "job",
            PageKind::Recipe => "recipe",
            PageKind::Event => "event",
            PageKind::Profile => "profile",
            PageKind::Other => "other",
        }
    }
}
