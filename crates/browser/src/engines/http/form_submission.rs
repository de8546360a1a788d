//! Form submission: the request that sends a form with its fields (HTML standard, "form submission").

use std::collections::HashSet;

use bytes::Bytes;
use http::Method;
use net::Request;
use page::Page;
use page::dom::Node;
use url::Url;
use url::form_urlencoded::Serializer;

use super::accessible_names::LabelIndex;
use super::form_state::{FormControl, FormOwners, FormState, control, input_type, is_disabled, option_value};

/// One entry of a form's data.
#[derive(Debug, PartialEq)]
enum FormEntry {
    Text(String, String),
    /// Name, file name and content.
    File(String, String, Bytes),
}

/// The request that sends `form`, as if by `submitter`. The error says what keeps the form from being sent.
pub(super) async fn request(
    page: &Page,
    fields: &FormState,
    form: &FormSubmission,
) -> Result<Request, String> {
    let entries = entries(page, fields, form).await?;
    let mut url = form.action.clone();
    if form.method == Method::GET {
        let mut query = Serializer::new(String::new());
        for entry in &entries {
            let (name, value) = entry.pair();
            query.append_pair(name, value);
        }
        let query = query.finish();
        url.set_query(Some(&query).filter(|query| !query.is_empty()).map(String::as_str));
        return Ok(Request::get(url));
    }
    let (content_type, body) = match form.encoding {
        FormEncoding::Url => {
            let mut body = Serializer::new(String::new());
            for entry in &entries {
                let (name, value) = entry.pair();
                body.append_pair(name, value);
            }
            (
                "application/x-www-form-urlencoded".to_owned(),
                Bytes::from(body.finish()),
            )
        }
        FormEncoding::Plain => {
            let lines = entries
                .iter()
                .map(FormEntry::pair)
                .map(|(name, value)| format!("{name}={value}\r\n"));
            ("text/plain".to_owned(), Bytes::from(lines.collect::<String>()))
        }
        FormEncoding::Multipart => multipart(&entries),
    };
    let request = Request {
        method: Method::POST,
        body,
        ..Request::get(url)
    };
    request
        .header("content-type", &content_type)
        .map_err(|why| why.to_string())
}

