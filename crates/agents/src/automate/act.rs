//! One move, done to the tab: checked against the grant first, and worded for the model afterwards.

use browser::snapshot::{Element, View};
use browser::{Action, Capability, Chord, Point, Receiver, Ref, Snapshot, Tab, Visit};
use page::quote::Quoted;
use url::Url;

use super::call::Doing;
use super::course::Trouble;
use super::files::Files;
use super::grant::{Blocked, Grant, Source};
use super::secrets::Secrets;
use crate::error_codes;

/// What a move came to.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Done {
    /// What the model is told.
    pub(super) text: String,
    /// The page it led to.
    pub(super) visit: Option<Visit>,
    /// Whether something came up that was not asked for.
    pub(super) surprise: bool,
}

/// Why a move was not done.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Fault {
    /// What the model is told.
    pub(super) text: String,
    /// What the reader of the events is told.
    pub(super) shown: String,
    /// Set when no further turn can mend it.
    pub(super) fatal: Option<Trouble>,
}

impl From<Blocked> for Fault {
    fn from(blocked: Blocked) -> Self {
        Self {
            shown: format!("{} ({})", blocked.why, blocked.remedy),
            text: blocked.why,
            fatal: None,
        }
    }
}

impl Fault {
    /// A fault that the model and the reader are told alike.
    pub(super) fn plain(text: impl Into<String>) -> Self {
        let text = text.into();
        Self {
            shown: text.clone(),
            text,
            fatal: None,
        }
    }

    /// A tab's error. Its text may hold words of the page.
    pub(super) fn of(error: &browser::Error, label: &str) -> Self {
        let text = error.to_string();
        let fatal = matches!(
            error,
            browser::Error::Unavailable(_) | browser::Error::Unauthorized
        );
        Self {
            text: match error {
                browser::Error::NotActionable { .. } => {
                    format!("failed:\n{}", Quoted::new(label, &text, 2000))
                }
                _ => format!("failed: {text}"),
            },
            shown: text.clone(),
            fatal: fatal.then(|| Trouble {
                code: error_codes::browser_code(error).as_str().to_owned(),
                text,
                fatal: true,
            }),
        }
    }
}

/// The hands of a run.
pub(super) struct Hands<'a> {
    pub(super) tab: &'a mut dyn Tab,
    pub(super) grant: &'a mut Grant,
    pub(super) files: &'a Files,
    pub(super) secrets: &'a Secrets,
    /// What the model was shown.
    pub(super) snapshot: &'a Snapshot,
    /// A label that no page knows.
    pub(super) label: &'a str,
}

