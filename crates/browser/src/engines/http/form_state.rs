//! State of a page's form fields: what the page says, and what was changed since.

use std::collections::HashMap;
use std::path::PathBuf;

use page::dom::{Dom, Node, NodeId};

/// Changes to the fields of one page.
#[derive(Debug, Clone, Default)]
pub(super) struct FormState {
    values: HashMap<NodeId, String>,
    checks: HashMap<NodeId, bool>,
    choices: HashMap<NodeId, Vec<NodeId>>,
    files: HashMap<NodeId, Vec<PathBuf>>,
}

/// Kinds of form controls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FormControl {
    /// A field that holds text: most inputs and text areas.
    Text,
    Checkbox,
    Radio,
    Select,
    File,
    /// Sends its form.
    Submit,
    /// Sends its form with the point of the click.
    Image,
    Reset,
    /// A button that only scripts react to.
    Button,
    Hidden,
    Output,
}

/// The control an element is, if it is one.
pub(super) fn control(node: Node<'_>) -> Option<FormControl> {
    if !node.is_html() {
        return None;
    }
    Some(match node.tag() {
        "select" => FormControl::Select,
        "textarea" => FormControl::Text,
        "button" => match node.attr("type").map(str::to_ascii_lowercase).as_deref() {
            Some("reset") => FormControl::Reset,
            Some("button") => FormControl::Button,
            _ => FormControl::Submit,
        },
        "input" => match input_type(node).as_str() {
            "checkbox" => FormControl::Checkbox,
            "radio" => FormControl::Radio,
            "file" => FormControl::File,
            "submit" => FormControl::Submit,
            "image" => FormControl::Image,
            "reset" => FormControl::Reset,
            "button" => FormControl::Button,
            "hidden" => FormControl::Hidden,
            _ => FormControl::Text,
        },
        "output" => FormControl::Output,
        _ => return None,
    })
}

/// The type of an input in lower case; `text` when it names none.
pub(super) fn input_type(node: Node<'_>) -> String {
    match node.attr("type").map(str::trim).filter(|kind| !kind.is_empty()) {
        Some(kind) => kind.to_ascii_lowercase(),
        None => "text".to_owned(),
    }
}

/// Whether a control takes no input: its own attribute, or a disabled fieldset around it (whose first legend
/// stays usable).
pub(super) fn is_disabled(node: Node<'_>) -> bool {
    if node.attr("disabled").is_some() {
        return true;
    }
    node.ancestors()
        .filter(|outer| outer.is("fieldset") && outer.attr("disabled").is_some())
        .any(|fieldset| {
            let legend = fieldset.children().find(|child| child.is("legend"));
            legend.is_none_or(|legend| !node.is_inside(legend.id()))
        })
}

/// The forms of a page by id, to find the one that a control belongs to.
pub(super) struct FormOwners(HashMap<String, NodeId>);

impl FormOwners {
    pub(super) fn of(dom: &Dom) -> FormOwners {
        let mut forms = HashMap::new();
        for form in dom.by_tag("form").filter(|form| !form.id_attr().is_empty()) {
            forms.entry(form.id_attr().to_owned()).or_insert(form.id());
        }
        FormOwners(forms)
    }

    /// The form a control belongs to: the one it names, or else the one around it.
    pub(super) fn owner<'a>(&self, node: Node<'a>) -> Option<Node<'a>> {
        match node.attr("form") {
            Some(id) => self.0.get(id).map(|form| node.dom().node(*form)),
            None => node.closest("form"),
        }
    }
}

/// The options of a select field, in order.
pub(super) fn options(select: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    select.descendants().filter(|node| node.is("option"))
}

/// What choosing an option sends.
pub(super) fn option_value(option: Node<'_>) -> String {
    option
        .attr("value")
        .map_or_else(|| option_text(option), str::to_owned)
}

/// What an option shows.
pub(super) fn option_text(option: Node<'_>) -> String {
    match option.attr("label").filter(|label| !label.is_empty()) {
        Some(label) => label.to_owned(),
        None => option.raw_text().split_whitespace().collect::<Vec<_>>().join(" "),
    }
}

fn option_disabled(option: Node<'_>) -> bool {
    option.attr("disabled").is_some()
        || option
            .parent()
            .is_some_and(|group| group.is("optgroup") && group.attr("disabled").is_some())
}

impl FormState {
    /// Whether some field was changed.
    pub(super) fn is_changed(&self) -> bool {
        let Self {
            values,
            checks,
            choices,
            files,
        } = self;
        !(values.is_empty() && checks.is_empty() && choices.is_empty() && files.is_empty())
    }

