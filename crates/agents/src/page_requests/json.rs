//! One page in the shape of a schema: the work behind two requests that wait for their answer.

use extract::llm_extraction::{ExtractionInput, PageCoverage, SchemaExtraction, SchemaTask};
use extract::mode::ExtractionRequest;
use serde_json::Value;
use wire::Code;
use wire::error::ErrorBody;
use wire::tabstack::{ExtractJsonRequest, GenerateJsonRequest};

use super::fetch::{PageRequest, empty_page_error, fetch, off_thread};
use crate::error_codes;
use crate::page_model::PageModel;
use crate::services::AgentServices;

/// One page in the shape of a schema.
#[derive(Debug, Clone, PartialEq)]
pub struct ShapedPage {
    /// The data.
    pub data: Value,
    /// How much of the page the model was shown.
    pub coverage: PageCoverage,
}

/// What a page states, in the shape of a schema. Dropping the future stops the work.
///
/// # Errors
/// When no model is configured, the schema cannot be used, the page cannot be had, or the model gives nothing that fits.
pub async fn extract(
    services: &AgentServices,
    request: &ExtractJsonRequest,
) -> Result<ShapedPage, ErrorBody> {
    let model = ready(services, &request.json_schema)?;
    let (visit, page) = fetch(
        services,
        PageRequest {
            url: &request.url,
            effort: request.effort,
            nocache: request.nocache,
            geo_target: request.geo_target.as_ref(),
            fetch: &request.fetch,
        },
    )
    .await?;
    let material = off_thread(move || ExtractionInput::of(&page, &ExtractionRequest::default())).await?;
    let material = material.map_err(|_| empty_page_error(&visit))?;
    let retries = services.reading.retries;
    let shaped = SchemaExtraction::new(material, &request.json_schema, SchemaTask::Extract, "", retries);
    drive(&model, shaped).await
}

/// What a model makes of a page as instructed. Dropping the future stops the work.
///
/// # Errors
/// As for [`extract()`].
pub async fn generate(
    services: &AgentServices,
    request: &GenerateJsonRequest,
) -> Result<ShapedPage, ErrorBody> {
    let model = ready(services, &request.json_schema)?;
    let (visit, page) = fetch(
        services,
        PageRequest {
            url: &request.url,
            effort: request.effort,
            nocache: request.nocache,
            geo_target: request.geo_target.as_ref(),
            fetch: &request.fetch,
        },
    )
    .await?;
    let material = off_thread(move || ExtractionInput::of(&page, &ExtractionRequest::default())).await?;
    let material = material.map_err(|_| empty_page_error(&visit))?;
    let retries = services.reading.retries;
    let shaped = SchemaExtraction::new(
        material,
        &request.json_schema,
        SchemaTask::Generate,
        &request.instructions,
        retries,
    );
    drive(&model, shaped).await
}

/// Refuses before any work what cannot be done.
fn ready(services: &AgentServices, schema: &Value) -> Result<PageModel, ErrorBody> {
    llm::JsonSchema::new(schema.clone())
        .map_err(|error| ErrorBody::new(Code::InvalidRequest, format!("json_schema: {error}")))?;
    PageModel::new(services, services.meter())
}

async fn drive(
    model: &PageModel,
    shaped: Result<SchemaExtraction, llm::Error>,
) -> Result<ShapedPage, ErrorBody> {
    let shaped = shaped.map_err(|error| error_codes::model_error(&error))?;
    let mut shaped = shaped.for_context(model.context_tokens());
    loop {
        shaped.set_tokens_left(model.tokens_left());
        let Some(question) = shaped.ask() else { break };
        let heard = model.ask(&question).await;
        shaped.hear(&question, &heard);
    }
    let coverage = shaped.page_coverage();
    let data = shaped
        .finish()
        .map_err(|error| error_codes::model_error(&error))?;
    Ok(ShapedPage { data, coverage })
}