impl Hands<'_> {
    /// Does a move that is done by the tab alone.
    ///
    /// # Errors
    /// What the model is told instead.
    pub(super) async fn act(&mut self, doing: &Doing) -> Result<Done, Fault> {
        let before = self.tab.url();
        let done = match doing {
            Doing::Act(action) => self.action(action).await,
            Doing::FillData { target, key } => self.fill_data(*target, key).await,
            Doing::Goto(address) => self.goto(address).await,
            Doing::Back => self.travel(true).await,
            Doing::Forward => self.travel(false).await,
            Doing::Search(text) => Ok(self.search(text)),
            Doing::ClickAt(at) => self.click_at(*at).await,
            Doing::Pause(_)
            | Doing::Extract(_)
            | Doing::WebSearch(_)
            | Doing::Screenshot
            | Doing::AskUser { .. }
            | Doing::Done(_)
            | Doing::Abort(_) => Err(Fault::plain("this cannot be done here")),
        }?;
        self.land(before, done).await
    }

    /// Wherever the tab is now, it must be allowed to be there.
    async fn land(&mut self, before: Option<Url>, done: Done) -> Result<Done, Fault> {
        let now = self.tab.url();
        if now == before && done.visit.is_none() {
            return Ok(done);
        }
        let Err(blocked) = self.stands() else {
            return Ok(done);
        };
        let mut fault = Fault::from(blocked);
        if self.leave(before.as_ref()).await {
            fault.text.push_str(". The page before is open again");
        }
        Err(fault)
    }

    /// Whether the tab may be where it is.
    ///
    /// # Errors
    /// When it may not.
    pub(super) fn stands(&self) -> Result<(), Blocked> {
        self.tab.url().map_or(Ok(()), |url| self.grant.reaches(&url))
    }

    /// Leaves a page that may not be open, back to where the run was. Whether that came about: a page can write itself
    /// into the way back. What still stands there is not shown.
    pub(super) async fn leave(&mut self, before: Option<&Url>) -> bool {
        if self.tab.back().await.is_ok() && self.stands().is_ok() {
            return true;
        }
        match before {
            Some(before) => self.tab.goto(before).await.is_ok() && self.stands().is_ok(),
            None => false,
        }
    }

    fn fault(&self, error: &browser::Error) -> Fault {
        let mut fault = Fault::of(error, self.label);
        fault.text = self.secrets.mask(&fault.text);
        fault
    }

    fn element(&self, target: Ref) -> Element {
        // A ref that was not shown is refused by the tab; until then it is an element of which nothing is known.
        self.snapshot.find(target).cloned().unwrap_or_else(|| Element {
            role: "unknown".into(),
            target: Some(target),
            ..Element::default()
        })
    }

    fn here(&self) -> Result<Url, Fault> {
        self.tab
            .url()
            .ok_or_else(|| Fault::plain("no page is open yet; go to an address first"))
    }

    async fn action(&mut self, action: &Action) -> Result<Done, Fault> {
        if let Action::Upload { target, files } = action {
            let files = self.files.find(files).map_err(Fault::plain)?;
            let (target, page) = (*target, self.here()?);
            let receiver = self.receiver(target).await?;
            let element = self.element(target);
            self.grant
                .fill(&page, receiver.as_ref(), &element, Source::Person)?;
            return self.done(&Action::Upload { target, files }).await;
        }
        match action {
            Action::Press { keys, target } => self.permit_keys(action, keys, *target).await?,
            Action::Dialog {
                accept: true,
                text: Some(text),
            } if !text.is_empty() => self.permit_answer()?,
            _ => {
                if let Some(target) = action.refs().first() {
                    let element = self.element(*target);
                    self.permit(action, *target, &element).await?;
                }
            }
        }
        self.done(action).await
    }

    /// Keys go to the element that is named, else to whatever has the focus.
    async fn permit_keys(&mut self, action: &Action, keys: &str, target: Option<Ref>) -> Result<(), Fault> {
        let strokes = match Chord::read(keys) {
            Ok(chord) => chord.strokes(),
            // The tab presses nothing then, and says why.
            Err(_) => return Ok(()),
        };
        let source = match (strokes.paste, strokes.write) {
            // Nobody knows what was copied; it may be a value of the person.
            (true, _) => Some(Source::Person),
            (false, true) => Some(Source::Model),
            (false, false) => None,
        };
        let mut aims = match target {
            Some(target) => vec![self.element(target)],
            None if source.is_none() && !strokes.press => return Ok(()),
            None => self.focused().await?,
        };
        if aims.is_empty() {
            // Keys that no element takes go to the page itself.
            aims.push(Element {
                role: "document".into(),
                ..Element::default()
            });
        }
        let page = self.here()?;
        for element in aims {
            let receiver = match element.target {
                Some(target) => self.receiver(target).await?,
                None => None,
            };
            if let Some(source) = source {
                self.grant.fill(&page, receiver.as_ref(), &element, source)?;
            }
            match element.target {
                Some(_) if strokes.press => self.permit_click(receiver.as_ref(), &element)?,
                Some(target) => self.permit(action, target, &element).await?,
                None => {}
            }
        }
        Ok(())
    }

    /// What has the focus, as far as it is known.
    async fn focused(&mut self) -> Result<Vec<Element>, Fault> {
        let focused = self.tab.focused().await.map_err(|error| self.fault(&error))?;
        Ok(focused.into_iter().map(|it| self.element(it)).collect())
    }

    /// A page that asks for a text gets it as a field of that page would.
    fn permit_answer(&mut self) -> Result<(), Fault> {
        let Some(dialog) = self.tab.dialog() else {
            return Err(Fault::plain(
                "no dialog is open that takes a text; give it when one is",
            ));
        };
        let field = Element {
            role: "textbox".into(),
            name: dialog.text,
            ..Element::default()
        };
        let page = self.here()?;
        Ok(self.grant.fill(&page, None, &field, Source::Model)?)
    }

    /// Clicks what is at a place of the picture, under the same rules as anything else.
    async fn click_at(&mut self, at: Point) -> Result<Done, Fault> {
        let hit = self.tab.hit(at).await.map_err(|error| self.fault(&error))?;
        let Some(hit) = hit else {
            return Err(Fault::plain(
                "nothing is at this place; places are pixels of the newest picture, from its top left corner",
            ));
        };
        let element = match self.snapshot.find(hit.target) {
            Some(element) => element.clone(),
            None => Element {
                link: hit.link,
                ..self.element(hit.target)
            },
        };
        let action = Action::ClickAt {
            target: hit.target,
            at: hit.at,
        };
        self.permit(&action, hit.target, &element).await?;
        self.done(&action).await
    }

    /// Does what is permitted.
    async fn done(&mut self, action: &Action) -> Result<Done, Fault> {
        let outcome = self.tab.act(action).await.map_err(|error| self.fault(&error))?;
        let mut text = match &outcome.visit {
            Some(_) => "done; another page is open now".to_owned(),
            None => "done".to_owned(),
        };
        if !outcome.notes.is_empty() {
            let notes = self.secrets.mask(&outcome.notes.join("\n"));
            text.push_str(&format!("\n{}", Quoted::new(self.label, &notes, 4000)));
        }
        Ok(Done {
            text,
            surprise: outcome.visit.is_some() || !outcome.notes.is_empty(),
            visit: outcome.visit,
        })
    }

    /// Asks the grant.
    async fn permit(&mut self, action: &Action, target: Ref, element: &Element) -> Result<(), Fault> {
        let page = self.here()?;
        match action {
            Action::Fill { .. } | Action::Type { .. } | Action::Select { .. } | Action::Check { .. } => {
                let receiver = self.receiver(target).await?;
                self.grant
                    .fill(&page, receiver.as_ref(), element, Source::Model)?;
                match action {
                    Action::Type { text, .. } => self.permit_typing(&page, receiver.as_ref(), element, text),
                    _ => Ok(()),
                }
            }
            Action::Hover { .. } | Action::Scroll { .. } | Action::Focus { .. } | Action::Wait { .. } => {
                Ok(())
            }
            Action::Click { .. } | Action::RightClick { .. } | Action::ClickAt { .. } => {
                let receiver = self.receiver(target).await?;
                self.permit_click(receiver.as_ref(), element)
            }
            _ => {
                let receiver = self.receiver(target).await?;
                Ok(self.grant.submit(&page, receiver.as_ref(), element)?)
            }
        }
    }

    /// A link is followed, or a form is sent.
    fn permit_click(&self, receiver: Option<&Receiver>, element: &Element) -> Result<(), Fault> {
        let page = self.here()?;
        let shown = element.link.as_deref();
        let shown = shown.and_then(|it| Url::options().base_url(Some(&page)).parse(it).ok());
        // Where it leads now counts, wherever it led when the page was looked at. An address that is none is the tab's to
        // refuse.
        match receiver.and_then(|it| it.link.clone()).or(shown) {
            Some(url) => {
                self.grant.click(element)?;
                match url.scheme() {
                    "javascript" => Ok(()),
                    _ => Ok(self.grant.reaches(&url)?),
                }
            }
            None if element.link.is_some() => Ok(self.grant.click(element)?),
            None => Ok(self.grant.submit(&page, receiver, element)?),
        }
    }

    /// What is typed by keys can leave its field: the end of a line sends the form, and a tab goes on to the next field.
    fn permit_typing(
        &self,
        page: &Url,
        receiver: Option<&Receiver>,
        field: &Element,
        text: &str,
    ) -> Result<(), Fault> {
        if text.contains(['\n', '\r']) {
            self.grant.submit(page, receiver, field)?;
        }
        if text.contains('\t') {
            self.grant.tell(page, receiver)?;
        }
        Ok(())
    }

    async fn receiver(&mut self, target: Ref) -> Result<Option<Receiver>, Fault> {
        match self.tab.receiver(target).await {
            Ok(url) => Ok(url),
            // The act itself will say what is wrong with the element.
            Err(
                browser::Error::Stale(_)
                | browser::Error::UnknownRef(_)
                | browser::Error::NotActionable { .. },
            ) => Ok(None),
            Err(error) => Err(self.fault(&error)),
        }
    }

    async fn fill_data(&mut self, target: Ref, key: &str) -> Result<Done, Fault> {
        let Some(value) = self.secrets.value(key).map(str::to_owned) else {
            let keys = self.secrets.keys().join(", ");
            return Err(Fault::plain(format!(
                "there is no value under that key; the keys are: {keys}"
            )));
        };
        let page = self.here()?;
        let element = self.element(target);
        let receiver = self.receiver(target).await?;
        self.grant
            .fill(&page, receiver.as_ref(), &element, Source::Person)?;
        self.put(target, &element, &value).await
    }

    /// Puts a value that nobody may see into whatever kind of field this is.
    ///
    /// # Errors
    /// As [`Hands::act`]; the texts hold no value.
    pub(super) async fn put(&mut self, target: Ref, element: &Element, value: &str) -> Result<Done, Fault> {
        let on = !matches!(
            value.trim().to_ascii_lowercase().as_str(),
            "" | "false" | "no" | "off" | "0" | "unchecked"
        );
        let action = match element.role.as_str() {
            "checkbox" | "switch" | "radio" => Action::Check { target, on },
            "combobox" | "listbox" if !element.states.iter().any(|it| it == "editable") => Action::Select {
                target,
                options: vec![value.to_owned()],
            },
            _ => Action::Fill {
                target,
                value: value.to_owned(),
            },
        };
        let done = match (self.tab.act(&action).await, action) {
            // A combobox that is typed into is no select field.
            (Err(browser::Error::NotActionable { .. }), Action::Select { .. })
                if element.role == "combobox" =>
            {
                let value = value.to_owned();
                self.tab.act(&Action::Fill { target, value }).await
            }
            (done, _) => done,
        };
        let outcome = done.map_err(|error| self.fault(&error))?;
        Ok(Done {
            text: "done; the value is in the field".to_owned(),
            surprise: outcome.visit.is_some(),
            visit: outcome.visit,
        })
    }

    async fn goto(&mut self, address: &str) -> Result<Done, Fault> {
        let wrong = || Fault::plain("this is no address; write it whole, as in https://example.org/page");
        let base = self.tab.url();
        let url = Url::options()
            .base_url(base.as_ref())
            .parse(address.trim())
            .map_err(|_| wrong())?;
        self.grant.goto(&url, self.secrets)?;
        let visit = self.tab.goto(&url).await;
        self.travelled(visit)
    }

    async fn travel(&mut self, back: bool) -> Result<Done, Fault> {
        let visit = if back {
            self.tab.back().await
        } else {
            self.tab.forward().await
        };
        self.travelled(visit)
    }

    fn travelled(&self, visit: Result<Visit, browser::Error>) -> Result<Done, Fault> {
        match visit {
            Ok(visit) => Ok(Self::arrived(visit)),
            // Whoever is asked before leaving has not left yet, and did nothing wrong.
            Err(asked @ browser::Error::Asked(_)) => Ok(Done {
                text: asked.to_string(),
                surprise: true,
                visit: None,
            }),
            Err(error) => Err(self.fault(&error)),
        }
    }

    fn arrived(visit: Visit) -> Done {
        let mut text = "done; another page is open now".to_owned();
        if let Some(status) = visit.status.filter(|it| !(200..300).contains(it)) {
            text.push_str(&format!("; the site answered with status {status}"));
        }
        for warning in &visit.warnings {
            text.push_str(&format!("; {}", warning.text()));
        }
        Done {
            text,
            visit: Some(visit),
            surprise: true,
        }
    }

    fn search(&self, text: &str) -> Done {
        let view = View {
            bytes: 6000,
            search: Some(text.to_owned()),
            ..View::default()
        };
        let found = self.secrets.mask(&self.snapshot.text(&view));
        Done {
            text: format!(
                "Found on the page:\n{}",
                Quoted::lines(self.label, found.trim_end())
            ),
            ..Done::default()
        }
    }

    /// Enter in a field, for tabs that know no keys.
    pub(super) fn without_keys(&self, action: Action) -> Action {
        match action {
            Action::Press {
                ref keys,
                target: Some(target),
            } if keys == "Enter" && self.tab.can(Capability::Keys).is_err() => Action::Submit { target },
            other => other,
        }
    }
}
