//! ActionContext: the tab, the snapshot and the policy available to an agent's call.

use browser::snapshot::SnapshotElement;
use browser::{Action, Capability, Receiver, Ref, Snapshot, Tab, Visit};
use page::quote::Quoted;
use policy::{DragEnd, ElementFacts, FormTarget, Grant, Site, UploadFiles, ValueSource};
use url::Url;

use super::outcome::{ActionError, ActionOutcome};

/// The caller's and the person's values: used by key, and masked in texts.
pub trait PersonValues: Sync {
    /// The value of a key.
    fn value(&self, key: &str) -> Option<&str>;

    /// The sites that the value of a key may be filled on, where it is one of the vault.
    fn sites(&self, key: &str) -> Option<&[String]> {
        let _ = key;
        None
    }

    /// The keys that a model is told of.
    fn keys(&self) -> Vec<String>;

    /// Whether a text holds any of the values.
    fn within(&self, text: &str) -> bool;

    /// The text with each value as `{{key}}`.
    fn mask(&self, text: &str) -> String;
}

/// What an agent's call works with.
pub struct ActionContext<'a> {
    /// The live tab.
    pub tab: &'a mut dyn Tab,
    /// The policy.
    pub grant: &'a Grant,
    /// The files that may be given to pages.
    pub files: &'a UploadFiles,
    /// The values that only pages may see.
    pub values: &'a dyn PersonValues,
    /// The page as the model was shown it.
    pub snapshot: &'a Snapshot,
    /// A label for quoted text that no page knows.
    pub label: &'a str,
}

impl ActionContext<'_> {
    /// The address of the page that is open.
    pub(crate) fn page(&self) -> Result<Url, ActionError> {
        self.tab
            .url()
            .ok_or_else(|| ActionError::Impossible("no page is open yet; go to an address first".to_owned()))
    }

    /// The element of a ref. One that was not shown is refused by the tab; until then nothing is known of it.
    pub(crate) fn element(&self, target: Ref) -> SnapshotElement {
        self.snapshot
            .find(target)
            .cloned()
            .unwrap_or_else(|| SnapshotElement {
                role: "unknown".into(),
                target: Some(target),
                ..SnapshotElement::default()
            })
    }

    /// The error of the tab, worded.
    pub fn tab_error(&self, error: browser::Error) -> ActionError {
        let model_text = model_text(&error, self.label);
        ActionError::Tab {
            model_text: self.values.mask(&model_text),
            error,
        }
    }

    /// Who gets what is put into an element, where the tab knows it.
    pub(crate) async fn receiver(&mut self, target: Ref) -> Result<Option<Receiver>, ActionError> {
        match self.tab.receiver(target).await {
            Ok(receiver) => Ok(receiver),
            // The action itself will say what is wrong with the element.
            Err(
                browser::Error::Stale(_)
                | browser::Error::UnknownRef(_)
                | browser::Error::NotActionable { .. },
            ) => Ok(None),
            Err(error) => Err(self.tab_error(error)),
        }
    }

    /// Asks whether a value may be put into a field.
    pub async fn permit_fill(&mut self, target: Ref, source: ValueSource<'_>) -> Result<(), ActionError> {
        let page = self.page()?;
        let receiver = self.receiver(target).await?;
        let element = self.element(target);
        Ok(self
            .grant
            .fill(&page, form_target(receiver.as_ref()), facts(&element), source)?)
    }

    /// Asks whether a value that a person types may be put into a field, as the page is now, and gives who gets the value.
    ///
    /// # Errors
    /// When the policy refuses it, or the field is gone.
    pub async fn person_receivers(&mut self, target: Ref) -> Result<ValueReceivers, ActionError> {
        let page = self.page()?;
        let receiver = self.tab.receiver(target).await;
        let receiver = receiver.map_err(|error| self.tab_error(error))?;
        let element = self.element(target);
        let form = form_target(receiver.as_ref());
        self.grant
            .fill(&page, form, facts(&element), ValueSource::Person)?;
        Ok(ValueReceivers::of(&page, receiver.as_ref()))
    }

    /// Asks whether an element may be dragged onto another one; without one, over its own document.
    pub(crate) async fn permit_drag(&mut self, from: Ref, onto: Option<Ref>) -> Result<(), ActionError> {
        let page = self.page()?;
        let onto = onto.unwrap_or(from);
        let (source, drop) = (self.receiver(from).await?, self.receiver(onto).await?);
        let (dragged, under) = (self.element(from), self.element(onto));
        let end = |element, receiver| DragEnd {
            element: facts(element),
            target: form_target(receiver),
        };
        let (from, onto) = (end(&dragged, source.as_ref()), end(&under, drop.as_ref()));
        Ok(self.grant.drag(&page, from, onto)?)
    }

    /// Asks whether an element may be acted on in a way that may send its form.
    pub(crate) async fn permit_submit(&mut self, target: Ref) -> Result<(), ActionError> {
        self.page()?;
        let receiver = self.receiver(target).await?;
        let element = self.element(target);
        Ok(self
            .grant
            .submit(form_target(receiver.as_ref()), facts(&element))?)
    }

    /// Asks whether an element may be clicked: its link followed, or its form sent.
    pub(crate) async fn permit_click(&mut self, target: Ref) -> Result<(), ActionError> {
        let element = self.element(target);
        self.permit_click_of(target, &element).await
    }

    /// As [`ActionContext::permit_click`], for an element that the snapshot may not have.
    pub(crate) async fn permit_click_of(
        &mut self,
        target: Ref,
        element: &SnapshotElement,
    ) -> Result<(), ActionError> {
        self.page()?;
        let receiver = self.receiver(target).await?;
        self.permit_click_to(receiver.as_ref(), element)
    }

    pub(crate) fn permit_click_to(
        &self,
        receiver: Option<&Receiver>,
        element: &SnapshotElement,
    ) -> Result<(), ActionError> {
        let page = self.page()?;
        let shown = element.link.as_deref();
        let shown = shown.and_then(|link| Url::options().base_url(Some(&page)).parse(link).ok());
        // Where it leads now counts, wherever it led when the page was looked at. An address that is none is the tab's
        // to refuse.
        match receiver.and_then(|receiver| receiver.link.clone()).or(shown) {
            Some(url) => {
                self.grant.click(facts(element))?;
                match url.scheme() {
                    "javascript" => Ok(()),
                    _ => Ok(self.grant.open(&url)?),
                }
            }
            None if element.link.is_some() => Ok(self.grant.click(facts(element))?),
            None => Ok(self.grant.submit(form_target(receiver), facts(element))?),
        }
    }

    /// Does what is permitted.
    pub(crate) async fn act(&mut self, action: &Action) -> Result<ActionOutcome, ActionError> {
        let done = self.tab.act(action).await;
        let outcome = done.map_err(|error| self.tab_error(error))?;
        let mut text = match &outcome.visit {
            Some(_) => "done; another page is open now".to_owned(),
            None => "done".to_owned(),
        };
        if !outcome.notes.is_empty() {
            let notes = self.values.mask(&outcome.notes.join("\n"));
            text.push_str(&format!("\n{}", Quoted::new(self.label, &notes, 4000)));
        }
        Ok(ActionOutcome {
            text,
            is_surprise: outcome.visit.is_some() || !outcome.notes.is_empty(),
            visit: outcome.visit,
            reads_on: false,
        })
    }

    /// The outcome of going somewhere.
    pub(crate) fn travelled(
        &self,
        visit: Result<Visit, browser::Error>,
    ) -> Result<ActionOutcome, ActionError> {
        match visit {
            Ok(visit) => Ok(ActionOutcome::arrived(visit)),
            // A page that asks before it is left is still open, and nothing went wrong.
            Err(asked @ browser::Error::Asked(_)) => Ok(ActionOutcome {
                is_surprise: true,
                ..ActionOutcome::told(asked.to_string())
            }),
            Err(error) => Err(self.tab_error(error)),
        }
    }

    /// Puts a value that nobody may see into whatever kind of field this is. The texts of errors hold no value.
    ///
    /// # Errors
    /// When the policy refuses it, or the tab fails.
    pub async fn put_value(
        &mut self,
        target: Ref,
        value: &str,
        source: ValueSource<'_>,
    ) -> Result<ActionOutcome, ActionError> {
        self.permit_fill(target, source).await?;
        let element = self.element(target);
        let is_off = ["", "false", "no", "off", "0", "unchecked"]
            .contains(&value.trim().to_ascii_lowercase().as_str());
        let fill = || Action::Fill {
            target,
            value: value.to_owned(),
        };
        let is_editable = element.states.iter().any(|state| state == "editable");
        let action = match element.role.as_str() {
            "checkbox" | "switch" | "radio" => Action::Check { target, on: !is_off },
            "combobox" | "listbox" if !is_editable => Action::Select {
                target,
                options: vec![value.to_owned()],
            },
            _ => fill(),
        };
        let done = match (self.tab.act(&action).await, action) {
            // A combobox that is typed into is no select field.
            (Err(browser::Error::NotActionable { .. }), Action::Select { .. })
                if element.role == "combobox" =>
            {
                self.tab.act(&fill()).await
            }
            (done, _) => done,
        };
        let outcome = done.map_err(|error| self.tab_error(error))?;
        Ok(ActionOutcome {
            is_surprise: outcome.visit.is_some(),
            visit: outcome.visit,
            ..ActionOutcome::told("done; the value is in the field")
        })
    }

    /// Whether the tab knows keys.
    pub(crate) fn has_keys(&self) -> bool {
        self.tab.can(Capability::Keys).is_ok()
    }
}

