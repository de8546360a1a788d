//! Marks of inline elements: emphasis, strong words, deleted words, links.

/// The kind of an inline element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum InlineMark {
    Emphasis,
    Strong,
    Deleted,
    /// A link; with `headings_only`, written in headings alone.
    Link {
        headings_only: bool,
    },
}

impl InlineMark {
    pub(super) fn sign(self) -> &'static str {
        match self {
            InlineMark::Emphasis => "*",
            InlineMark::Strong => "**",
            InlineMark::Deleted => "~~",
            InlineMark::Link { .. } => "[",
        }
    }

    /// The sign inside another element of the same kind.
    pub(super) fn inner_sign(self) -> &'static str {
        match self {
            InlineMark::Emphasis => "_",
            InlineMark::Strong => "__",
            InlineMark::Deleted | InlineMark::Link { .. } => self.sign(),
        }
    }
}

/// An inline element that is open.
pub(super) struct OpenMark {
    pub(super) mark: InlineMark,
    /// Whether it stands in another one of the same kind and has the other sign.
    pub(super) inner: bool,
    /// Whether its sign stands in the text.
    pub(super) written: bool,
    /// Whether it was ever written.
    pub(super) used: bool,
    /// For a link, what stands in the parentheses.
    pub(super) target: String,
}

impl OpenMark {
    pub(super) fn sign(&self) -> &'static str {
        if self.inner {
            self.mark.inner_sign()
        } else {
            self.mark.sign()
        }
    }
}
