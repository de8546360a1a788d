//! Parsing of a page into the arena, within the limits on bytes, elements and depth.

use super::arena::{Dom, MAX_BYTES, Truncation};
use super::depth_limiter::DepthLimiter;
use super::tokenizer;

impl Dom {
    /// Parses a page as a browser with scripting off would, in time linear in its length.
    ///
    /// Never fails: markup of any kind has a tree. What exceeds [`MAX_BYTES`] or
    /// [`MAX_ELEMENTS`](super::MAX_ELEMENTS) is left out, see [`Dom::truncation`].
    pub fn parse(html: &str) -> Dom {
        let mut truncation = None;
        let mut rest = html;
        if rest.len() > MAX_BYTES {
            rest = &rest[..rest.floor_char_boundary(MAX_BYTES)];
            truncation = Some(Truncation::Bytes);
        }
        let limiter = DepthLimiter::for_bytes(rest.len());
        tokenizer::run(rest, &limiter);
        limiter.into_dom(truncation)
    }
}
