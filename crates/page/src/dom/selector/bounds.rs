//! The greatest size, depth and cost of a CSS selector.

/// Longest selector, in bytes. Those that browsers' tools write for an element have some hundred.
pub const MAX_SELECTOR_BYTES: usize = 4_096;
/// Deepest nesting of brackets in a selector, as in `:is(:not([href]))`. The parser and the matcher call themselves
/// for each level.
pub const MAX_SELECTOR_DEPTH: usize = 16;
/// Most combinators of one selector, with those of the selectors that it stands in. The matcher calls itself for each.
pub const MAX_COMBINATORS: usize = 256;
/// Most steps in which one selector is matched against one page: about half a second. A step looks at one element in
/// one way; a class on each element of a page with 100,000 elements takes about 200,000.
pub const MAX_MATCH_STEPS: u64 = 50_000_000;
