//! Which IRI does a name in RDFa stand for?

use std::rc::Rc;

use super::super::prefixes;
use crate::dom::Node;

/// Prefixes that need no declaration: RDFa's initial context, and those of Open Graph.
/// <https://www.w3.org/2011/rdfa-context/rdfa-1.1>
const KNOWN: [(&str, &str); 53] = [
    ("as", "https://www.w3.org/ns/activitystreams#"),
    ("csvw", "http://www.w3.org/ns/csvw#"),
    ("dcat", "http://www.w3.org/ns/dcat#"),
    ("dqv", "http://www.w3.org/ns/dqv#"),
    ("duv", "https://www.w3.org/ns/duv#"),
    ("qb", "http://purl.org/linked-data/cube#"),
    ("org", "http://www.w3.org/ns/org#"),
    ("owl", "http://www.w3.org/2002/07/owl#"),
    ("gr", "http://purl.org/goodrelations/v1#"),
    ("ctag", "http://commontag.org/ns#"),
    ("cc", "http://creativecommons.org/ns#"),
    ("grddl", "http://www.w3.org/2003/g/data-view#"),
    ("jsonld", "http://www.w3.org/ns/json-ld#"),
    ("ldp", "http://www.w3.org/ns/ldp#"),
    ("oa", "http://www.w3.org/ns/oa#"),
    ("rif", "http://www.w3.org/2007/rif#"),
    ("sioc", "http://rdfs.org/sioc/ns#"),
    ("skos", "http://www.w3.org/2004/02/skos/core#"),
    ("xml", "http://www.w3.org/XML/1998/namespace"),
    ("rr", "http://www.w3.org/ns/r2rml#"),
    ("rdfs", "http://www.w3.org/2000/01/rdf-schema#"),
    ("rev", "http://purl.org/stuff/rev#"),
    ("rdfa", "http://www.w3.org/ns/rdfa#"),
    ("dc", "http://purl.org/dc/terms/"),
    ("dcterms", "http://purl.org/dc/terms/"),
    ("dc11", "http://purl.org/dc/elements/1.1/"),
    ("foaf", "http://xmlns.com/foaf/0.1/"),
    ("void", "http://rdfs.org/ns/void#"),
    ("ical", "http://www.w3.org/2002/12/cal/icaltzd#"),
    ("vcard", "http://www.w3.org/2006/vcard/ns#"),
    ("wdrs", "http://www.w3.org/2007/05/powder-s#"),
    ("wdr", "http://www.w3.org/2007/05/powder#"),
    ("rdf", "http://www.w3.org/1999/02/22-rdf-syntax-ns#"),
    ("xhv", "http://www.w3.org/1999/xhtml/vocab#"),
    ("xsd", "http://www.w3.org/2001/XMLSchema#"),
    ("v", "http://rdf.data-vocabulary.org/#"),
    ("skosxl", "http://www.w3.org/2008/05/skos-xl#"),
    ("schema", "http://schema.org/"),
    ("ssn", "http://www.w3.org/ns/ssn/"),
    ("sosa", "http://www.w3.org/ns/sosa/"),
    ("time", "http://www.w3.org/2006/time#"),
    ("ma", "http://www.w3.org/ns/ma-ont#"),
    ("sd", "http://www.w3.org/ns/sparql-service-description#"),
    ("prov", "http://www.w3.org/ns/prov#"),
    ("odrl", "http://www.w3.org/ns/odrl/2/"),
    ("twitter", "https://dev.twitter.com/cards#"),
    ("fb", "http://ogp.me/ns/fb#"),
    ("og", "http://ogp.me/ns#"),
    ("music", "http://ogp.me/ns/music#"),
    ("video", "http://ogp.me/ns/video#"),
    ("article", "http://ogp.me/ns/article#"),
    ("book", "http://ogp.me/ns/book#"),
    ("profile", "http://ogp.me/ns/profile#"),
];
/// The link types of XHTML that RDFa 1.0 knows without a prefix. <https://www.w3.org/1999/xhtml/vocab>
const OLD_LINK_TYPES: [&str; 24] = [
    "alternate",
    "appendix",
    "bookmark",
    "cite",
    "chapter",
    "contents",
    "copyright",
    "first",
    "glossary",
    "help",
    "icon",
    "index",
    "last",
    "license",
    "meta",
    "next",
    "p3pv1",
    "prev",
    "role",
    "section",
    "stylesheet",
    "subsection",
    "start",
    "top",
];
const XHTML: &str = "http://www.w3.org/1999/xhtml/vocab#";

/// Prefixes and vocabulary in force at one element; cheap to hand down.
#[derive(Debug, Clone, Default)]
pub(super) struct Terms {
    declared: Rc<Vec<(String, String)>>,
    vocabulary: Option<Rc<str>>,
}

impl Terms {
    /// The terms inside of this element.
    pub(super) fn within(&self, node: Node<'_>) -> Terms {
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
            terms.vocabulary = Some(vocabulary.trim()).filter(|it| !it.is_empty()).map(Rc::from);
        }
        terms
    }

    fn prefix(&self, prefix: &str) -> Option<&str> {
        let declared = self
            .declared
            .iter()
            .rev()
            .find(|(name, _)| name.eq_ignore_ascii_case(prefix));
        let known = || KNOWN.iter().find(|(name, _)| name.eq_ignore_ascii_case(prefix));
        declared
            .map(|(_, iri)| iri.as_str())
            .or_else(|| known().map(|(_, iri)| *iri))
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
    pub(super) fn expand(&self, text: &str, old: bool) -> Option<String> {
        if text.starts_with("_:") {
            return None;
        }
        if text.contains(':') {
            return self.curie(text).or_else(|| Some(text.to_owned()));
        }
        if old {
            return None;
        }
        match &self.vocabulary {
            Some(vocabulary) => Some(format!("{vocabulary}{text}")),
            None => term(text),
        }
    }

    /// A name in `rel` and `rev`. Beside `property`, bare words are HTML's own link types.
    pub(super) fn expand_rel(&self, text: &str, old: bool, beside_property: bool) -> Option<String> {
        if text.contains(':') {
            return self.expand(text, old);
        }
        if old {
            let lower = text.to_ascii_lowercase();
            return OLD_LINK_TYPES
                .contains(&lower.as_str())
                .then(|| format!("{XHTML}{lower}"));
        }
        if beside_property {
            None
        } else {
            self.expand(text, old)
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
