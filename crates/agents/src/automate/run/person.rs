//! Asking a person for values, and filling them in.

use std::collections::BTreeMap;

use tools::agent_tool::{ActionOutcome, ValueReceivers};
use wire::Code;
use wire::automate::{AutomateEvent, FormDataError, FormDataRequest, FormField};
use wire::input::{FieldValue, FormAnswer};

use super::Driver;
use crate::automate::action_executor::receivers_changed;
use crate::automate::form_fields;
use crate::run_error::RunError;

impl Driver<'_> {
    /// Asks the person for values and fills them in, until the page takes them.
    pub(super) async fn ask_person(
        &mut self,
        description: &str,
        targets: &[browser::Ref],
    ) -> Result<ActionOutcome, RunError> {
        let nobody = || failed("nobody can be asked in this run".to_owned());
        let run = self.input.run;
        if !self.input.request.interactive {
            return Err(nobody());
        }
        let mut fields = form_fields::fields(&self.snapshot, targets).map_err(failed)?;
        let mut field_errors = BTreeMap::new();
        for _ in 0..ROUNDS {
            let receivers = self.receivers(&fields).await?;
            for (field, receivers) in fields.iter_mut().zip(&receivers) {
                field.receivers.clone_from(&receivers.hosts);
            }
            let Some(question) = run.question() else {
                return Err(nobody());
            };
            let asked = FormDataRequest {
                request_id: question.clone(),
                page_url: self.tab.url().map(String::from).unwrap_or_default(),
                page_title: self.snapshot.title.clone(),
                form_description: description.to_owned(),
                fields: fields.clone(),
            };
            self.emitter.emit(question_event(&asked, &field_errors)).await?;
            let values = match run.ask(&question).await? {
                Some(FormAnswer::Fields(values)) => values,
                Some(FormAnswer::Cancelled) => {
                    let text = "the person does not give these values; go on without them, or abort";
                    return Err(failed(text.to_owned()));
                }
                None => {
                    let late = "no answer came in time";
                    let errors = BTreeMap::from([("_callback".to_owned(), late.to_owned())]);
                    self.emitter.emit(question_event(&asked, &errors)).await?;
                    return Err(failed(format!("{late}; go on without these values, or abort")));
                }
            };
            let given = values.iter().filter(|it| !it.value.is_empty()).count();
            // While the person typed, the page may have gone elsewhere: nothing is filled before all is as it was.
            match self.receivers(&fields).await {
                Ok(now) if now == receivers => {}
                Err(RunError::Cancelled(stopped)) => return Err(stopped.into()),
                Ok(_) | Err(_) => return Err(receivers_changed()),
            }
            field_errors = self.fill_in(&fields, &receivers, values).await?;
            if field_errors.is_empty() {
                let all = fields.len();
                let text = match given {
                    0 => "the person left every field as it was".to_owned(),
                    _ => format!(
                        "done; the person's values are in {given} of {all} fields, and you cannot see them"
                    ),
                };
                return Ok(ActionOutcome::told(text));
            }
        }
        let wrong: Vec<&str> = field_errors.keys().map(String::as_str).collect();
        let text = format!(
            "the page does not take the values of the person for: {}",
            wrong.join(", ")
        );
        Err(failed(text))
    }

    /// Who gets the values of these fields, as the page is now.
    ///
    /// # Errors
    /// When the policy refuses one of them, or a field is gone.
    async fn receivers(&mut self, fields: &[FormField]) -> Result<Vec<ValueReceivers>, RunError> {
        let (run, label) = (self.input.run, self.label());
        let mut receivers = Vec::with_capacity(fields.len());
        for field in fields {
            let target = field.ref_.parse().map_err(failed)?;
            let mut executor = self.executor(&label);
            let found = run.until_cancelled(executor.person_receivers(target)).await?;
            receivers.push(found?);
        }
        Ok(receivers)
    }

    /// Fills in what a person gave; what the page did not take, by ref.
    ///
    /// # Errors
    /// When the policy refuses a value; what was filled before it stays.
    async fn fill_in(
        &mut self,
        fields: &[FormField],
        receivers: &[ValueReceivers],
        values: Vec<FieldValue>,
    ) -> Result<BTreeMap<String, String>, RunError> {
        let run = self.input.run;
        let mut wrong = BTreeMap::new();
        let label = self.label();
        for FieldValue { ref_, value } in values {
            let mut asked = fields.iter().zip(receivers);
            let Some((field, told)) = asked.find(|(field, _)| field.ref_ == ref_) else {
                continue;
            };
            let Ok(target) = ref_.parse::<browser::Ref>() else {
                continue;
            };
            if value.is_empty() {
                continue;
            }
            self.guard_view();
            self.filled.push(target);
            self.secrets.hide(&field.label, &value);
            self.emitter.hide(&field.label, &value);
            let mut executor = self.executor(&label);
            let put = run
                .until_cancelled(executor.put_persons_value(target, &value, told))
                .await?;
            if let Err(error) = put {
                let failure = error.failure()?;
                if failure.code == Code::PolicyDenied {
                    return Err(RunError::Recoverable(failure));
                }
                wrong.insert(ref_, self.secrets.mask(&failure.text));
            }
        }
        if let Ok(now) = run.until_cancelled(self.tab.snapshot()).await? {
            for element in form_fields::invalid(&now, fields) {
                let target = element.target.map(|it| it.to_string()).unwrap_or_default();
                wrong
                    .entry(target)
                    .or_insert_with(|| "the page says that this value is not valid".into());
            }
        }
        Ok(wrong)
    }
}

fn failed(text: String) -> RunError {
    RunError::recoverable(Code::ToolFailed, text)
}

/// How often a person is asked for the same fields.
const ROUNDS: usize = 3;

/// A question, or the same question again with what was wrong.
pub(super) fn question_event(asked: &FormDataRequest, errors: &BTreeMap<String, String>) -> AutomateEvent {
    if errors.is_empty() {
        return AutomateEvent::FormDataRequest(asked.clone());
    }
    let FormDataRequest {
        request_id,
        page_url,
        page_title,
        form_description,
        fields,
    } = asked.clone();
    AutomateEvent::FormDataError(FormDataError {
        request_id,
        page_url,
        page_title,
        form_description,
        fields,
        field_errors: errors.clone(),
    })
}
