//! `interactive:form_data:*`: asking a person for values.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ids::RequestId;
use crate::input::{FieldValue, FormAnswer};

/// What a field takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names are HTML's")]
pub enum FieldType {
    Text,
    Email,
    Phone,
    Date,
    Number,
    Select,
    Checkbox,
    Radio,
    Textarea,
    Password,
    Other,
}

/// One field of a form.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FormField {
    /// Its ref in the snapshot.
    #[serde(rename = "ref")]
    pub ref_: String,
    /// Its label.
    pub label: String,
    /// What it takes.
    pub field_type: FieldType,
    /// Whether it must be filled.
    pub required: bool,
    /// What may be chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<Vec<String>>,
    /// What it holds now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub current_value: Option<String>,
    /// What the page says about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The hosts that get its value, with their ports where these are unusual: that of the document that holds the field,
    /// which may be a frame of the page, then those that its form may be sent to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub receivers: Vec<String>,
}

/// `interactive:form_data:request`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FormDataRequest {
    /// Whoever holds this id may answer, once.
    pub request_id: RequestId,
    /// The page's address.
    pub page_url: String,
    /// The page's title.
    pub page_title: String,
    /// What the form is for.
    pub form_description: String,
    /// What is asked for.
    pub fields: Vec<FormField>,
}

/// `interactive:form_data:error`: a request again, with what was wrong.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FormDataError {
    /// A new id; the old one is spent.
    pub request_id: RequestId,
    /// The page's address.
    pub page_url: String,
    /// The page's title.
    pub page_title: String,
    /// What the form is for.
    pub form_description: String,
    /// What is asked for.
    pub fields: Vec<FormField>,
    /// What was wrong, by ref; `_callback` stands for the answer as a whole.
    pub field_errors: BTreeMap<String, String>,
}

impl FormDataRequest {
    /// What is wrong with an answer, by ref: values for fields that were not asked for, fields answered twice,
    /// required fields left empty, choices that are no option. Empty when the answer fits.
    #[must_use]
    pub fn objections(&self, answer: &FormAnswer) -> BTreeMap<String, String> {
        let FormAnswer::Fields(values) = answer else {
            return BTreeMap::new();
        };
        let mut found = BTreeMap::new();
        let mut seen: Vec<&str> = Vec::new();
        for FieldValue { ref_, value } in values {
            let Some(field) = self.fields.iter().find(|it| it.ref_ == *ref_) else {
                found.insert(ref_.clone(), "no such field was asked for".into());
                continue;
            };
            if seen.contains(&ref_.as_str()) {
                found.insert(ref_.clone(), "answered twice".into());
            }
            seen.push(ref_);
            if field.required && value.trim().is_empty() {
                found.insert(ref_.clone(), "a value is required".into());
            } else if let Some(options) = &field.options
                && !value.is_empty()
                && !options.is_empty()
                && !options.contains(value)
            {
                found.insert(ref_.clone(), format!("choose one of: {}", options.join(", ")));
            }
        }
        for field in self
            .fields
            .iter()
            .filter(|it| it.required && !seen.contains(&it.ref_.as_str()))
        {
            found.insert(field.ref_.clone(), "a value is required".into());
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(ref_: &str, required: bool, options: Option<&[&str]>) -> FormField {
        FormField {
            ref_: ref_.into(),
            label: ref_.into(),
            field_type: FieldType::Text,
            required,
            options: options.map(|it| it.iter().map(|it| (*it).to_owned()).collect()),
            current_value: None,
            description: None,
            receivers: Vec::new(),
        }
    }

    #[test]
    fn an_answer_is_checked_against_what_was_asked() {
        let request = FormDataRequest {
            request_id: RequestId::from_random([7; 16]),
            page_url: "https://a.example/".into(),
            page_title: "Sign up".into(),
            form_description: "sign-up form".into(),
            fields: vec![
                field("E1", true, None),
                field("E2", false, Some(&["red", "blue"])),
            ],
        };
        let wrong_refs = |values: &[(&str, &str)]| {
            let fields = values.iter().map(|(r, v)| FieldValue {
                ref_: (*r).into(),
                value: (*v).into(),
            });
            request
                .objections(&FormAnswer::Fields(fields.collect()))
                .into_keys()
                .collect::<Vec<_>>()
        };
        assert_eq!(wrong_refs(&[("E1", "Ada")]), Vec::<String>::new());
        assert_eq!(wrong_refs(&[("E1", "Ada"), ("E2", "blue")]), Vec::<String>::new());
        assert_eq!(wrong_refs(&[]), ["E1"]);
        assert_eq!(wrong_refs(&[("E1", " ")]), ["E1"]);
        assert_eq!(wrong_refs(&[("E1", "Ada"), ("E2", "green")]), ["E2"]);
        assert_eq!(wrong_refs(&[("E1", "Ada"), ("E9", "x")]), ["E9"]);
        assert_eq!(wrong_refs(&[("E1", "Ada"), ("E1", "Bob")]), ["E1"]);
        assert!(request.objections(&FormAnswer::Cancelled).is_empty());
    }
}
