//! Actions on a page without scripts.

use std::path::PathBuf;
use std::time::Duration;

use net::Request;
use page::dom::{Node, NodeId};
use url::Position;

use super::capabilities::not_capable;
use super::form_state::{FormControl, FormOwners, FormState, control, input_type, is_disabled};
use super::form_submission::{self, FormSubmission};
use super::tab::HttpTab;
use crate::action::{Capability, WaitCondition};
use crate::browser::ActionEffect;
use crate::error::Error;
use crate::snapshot::Ref;

impl HttpTab {
    /// The element of a ref on the current page.
    pub(super) fn node(&self, target: Ref) -> Result<NodeId, Error> {
        match self.entry()?.nodes.get(&target) {
            Some(node) => Ok(*node),
            None if target.0 <= self.last_ref && target.0 > 0 => Err(Error::Stale(target)),
            None => Err(Error::UnknownRef(target)),
        }
    }

    /// A request with the headers that the current page would add.
    fn referred(&self, mut request: Request) -> Result<Request, Error> {
        let Some(current) = self.entry()?.page.url() else {
            return Ok(request);
        };
        let downgrade = current.scheme() == "https" && request.url.scheme() == "http";
        if !downgrade {
            // The default referrer policy of browsers: the whole address within an origin, the origin elsewhere.
            let same = current.origin() == request.url.origin();
            let origin = format!("{}/", current.origin().ascii_serialization());
            let referer = if same {
                &current[..Position::AfterQuery]
            } else {
                origin.as_str()
            };
            request = request.header("referer", referer)?;
        }
        if request.method == http::Method::POST {
            request = request.header("origin", &current.origin().ascii_serialization())?;
        }
        Ok(request)
    }

    async fn follow(&mut self, target: Ref, href: &str) -> Result<ActionEffect, Error> {
        let entry = self.entry()?;
        let refuse = |why: &str| not_actionable(target, why);
        let url = entry
            .page
            .absolute(href)
            .ok_or_else(|| refuse("its address cannot be read"))?;
        match url.scheme() {
            "http" | "https" => {}
            "javascript" => return Err(not_capable(Capability::Scripts).into()),
            scheme => {
                return Err(refuse(&format!(
                    "it leads to a {scheme}: address, which is no page"
                )));
            }
        }
        let current = entry.page.url();
        if url.fragment().is_some()
            && current.is_some_and(|current| current[..Position::AfterQuery] == url[..Position::AfterQuery])
        {
            return Ok(ActionEffect::note(
                "the link leads to a place on this same page, which is there already",
            ));
        }
        let request = self.referred(Request::get(url))?;
        Ok(ActionEffect {
            visit: Some(self.load(request).await?),
            ..ActionEffect::default()
        })
    }

    pub(super) async fn submit(&mut self, target: Ref) -> Result<ActionEffect, Error> {
        let id = self.node(target)?;
        let refuse = |why| Error::NotActionable { target, why };
        let entry = self.entry()?;
        let page = entry.page.clone();
        let plan = FormSubmission::of(&page, &entry.form_state, page.dom().node(id)).map_err(refuse)?;
        let request = form_submission::request(&page, &entry.form_state, &plan)
            .await
            .map_err(refuse)?;
        let request = self.referred(request)?;
        Ok(ActionEffect {
            visit: Some(self.load(request).await?),
            ..ActionEffect::default()
        })
    }

    pub(super) async fn click(&mut self, target: Ref) -> Result<ActionEffect, Error> {
        let id = self.node(target)?;
        let entry = self.entry_mut()?;
        let page = entry.page.clone();
        let node = page.dom().node(id);
        if control(node).is_some() && is_disabled(node) {
            return Err(not_actionable(target, "it is disabled"));
        }
        match control(node) {
            Some(FormControl::Submit | FormControl::Image) => return self.submit(target).await,
            Some(FormControl::Checkbox) => {
                let on = !entry.form_state.is_checked(node);
                entry.form_state.set_checked(node, on);
                return Ok(ActionEffect::default());
            }
            Some(FormControl::Radio) => {
                entry.form_state.set_checked(node, true);
                return Ok(ActionEffect::default());
            }
            Some(FormControl::Reset) => {
                if let Some(form) = FormOwners::of(page.dom()).owner(node) {
                    entry.form_state.reset(form);
                }
                return Ok(ActionEffect::note("the form is as the page had it"));
            }
            Some(FormControl::Text) => return Ok(ActionEffect::note("the field is ready; fill it")),
            Some(FormControl::Select) => {
                return Ok(ActionEffect::note("choose one of its options with select"));
            }
            Some(FormControl::File) => return Ok(ActionEffect::note("give it files with upload")),
            Some(FormControl::Button | FormControl::Hidden | FormControl::Output) => {
                return Err(not_capable(Capability::Scripts).into());
            }
            None => {}
        }
        match node.attr("href").filter(|_| matches!(node.tag(), "a" | "area")) {
            Some(href) => self.follow(target, href).await,
            None if node.is("summary") => {
                Ok(ActionEffect::note("its content is shown in the snapshot already"))
            }
            None if node.is("form") => Err(not_actionable(target, "it is a whole form; send it with submit")),
            None => Err(not_capable(Capability::Scripts).into()),
        }
    }

