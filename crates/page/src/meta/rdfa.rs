//! RDFa 1.1, and RDFa 1.0 where the page declares it. <https://www.w3.org/TR/rdfa-core/>
//!
//! The result is expanded JSON-LD: one object a subject, `{"@id", "@type": [iri], iri: [{"@value"} or {"@id"}]}`.

mod copy;
mod graph;
mod literals;
mod terms;

use html5ever::LocalName;
use serde_json::{Value, json};

use self::graph::RdfGraph;
use self::literals::{literal, moment};
use self::terms::RdfaTerms;
use super::inner_markup::xml_literal;
use super::references::absolute;
use crate::dom::{Edge, Node, NodeId};
use crate::page::Page;

/// The attributes of RDFa; the first ten make statements.
const ATTRIBUTES: [&str; 11] = [
    "property", "typeof", "resource", "about", "rel", "rev", "vocab", "prefix", "href", "src", "role",
];
/// The attributes that make statements without another beside them.
const STATING: [&str; 6] = ["property", "typeof", "rel", "rev", "vocab", "role"];
const RDF_XML_LITERAL: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#XMLLiteral";
const USES_VOCABULARY: &str = "http://www.w3.org/ns/rdfa#usesVocabulary";

/// Every statement of the page in RDFa, by subject in the order of the page.
pub fn rdfa(page: &Page) -> Vec<Value> {
    let dom = page.dom();
    // Links alone make no statement.
    let stating = STATING.map(LocalName::from);
    let has_statement = |node: &Node<'_>| node.has_attr_of(&stating);
    let elements: Vec<NodeId> = dom.nodes().filter(has_statement).map(Node::id).collect();
    if elements.is_empty() {
        return Vec::new();
    }
    let version = dom
        .by_tag("html")
        .find_map(|node| node.attr("version"))
        .unwrap_or("");
    let mut reader = RdfaReader {
        page,
        is_version_1_0: version.contains("RDFa 1.0"),
        graph: RdfGraph::default(),
        stack: Vec::new(),
        elements: &elements,
    };
    // A document is named by its address without a fragment.
    let base = page.base().map(ToString::to_string).unwrap_or_default();
    let base = base.split('#').next().unwrap_or_default().to_owned();
    reader.stack.push(Scope {
        node: dom.root(),
        subject: base,
        language: String::new(),
        terms: RdfaTerms::default(),
        pending: Vec::new(),
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

/// A statement whose other end is still to come.
#[derive(Debug, Clone)]
enum PendingStatement {
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
    terms: RdfaTerms,
    pending: Vec<PendingStatement>,
    /// The subject whose lists `inlist` adds to, by its place in the graph.
    list: Option<usize>,
}

/// The subject and object that an element sets.
struct NewScope {
    subject: String,
    /// What the children are about; none while it is still to come.
    object: Option<String>,
    /// What `typeof` gives a type.
    typed: Option<String>,
    /// Whether lists of the outer subject end here.
    is_new_subject: bool,
}

struct RdfaReader<'a> {
    page: &'a Page,
    /// RDFa 1.0.
    is_version_1_0: bool,
    graph: RdfGraph,
    stack: Vec<Scope<'a>>,
    /// The elements with statements, in the order of the page.
    elements: &'a [NodeId],
}

impl<'a> RdfaReader<'a> {
    /// Whether a statement is made by an element or inside it.
    fn has_rdfa(&self, node: Node<'_>) -> bool {
        let first = self.elements.partition_point(|id| *id < node.id());
        self.elements.get(first).is_some_and(|id| *id < node.end())
    }

    fn open(&mut self, node: Node<'a>) {
        let waits = self.stack.last().is_some_and(|outer| !outer.pending.is_empty());
        if !waits && !self.has_rdfa(node) {
            return;
        }
        let mut relevant = false;
        let mut context = false;
        for (name, _) in node.attrs() {
            relevant |= ATTRIBUTES.contains(&name);
            context |= matches!(name, "xml:lang" | "lang") || name.starts_with("xmlns:");
        }
        if !relevant && !context {
            return;
        }
        let Some(outer) = self.stack.last() else { return };
        let mut scope = Scope {
            node,
            subject: outer.subject.clone(),
            language: outer.language.clone(),
            terms: outer.terms.within(node),
            pending: outer.pending.clone(),
            list: outer.list,
        };
        // RDFa 1.0 is XHTML, which knows `xml:lang` only.
        let lang = node.attr("lang").filter(|_| !self.is_version_1_0);
        if let Some(language) = node.attr("xml:lang").or(lang) {
            scope.language = language.to_ascii_lowercase();
        }
        if let Some(vocab) = node
            .attr("vocab")
            .map(str::trim)
            .filter(|vocab| !vocab.is_empty() && !self.is_version_1_0)
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
            self.statements(node, &mut scope);
        }
        self.stack.push(scope);
    }

    /// `role` is a statement about the element itself. <https://www.w3.org/TR/role-attribute/>
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

    /// The statements that the attributes of an element make, steps 5 to 13 of the standard's processing sequence.
    fn statements(&mut self, node: Node<'a>, scope: &mut Scope<'a>) {
        let has = |name: &str| node.attr(name).is_some();
        if !ATTRIBUTES[..10].iter().any(|name| has(name)) {
            return;
        }
        let is_version_1_0 = self.is_version_1_0;
        let NewScope {
            subject,
            object,
            typed,
            is_new_subject,
        } = self.new_scope(node, scope);
        if is_new_subject {
            scope.list = None;
        }
        for kind in node.attr("typeof").unwrap_or("").split_ascii_whitespace() {
            if let Some(resource) = &typed
                && let Some(kind) = scope.terms.expand(kind, is_version_1_0)
            {
                self.graph.add_type(resource, &kind);
            }
        }
        self.complete(std::mem::take(&mut scope.pending), &subject);
        let in_list = has("inlist") && !is_version_1_0;
        let list = scope.list.unwrap_or_else(|| self.graph.lists(&subject));
        self.relations(node, scope, &subject, object.as_deref(), in_list.then_some(list));
        if let Some(properties) = node.attr("property") {
            let value = self.value(node, scope, typed.as_deref().filter(|_| has("typeof")));
            for property in properties.split_ascii_whitespace() {
                let Some(property) = scope.terms.expand(property, is_version_1_0) else {
                    continue;
                };
                if in_list {
                    self.graph.add_member(list, &property, value.clone());
                } else {
                    self.graph.add(&subject, &property, value.clone());
                }
            }
        }
        scope.list = Some(list).filter(|_| object.as_ref().is_none_or(|object| *object == subject));
        scope.subject = match object {
            Some(object) => object,
            None => self.graph.blank(),
        };
    }

    /// Completes statements that were begun further out by this subject.
    fn complete(&mut self, pending: Vec<PendingStatement>, subject: &str) {
        for statement in pending {
            match statement {
                PendingStatement::To(from, property) => {
                    self.graph.add(&from, &property, json!({"@id": subject}))
                }
                PendingStatement::From(property, to) => {
                    self.graph.add(subject, &property, json!({"@id": to}))
                }
                PendingStatement::Member(list, property) => {
                    self.graph.add_member(list, &property, json!({"@id": subject}))
                }
            }
        }
    }

    /// The subject and object that an element sets, from `rel` and `rev`, from `property`, or from its other attributes.
    fn new_scope(&mut self, node: Node<'a>, scope: &Scope<'a>) -> NewScope {
        let has = |name: &str| node.attr(name).is_some();
        let about = node.attr("about");
        let about = about.and_then(|value| resource(self.page, &scope.terms, &mut self.graph, value));
        // The root and its two children are about the document, unless they name a resource.
        let is_document = matches!(node.tag(), "html" | "head" | "body") && !self.is_version_1_0;
        let is_unnamed = !["resource", "href", "src"].iter().any(|name| has(name));
        let about = about.or_else(|| (is_document && is_unnamed).then(|| scope.subject.clone()));
        if self.has_relation(node) {
            self.scope_of_relation(node, scope, about)
        } else if !self.is_version_1_0 && has("property") && !has("content") && !has("datatype") {
            self.scope_of_property(node, scope, about)
        } else {
            let names = if self.is_version_1_0 {
                ["src", "resource", "href"]
            } else {
                ["resource", "href", "src"]
            };
            let named = about.or_else(|| self.named_resource(node, scope, &names));
            let is_typed = has("typeof");
            let is_new_subject = named.is_some() || is_typed;
            let subject = match named {
                Some(named) => named,
                None if is_typed => self.graph.blank(),
                None => scope.subject.clone(),
            };
            NewScope {
                object: Some(subject.clone()),
                typed: Some(subject.clone()),
                subject,
                is_new_subject,
            }
        }
    }

    /// Whether `rel` or `rev` make statements: beside `property`, HTML's own link types make none.
    fn has_relation(&self, node: Node<'_>) -> bool {
        let mut relations = ["rel", "rev"].into_iter().filter_map(|name| node.attr(name));
        if self.is_version_1_0 || node.attr("property").is_none() {
            return relations.next().is_some();
        }
        relations.any(|names| names.contains(':'))
    }

    fn scope_of_relation(&mut self, node: Node<'a>, scope: &Scope<'a>, about: Option<String>) -> NewScope {
        let is_version_1_0 = self.is_version_1_0;
        let is_typed = node.attr("typeof").is_some();
        let source = match about {
            None if is_version_1_0 => self.named_resource(node, scope, &["src"]),
            about => about,
        };
        let targets: &[&str] = if is_version_1_0 {
            &["resource", "href"]
        } else {
            &["resource", "href", "src"]
        };
        let target = self.named_resource(node, scope, targets);
        let is_named = source.is_some();
        let subject = match source {
            Some(source) => source,
            None if is_typed && is_version_1_0 => self.graph.blank(),
            None => scope.subject.clone(),
        };
        let object = match target {
            None if is_typed && !is_named && !is_version_1_0 => Some(self.graph.blank()),
            target => target,
        };
        let typed = if is_named || is_version_1_0 {
            Some(subject.clone())
        } else {
            object.clone()
        };
        NewScope {
            subject,
            object,
            typed,
            is_new_subject: is_named,
        }
    }

    fn scope_of_property(&mut self, node: Node<'a>, scope: &Scope<'a>, about: Option<String>) -> NewScope {
        let is_named = about.is_some();
        let subject = about.unwrap_or_else(|| scope.subject.clone());
        if node.attr("typeof").is_none() {
            return NewScope {
                object: Some(subject.clone()),
                subject,
                typed: None,
                is_new_subject: is_named,
            };
        }
        let target = if is_named {
            subject.clone()
        } else {
            let named = self.named_resource(node, scope, &["resource", "href", "src"]);
            named.unwrap_or_else(|| self.graph.blank())
        };
        NewScope {
            subject,
            object: Some(target.clone()),
            typed: Some(target),
            is_new_subject: true,
        }
    }

    /// The resource that the first of these attributes names.
    fn named_resource(&mut self, node: Node<'a>, scope: &Scope<'a>, names: &[&str]) -> Option<String> {
        names.iter().find_map(|name| {
            let value = node.attr(name)?;
            if matches!(*name, "href" | "src") {
                return Some(absolute(self.page, value));
            }
            resource(self.page, &scope.terms, &mut self.graph, value)
        })
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
        let is_version_1_0 = self.is_version_1_0;
        let relations = |name: &str, terms: &RdfaTerms| -> Vec<String> {
            let names = node.attr(name).unwrap_or("").split_ascii_whitespace();
            names
                .filter_map(|name| terms.expand_rel(name, is_version_1_0, node.attr("property").is_some()))
                .collect()
        };
        for property in relations("rel", &scope.terms) {
            match (list, object) {
                (Some(list), Some(object)) => self.graph.add_member(list, &property, json!({"@id": object})),
                (Some(list), None) => {
                    self.graph.add_list(list, &property);
                    scope.pending.push(PendingStatement::Member(list, property));
                }
                (None, Some(object)) => self.graph.add(subject, &property, json!({"@id": object})),
                (None, None) => scope
                    .pending
                    .push(PendingStatement::To(subject.to_owned(), property)),
            }
        }
        for property in relations("rev", &scope.terms) {
            match object {
                Some(object) => self.graph.add(object, &property, json!({"@id": subject})),
                None => scope
                    .pending
                    .push(PendingStatement::From(property, subject.to_owned())),
            }
        }
    }

    /// The value of `property`: a resource, or a literal with its type or language.
    fn value(&mut self, node: Node<'a>, scope: &Scope<'a>, typed: Option<&str>) -> Value {
        let has = |name: &str| node.attr(name).is_some();
        let is_moment = has("datetime") || node.is("time");
        let literal_only = has("content") || has("datatype") || self.has_relation(node);
        if !self.is_version_1_0 && !literal_only {
            let target = self.named_resource(node, scope, &["resource", "href", "src"]);
            if let Some(iri) = target.filter(|_| !has("datetime")) {
                return json!({"@id": iri});
            }
            if let Some(typed) = typed.filter(|_| !has("about")) {
                return json!({"@id": typed});
            }
        }
        let datatype = node.attr("datatype").map(str::trim);
        let datatype_iri = datatype
            .filter(|name| !name.is_empty())
            .and_then(|name| scope.terms.expand(name, false));
        if let Some(content) = node.attr("content") {
            return literal(content.to_owned(), datatype_iri, &scope.language);
        }
        if let Some((moment, kind)) = moment(node).filter(|_| is_moment && !self.is_version_1_0) {
            let kind = if datatype.is_some() { datatype_iri } else { kind };
            return literal(moment, kind, &scope.language);
        }
        let marked_up =
            self.is_version_1_0 && datatype.is_none() && node.children().any(|child| child.is_element());
        if marked_up || datatype_iri.as_deref() == Some(RDF_XML_LITERAL) {
            let xml = xml_literal(node, self.stack.iter().map(|scope| scope.node));
            return literal(xml, Some(RDF_XML_LITERAL.to_owned()), "");
        }
        literal(node.raw_text(), datatype_iri, &scope.language)
    }
}

/// The value of `about` and `resource`: a blank node, `[prefix:name]`, `prefix:name` with a known prefix, or a
/// reference.
fn resource(page: &Page, terms: &RdfaTerms, graph: &mut RdfGraph, value: &str) -> Option<String> {
    let value = value.trim();
    if let Some(safe) = value.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
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

    #[test]
    fn text_has_the_language_of_its_element() {
        let html = r#"<html lang="pl"><body vocab="http://v/"><p property="x">a</p><p lang="" property="x">b</p>
            <time property="x" datetime="2012-03-18">c</time></body></html>"#;
        let expected = json!([{"@value": "a", "@language": "pl"}, {"@value": "b"},
            {"@value": "2012-03-18", "@type": "http://www.w3.org/2001/XMLSchema#date"}]);
        assert_eq!(read(html)[0]["http://v/x"], expected);
    }

    #[test]
    fn the_root_is_about_the_document() {
        let html = r#"<html typeof="foaf:Document"><head><title property="dc:title">T</title></head></html>"#;
        let expected = json!([{"@id": "http://example.com/page", "@type": ["http://xmlns.com/foaf/0.1/Document"],
            "http://purl.org/dc/terms/title": [{"@value": "T"}]}]);
        assert_eq!(read(html), expected);
    }

    #[test]
    fn a_link_type_of_html_beside_a_property_says_nothing() {
        let html =
            r#"<p vocab="http://v/" typeof="P"><a href="http://h/" property="home" rel="nofollow">x</a></p>"#;
        assert_eq!(read(html)[1]["http://v/home"], json!([{"@id": "http://h/"}]));
    }

    #[test]
    fn statements_are_copied_from_patterns() {
        let html = r##"<div vocab="http://v/"><p resource="#a"><link property="rdfa:copy" href="#p"></p>
            <p resource="#p" typeof="rdfa:Pattern"><b property="size">12</b></p></div>"##;
        let expected = json!({"@id": "http://example.com/page#a", "http://v/size": [{"@value": "12"}]});
        let got = read(html);
        assert!(got.as_array().unwrap().contains(&expected), "{got}");
        assert_eq!(got.as_array().unwrap().len(), 2, "{got}");
    }
}
