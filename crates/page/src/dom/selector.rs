//! CSS selectors over the tree.

pub(super) mod bounds;
mod limits;

use super::arena::{Dom, NodeKind};
use super::node::Node;
use super::traversal::Descendants;
use crate::error::Error;
use cssparser::{
    CowRcStr, ParseError, Parser as CssParser, ParserInput, SourceLocation, ToCss, serialize_identifier,
};
use html5ever::{LocalName, Namespace, local_name};
use limits::StepBudget;
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
    list: SelectorList<SelectorTypes>,
    source: String,
}

impl Selector {
    /// Parses a selector list such as `"article > h1, .title"`.
    ///
    /// # Errors
    /// When the text is no selector list, or exceeds [`MAX_SELECTOR_BYTES`](super::MAX_SELECTOR_BYTES),
    /// [`MAX_SELECTOR_DEPTH`](super::MAX_SELECTOR_DEPTH) or [`MAX_COMBINATORS`](super::MAX_COMBINATORS).
    pub fn parse(css: &str) -> Result<Selector, Error> {
        limits::check(css)?;
        let mut input = ParserInput::new(css);
        let mut parser = CssParser::new(&mut input);
        let list = SelectorList::parse(&SelectorSyntax, &mut parser, ParseRelative::No).map_err(|error| {
            Error::Selector {
                selector: shorten(css),
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

    fn matcher(&self) -> SelectorMatcher<'_> {
        SelectorMatcher {
            selector: self,
            caches: SelectorCaches::default(),
            steps: StepBudget::new(),
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

/// A selector with the caches of one run over a tree.
struct SelectorMatcher<'s> {
    selector: &'s Selector,
    caches: SelectorCaches,
    steps: StepBudget,
}

impl fmt::Debug for SelectorMatcher<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.selector.fmt(f)
    }
}

impl SelectorMatcher<'_> {
    fn matches(&mut self, node: Node<'_>) -> bool {
        // A step for each of the parts that the selector can have at most.
        if !node.is_element() || !self.steps.take(1 + self.selector.source.len() / 8) {
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
        let element = ElementRef {
            node,
            steps: &self.steps,
        };
        matches_selector_list(&self.selector.list, &element, &mut context) && !self.steps.is_exhausted()
    }

    /// What was found, unless the steps ran out before.
    fn finish<T>(&self, found: T) -> Result<T, Error> {
        match self.steps.is_exhausted() {
            true => Err(Error::SelectorCost {
                selector: shorten(&self.selector.source),
            }),
            false => Ok(found),
        }
    }
}

/// The beginning of a selector, for error texts.
fn shorten(css: &str) -> String {
    locale::truncate(css, 80)
}

/// The elements inside a node that a selector matches. Ends early when matching has taken
/// [`MAX_MATCH_STEPS`](super::MAX_MATCH_STEPS).
#[derive(Debug)]
pub struct SelectedNodes<'a> {
    inner: Descendants<'a>,
    matcher: SelectorMatcher<'a>,
}

impl<'a> SelectedNodes<'a> {
    fn new(node: Node<'a>, selector: &'a Selector) -> Self {
        SelectedNodes {
            inner: node.descendants(),
            matcher: selector.matcher(),
        }
    }
}

impl<'a> Iterator for SelectedNodes<'a> {
    type Item = Node<'a>;

    fn next(&mut self) -> Option<Node<'a>> {
        let matcher = &mut self.matcher;
        let mut matches = |node: &Node<'a>| matcher.matches(*node) || matcher.steps.is_exhausted();
        let found = self.inner.find(&mut matches)?;
        (!matcher.steps.is_exhausted()).then_some(found)
    }
}

impl<'a> Node<'a> {
    /// Every element inside that the selector matches, in document order. For selectors of the program itself; see
    /// [`Node::select_all`] for those of others.
    pub fn select(self, selector: &'a Selector) -> SelectedNodes<'a> {
        SelectedNodes::new(self, selector)
    }

    /// Every element inside that the selector matches, in document order.
    ///
    /// # Errors
    /// When matching takes more than [`MAX_MATCH_STEPS`](super::MAX_MATCH_STEPS).
    pub fn select_all(self, selector: &Selector) -> Result<Vec<Node<'a>>, Error> {
        let mut matcher = selector.matcher();
        let matches = |node: &Node<'a>| matcher.steps.is_exhausted() || matcher.matches(*node);
        let found = self.descendants().filter(matches).collect();
        matcher.finish(found)
    }

