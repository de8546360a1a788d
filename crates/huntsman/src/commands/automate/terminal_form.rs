//! Form requests of a run, answered at the terminal.

use std::collections::BTreeMap;
use std::io::IsTerminal as _;

use runtime::Service;
use wire::automate::{FieldType, FormDataError, FormDataRequest, FormField};
use wire::input::{FieldValue, FormAnswer};

use super::live_log::plain;
use crate::failure::Failure;
use crate::hidden_input;

/// The request of a repeated form, and what was wrong with the answer by field.
pub(super) fn repeated(asked: FormDataError) -> (FormDataRequest, BTreeMap<String, String>) {
    let FormDataError {
        request_id,
        page_url,
        page_title,
        form_description,
        fields,
        field_errors,
    } = asked;
    let question = FormDataRequest {
        request_id,
        page_url,
        page_title,
        form_description,
        fields,
    };
    (question, field_errors)
}

/// Asks, and sends the answer to the run. Reports on stderr when the run no longer waits for it.
pub(super) async fn ask(
    service: &Service,
    asked: FormDataRequest,
    wrong: Option<BTreeMap<String, String>>,
) -> Result<(), Failure> {
    let question = asked.request_id.clone();
    let reading = tokio::task::spawn_blocking(move || read(&asked, &wrong.unwrap_or_default()));
    let answer = reading.await.map_err(anyhow::Error::from)?;
    if let Err(refused) = service.answer(None, &question, &answer).await {
        eprintln!("huntsman: {refused}");
    }
    Ok(())
}

fn read(asked: &FormDataRequest, wrong: &BTreeMap<String, String>) -> FormAnswer {
    eprintln!(
        "\nThe page {} asks for: {}\n(an empty line leaves a field as it is; end of input gives nothing)",
        plain(&asked.page_url),
        plain(&asked.form_description)
    );
    let mut values = Vec::new();
    for field in &asked.fields {
        if let Some(why) = wrong.get(&field.ref_) {
            eprintln!("  ✗ {}: {}", plain(&field.label), plain(why));
        }
        let Some(value) = read_field(field) else {
            return FormAnswer::Cancelled;
        };
        if !value.is_empty() || field.required {
            values.push(FieldValue {
                ref_: field.ref_.clone(),
                value,
            });
        }
    }
    FormAnswer::Fields(values)
}

/// One value; none at the end of input.
fn read_field(field: &FormField) -> Option<String> {
    if !field.receivers.is_empty() {
        eprintln!("  goes to {}:", plain(&field.receivers.join(", ")));
    }
    if let Some(options) = &field.options {
        eprintln!("  one of: {}", plain(&options.join(" | ")));
    }
    let star = if field.required { "*" } else { "" };
    eprint!("  {}{star}: ", plain(&field.label));
    let is_secret = field.field_type == FieldType::Password && std::io::stdin().is_terminal();
    hidden_input::read_line(is_secret).ok()?
}
