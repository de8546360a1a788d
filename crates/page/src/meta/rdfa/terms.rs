//! The IRIs that names in RDFa stand for.

use std::rc::Rc;

use crate::dom::Node;
use crate::meta::references::prefixes;

/// Prefixes that need no declaration: RDFa's initial context, and those of Open RdfGraph.
/// <https://www.w3.org/2011/rdfa-context/rdfa-1.1>
const KNOWN_PREFIXES: &str = include_str!("prefixes.txt");
/// The link types of XHTML that RDFa 1.0 knows without a prefix. <https://www.w3.org/1999/xhtml/vocab>
const XHTML_LINK_TYPES: &str = "alternate appendix bookmark cite chapter contents copyright first glossary help icon index \
    last license meta next p3pv1 prev role section stylesheet subsection start top";
const XHTML: &str = "http://www.w3.org/1999/xhtml/vocab#";

/// Prefixes and vocabulary in force at one element; cheap to hand down.
#[derive(Debug, Clone, Default)]
pub(super) struct RdfaTerms {
    declared: Rc<Vec<(String, String)>>,
    vocabulary: Option<Rc<str>>,
}

impl RdfaTerms {
    /// The terms inside of this element.
    pub(super) fn within(&self, node: Node<'_>) -> RdfaTerms {
        let mut terms = self.clone();
        let mut added = Vec::new();
        for (name, value) in node.attrs() {
            if let Some(prefix) = name.strip_prefix("xmlns:") {
                added.push((prefix.to_ascii_lowercase(), value.trim().to_owned()));
            }
        }
        // `prefix` wins over `xmlns`: the last declaration counts.
        let declared = prefixes(node.attr("prefix").unwrap_or(""));
        added.extend(declared.map(|(prefix, iri)| (prefix.to_ascii_lowercase(), iri.to_owned())));
        if !added.is_empty() {
            let mut all = Vec::clone(&terms.declared);
            all.retain(|(prefix, _)| !added.iter().any(|(new, _)| new == prefix));
            all.extend(added);
            terms.declared = Rc::new(all);
        }
        if let Some(vocabulary) = node.attr("vocab") {
            terms.vocabulary = Some(vocabulary.trim())
                .filter(|iri| !iri.is_empty())
                .map(Rc::from);
        }
        terms
    }

    fn prefix(&self, prefix: &str) -> Option<&str> {
        let declared = self
            .declared
            .iter()
            .rev()
            .find(|(name, _)| name.eq_ignore_ascii_case(prefix));
        let mut known = KNOWN_PREFIXES.lines().filter_map(|line| line.split_once(' '));
        declared.map(|(_, iri)| iri.as_str()).or_else(|| {
            known
                .find(|(name, _)| name.eq_ignore_ascii_case(prefix))
                .map(|(_, iri)| iri)
        })
    }

    /// `prefix:name`, when the prefix is known.
    pub(super) fn curie(&self, text: &str) -> Option<String> {
        let (prefix, name) = text.split_once(':').filter(|(_, name)| !name.starts_with("//"))?;
        let iri = if prefix.is_empty() {
            XHTML
        } else {
            self.prefix(prefix)?
        };
        Some(format!("{iri}{name}"))
    }

    /// A term, `prefix:name` or an absolute IRI; a term without a vocabulary means nothing.
    pub(super) fn expand(&self, text: &str, is_version_1_0: bool) -> Option<String> {
        if text.starts_with("_:") {
            return None;
        }
        if text.contains(':') {
            return self.curie(text).or_else(|| Some(text.to_owned()));
        }
        if is_version_1_0 {
            return None;
        }
        match &self.vocabulary {
            Some(vocabulary) => Some(format!("{vocabulary}{text}")),
            None => term(text),
        }
    }

    /// A name in `rel` and `rev`. Beside `property`, bare words are HTML's own link types.
    pub(super) fn expand_rel(
        &self,
        text: &str,
        is_version_1_0: bool,
        beside_property: bool,
    ) -> Option<String> {
        if text.contains(':') {
            return self.expand(text, is_version_1_0);
        }
        if is_version_1_0 {
            let lower = text.to_ascii_lowercase();
            return XHTML_LINK_TYPES
                .split_ascii_whitespace()
                .any(|name| name == lower)
                .then(|| format!("{XHTML}{lower}"));
        }
        if beside_property {
            None
        } else {
            self.expand(text, is_version_1_0)
        }
    }
}

/// The three terms of the initial context.
fn term(text: &str) -> Option<String> {
    match text.to_ascii_lowercase().as_str() {
        "describedby" => Some("http://www.w3.org/2007/05/powder-s#describedby".to_owned()),
        term @ ("license" | "role") => Some(format!("{XHTML}{term}")),
        _ => None,
    }
}
