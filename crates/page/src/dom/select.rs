//! CSS selectors over the tree.

use super::{Kind, Node};
use crate::Error;
use cssparser::{
    CowRcStr, ParseError, Parser as CssParser, ParserInput, SourceLocation, ToCss, serialize_identifier,
};
use html5ever::{LocalName, Namespace, local_name};
use precomputed_hash::PrecomputedHash;
use selectors::attr::{AttrSelectorOperation, CaseSensitivity, NamespaceConstraint};
use selectors::bloom::BloomFilter;
use selectors::context::{
    MatchingContext, MatchingForInvalidation, MatchingMode, NeedsSelectorFlags, QuirksMode, SelectorCaches,
};
use selectors::matching::{ElementSelectorFlags, matches_selector_list};
use selectors::parser::{
    NonTSPseudoClass, ParseRelative, SelectorImpl, SelectorList, SelectorParseErrorKind,
};
use selectors::{Element, OpaqueElement};
use std::fmt;

/// A list of CSS selectors: what a style sheet may write, without states that need a browser
/// (`:hover`) and without pseudo-elements. `:is`, `:where`, `:not`, `:has` and `:nth-child` work.
#[derive(Clone)]
pub struct Selector {
    list: SelectorList<Css>,
    source: String,
}

impl Selector {
    /// Reads a selector list such as `"article > h1, .title"`.
    pub fn parse(css: &str) -> Result<Selector, Error> {
        let mut input = ParserInput::new(css);
        let mut parser = CssParser::new(&mut input);
        let list = SelectorList::parse(&Reader, &mut parser, ParseRelative::No).map_err(|error| {
            Error::Selector {
                selector: css.to_owned(),
                column: error.location.column,
            }
        })?;
        Ok(Selector {
            list,
            source: css.to_owned(),
        })
    }

    /// Whether the element matches.
    pub fn matches(&self, node: Node<'_>) -> bool {
        self.matcher().matches(node)
    }

    pub(super) fn matcher(&self) -> Matcher<'_> {
        Matcher {
            selector: self,
            caches: SelectorCaches::default(),
        }
    }
}

impl fmt::Debug for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Selector({:?})", self.source)
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.source)
    }
}

/// One selector with what it remembers of a tree while it is matched all over it.
pub(super) struct Matcher<'s> {
    selector: &'s Selector,
    caches: SelectorCaches,
}

impl fmt::Debug for Matcher<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.selector.fmt(f)
    }
}

impl Matcher<'_> {
    pub(super) fn matches(&mut self, node: Node<'_>) -> bool {
        if !node.is_element() {
            return false;
        }
        let mut context = MatchingContext::new(
            MatchingMode::Normal,
            None,
            &mut self.caches,
            QuirksMode::NoQuirks,
            NeedsSelectorFlags::No,
            MatchingForInvalidation::No,
        );
        matches_selector_list(&self.selector.list, &Matched(node), &mut context)
    }
}

/// The types our selectors are made of.
#[derive(Clone, Debug)]
struct Css;

impl SelectorImpl for Css {
    type ExtraMatchingData<'a> = ();
    type AttrValue = Word;
    type Identifier = Word;
    type LocalName = Local;
    type NamespaceUrl = Space;
    type NamespacePrefix = Local;
    type BorrowedNamespaceUrl = Space;
    type BorrowedLocalName = Local;
    type NonTSPseudoClass = State;
    type PseudoElement = Part;
}

/// A class name, an id or the value of an attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Word(String);

impl From<&str> for Word {
    fn from(text: &str) -> Word {
        Word(text.to_owned())
    }
}

impl AsRef<str> for Word {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl ToCss for Word {
    fn to_css<W: fmt::Write>(&self, dest: &mut W) -> fmt::Result {
        serialize_identifier(&self.0, dest)
    }
}

impl PrecomputedHash for Word {
    fn precomputed_hash(&self) -> u32 {
        self.0
            .bytes()
            .fold(5381, |hash, byte| hash.wrapping_mul(33) ^ u32::from(byte))
    }
}

/// The name of an element or an attribute.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Local(LocalName);

impl From<&str> for Local {
    fn from(text: &str) -> Local {
        Local(LocalName::from(text))
    }
}

impl ToCss for Local {
    fn to_css<W: fmt::Write>(&self, dest: &mut W) -> fmt::Result {
        serialize_identifier(&self.0, dest)
    }
}

impl PrecomputedHash for Local {
    fn precomputed_hash(&self) -> u32 {
        self.0.precomputed_hash()
    }
}

/// A namespace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Space(Namespace);

impl PrecomputedHash for Space {
    fn precomputed_hash(&self) -> u32 {
        self.0.precomputed_hash()
    }
}

/// A state of an element that only a browser has: there are none here.
#[derive(Clone, Debug, PartialEq, Eq)]
enum State {}

impl NonTSPseudoClass for State {
    type Impl = Css;

    fn is_active_or_hover(&self) -> bool {
        match *self {}
    }