/// What a model reads of a tab's error; words of the page are quoted.
pub fn model_text(error: &browser::Error, label: &str) -> String {
    let text = error.to_string();
    match error {
        browser::Error::NotActionable { .. } => format!("failed:\n{}", Quoted::new(label, &text, 2000)),
        _ => format!("failed: {text}"),
    }
}

/// What the policy is told of an element.
pub(crate) fn facts(element: &SnapshotElement) -> ElementFacts<'_> {
    ElementFacts {
        role: &element.role,
        name: &element.name,
        states: &element.states,
    }
}

/// What the policy is told of a receiver.
pub(crate) fn form_target(receiver: Option<&Receiver>) -> Option<FormTarget<'_>> {
    receiver.map(|receiver| FormTarget {
        document: &receiver.document,
        actions: &receiver.actions,
    })
}

/// Who gets what a person types into a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValueReceivers {
    /// The page that was open.
    page: Option<Site>,
    /// The hosts, with their ports where these are unusual: that of the document that holds the field, then those that
    /// its form may be sent to.
    pub hosts: Vec<String>,
}

impl ValueReceivers {
    fn of(page: &Url, receiver: Option<&Receiver>) -> Self {
        let document = receiver.map_or(page, |receiver| &receiver.document);
        let actions = receiver.map_or(&[][..], |receiver| &receiver.actions);
        let mut hosts: Vec<String> = Vec::new();
        for url in std::iter::once(document).chain(actions) {
            let host = url.host_str().unwrap_or_default();
            let host = url
                .port()
                .map_or(host.to_owned(), |port| format!("{host}:{port}"));
            if !hosts.contains(&host) {
                hosts.push(host);
            }
        }
        Self {
            page: Site::of(page),
            hosts,
        }
    }
}
