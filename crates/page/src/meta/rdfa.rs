//! Which RDFa does a page carry? <https://www.w3.org/TR/rdfa-core/>, and RDFa 1.0 where the page says so.
//!
//! The result is expanded JSON-LD: one object a subject, `{"@id", "@type": [iri], iri: [{"@value"} or {"@id"}]}`.

mod graph;
mod terms;

use serde_json::{Value, json};

use self::graph::Graph;
use self::terms::Terms;
use super::absolute;
use crate::Page;
use crate::dom::{Edge, Node, NodeId};

/// The attributes that make an element speak RDFa.
const ATTRIBUTES: [&str; 11] = [
    "property", "typeof", "resource", "about", "rel", "rev", "vocab", "prefix", "href", "src", "role",
];
const RDF_XML_LITERAL: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#XMLLiteral";
const USES_VOCABULARY: &str = "http://www.w3.org/ns/rdfa#usesVocabulary";

/// Every statement of the page in RDFa, by subject in the order of the page.
pub fn rdfa(page: &Page) -> Vec<Value> {
    let dom = page.dom();
    // Links alone say nothing: without one of these there is nothing to read.
    let speaks = |node: &Node<'_>| {
        node.attrs()
            .any(|(name, _)| matches!(name, "property" | "typeof" | "rel" | "rev" | "vocab" | "role"))
    };
    let speakers: Vec<NodeId> = dom.nodes().filter(speaks).map(Node::id).collect();
    if speakers.is_empty() {
        return Vec::new();
    }
    let version = dom
        .by_tag("html")
        .find_map(|node| node.attr("version"))
        .unwrap_or("");
    let mut reader = Reader {
        page,
        old: version.contains("RDFa 1.0"),
        graph: Graph::default(),
        stack: Vec::new(),
        speakers: &speakers,
    };
    let base = page.base().map(ToString::to_string).unwrap_or_default();
    reader.stack.push(Scope {
        node: dom.root(),
        subject: base,
        language: String::new(),
        terms: Terms::default(),
        hanging: Vec::new(),
        list: None,
    });
    for edge in dom.root().traverse() {
        match edge {
            Edge::Open(node) if node.is_element() => reader.open(node),
            Edge::Open(_) => {}
            Edge::Close(node) => {
                if reader.stack.len() > 1 && reader.stack.last().is_some_and(|scope| scope.node == node) {
                    reader.stack.pop();
                }
            }
        }
    }
    reader.graph.finish()
}

/// The content of an element as markup.
pub(super) fn inner_markup(node: Node<'_>) -> String {
    graph::xml(node, std::iter::empty())
}

/// A statement whose other end is still to come.
#[derive(Debug, Clone)]
enum Hanging {
    /// The subject is known, the object is to come.
    To(String, String),
    /// The object is known, the subject is to come.
    From(String, String),
    /// A member of a list is to come.
    Member(usize, String),
}

/// What an element hands down to its children. Only elements that change something have one.
struct Scope<'a> {
    node: Node<'a>,
    /// The subject of the children.
    subject: String,
    language: String,
    terms: Terms,
    hanging: Vec<Hanging>,
    /// The subject whose lists `inlist` adds to, by its place in the graph.
    list: Option<usize>,
}

struct Reader<'a> {
    page: &'a Page,
    /// RDFa 1.0.
    old: bool,
    graph: Graph,
    stack: Vec<Scope<'a>>,
    /// The elements that say something, in the order of the page.
    speakers: &'a [NodeId],
}

impl<'a> Reader<'a> {
    /// Whether a statement is made by an element or inside it.
    fn is_heard(&self, node: Node<'_>) -> bool {
        let first = self.speakers.partition_point(|id| *id < node.id());
        self.speakers.get(first).is_some_and(|id| *id < node.end())
    }

