//! Masking of the caller's and the person's values in every text of an event.

use std::collections::BTreeMap;

use serde_json::Value;
use wire::automate::{AgentAction, AutomateEvent, FormField, ModelMessage};

use crate::automate::secrets::Secrets;

/// Hides the values in every text of an event. Names of our own making (ids of requests, refs, traces), kinds and
/// numbers stay: a word of the contract that a value happens to equal tells nothing of the value.
pub(super) fn mask(event: &mut AutomateEvent, secrets: &Secrets) {
    if !secrets.hides() {
        return;
    }
    let mask = Mask(secrets);
    match event {
        AutomateEvent::TaskSetup(setup) => {
            mask.text(&mut setup.task);
            mask.text(&mut setup.browser_name);
            let texts = [
                &mut setup.url,
                &mut setup.guardrails,
                &mut setup.model,
                &mut setup.provider,
                &mut setup.proxy,
                &mut setup.pw_endpoint,
                &mut setup.pw_cdp_endpoint,
            ];
            texts.into_iter().for_each(|text| mask.maybe(text));
            setup
                .pw_cdp_endpoints
                .iter_mut()
                .for_each(|texts| mask.texts(texts));
            setup.data.iter_mut().for_each(|data| mask.json(data));
        }
        AutomateEvent::TaskStarted(started) => {
            mask.text(&mut started.task);
            mask.text(&mut started.success_criteria);
            mask.text(&mut started.plan);
            mask.text(&mut started.url);
            started
                .action_items
                .iter_mut()
                .for_each(|items| mask.texts(items));
            mask.maybe(&mut started.title);
        }
        AutomateEvent::TaskValidated(validated) => {
            mask.text(&mut validated.observation);
            mask.text(&mut validated.final_answer);
            mask.maybe(&mut validated.feedback);
        }
        AutomateEvent::TaskValidationError(refused) => {
            mask.texts(&mut refused.errors);
            mask.json(&mut refused.raw_response);
            mask.maybe(&mut refused.feedback);
        }
        AutomateEvent::TaskAborted(aborted) => {
            mask.text(&mut aborted.reason);
            mask.text(&mut aborted.final_answer);
        }
        AutomateEvent::TaskCompleted(completed) => mask.maybe(&mut completed.final_answer),
        AutomateEvent::AgentProcessing(processing) => mask.text(&mut processing.operation),
        AutomateEvent::AgentStatus(status) => mask.text(&mut status.message),
        AutomateEvent::AgentReasoned(reasoned) => mask.text(&mut reasoned.reasoning),
        AutomateEvent::AgentAction(action) | AutomateEvent::BrowserActionStarted(action) => {
            mask.action(action);
        }
        AutomateEvent::AgentExtracted(extracted) => mask.text(&mut extracted.extracted_data),
        AutomateEvent::BrowserNavigated(navigated) => {
            mask.text(&mut navigated.title);
            mask.text(&mut navigated.url);
        }
        AutomateEvent::BrowserActionCompleted(completed) => {
            mask.maybe(&mut completed.error);
            mask.maybe(&mut completed.action);
        }
        AutomateEvent::BrowserScreenshotCapturedImage(captured) => mask.text(&mut captured.image),
        AutomateEvent::BrowserReconnected(reconnected) => mask.text(&mut reconnected.starting_url),
        AutomateEvent::CdpEndpointCycle(cycle) => mask.text(&mut cycle.error),
        AutomateEvent::FormDataRequest(request) => {
            mask.text(&mut request.page_url);
            mask.text(&mut request.page_title);
            mask.text(&mut request.form_description);
            request.fields.iter_mut().for_each(|field| mask.field(field));
        }
        AutomateEvent::FormDataError(request) => {
            mask.text(&mut request.page_url);
            mask.text(&mut request.page_title);
            mask.text(&mut request.form_description);
            request.fields.iter_mut().for_each(|field| mask.field(field));
            request.field_errors.values_mut().for_each(|text| mask.text(text));
        }
        AutomateEvent::RunPaused(paused) => mask.text(&mut paused.page_url),
        AutomateEvent::RunResumed(resumed) => mask.maybe(&mut resumed.note),
        AutomateEvent::AiGeneration(generation) => {
            mask.text(&mut generation.prompt);
            mask.json(&mut generation.schema);
            let messages = generation.messages.iter_mut().flatten();
            messages.for_each(|message| mask.message(message));
            generation.object.iter_mut().for_each(|object| mask.json(object));
            mask.map(&mut generation.provider_metadata);
            let warnings = generation.warnings.iter_mut().flatten();
            warnings.for_each(|warning| mask.json(warning));
        }
        AutomateEvent::AiGenerationError(failure) => {
            mask.text(&mut failure.error);
            mask.text(&mut failure.prompt);
            mask.json(&mut failure.schema);
            let messages = failure.messages.iter_mut().flatten();
            messages.for_each(|message| mask.json(message));
        }
        AutomateEvent::DebugMessage(debug) => {
            debug.messages.iter_mut().for_each(|message| mask.json(message));
        }
        AutomateEvent::Complete(complete) => {
            mask.maybe(&mut complete.final_answer);
            let failure = complete.error.iter_mut();
            failure.for_each(|failure| mask.text(&mut failure.message));
        }
        AutomateEvent::Error(event) => {
            mask.text(&mut event.error.code);
            mask.text(&mut event.error.message);
        }
        AutomateEvent::TaskTraceContext(_)
        | AutomateEvent::TaskMetrics(_)
        | AutomateEvent::TaskMetricsIncremental(_)
        | AutomateEvent::AgentStep(_)
        | AutomateEvent::AgentWaiting(_)
        | AutomateEvent::BrowserScreenshotCaptured(_)
        | AutomateEvent::CdpEndpointConnected(_)
        | AutomateEvent::ModelCall(_)
        | AutomateEvent::DebugCompression(_)
        | AutomateEvent::Done(_) => {}
    }
}

struct Mask<'a>(&'a Secrets);

impl Mask<'_> {
    fn text(&self, text: &mut String) {
        if self.0.within(text) {
            *text = self.0.mask(text);
        }
    }

    fn maybe(&self, text: &mut Option<String>) {
        text.iter_mut().for_each(|text| self.text(text));
    }

    fn texts(&self, texts: &mut [String]) {
        texts.iter_mut().for_each(|text| self.text(text));
    }

    fn json(&self, value: &mut Value) {
        self.0.mask_json(value);
    }

    fn map(&self, map: &mut Option<BTreeMap<String, Value>>) {
        let values = map.iter_mut().flat_map(BTreeMap::values_mut);
        values.for_each(|value| self.json(value));
    }

    fn action(&self, action: &mut AgentAction) {
        self.text(&mut action.action);
        self.maybe(&mut action.value);
    }

    fn field(&self, field: &mut FormField) {
        self.text(&mut field.label);
        field.options.iter_mut().for_each(|options| self.texts(options));
        self.maybe(&mut field.current_value);
        self.maybe(&mut field.description);
    }

    fn message(&self, message: &mut ModelMessage) {
        self.json(&mut message.content);
        self.map(&mut message.provider_options);
    }
}