/// How a form is sent, by its attributes and those of the submitter.
#[derive(Debug)]
pub(super) struct FormSubmission {
    form: page::dom::NodeId,
    submitter: Option<page::dom::NodeId>,
    action: Url,
    method: Method,
    encoding: FormEncoding,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FormEncoding {
    Url,
    Multipart,
    Plain,
}

impl FormSubmission {
    /// The submission of the form that `element` belongs to, or is. The submitter is the element itself, if it is a
    /// submit button, or else the form's first one, as when Enter is pressed.
    pub(super) fn of(page: &Page, fields: &FormState, element: Node<'_>) -> Result<FormSubmission, String> {
        let forms = FormOwners::of(page.dom());
        let form = match element.is("form") {
            true => element,
            false => forms.owner(element).ok_or("it belongs to no form")?,
        };
        let sends = |node: Node<'_>| matches!(control(node), Some(FormControl::Submit | FormControl::Image));
        let submitter = match sends(element) {
            true => Some(element),
            false => page
                .dom()
                .nodes()
                .find(|node| sends(*node) && forms.owner(*node) == Some(form)),
        };
        if let Some(button) = submitter.filter(|button| is_disabled(*button)) {
            let name = button.text();
            return Err(format!("the form's button {name:?} is disabled"));
        }
        let attribute = |on_button: &str, on_form: &str| {
            submitter
                .and_then(|button| button.attr(on_button))
                .or_else(|| form.attr(on_form))
                .map(str::trim)
        };
        let method = match attribute("formmethod", "method")
            .map(str::to_ascii_lowercase)
            .as_deref()
        {
            Some("post") => Method::POST,
            Some("dialog") => return Err("the form only closes its dialog and sends nothing".to_owned()),
            _ => Method::GET,
        };
        let encoding = match attribute("formenctype", "enctype")
            .map(str::to_ascii_lowercase)
            .as_deref()
        {
            Some("multipart/form-data") => FormEncoding::Multipart,
            Some("text/plain") => FormEncoding::Plain,
            _ => FormEncoding::Url,
        };
        let action = attribute("formaction", "action").filter(|action| !action.is_empty());
        let action = match action {
            Some(action) => page.absolute(action).ok_or("its address cannot be read")?,
            None => page.url().cloned().ok_or("the page has no address")?,
        };
        if !matches!(action.scheme(), "http" | "https") {
            return Err(match action.scheme() {
                "javascript" => "the form is sent by a script; use the chromium engine".to_owned(),
                scheme => format!("the form goes to a {scheme}: address"),
            });
        }
        let unchecked = form.attr("novalidate").is_some()
            || submitter.is_some_and(|button| button.attr("formnovalidate").is_some());
        if !unchecked {
            check_complete(page, fields, &forms, form)?;
        }
        Ok(FormSubmission {
            form: form.id(),
            submitter: submitter.map(Node::id),
            action,
            method,
            encoding,
        })
    }
}

/// The addresses that the form of an element may be sent to, whether or not it is complete, that of Enter first; for a
/// submit button its own alone. Empty where the element belongs to no form. One that cannot be read is `about:invalid`.
pub(super) fn targets(page: &Page, element: Node<'_>) -> Vec<Url> {
    let forms = FormOwners::of(page.dom());
    let form = match element.is("form") {
        true => Some(element),
        false => forms.owner(element),
    };
    let Some(form) = form else {
        return Vec::new();
    };
    let address = |action: Option<&str>| match action.map(str::trim).filter(|action| !action.is_empty()) {
        Some(action) => page.absolute(action),
        None => page.url().cloned(),
    };
    let of_button = |button: Node<'_>| address(button.attr("formaction").or_else(|| form.attr("action")));
    let sends = |node: Node<'_>| matches!(control(node), Some(FormControl::Submit | FormControl::Image));
    let targets: Vec<Option<Url>> = match sends(element) {
        true => vec![of_button(element)],
        false => {
            let buttons = page.dom().nodes().filter(|node| sends(*node));
            let buttons = buttons.filter(|node| forms.owner(*node) == Some(form));
            buttons
                .map(of_button)
                .chain([address(form.attr("action"))])
                .collect()
        }
    };
    let mut found: Vec<Url> = Vec::new();
    for target in targets {
        let target = target.or_else(|| Url::parse("about:invalid").ok());
        found.extend(target.filter(|target| !found.contains(target)));
    }
    found
}

/// Refuses a form that a browser would not send either: a required field is empty.
fn check_complete(page: &Page, fields: &FormState, forms: &FormOwners, form: Node<'_>) -> Result<(), String> {
    let controls = page.dom().nodes().filter_map(|node| Some((node, control(node)?)));
    let controls: Vec<_> = controls
        .filter(|(node, _)| forms.owner(*node) == Some(form))
        .collect();
    let radios = controls.iter().filter(|(_, kind)| *kind == FormControl::Radio);
    let chosen: HashSet<_> = radios
        .filter(|(radio, _)| fields.is_checked(*radio))
        .map(|(radio, _)| radio.attr("name"))
        .collect();
    let empty = |node: Node<'_>, kind: FormControl| match kind {
        FormControl::Text => fields.value(node).is_empty(),
        FormControl::Checkbox => !fields.is_checked(node),
        FormControl::Radio => !chosen.contains(&node.attr("name")),
        FormControl::Select => fields
            .chosen(node)
            .iter()
            .all(|option| option_value(*option).is_empty()),
        FormControl::File => fields.files(node).is_empty(),
        _ => false,
    };
    let required = controls
        .iter()
        .filter(|(node, _)| node.attr("required").is_some() && node.attr("readonly").is_none());
    let missing = required
        .filter(|(node, kind)| empty(*node, *kind) && !is_disabled(*node))
        .take(MAX_MISSING);
    let missing: Vec<Node<'_>> = missing.map(|(node, _)| *node).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let labels = LabelIndex::of(page);
    let mut names: Vec<String> = Vec::new();
    for node in missing {
        let name = labels.name(node, false);
        let name = if name.is_empty() {
            node.attr("name").unwrap_or("a field").to_owned()
        } else {
            name
        };
        if !names.contains(&name) {
            names.push(name);
        }
    }
    Err(format!("the form still needs: {}", names.join(", ")))
}

/// Most empty fields that are named.
const MAX_MISSING: usize = 20;