    fn is_user_action_state(&self) -> bool {
        match *self {}
    }
}

impl ToCss for State {
    fn to_css<W: fmt::Write>(&self, _: &mut W) -> fmt::Result {
        match *self {}
    }
}

/// A part of an element that only a browser shows: there are none here.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {}

impl selectors::parser::PseudoElement for Part {
    type Impl = Css;
}

impl ToCss for Part {
    fn to_css<W: fmt::Write>(&self, _: &mut W) -> fmt::Result {
        match *self {}
    }
}

/// Which of the optional syntax we read.
struct Reader;

impl<'i> selectors::parser::Parser<'i> for Reader {
    type Impl = Css;
    type Error = SelectorParseErrorKind<'i>;

    fn parse_is_and_where(&self) -> bool {
        true
    }

    fn parse_has(&self) -> bool {
        true
    }

    fn parse_nth_child_of(&self) -> bool {
        true
    }

    fn allow_forgiving_selectors(&self) -> bool {
        false
    }

    fn parse_non_ts_pseudo_class(
        &self,
        location: SourceLocation,
        name: CowRcStr<'i>,
    ) -> Result<State, ParseError<'i, Self::Error>> {
        Err(location.new_custom_error(SelectorParseErrorKind::UnsupportedPseudoClassOrElement(name)))
    }
}

/// An element as the matcher sees it.
#[derive(Clone, Copy, Debug)]
struct Matched<'a>(Node<'a>);

impl<'a> Matched<'a> {
    /// The first element that repeated steps from this one lead to.
    fn step(self, step: impl Fn(Node<'a>) -> Option<Node<'a>>) -> Option<Matched<'a>> {
        std::iter::successors(step(self.0), |node| step(*node))
            .find(|node| node.is_element())
            .map(Matched)
    }
}

impl Element for Matched<'_> {
    type Impl = Css;

    fn opaque(&self) -> OpaqueElement {
        OpaqueElement::new(self.0.data())
    }

    fn parent_element(&self) -> Option<Self> {
        self.0.parent().filter(|node| node.is_element()).map(Matched)
    }

    fn parent_node_is_shadow_root(&self) -> bool {
        false
    }

    fn containing_shadow_host(&self) -> Option<Self> {
        None
    }

    fn is_pseudo_element(&self) -> bool {
        false
    }

    fn prev_sibling_element(&self) -> Option<Self> {
        self.step(Node::prev_sibling)
    }

    fn next_sibling_element(&self) -> Option<Self> {
        self.step(Node::next_sibling)
    }

    fn first_element_child(&self) -> Option<Self> {
        self.0.children().find(|node| node.is_element()).map(Matched)
    }

    fn is_html_element_in_html_document(&self) -> bool {
        self.0.is_html()
    }

    fn has_local_name(&self, name: &Local) -> bool {
        *self.0.local() == name.0
    }

    fn has_namespace(&self, space: &Space) -> bool {
        let own = match self.0.data().kind {
            Kind::Html => "http://www.w3.org/1999/xhtml",
            Kind::Svg => "http://www.w3.org/2000/svg",
            Kind::Math => "http://www.w3.org/1998/Math/MathML",
            Kind::Document | Kind::Text => "",
        };
        *space.0 == *own
    }

    fn is_same_type(&self, other: &Self) -> bool {
        self.0.local() == other.0.local() && self.0.data().kind == other.0.data().kind
    }

    fn attr_matches(
        &self,
        _: &NamespaceConstraint<&Space>,
        name: &Local,
        operation: &AttrSelectorOperation<&Word>,
    ) -> bool {
        self.0
            .attr_local(&name.0)
            .is_some_and(|value| operation.eval_str(value))
    }

    fn match_non_ts_pseudo_class(&self, state: &State, _: &mut MatchingContext<Css>) -> bool {
        match *state {}
    }

    fn match_pseudo_element(&self, part: &Part, _: &mut MatchingContext<Css>) -> bool {
        match *part {}
    }

    fn apply_selector_flags(&self, _: ElementSelectorFlags) {}

    fn is_link(&self) -> bool {
        matches!(*self.0.local(), local_name!("a") | local_name!("area"))
            && self.0.attr_local(&local_name!("href")).is_some()
    }

    fn is_html_slot_element(&self) -> bool {
        false
    }

    fn has_id(&self, id: &Word, case: CaseSensitivity) -> bool {
        self.0
            .attr_local(&local_name!("id"))
            .is_some_and(|it| case.eq(it.as_bytes(), id.0.as_bytes()))
    }

    fn has_class(&self, name: &Word, case: CaseSensitivity) -> bool {
        self.0
            .classes()
            .any(|it| case.eq(it.as_bytes(), name.0.as_bytes()))
    }

    fn has_custom_state(&self, _: &Word) -> bool {
        false
    }

    fn imported_part(&self, _: &Word) -> Option<Word> {
        None
    }

    fn is_part(&self, _: &Word) -> bool {
        false
    }

    fn is_empty(&self) -> bool {
        self.0
            .children()
            .all(|node| node.text_value().is_some_and(str::is_empty))
    }

    fn is_root(&self) -> bool {
        self.0.is_element() && self.0.parent().is_some_and(|node| node.parent().is_none())
    }

    fn add_element_unique_hashes(&self, _: &mut BloomFilter) -> bool {
        false
    }
}