    /// The first element inside that the selector matches.
    ///
    /// # Errors
    /// As [`Node::select_all`].
    pub fn select_first(self, selector: &Selector) -> Result<Option<Node<'a>>, Error> {
        let mut matcher = selector.matcher();
        let matches = |node: &Node<'a>| matcher.matches(*node) || matcher.steps.is_exhausted();
        let found = self.descendants().find(matches);
        matcher.finish(found)
    }

    /// Whether the selector matches this element.
    pub fn matches(self, selector: &Selector) -> bool {
        selector.matches(self)
    }
}

impl Dom {
    /// Every element that the selector matches, in document order.
    pub fn select<'a>(&'a self, selector: &'a Selector) -> SelectedNodes<'a> {
        self.root().select(selector)
    }
}

/// The types that selectors are made of.
#[derive(Clone, Debug)]
struct SelectorTypes;

impl SelectorImpl for SelectorTypes {
    type ExtraMatchingData<'a> = ();
    type AttrValue = CssString;
    type Identifier = CssString;
    type LocalName = CssName;
    type NamespaceUrl = CssNamespace;
    type NamespacePrefix = CssName;
    type BorrowedNamespaceUrl = CssNamespace;
    type BorrowedLocalName = CssName;
    type NonTSPseudoClass = NoPseudoClass;
    type PseudoElement = NoPseudoElement;
}

/// A class name, an id or the value of an attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
struct CssString(String);

impl From<&str> for CssString {
    fn from(text: &str) -> CssString {
        CssString(text.to_owned())
    }
}

impl AsRef<str> for CssString {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl ToCss for CssString {
    fn to_css<W: fmt::Write>(&self, dest: &mut W) -> fmt::Result {
        serialize_identifier(&self.0, dest)
    }
}

impl PrecomputedHash for CssString {
    fn precomputed_hash(&self) -> u32 {
        self.0
            .bytes()
            .fold(5381, |hash, byte| hash.wrapping_mul(33) ^ u32::from(byte))
    }
}

/// The name of an element or an attribute.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct CssName(LocalName);

impl From<&str> for CssName {
    fn from(text: &str) -> CssName {
        CssName(LocalName::from(text))
    }
}

impl ToCss for CssName {
    fn to_css<W: fmt::Write>(&self, dest: &mut W) -> fmt::Result {
        serialize_identifier(&self.0, dest)
    }
}

impl PrecomputedHash for CssName {
    fn precomputed_hash(&self) -> u32 {
        self.0.precomputed_hash()
    }
}

/// A namespace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct CssNamespace(Namespace);

impl PrecomputedHash for CssNamespace {
    fn precomputed_hash(&self) -> u32 {
        self.0.precomputed_hash()
    }
}

/// Pseudo-classes need a browser: there are none here.
#[derive(Clone, Debug, PartialEq, Eq)]
enum NoPseudoClass {}

impl NonTSPseudoClass for NoPseudoClass {
    type Impl = SelectorTypes;

    fn is_active_or_hover(&self) -> bool {
        match *self {}
    }

    fn is_user_action_state(&self) -> bool {
        match *self {}
    }
}

impl ToCss for NoPseudoClass {
    fn to_css<W: fmt::Write>(&self, _: &mut W) -> fmt::Result {
        match *self {}
    }
}

/// Pseudo-elements need a browser: there are none here.
#[derive(Clone, Debug, PartialEq, Eq)]
enum NoPseudoElement {}

impl selectors::parser::PseudoElement for NoPseudoElement {
    type Impl = SelectorTypes;
}

impl ToCss for NoPseudoElement {
    fn to_css<W: fmt::Write>(&self, _: &mut W) -> fmt::Result {
        match *self {}
    }
}

/// The optional syntax that is accepted.
struct SelectorSyntax;

impl<'i> selectors::parser::Parser<'i> for SelectorSyntax {
    type Impl = SelectorTypes;
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
    ) -> Result<NoPseudoClass, ParseError<'i, Self::Error>> {
        Err(location.new_custom_error(SelectorParseErrorKind::UnsupportedPseudoClassOrElement(name)))
    }
}

/// An element as the matcher sees it.
#[derive(Clone, Copy, Debug)]
struct ElementRef<'a> {
    node: Node<'a>,
    steps: &'a StepBudget,
}

impl<'a> ElementRef<'a> {
    /// The first element that repeated steps from this one lead to.
    fn step(self, step: impl Fn(Node<'a>) -> Option<Node<'a>>) -> Option<ElementRef<'a>> {
        self.first_element(step(self.node), step)
    }

