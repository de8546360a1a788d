//! Form fields of a page: labels, surroundings, selectors and submit buttons.

use std::collections::HashMap;

use page::Page;
use page::dom::{Node, NodeId};

use crate::controls::ui_words::fold;

/// Most fields and buttons of a page.
const MAX_FIELDS: usize = 2_000;
/// Longest text that counts as a label of a field, in characters.
const MAX_LABEL: usize = 160;
/// Ancestors of a field that are searched for its context and buttons.
const MAX_ANCESTORS: usize = 6;

/// One field.
#[derive(Debug, Clone)]
pub(crate) struct PageField {
    pub(crate) node: NodeId,
    /// A selector that finds it and nothing else.
    pub(crate) css: String,
    /// `select`, `textarea`, or the type of an input.
    pub(crate) kind: String,
    /// Its label as shown: label, `aria-label`, placeholder, or its name.
    pub(crate) label: String,
    /// All its labels, name and id, folded.
    pub(crate) own: String,
    /// The legend of its group and the words right before it, folded.
    pub(crate) context: String,
    /// The form it belongs to.
    pub(crate) form: Option<NodeId>,
    pub(crate) readonly: bool,
}

/// All fields of a page that a person could see, in order.
pub(crate) fn fields(page: &Page) -> Vec<PageField> {
    let dom = page.dom();
    let finder = SelectorBuilder::of(page);
    let mut labels_for: HashMap<&str, Vec<Node<'_>>> = HashMap::new();
    for label in dom.by_tag("label") {
        if let Some(id) = label.attr("for") {
            labels_for.entry(id).or_default().push(label);
        }
    }
    let is_field = |node: &Node<'_>| match node.tag() {
        "select" | "textarea" => true,
        "input" => !matches!(
            kind(*node).as_str(),
            "hidden" | "submit" | "button" | "reset" | "image" | "file" | "checkbox" | "radio" | "password"
        ),
        _ => false,
    };
    let fields = dom
        .nodes()
        .filter(|node| node.is_element() && is_field(node) && !is_hidden(*node));
    fields
        .take(MAX_FIELDS)
        .map(|node| {
            let mut labels: Vec<String> = Vec::new();
            let named = labels_for.get(node.id_attr()).into_iter().flatten().copied();
            labels.extend(named.filter(|_| !node.id_attr().is_empty()).map(label_text));
            labels.extend(node.closest("label").map(label_text));
            labels.extend(
                ["aria-label", "placeholder", "title"]
                    .iter()
                    .filter_map(|it| node.attr(it))
                    .map(str::to_owned),
            );
            labels.retain(|it| !it.trim().is_empty());
            let label = labels
                .first()
                .cloned()
                .or_else(|| node.attr("name").map(str::to_owned))
                .unwrap_or_default();
            labels.extend(
                ["name", "id"]
                    .iter()
                    .filter_map(|it| node.attr(it))
                    .map(str::to_owned),
            );
            PageField {
                node: node.id(),
                css: finder.css(node),
                kind: kind(node),
                label: label.trim().to_owned(),
                own: fold(&labels.join(" ; ")),
                context: fold(&context(node)),
                form: node.closest("form").map(Node::id),
                readonly: node.attr("readonly").is_some() || node.attr("disabled").is_some(),
            }
        })
        .collect()
}

fn kind(node: Node<'_>) -> String {
    match node.tag() {
        "input" => node.attr("type").unwrap_or("text").trim().to_ascii_lowercase(),
        other => other.to_owned(),
    }
}

/// Whether markup alone hides an element.
pub(crate) fn is_hidden(node: Node<'_>) -> bool {
    std::iter::once(node)
        .chain(node.ancestors())
        .filter(|it| it.is_element())
        .any(|node| {
            let style = node
                .attr("style")
                .map(|it| it.replace(' ', "").to_ascii_lowercase());
            node.attr("hidden").is_some()
                || node.is("template")
                || style.is_some_and(|it| it.contains("display:none") || it.contains("visibility:hidden"))
        })
}

/// The words of a label without those of the fields within it.
fn label_text(label: Node<'_>) -> String {
    let mut text = String::new();
    let mut walk = label.descendants();
    while let Some(node) = walk.next() {
        if matches!(node.tag(), "select" | "textarea" | "option" | "script") && node.is_element() {
            walk.leave_out(node);
        } else if let Some(run) = node.text_value() {
            text.push_str(run);
            text.push(' ');
        }
    }
    text.split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .chars()
        .take(MAX_LABEL)
        .collect()
}

/// The legend of a field's group, and otherwise the short text that stands before it in the nearest container that has any.
fn context(node: Node<'_>) -> String {
    if let Some(legend) = node
        .closest("fieldset")
        .and_then(|it| it.children().find(|it| it.is("legend")))
    {
        return legend.text().chars().take(MAX_LABEL).collect();
    }
    let mut here = node;
    let mut text = String::new();
    for _ in 0..MAX_ANCESTORS {
        for before in here.siblings_before().take(4) {
            let text_before = match before.text_value() {
                Some(run) => run.trim().to_owned(),
                None if matches!(before.tag(), "script" | "style" | "select") => String::new(),
                None => before.text(),
            };
            if text_before.chars().count() <= MAX_LABEL {
                text.push_str(&text_before);
                text.push(' ');
            }
        }
        if here.is("form") || text.trim().chars().count() > 2 {
            break;
        }
        match here.parent().filter(|it| it.is_element()) {
            Some(parent) => here = parent,
            None => break,
        }
    }
    let group = here
        .ancestors()
        .take(3)
        .filter_map(|it| it.attr("aria-label"))
        .next();
    text.push_str(group.unwrap_or_default());
    text.chars().take(MAX_LABEL * 2).collect()
}

