//! The facts about elements and forms that the policy decides by.

use url::Url;

/// An element of a page, as the model was shown it.
#[derive(Debug, Clone, Copy, Default)]
pub struct ElementFacts<'a> {
    /// The ARIA role.
    pub role: &'a str,
    /// The accessible name.
    pub name: &'a str,
    /// States such as `required` or `type=email`.
    pub states: &'a [String],
}

/// Who gets what is put into an element.
#[derive(Debug, Clone, Copy)]
pub struct FormTarget<'a> {
    /// The document that holds the element, which may be that of a frame: its scripts read whatever is put in.
    pub document: &'a Url,
    /// Where its form may be sent to, the way of Enter first; empty where it belongs to no form.
    pub actions: &'a [Url],
}

impl<'a> FormTarget<'a> {
    /// The document and every address of the form.
    pub(crate) fn receivers(self) -> impl Iterator<Item = &'a Url> {
        std::iter::once(self.document).chain(self.actions)
    }
}

impl ElementFacts<'_> {
    /// Whether it is a field that steers a page and carries nothing of the person: search, filters, numbers, dates.
    pub(crate) fn is_operational_field(&self) -> bool {
        let has_state = |words: &[&str]| self.states.iter().any(|state| words.contains(&state.as_str()));
        let is_sensitive = self.states.iter().any(|state| {
            let state = state.to_ascii_lowercase();
            SENSITIVE.iter().any(|word| state.contains(word))
        });
        let name = self.name.to_ascii_lowercase();
        let is_named = self.role == "textbox" && SEARCH_NAMES.iter().any(|word| name.contains(word));
        !is_sensitive && (OPERATIONAL_ROLES.contains(&self.role) || is_named || has_state(&OPERATIONAL_TYPES))
    }

    /// Whether it takes a number or a date and no words.
    pub(crate) fn takes_numbers(&self) -> bool {
        let is_number =
            |state: &String| state != "type=search" && OPERATIONAL_TYPES.contains(&state.as_str());
        NUMBER_ROLES.contains(&self.role) || self.states.iter().any(is_number)
    }
}

/// Parts of states that speak of a person's data.
const SENSITIVE: [&str; 9] = [
    "password",
    "email",
    "tel",
    "cc-",
    "one-time",
    "username",
    "name",
    "address",
    "autocomplete",
];
const OPERATIONAL_ROLES: [&str; 9] = [
    "searchbox",
    "combobox",
    "listbox",
    "spinbutton",
    "slider",
    "checkbox",
    "radio",
    "switch",
    "option",
];
const NUMBER_ROLES: [&str; 2] = ["spinbutton", "slider"];
const SEARCH_NAMES: [&str; 9] = [
    "search",
    "filter",
    "find",
    "query",
    "suche",
    "such",
    "buscar",
    "recherche",
    "szukaj",
];
const OPERATIONAL_TYPES: [&str; 7] = [
    "type=number",
    "type=date",
    "type=month",
    "type=week",
    "type=time",
    "type=range",
    "type=search",
];