    /// The value of a text field, exactly as it would be sent.
    pub(super) fn value(&self, node: Node<'_>) -> String {
        if let Some(value) = self.values.get(&node.id()) {
            return value.clone();
        }
        match node.tag() {
            "textarea" => {
                // The parser drops one leading line break; what is left counts.
                node.raw_text()
            }
            _ => node.attr("value").unwrap_or_default().to_owned(),
        }
    }

    pub(super) fn set_value(&mut self, node: Node<'_>, value: String) {
        self.values.insert(node.id(), value);
    }

    pub(super) fn is_checked(&self, node: Node<'_>) -> bool {
        self.checks
            .get(&node.id())
            .copied()
            .unwrap_or_else(|| node.attr("checked").is_some())
    }

    /// Sets a checkbox or a radio button; the other buttons of a radio group go off.
    pub(super) fn set_checked(&mut self, node: Node<'_>, on: bool) {
        if on && control(node) == Some(FormControl::Radio) {
            let forms = FormOwners::of(node.dom());
            let (name, form) = (node.attr("name"), forms.owner(node).map(Node::id));
            let others: Vec<NodeId> = node
                .dom()
                .by_tag("input")
                .filter(|other| control(*other) == Some(FormControl::Radio))
                .filter(|other| name.is_some_and(|name| !name.is_empty() && other.attr("name") == Some(name)))
                .filter(|other| forms.owner(*other).map(Node::id) == form)
                .map(Node::id)
                .collect();
            self.checks.extend(others.into_iter().map(|other| (other, false)));
        }
        self.checks.insert(node.id(), on);
    }

    /// The chosen options of a select field.
    pub(super) fn chosen<'a>(&self, select: Node<'a>) -> Vec<Node<'a>> {
        if let Some(chosen) = self.choices.get(&select.id()) {
            return chosen.iter().map(|id| select.dom().node(*id)).collect();
        }
        let marked = options(select).filter(|option| option.attr("selected").is_some());
        if select.attr("multiple").is_some() {
            return marked.collect();
        }
        // The last one marked wins; without a mark the first enabled one is shown, and so chosen.
        let first = || match select.attr("size").and_then(|size| size.parse::<u32>().ok()) {
            Some(size) if size > 1 => None,
            _ => options(select).find(|option| !option_disabled(*option)),
        };
        marked.last().or_else(first).into_iter().collect()
    }

    /// Chooses options by value or by text. The error lists the options.
    pub(super) fn choose(&mut self, select: Node<'_>, names: &[String]) -> Result<(), String> {
        let is_multiple = select.attr("multiple").is_some();
        if names.len() > 1 && !is_multiple {
            return Err("it takes one option only".to_owned());
        }
        let mut chosen = Vec::new();
        for name in names {
            let trimmed = name.trim();
            let find = |fits: &dyn Fn(Node<'_>) -> bool| options(select).find(|option| fits(*option));
            let option = find(&|option| option_value(option) == *name)
                .or_else(|| find(&|option| option_text(option) == trimmed))
                .or_else(|| find(&|option| option_text(option).to_lowercase() == trimmed.to_lowercase()));
            match option {
                Some(option) if option_disabled(option) => {
                    return Err(format!("the option {name:?} is disabled"));
                }
                Some(option) => chosen.push(option.id()),
                None => {
                    let texts: Vec<String> = options(select).take(30).map(option_text).collect();
                    return Err(format!("it has no option {name:?}; it has: {}", texts.join(", ")));
                }
            }
        }
        self.choices.insert(select.id(), chosen);
        Ok(())
    }

    pub(super) fn files(&self, node: Node<'_>) -> &[PathBuf] {
        self.files.get(&node.id()).map(Vec::as_slice).unwrap_or_default()
    }

    pub(super) fn set_files(&mut self, node: Node<'_>, files: Vec<PathBuf>) {
        self.files.insert(node.id(), files);
    }

    /// Resets the fields of a form to what the page says.
    pub(super) fn reset(&mut self, form: Node<'_>) {
        let forms = FormOwners::of(form.dom());
        let inside = |id: &NodeId| forms.owner(form.dom().node(*id)) == Some(form);
        self.values.retain(|id, _| !inside(id));
        self.checks.retain(|id, _| !inside(id));
        self.choices.retain(|id, _| !inside(id));
        self.files.retain(|id, _| !inside(id));
    }
}