    /// The first element among a node and those that repeated steps from it lead to.
    fn first_element(
        self,
        from: Option<Node<'a>>,
        step: impl Fn(Node<'a>) -> Option<Node<'a>>,
    ) -> Option<ElementRef<'a>> {
        let node = std::iter::successors(from, |node| step(*node))
            .take_while(|_| self.steps.take(1))
            .find(|node| node.is_element())?;
        Some(ElementRef { node, ..self })
    }

    /// The value of an attribute; reading it costs as many steps as there are attributes.
    fn attribute(&self, name: &LocalName) -> Option<&'a str> {
        let data = self.node.data();
        let attributes = data.to.saturating_sub(data.from) as usize;
        self.steps
            .take(1 + attributes / 4)
            .then(|| self.node.attr_local(name))
            .flatten()
    }
}

impl Element for ElementRef<'_> {
    type Impl = SelectorTypes;

    fn opaque(&self) -> OpaqueElement {
        OpaqueElement::new(self.node.data())
    }

    fn parent_element(&self) -> Option<Self> {
        let parent = self.node.parent().filter(|node| node.is_element())?;
        self.steps.take(1).then_some(ElementRef {
            node: parent,
            ..*self
        })
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
        self.first_element(self.node.children().next(), Node::next_sibling)
    }

    fn is_html_element_in_html_document(&self) -> bool {
        self.node.is_html()
    }

    fn has_local_name(&self, name: &CssName) -> bool {
        self.steps.take(1) && *self.node.local() == name.0
    }

    fn has_namespace(&self, space: &CssNamespace) -> bool {
        let own = match self.node.data().kind {
            NodeKind::Html => "http://www.w3.org/1999/xhtml",
            NodeKind::Svg => "http://www.w3.org/2000/svg",
            NodeKind::Math => "http://www.w3.org/1998/Math/MathML",
            NodeKind::Document | NodeKind::Text => "",
        };
        *space.0 == *own
    }

    fn is_same_type(&self, other: &Self) -> bool {
        self.steps.take(1)
            && self.node.local() == other.node.local()
            && self.node.data().kind == other.node.data().kind
    }

    fn attr_matches(
        &self,
        _: &NamespaceConstraint<&CssNamespace>,
        name: &CssName,
        operation: &AttrSelectorOperation<&CssString>,
    ) -> bool {
        self.attribute(&name.0)
            .is_some_and(|value| self.steps.take(value.len() / 64) && operation.eval_str(value))
    }

    fn match_non_ts_pseudo_class(
        &self,
        state: &NoPseudoClass,
        _: &mut MatchingContext<SelectorTypes>,
    ) -> bool {
        match *state {}
    }

    fn match_pseudo_element(&self, part: &NoPseudoElement, _: &mut MatchingContext<SelectorTypes>) -> bool {
        match *part {}
    }

    fn apply_selector_flags(&self, _: ElementSelectorFlags) {}

    fn is_link(&self) -> bool {
        matches!(*self.node.local(), local_name!("a") | local_name!("area"))
            && self.attribute(&local_name!("href")).is_some()
    }

    fn is_html_slot_element(&self) -> bool {
        false
    }

    fn has_id(&self, id: &CssString, case: CaseSensitivity) -> bool {
        self.attribute(&local_name!("id"))
            .is_some_and(|own| case.eq(own.as_bytes(), id.0.as_bytes()))
    }

    fn has_class(&self, name: &CssString, case: CaseSensitivity) -> bool {
        let length = self.attribute(&local_name!("class")).map_or(0, str::len);
        self.steps.take(1 + length / 16)
            && self
                .node
                .classes()
                .any(|class| case.eq(class.as_bytes(), name.0.as_bytes()))
    }

    fn has_custom_state(&self, _: &CssString) -> bool {
        false
    }

    fn imported_part(&self, _: &CssString) -> Option<CssString> {
        None
    }

    fn is_part(&self, _: &CssString) -> bool {
        false
    }

    fn is_empty(&self) -> bool {
        self.node
            .children()
            .all(|node| self.steps.take(1) && node.text_value().is_some_and(str::is_empty))
    }

    fn is_root(&self) -> bool {
        self.node.is_element() && self.node.parent().is_some_and(|node| node.parent().is_none())
    }

    fn add_element_unique_hashes(&self, _: &mut BloomFilter) -> bool {
        false
    }
}