    fn open(&mut self, node: Node<'a>) {
        let waits = self.stack.last().is_some_and(|outer| !outer.hanging.is_empty());
        if !waits && !self.is_heard(node) {
            return;
        }
        let mut relevant = false;
        let mut context = false;
        for (name, _) in node.attrs() {
            relevant |= ATTRIBUTES.contains(&name);
            context |= name == "xml:lang" || name.starts_with("xmlns:");
        }
        if !relevant && !context {
            return;
        }
        let Some(outer) = self.stack.last() else { return };
        let parent = outer.subject.clone();
        let mut scope = Scope {
            node,
            subject: parent.clone(),
            language: outer.language.clone(),
            terms: outer.terms.within(node),
            hanging: outer.hanging.clone(),
            list: outer.list,
        };
        if let Some(language) = node.attr("xml:lang") {
            scope.language = language.to_ascii_lowercase();
        }
        if let Some(vocab) = node
            .attr("vocab")
            .map(str::trim)
            .filter(|vocab| !vocab.is_empty() && !self.old)
        {
            let base = self
                .stack
                .first()
                .map(|root| root.subject.clone())
                .unwrap_or_default();
            self.graph
                .add(&base, USES_VOCABULARY, json!({"@id": absolute(self.page, vocab)}));
        }
        self.role(node);
        if relevant {
            self.statements(node, &parent, &mut scope);
        }
        self.stack.push(scope);
    }

    /// `role` says something about the element itself. <https://www.w3.org/TR/role-attribute/>
    fn role(&mut self, node: Node<'_>) {
        const ROLE: &str = "http://www.w3.org/1999/xhtml/vocab#";
        let Some(roles) = node.attr("role").filter(|role| !role.trim().is_empty()) else {
            return;
        };
        let subject = match node.id_attr() {
            "" => self.graph.blank(),
            id => absolute(self.page, &format!("#{id}")),
        };
        for role in roles.split_ascii_whitespace() {
            let iri = if role.contains(':') {
                role.to_owned()
            } else {
                format!("{ROLE}{role}")
            };
            self.graph
                .add(&subject, &format!("{ROLE}role"), json!({"@id": iri}));
        }
    }