/// The form's data set, in document order.
async fn entries(
    page: &Page,
    fields: &FormState,
    submission: &FormSubmission,
) -> Result<Vec<FormEntry>, String> {
    let dom = page.dom();
    let (form, forms) = (dom.node(submission.form), FormOwners::of(dom));
    let mut entries = Vec::new();
    let mut uploads: Vec<(usize, String, std::path::PathBuf)> = Vec::new();
    for node in dom.nodes() {
        let Some(kind) = control(node) else { continue };
        if forms.owner(node) != Some(form) || is_disabled(node) || node.closest("datalist").is_some() {
            continue;
        }
        let name = node.attr("name").unwrap_or_default();
        let mut text = |name: &str, value: String| entries.push(FormEntry::Text(name.to_owned(), value));
        match kind {
            FormControl::Submit | FormControl::Image if submission.submitter != Some(node.id()) => {}
            FormControl::Image => {
                let part = |axis| {
                    if name.is_empty() {
                        format!("{axis}")
                    } else {
                        format!("{name}.{axis}")
                    }
                };
                text(&part('x'), "0".to_owned());
                text(&part('y'), "0".to_owned());
            }
            FormControl::Reset | FormControl::Button | FormControl::Output => {}
            _ if name.is_empty() => {}
            FormControl::Submit => text(name, node.attr("value").unwrap_or_default().to_owned()),
            FormControl::Checkbox | FormControl::Radio => {
                if fields.is_checked(node) {
                    text(name, node.attr("value").unwrap_or("on").to_owned());
                }
            }
            FormControl::Select => {
                for option in fields.chosen(node) {
                    text(name, option_value(option));
                }
            }
            FormControl::File => {
                let files = fields.files(node);
                if files.is_empty() {
                    entries.push(FormEntry::File(name.to_owned(), String::new(), Bytes::new()));
                }
                for file in files {
                    uploads.push((entries.len(), name.to_owned(), file.clone()));
                    entries.push(FormEntry::File(name.to_owned(), String::new(), Bytes::new()));
                }
            }
            FormControl::Hidden if name.eq_ignore_ascii_case("_charset_") => text(name, "UTF-8".to_owned()),
            FormControl::Hidden => text(name, node.attr("value").unwrap_or_default().to_owned()),
            FormControl::Text
                if node.is("input") && input_type(node) == "range" && fields.value(node).is_empty() =>
            {
                text(name, "50".to_owned());
            }
            FormControl::Text => text(name, line_breaks(&fields.value(node))),
        }
    }
    for (at, name, path) in uploads {
        let content = tokio::fs::read(&path)
            .await
            .map_err(|_| "one of its files cannot be read".to_owned())?;
        let file = path
            .file_name()
            .map(|file| file.to_string_lossy().into_owned())
            .unwrap_or_default();
        if let Some(entry) = entries.get_mut(at) {
            *entry = FormEntry::File(name, file, content.into());
        }
    }
    Ok(entries)
}

/// Line breaks are sent as CR LF, however they were written.
fn line_breaks(text: &str) -> String {
    text.replace("\r\n", "\n")
        .replace('\r', "\n")
        .replace('\n', "\r\n")
}

impl FormEntry {
    /// Name and value where only text can be sent: a file's value is its name.
    fn pair(&self) -> (&str, &str) {
        match self {
            FormEntry::Text(name, value) => (name, value),
            FormEntry::File(name, file, _) => (name, file),
        }
    }
}

/// RFC 7578, with names escaped as browsers do.
fn multipart(entries: &[FormEntry]) -> (String, Bytes) {
    let boundary: String = std::iter::repeat_with(fastrand::alphanumeric).take(32).collect();
    let escape = |name: &str| name.replace('"', "%22").replace('\r', "%0D").replace('\n', "%0A");
    let mut body = Vec::new();
    for entry in entries {
        body.extend_from_slice(format!("--{boundary}\r\nContent-Disposition: form-data; ").as_bytes());
        match entry {
            FormEntry::Text(name, value) => {
                body.extend_from_slice(format!("name=\"{}\"\r\n\r\n{value}", escape(name)).as_bytes());
            }
            FormEntry::File(name, file, content) => {
                let head = format!(
                    "name=\"{}\"; filename=\"{}\"\r\nContent-Type: application/octet-stream\r\n\r\n",
                    escape(name),
                    escape(file)
                );
                body.extend_from_slice(head.as_bytes());
                body.extend_from_slice(content);
            }
        }
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(format!("--{boundary}--\r\n").as_bytes());
    (format!("multipart/form-data; boundary={boundary}"), body.into())
}