/// Writes selectors that find an element again.
pub(crate) struct SelectorBuilder<'p> {
    ids: HashMap<&'p str, u32>,
    names: HashMap<(&'p str, &'p str), u32>,
}

impl<'p> SelectorBuilder<'p> {
    /// Counts which ids and names are unique.
    pub(crate) fn of(page: &'p Page) -> SelectorBuilder<'p> {
        let mut finder = SelectorBuilder {
            ids: HashMap::new(),
            names: HashMap::new(),
        };
        for node in page.dom().nodes().filter(|it| it.is_element()) {
            if !node.id_attr().is_empty() {
                *finder.ids.entry(node.id_attr()).or_default() += 1;
            }
            if let Some(name) = node.attr("name") {
                *finder.names.entry((node.tag(), name)).or_default() += 1;
            }
        }
        finder
    }

    /// A selector of this element alone: by its id, its name, or the way to it.
    pub(crate) fn css(&self, node: Node<'p>) -> String {
        if let Some(css) = self.anchor(node) {
            return css;
        }
        let mut way = Vec::new();
        let mut here = node;
        loop {
            let nth = here.siblings_before().filter(|it| it.is_element()).count() + 1;
            way.push(format!("{}:nth-child({nth})", tag(here)));
            match here.parent().filter(|it| it.is_element()) {
                None => break,
                Some(parent) if matches!(parent.tag(), "html" | "body") => {
                    way.push(parent.tag().to_owned());
                    break;
                }
                Some(parent) => match self.anchor(parent) {
                    Some(css) => {
                        way.push(css);
                        break;
                    }
                    None => here = parent,
                },
            }
        }
        way.reverse();
        way.join(" > ")
    }

    fn anchor(&self, node: Node<'p>) -> Option<String> {
        let id = node.id_attr();
        if !id.is_empty() && self.ids.get(id) == Some(&1) {
            return Some(format!("[id={}]", quoted(id)));
        }
        let name = node.attr("name").filter(|it| !it.is_empty() && !node.is("a"))?;
        (self.names.get(&(node.tag(), name)) == Some(&1))
            .then(|| format!("{}[name={}]", tag(node), quoted(name)))
    }
}

/// A tag as a selector takes it; custom elements and odd names become any element.
fn tag(node: Node<'_>) -> &str {
    let plain = node.is_html()
        && node
            .tag()
            .bytes()
            .all(|it| it.is_ascii_alphanumeric() || it == b'-');
    if plain { node.tag() } else { "*" }
}

/// A text as a string of CSS.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            c if c.is_control() => out.push_str(&format!("\\{:x} ", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// The nearest button to a field whose words are among `words`: in its form, else in what holds it. The selector of it.
pub(crate) fn button_near(page: &Page, field: NodeId, words: &[&str]) -> Option<String> {
    let finder = SelectorBuilder::of(page);
    let node = page.dom().node(field);
    let matches_words = |node: &Node<'_>| {
        let labels = ["aria-label", "value", "title", "id"]
            .iter()
            .filter_map(|name| node.attr(name))
            .collect::<Vec<_>>();
        crate::controls::ui_words::has(&fold(&format!("{} ; {}", node.text(), labels.join(" ; "))), words)
    };
    let is_button = |node: &Node<'_>| {
        let pressed = node.is("button")
            || node.attr("role") == Some("button")
            || (node.is("input") && matches!(kind(*node).as_str(), "submit" | "button" | "image"));
        pressed && node.attr("disabled").is_none() && !is_hidden(*node)
    };
    for holder in node.ancestors().filter(|it| it.is_element()).take(MAX_ANCESTORS) {
        let buttons: Vec<Node<'_>> = holder.descendants().filter(is_button).take(MAX_FIELDS).collect();
        // The one behind the field is meant before one ahead of it.
        let behind = buttons
            .iter()
            .filter(|it| it.id() > field)
            .find(|it| matches_words(it));
        let found = behind.or_else(|| buttons.iter().find(|it| matches_words(it)));
        let lonely = buttons
            .first()
            .filter(|_| buttons.len() == 1 && holder.is("form"));
        if let Some(button) = found.or(lonely) {
            return Some(finder.css(*button));
        }
        if holder.is("form") {
            return None;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use page::dom::Selector;

    #[test]
    fn a_field_is_found_again_by_its_selector() {
        let html = "<div><input><p><input name='a\"b'></p><input id='x y'></div><form><label>Price to <input name=n></label><input name=n></form>";
        let page = Page::new(html, None);
        let fields = fields(&page);
        assert_eq!(fields.len(), 5);
        for field in &fields {
            let selector = Selector::parse(&field.css).unwrap();
            let found: Vec<NodeId> = page.dom().select(&selector).map(Node::id).collect();
            assert_eq!(found, [field.node], "{}", field.css);
        }
        assert_eq!(fields[3].label, "Price to");
    }

    #[test]
    fn a_button_belongs_to_the_form_of_the_field() {
        let html = "<form><input id=a><button id=go>Search</button></form><form><input id=b><button id=other>Apply</button></form>";
        let page = Page::new(html, None);
        let field = fields(&page).remove(0).node;
        assert_eq!(
            button_near(&page, field, &["apply"]).as_deref(),
            Some("[id=\"go\"]")
        );
    }
}
