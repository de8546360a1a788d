//! What kind of page it is.
//!
//! Evidence is gathered from the address, the page's own data, its links, the names of its elements and its text
//! ([`KindEvidence`]). Seven kinds are distinguished by learned weights, one number for each piece of evidence and kind, and other
//! weights for pages without a public address. Jobs, recipes, events and profiles are taken from the markup here, and else told by
//! their signs (`page_signs`).

mod elements;
mod evidence;
mod kind;
mod links;
mod words;

pub use kind::PageKind;

use super::content::decision_forest;
use super::content::outline::BlockOutline;
use super::content::siblings::SiblingGroups;
use super::content::totals::PageTotals;
use evidence::KindEvidence;
use page::Page;

/// How many kinds the weights distinguish: the first of [`PageKind::ALL`].
pub(crate) const LEARNED_KINDS: usize = 7;

/// The probability of each learned kind, and what speaks for it.
#[derive(Clone, Debug, Default)]
pub(crate) struct KindSignals {
    /// The probability of each learned kind.
    pub(crate) probabilities: [f32; LEARNED_KINDS],
    pub(crate) evidence: KindEvidence,
}

impl KindSignals {
    /// Weighs the evidence of a page.
    pub(crate) fn read(
        page: &Page,
        outline: &BlockOutline<'_>,
        totals: &PageTotals,
        siblings: &SiblingGroups,
    ) -> KindSignals {
        let mut signals = KindSignals {
            probabilities: [0.0; LEARNED_KINDS],
            evidence: KindEvidence::read(page, outline, totals, siblings),
        };
        let KindEvidence {
            values, has_address, ..
        } = &signals.evidence;
        let sums: Vec<f32> = (0..LEARNED_KINDS)
            .map(|kind| decision_forest::kind_logit(kind, values, *has_address))
            .collect();
        let top = sums.iter().copied().fold(f32::MIN, f32::max);
        let whole: f32 = sums.iter().map(|sum| (sum - top).exp()).sum();
        for (probability, sum) in signals.probabilities.iter_mut().zip(&sums) {
            *probability = (sum - top).exp() / whole.max(1e-9);
        }
        signals
    }

    /// Puts other probabilities in place of its own, as far as there are any.
    pub(crate) fn set(&mut self, probabilities: &[f32]) {
        for (own, given) in self.probabilities.iter_mut().zip(probabilities) {
            *own = *given;
        }
    }

    /// The probability of the likeliest kind; 1 where the markup declares it.
    pub(crate) fn certainty(&self) -> f32 {
        match self.evidence.declared {
            Some(_) => 1.0,
            None => self.probabilities.iter().copied().fold(0.0, f32::max),
        }
    }

    /// The likeliest kind.
    pub(crate) fn best(&self) -> PageKind {
        if let Some(declared) = self.evidence.declared {
            return declared;
        }
        let mut best = (0.3, PageKind::Other);
        for (kind, probability) in PageKind::ALL.into_iter().zip(self.probabilities) {
            if probability > best.0 {
                best = (probability, kind);
            }
        }
        best.1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::content::find;
    use url::Url;

    fn kind(url: &str, html: &str) -> PageKind {
        find(&Page::new(html, Url::parse(url).ok())).kind
    }

    const PROSE: &str = "<p>The river rose again on Monday night, and by the morning the lower streets were under water, \
        the mayor said. Schools stay closed until Thursday.</p>";

    #[test]
    fn a_page_that_says_what_it_is_is_believed() {
        for (declared, expected) in [
            ("JobPosting", PageKind::Job),
            ("Recipe", PageKind::Recipe),
            ("MusicEvent", PageKind::Event),
            ("ProfilePage", PageKind::Profile),
        ] {
            let html =
                format!("<script type=application/ld+json>{{\"@type\": \"{declared}\"}}</script>{PROSE}");
            assert_eq!(kind("https://example.org/x", &html), expected);
        }
    }

    #[test]
    fn address_data_and_structure_tell_the_common_kinds_apart() {
        let story = format!(
            "<head><meta property=og:type content=article><meta property=article:published_time content=2026-01-05></head>\
             <article><h1>River rises</h1>{}</article>",
            PROSE.repeat(8)
        );
        assert_eq!(
            kind(
                "https://example.org/news/2026/01/river-rises-again-in-the-lower-town",
                &story
            ),
            PageKind::Article
        );
        let manual = format!(
            "<head><meta name=generator content='Docusaurus 3'></head><h1>Flags</h1>{PROSE}<pre>run --all</pre>{PROSE}<pre>run --none --quiet</pre>"
        );
        assert_eq!(
            kind("https://docs.example.org/docs/reference/flags", &manual),
            PageKind::Documentation
        );
        let thread: String = (0..9)
            .map(|it| format!("<div class=post id=p{it}><a href=/u>user{it}</a>{PROSE}<a>Reply</a></div>"))
            .collect();
        let thread =
            format!("<head><meta name=generator content='Discourse 3.2'></head><h1>Loud pump?</h1>{thread}");
        assert_eq!(
            kind("https://forum.example.org/t/loud-pump/812", &thread),
            PageKind::Forum
        );
    }
}