    fn statements(&mut self, node: Node<'a>, parent: &str, scope: &mut Scope<'a>) {
        let has = |name: &str| node.attr(name).is_some();
        if !ATTRIBUTES[..10].iter().any(|name| has(name)) {
            return;
        }
        let old = self.old;
        let about = |graph: &mut Graph| {
            node.attr("about")
                .and_then(|it| resource(self.page, &scope.terms, graph, it))
        };
        let explicit = about(&mut self.graph);
        let named = |graph: &mut Graph, names: &[&str]| {
            names.iter().find_map(|name| {
                let value = node.attr(name)?;
                if matches!(*name, "href" | "src") {
                    return Some(absolute(self.page, value));
                }
                resource(self.page, &scope.terms, graph, value)
            })
        };
        let typed = has("typeof");
        let (subject, object, typed_resource);
        if has("rel") || has("rev") {
            let source = if old {
                explicit.or_else(|| named(&mut self.graph, &["src"]))
            } else {
                explicit
            };
            let found = named(
                &mut self.graph,
                if old {
                    &["resource", "href"]
                } else {
                    &["resource", "href", "src"]
                },
            );
            let is_named = source.is_some();
            let blank = typed && !is_named && old;
            subject = source.unwrap_or_else(|| {
                if blank {
                    self.graph.blank()
                } else {
                    parent.to_owned()
                }
            });
            object = match found {
                None if typed && !is_named && !old => Some(self.graph.blank()),
                found => found,
            };
            typed_resource = if is_named || old {
                Some(subject.clone())
            } else {
                object.clone()
            };
            if is_named {
                scope.list = None;
            }
        } else if !old && has("property") && !has("content") && !has("datatype") {
            let is_named = explicit.is_some();
            subject = explicit.unwrap_or_else(|| parent.to_owned());
            if is_named {
                scope.list = None;
            }
            if typed {
                let target = if is_named {
                    subject.clone()
                } else {
                    named(&mut self.graph, &["resource", "href", "src"]).unwrap_or_else(|| self.graph.blank())
                };
                typed_resource = Some(target.clone());
                object = Some(target);
                scope.list = None;
            } else {
                typed_resource = None;
                object = Some(subject.clone());
            }
        } else {
            let order: &[&str] = if old {
                &["src", "resource", "href"]
            } else {
                &["resource", "href", "src"]
            };
            let found = explicit.or_else(|| named(&mut self.graph, order));
            if found.is_some() || typed {
                scope.list = None;
            }
            subject = match found {
                Some(found) => found,
                None if typed => self.graph.blank(),
                None => parent.to_owned(),
            };
            object = Some(subject.clone());
            typed_resource = Some(subject.clone());
        }
        if let Some(resource) = &typed_resource {
            for kind in node.attr("typeof").unwrap_or("").split_ascii_whitespace() {
                if let Some(kind) = scope.terms.expand(kind, old) {
                    self.graph.add_type(resource, &kind);
                }
            }
        }
        // Statements begun further out are completed by this subject.
        for hanging in std::mem::take(&mut scope.hanging) {
            match hanging {
                Hanging::To(from, property) => self.graph.add(&from, &property, json!({"@id": subject})),
                Hanging::From(property, to) => self.graph.add(&subject, &property, json!({"@id": to})),
                Hanging::Member(list, property) => {
                    self.graph.add_member(list, &property, json!({"@id": subject}))
                }
            }
        }
        let inlist = has("inlist") && !old;
        let list = scope.list.unwrap_or_else(|| self.graph.lists(&subject));
        self.relations(node, scope, &subject, object.as_deref(), inlist.then_some(list));
        if let Some(properties) = node.attr("property") {
            let value = self.value(node, scope, typed_resource.as_deref().filter(|_| typed));
            for property in properties.split_ascii_whitespace() {
                let Some(property) = scope.terms.expand(property, old) else {
                    continue;
                };
                if inlist {
                    self.graph.add_member(list, &property, value.clone());
                } else {
                    self.graph.add(&subject, &property, value.clone());
                }
            }
        }
        scope.list = Some(list).filter(|_| object.as_ref() == Some(&subject) || object.is_none());
        scope.subject = match object {
            Some(object) => object,
            None => self.graph.blank(),
        };
    }

    /// `rel` and `rev`.
    fn relations(
        &mut self,
        node: Node<'a>,
        scope: &mut Scope<'a>,
        subject: &str,
        object: Option<&str>,
        list: Option<usize>,
    ) {
        let old = self.old;
        let relations = |name: &str, terms: &Terms| -> Vec<String> {
            let names = node.attr(name).unwrap_or("").split_ascii_whitespace();
            names
                .filter_map(|name| terms.expand_rel(name, old, node.attr("property").is_some()))
                .collect()
        };
        for property in relations("rel", &scope.terms) {
            match (list, object) {
                (Some(list), Some(object)) => self.graph.add_member(list, &property, json!({"@id": object})),
                (Some(list), None) => scope.hanging.push(Hanging::Member(list, property)),
                (None, Some(object)) => self.graph.add(subject, &property, json!({"@id": object})),
                (None, None) => scope.hanging.push(Hanging::To(subject.to_owned(), property)),
            }
        }
        for property in relations("rev", &scope.terms) {
            match object {
                Some(object) => self.graph.add(object, &property, json!({"@id": subject})),
                None => scope.hanging.push(Hanging::From(property, subject.to_owned())),
            }
        }
    }