    /// Changes the form control of a ref.
    fn edit(
        &mut self,
        target: Ref,
        change: impl FnOnce(&mut FormState, Node<'_>) -> Result<(), Error>,
    ) -> Result<ActionEffect, Error> {
        let id = self.node(target)?;
        let entry = self.entry_mut()?;
        let page = entry.page.clone();
        change(&mut entry.form_state, page.dom().node(id))?;
        Ok(ActionEffect::default())
    }

    pub(super) fn fill(&mut self, target: Ref, value: &str, append: bool) -> Result<ActionEffect, Error> {
        let refuse = |why: &str| not_actionable(target, why);
        self.edit(target, |form_state, node| {
            match control(node) {
                _ if is_disabled(node) => return Err(refuse("it is disabled")),
                _ if node.attr("readonly").is_some() => return Err(refuse("it is read-only")),
                Some(FormControl::Text) => {}
                Some(FormControl::Select) => {
                    let chosen = form_state.choose(node, &[value.to_owned()]);
                    return chosen.map_err(|why| refuse(&why));
                }
                Some(FormControl::Checkbox | FormControl::Radio) => {
                    return Err(refuse("it is not a text field; use check"));
                }
                Some(FormControl::File) => return Err(refuse("it takes files; use upload")),
                Some(_) => return Err(refuse("it is a button; click it")),
                None => return Err(not_capable(Capability::Scripts).into()),
            }
            let before = if append {
                form_state.value(node)
            } else {
                String::new()
            };
            let value = normalize_value(node, before + value).map_err(|why| refuse(&why))?;
            form_state.set_value(node, value);
            Ok(())
        })
    }

    pub(super) fn check(&mut self, target: Ref, on: bool) -> Result<ActionEffect, Error> {
        let refuse = |why: &str| Err(not_actionable(target, why));
        self.edit(target, |form_state, node| match control(node) {
            _ if is_disabled(node) => refuse("it is disabled"),
            Some(FormControl::Radio) if !on => {
                refuse("a radio button goes off when another of its group goes on")
            }
            Some(FormControl::Checkbox | FormControl::Radio) => {
                form_state.set_checked(node, on);
                Ok(())
            }
            Some(_) => refuse("it is neither a checkbox nor a radio button"),
            None => Err(not_capable(Capability::Scripts).into()),
        })
    }

    pub(super) fn choose(&mut self, target: Ref, options: &[String]) -> Result<ActionEffect, Error> {
        let refuse = |why: &str| not_actionable(target, why);
        self.edit(target, |form_state, node| match control(node) {
            Some(FormControl::Select) if is_disabled(node) => Err(refuse("it is disabled")),
            Some(FormControl::Select) => form_state.choose(node, options).map_err(|why| refuse(&why)),
            Some(_) => Err(refuse("it is not a select field")),
            None => Err(not_capable(Capability::Scripts).into()),
        })
    }

    pub(super) fn upload(&mut self, target: Ref, files: &[PathBuf]) -> Result<ActionEffect, Error> {
        let refuse = |why: &str| not_actionable(target, why);
        let count = files.len();
        let files: Result<Vec<PathBuf>, String> =
            files.iter().map(|file| self.profile.uploadable(file)).collect();
        self.edit(target, |form_state, node| {
            if control(node) != Some(FormControl::File) {
                return Err(refuse("it takes no files"));
            }
            if count > 1 && node.attr("multiple").is_none() {
                return Err(refuse("it takes one file only"));
            }
            form_state.set_files(node, files.map_err(|why| refuse(&why))?);
            Ok(())
        })
    }

    pub(super) async fn wait(
        &self,
        until: &WaitCondition,
        patience: Duration,
    ) -> Result<ActionEffect, Error> {
        let shows = |text: &str| -> Result<bool, Error> {
            let page = &self.entry()?.page;
            Ok(page.dom().body().is_some_and(|body| body.text().contains(text)))
        };
        match until {
            WaitCondition::Passed => tokio::select! {
                () = self.profile.cancel.cancelled() => Err(Error::Cancelled),
                () = tokio::time::sleep(patience) => Ok(ActionEffect::default()),
            },
            WaitCondition::Quiet => Ok(ActionEffect::default()),
            WaitCondition::Text(text) if shows(text)? => Ok(ActionEffect::default()),
            WaitCondition::Gone(text) if !shows(text)? => Ok(ActionEffect::default()),
            WaitCondition::Shown(target) => self.node(*target).map(|_| ActionEffect::default()),
            WaitCondition::Text(_) | WaitCondition::Gone(_) | WaitCondition::Vanished(_) => {
                Err(not_capable(Capability::Wait).into())
            }
        }
    }
}

fn not_actionable(target: Ref, why: &str) -> Error {
    Error::NotActionable {
        target,
        why: why.to_owned(),
    }
}

/// The value as the field accepts it. The error says what format it wants.
fn normalize_value(node: Node<'_>, value: String) -> Result<String, String> {
    if node.is("textarea") {
        return Ok(value);
    }
    let is_date = |text: &str| {
        let digits =
            |part: &str, count: usize| part.len() >= count && part.bytes().all(|b| b.is_ascii_digit());
        let parts: Vec<&str> = text.split('-').collect();
        matches!(parts.as_slice(), [year, month, day] if digits(year, 4) && digits(month, 2) && digits(day, 2))
    };
    match input_type(node).as_str() {
        _ if value.is_empty() => Ok(value),
        "number" | "range" if value.trim().parse::<f64>().is_err() => {
            Err("it wants a number such as 12.5".to_owned())
        }
        "number" | "range" => Ok(value.trim().to_owned()),
        "date" if !is_date(&value) => Err("it wants a date such as 2026-01-31".to_owned()),
        "time" if !value.contains(':') => Err("it wants a time such as 14:30".to_owned()),
        "color" if !(value.len() == 7 && value.starts_with('#')) => {
            Err("it wants a colour such as #ff0000".to_owned())
        }
        // A field of one line takes no line breaks.
        _ => Ok(value.replace(['\r', '\n'], "")),
    }
}
