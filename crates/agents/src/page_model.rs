//! PageModel: the model that answers questions about the pages of one run.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, Ordering};

use extract::llm_extraction::{ModelReply, Question};
use extract::modes::ItemMode;
use llm::{Error, Meter, Role, RoleModel};
use tokio::sync::Semaphore;
use wire::Code;
use wire::error::ErrorBody;

use crate::error_codes;
use crate::services::AgentServices;

/// Questions of one run that are with the model at once.
const AT_ONCE: usize = 5;

/// The model of one run. Its first question is put alone: when key, model or address are wrong, the run learns it from one
/// call, whatever number of pages waits.
pub(crate) struct PageModel {
    seat: RoleModel,
    slots: Semaphore,
    first: Semaphore,
    answered: AtomicBool,
    final_error: Mutex<Option<Error>>,
}

impl PageModel {
    /// The model for reading pages, whose answers `meter` counts and bounds.
    ///
    /// # Errors
    /// When none is configured, with what to set.
    pub(crate) fn new(services: &AgentServices, meter: Meter) -> Result<Self, ErrorBody> {
        let Some(models) = &services.models else {
            let missing = Error::NotConfigured("HUNTSMAN_LLM_PROVIDER and HUNTSMAN_LLM_MODEL".into());
            return Err(error_codes::model_error(&missing));
        };
        let seat = models.seat(Role::Extractor, meter);
        Ok(Self {
            seat: seat.map_err(|error| error_codes::model_error(&error))?,
            slots: Semaphore::new(AT_ONCE),
            first: Semaphore::new(1),
            answered: AtomicBool::new(false),
            final_error: Mutex::new(None),
        })
    }

    /// Tokens that the model reads and writes in one call.
    pub(crate) fn context_tokens(&self) -> u32 {
        self.seat.model.capabilities().context_tokens
    }

    /// Tokens that the budgets leave; none where none bounds them.
    pub(crate) fn tokens_left(&self) -> Option<u64> {
        self.seat.meter.tokens_left()
    }

    /// Puts a question. Once an answer has shown that no further question can succeed, none is put any more.
    pub(crate) async fn ask(&self, question: &Question) -> ModelReply {
        // Neither semaphore is ever closed.
        let _slot = self.slots.acquire().await;
        let _first = if self.answered.load(Ordering::Acquire) {
            None
        } else {
            self.first.acquire().await.ok()
        };
        if let Some(error) = self.final_error() {
            return ModelReply::nothing(error);
        }
        let answer = question.put(&self.seat).await;
        match &answer.error {
            Some(error) if error.ends_run() => {
                let mut final_error = self.final_error.lock().unwrap_or_else(PoisonError::into_inner);
                *final_error = Some(error.clone());
            }
            _ => self.answered.store(true, Ordering::Release),
        }
        answer
    }

    /// Why no question is put any more.
    pub(crate) fn final_error(&self) -> Option<Error> {
        self.final_error
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Whether further pages cannot be read as asked. A spent budget does not stop a run: it ends with what it has.
    pub(crate) fn is_broken(&self) -> bool {
        self.final_error()
            .is_some_and(|error| !matches!(error, Error::BudgetExceeded { .. }))
    }
}

/// Says, before anything is begun, whether pages can be read in this mode and into this shape.
///
/// # Errors
/// When no model is configured that the mode needs, or the schema cannot be used.
pub(crate) fn check(
    services: &AgentServices,
    mode: ItemMode,
    schema: Option<&serde_json::Value>,
) -> Result<(), ErrorBody> {
    if let Some(schema) = schema {
        let wrong = |error| ErrorBody::new(Code::InvalidRequest, format!("schema: {error}"));
        llm::JsonSchema::new(schema.clone()).map_err(wrong)?;
    }
    if mode.needs_model() {
        PageModel::new(services, services.meter()).map_err(|error| {
            let text = format!("mode {mode} needs a model: {}", error.message);
            ErrorBody::new(error.code, text)
        })?;
    }
    Ok(())
}
