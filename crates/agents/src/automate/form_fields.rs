//! The form fields that a person is asked for, read off a snapshot.

use browser::snapshot::SnapshotElement;
use browser::{Ref, Snapshot};
use wire::automate::{FieldType, FormField};

/// Most options that are told.
const OPTIONS: usize = 300;

/// The fields of these refs, as a person is asked for them.
///
/// # Errors
/// A sentence for the model.
pub(super) fn fields(snapshot: &Snapshot, targets: &[Ref]) -> Result<Vec<FormField>, String> {
    if targets.is_empty() {
        return Err("`refs` is empty; name the fields".to_owned());
    }
    let mut found: Vec<FormField> = Vec::new();
    for target in targets {
        let place = snapshot.nodes.iter().position(|it| it.target == Some(*target));
        let Some((place, element)) = place.and_then(|at| Some((at, snapshot.nodes.get(at)?))) else {
            return Err(format!(
                "{target} is not in the newest page view; name fields that it shows"
            ));
        };
        if found.iter().any(|it| it.ref_ == target.to_string()) {
            continue;
        }
        let Some(field_type) = kind(element) else {
            return Err(format!("{target} is a {}, which is no field", element.role));
        };
        found.push(FormField {
            ref_: target.to_string(),
            label: label(snapshot, place, element),
            field_type,
            required: has(element, "required"),
            options: options(snapshot, place, element),
            current_value: current(element, field_type),
            description: None,
            receivers: Vec::new(),
        });
    }
    Ok(found)
}

fn has(element: &SnapshotElement, state: &str) -> bool {
    element
        .states
        .iter()
        .any(|it| it == state || it.strip_prefix("type=") == Some(state))
}

fn kind(element: &SnapshotElement) -> Option<FieldType> {
    let name = element.name.to_ascii_lowercase();
    Some(match element.role.as_str() {
        "checkbox" | "switch" | "menuitemcheckbox" => FieldType::Checkbox,
        "radio" | "menuitemradio" => FieldType::Radio,
        "combobox" | "listbox" => FieldType::Select,
        "spinbutton" | "slider" => FieldType::Number,
        "date" | "datepicker" => FieldType::Date,
        "textbox" | "searchbox" if has(element, "password") => FieldType::Password,
        "textbox" | "searchbox" if has(element, "multiline") => FieldType::Textarea,
        "textbox" | "searchbox" if has(element, "email") => FieldType::Email,
        "textbox" | "searchbox" if has(element, "tel") => FieldType::Phone,
        "textbox" | "searchbox" if has(element, "date") => FieldType::Date,
        "textbox" | "searchbox" if has(element, "number") => FieldType::Number,
        // Where the page does not say it, the label often does.
        "textbox" | "searchbox" if name.contains("password") => FieldType::Password,
        "textbox" | "searchbox" if name.contains("e-mail") || name.contains("email") => FieldType::Email,
        "textbox" | "searchbox" if name.contains("phone") => FieldType::Phone,
        "textbox" | "searchbox" => FieldType::Text,
        "time" | "colorwell" | "unknown" => FieldType::Other,
        _ => return None,
    })
}

/// The name of a field, or the text before it.
fn label(snapshot: &Snapshot, place: usize, element: &SnapshotElement) -> String {
    if !element.name.trim().is_empty() {
        return element.name.clone();
    }
    let before = snapshot
        .nodes
        .get(..place)
        .unwrap_or_default()
        .iter()
        .rev()
        .take(3);
    let text = before
        .filter(|it| !it.name.trim().is_empty())
        .map(|it| it.name.clone())
        .next();
    text.unwrap_or_else(|| element.role.clone())
}

/// What may be chosen: the options below the field.
fn options(snapshot: &Snapshot, place: usize, element: &SnapshotElement) -> Option<Vec<String>> {
    let below = snapshot.nodes.get(place + 1..).unwrap_or_default().iter();
    let below = below.take_while(|it| it.depth > element.depth);
    let options: Vec<String> = below
        .filter(|it| it.role == "option" && !it.states.iter().any(|it| it == "disabled"))
        .map(|it| it.name.clone())
        .take(OPTIONS)
        .collect();
    (!options.is_empty()).then_some(options)
}

/// What the field holds now, where that may be shown.
fn current(element: &SnapshotElement, kind: FieldType) -> Option<String> {
    match kind {
        FieldType::Password => None,
        FieldType::Checkbox | FieldType::Radio => Some(has(element, "checked").to_string()),
        _ => element.value.clone().filter(|it| !it.is_empty()),
    }
}

/// Fields that the page marks as wrong.
pub(super) fn invalid<'a>(snapshot: &'a Snapshot, fields: &[FormField]) -> Vec<&'a SnapshotElement> {
    let asked = |it: &&SnapshotElement| {
        let target = it.target.map(|it| it.to_string()).unwrap_or_default();
        fields.iter().any(|field| field.ref_ == target)
    };
    let marked = |it: &&SnapshotElement| {
        it.states
            .iter()
            .any(|it| it == "invalid" || it.starts_with("invalid="))
    };
    snapshot.nodes.iter().filter(asked).filter(marked).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn element(depth: u16, role: &str, name: &str, number: u32, states: &[&str]) -> SnapshotElement {
        SnapshotElement {
            depth,
            role: role.into(),
            name: name.into(),
            states: states.iter().map(|it| (*it).to_owned()).collect(),
            target: (number > 0).then_some(Ref(number)),
            ..SnapshotElement::default()
        }
    }

    #[test]
    fn fields_are_told_as_the_page_shows_them() {
        let nodes = vec![
            element(0, "text", "Your mail", 0, &[]),
            element(0, "textbox", "", 1, &["required", "type=email"]),
            element(0, "combobox", "Country", 2, &[]),
            element(1, "option", "Norway", 0, &[]),
            element(1, "option", "Peru", 0, &["selected"]),
            element(0, "checkbox", "Agree", 3, &["checked"]),
            element(0, "button", "Send", 4, &[]),
        ];
        let page = Snapshot {
            nodes,
            ..Snapshot::default()
        };
        let asked = fields(&page, &[Ref(1), Ref(2), Ref(3), Ref(3)]).unwrap();
        let shown: Vec<_> = asked
            .iter()
            .map(|it| (it.label.as_str(), it.field_type, it.required))
            .collect();
        assert_eq!(
            shown,
            [
                ("Your mail", FieldType::Email, true),
                ("Country", FieldType::Select, false),
                ("Agree", FieldType::Checkbox, false)
            ]
        );
        assert_eq!(
            asked[1].options,
            Some(vec!["Norway".to_owned(), "Peru".to_owned()])
        );
        assert_eq!(asked[2].current_value.as_deref(), Some("true"));
        for wrong in [vec![], vec![Ref(4)], vec![Ref(9)]] {
            assert!(fields(&page, &wrong).is_err());
        }
    }
}