    /// The value of `property`: a resource, or a literal with its type or language.
    fn value(&mut self, node: Node<'a>, scope: &Scope<'a>, typed: Option<&str>) -> Value {
        let has = |name: &str| node.attr(name).is_some();
        let literal_only = has("content") || has("datatype") || has("rel") || has("rev");
        if !self.old && !literal_only {
            let target = ["resource", "href", "src"]
                .into_iter()
                .find_map(|name| Some((name, node.attr(name)?)));
            match target {
                Some(("resource", value)) => {
                    if let Some(iri) = resource(self.page, &scope.terms, &mut self.graph, value) {
                        return json!({"@id": iri});
                    }
                }
                Some((_, value)) => return json!({"@id": absolute(self.page, value)}),
                None => {}
            }
            if let Some(typed) = typed.filter(|_| !has("about")) {
                return json!({"@id": typed});
            }
        }
        let datatype = node.attr("datatype").map(str::trim);
        let datatype_iri = datatype
            .filter(|it| !it.is_empty())
            .and_then(|it| scope.terms.expand(it, false));
        if let Some(content) = node.attr("content") {
            return literal(content.to_owned(), datatype_iri, &scope.language);
        }
        let marked_up = self.old && datatype.is_none() && node.children().any(|child| child.is_element());
        if marked_up || datatype_iri.as_deref() == Some(RDF_XML_LITERAL) {
            let xml = graph::xml(node, self.stack.iter().map(|scope| scope.node));
            return literal(xml, Some(RDF_XML_LITERAL.to_owned()), "");
        }
        literal(node.raw_text(), datatype_iri, &scope.language)
    }
}

fn literal(value: String, datatype: Option<String>, language: &str) -> Value {
    match datatype {
        Some(datatype) => json!({"@value": value, "@type": datatype}),
        None if language.is_empty() => json!({"@value": value}),
        None => json!({"@value": value, "@language": language}),
    }
}

/// The value of `about` and `resource`: a blank node, `[prefix:name]`, `prefix:name` with a known prefix, or a
/// reference.
fn resource(page: &Page, terms: &Terms, graph: &mut Graph, value: &str) -> Option<String> {
    let value = value.trim();
    if let Some(safe) = value.strip_prefix('[').and_then(|it| it.strip_suffix(']')) {
        return graph.named_blank(safe).or_else(|| terms.curie(safe));
    }
    graph
        .named_blank(value)
        .or_else(|| terms.curie(value))
        .or_else(|| Some(absolute(page, value)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(html: &str) -> Value {
        let url = "http://example.com/page".parse().ok();
        Value::Array(rdfa(&Page::new(html, url)))
    }

    #[test]
    fn lite_markup_becomes_statements() {
        let html = r##"<p vocab="http://schema.org/" prefix="ov: http://open/" resource="#m" typeof="Person">
            <b property="name">Manu</b><img property="image" src="/m.png"><i property="ov:animal">Liger</i></p>"##;
        let expected = json!([
            {"@id": "http://example.com/page", "http://www.w3.org/ns/rdfa#usesVocabulary": [{"@id": "http://schema.org/"}]},
            {"@id": "http://example.com/page#m", "@type": ["http://schema.org/Person"],
             "http://schema.org/name": [{"@value": "Manu"}],
             "http://schema.org/image": [{"@id": "http://example.com/m.png"}],
             "http://open/animal": [{"@value": "Liger"}]}]);
        assert_eq!(read(html), expected);
    }

    #[test]
    fn relations_are_completed_by_what_is_inside() {
        let html = r##"<div vocab="http://v/" about="#a" rel="knows"><p typeof="Person" resource="#b">
            <span property="name">B</span></p><p resource="#c" property="note" content="x"></p></div>"##;
        let expected = json!({"@id": "http://example.com/page#a",
            "http://v/knows": [{"@id": "http://example.com/page#b"}, {"@id": "http://example.com/page#c"}]});
        assert!(read(html).as_array().unwrap().contains(&expected));
    }

    #[test]
    fn list_members_keep_their_order() {
        let html = r##"<p vocab="http://v/" resource="#a"><b property="x" inlist="">1</b><b property="x" inlist="">1</b></p>"##;
        let list = &read(html)[1]["http://v/x"];
        assert_eq!(*list, json!([{"@list": [{"@value": "1"}, {"@value": "1"}]}]));
    }

    #[test]
    fn a_page_that_says_nothing_gives_nothing() {
        assert_eq!(
            read(r#"<a rel="nofollow" href="/x">x</a><link rel="stylesheet" href="a.css">"#),
            json!([])
        );
    }
}
