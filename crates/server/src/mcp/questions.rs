//! Questions of runs to a person: forms of the client for plain fields, never for a secret.

use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{
    ElicitRequest, ElicitRequestParams, ElicitResult, ElicitationAction, ElicitationSchema, InputRequest,
    InputRequiredResult, ProtocolVersion,
};
use rmcp::service::RequestContext;
use serde_json::{Map, Value, json};
use wire::automate::{FieldType, FormDataRequest, FormField};
use wire::input::{FieldValue, FormAnswer};
use wire::tenancy::Scope;
use wire::{RequestId, RunId};

use super::answer::Answer;
use super::session::Session;

/// How long a person is given to answer in the client.
const ANSWER_TIME: Duration = Duration::from_secs(900);
/// The names of the form and of the link in a result that requires input.
const FORM: &str = "form";
const LINK: &str = "link";

/// Words in the label of a field whose value a model's client must not see.
const SECRET_WORDS: &[&str] = &[
    "password",
    "passwort",
    "passcode",
    "passphrase",
    "kennwort",
    "contraseña",
    "mot de passe",
    "senha",
    "secret",
    "token",
    "api key",
    "pin",
    "otp",
    "one-time",
    "verification code",
    "security code",
    "cvc",
    "cvv",
    "card",
    "kreditkarte",
    "tarjeta",
    "iban",
    "account number",
    "kontonummer",
    "routing",
    "ssn",
    "social security",
    "passport",
    "tax id",
];

/// How a client can be asked.
pub(super) enum Means {
    /// It cannot.
    None,
    /// By a request to it while its call waits.
    Request,
    /// By a result that requires input, after which the client repeats the call.
    Result,
}

/// What a client brings back with the answer.
pub(super) struct Pending {
    pub(super) run: RunId,
    pub(super) question: RequestId,
}

/// How this client can be asked.
pub(super) fn means(session: &Session, context: &RequestContext<RoleServer>) -> Means {
    if !may_answer(session) {
        return Means::None;
    }
    let capabilities = context.client_capabilities();
    let elicitation = capabilities.and_then(|it| it.elicitation);
    // A client that names no mode has forms.
    let has_forms = elicitation.is_some_and(|it| it.form.is_some() || it.url.is_none());
    match (has_forms, is_modern(context), session.is_attached) {
        (true, true, _) => Means::Result,
        (true, false, true) => Means::Request,
        _ => Means::None,
    }
}

/// Whether the client speaks the protocol without sessions.
pub(super) fn is_modern(context: &RequestContext<RoleServer>) -> bool {
    context
        .protocol_version()
        .is_some_and(|version| version >= ProtocolVersion::V_2026_07_28)
}

/// Whether the client's key may answer questions of runs.
fn may_answer(session: &Session) -> bool {
    session.caller.missing(&[Scope::Automate]).is_none()
}

/// Whether a model's client may see every value that a question asks for.
pub(super) fn is_plain(asked: &FormDataRequest) -> bool {
    let is_plain = |field: &FormField| {
        let words = format!(
            "{} {}",
            field.label,
            field.description.as_deref().unwrap_or_default()
        );
        let words = words.to_lowercase();
        let names_secret = SECRET_WORDS.iter().any(|secret| names(&words, secret));
        !names_secret && !matches!(field.field_type, FieldType::Password | FieldType::Other)
    };
    asked.fields.iter().all(is_plain)
}

/// Whether a secret word stands in the words by itself: `pin` is none in `shipping`.
fn names(words: &str, secret: &str) -> bool {
    let is_edge = |it: Option<char>| it.is_none_or(|it| !it.is_alphanumeric());
    words.match_indices(secret).any(|(at, _)| {
        let (before, after) = (&words[..at], &words[at + secret.len()..]);
        secret.len() > 4 || (is_edge(before.chars().next_back()) && is_edge(after.chars().next()))
    })
}

/// The form for a question. Labels are the page's words, for the person.
fn form(asked: &FormDataRequest) -> Option<ElicitRequestParams> {
    let property = |field: &FormField| {
        let mut property = json!({"type": "string", "title": field.label});
        match (field.field_type, &field.options) {
            (_, Some(options)) if !options.is_empty() => property["enum"] = json!(options),
            (FieldType::Email, _) => property["format"] = json!("email"),
            (FieldType::Date, _) => property["format"] = json!("date"),
            _ => {}
        }
        if !field.receivers.is_empty() {
            property["description"] = json!(format!("goes to {}", field.receivers.join(", ")));
        }
        (field.ref_.clone(), property)
    };
    let properties: Map<String, Value> = asked.fields.iter().map(property).collect();
    let required = asked.fields.iter().filter(|field| field.required);
    let required: Vec<&str> = required.map(|field| field.ref_.as_str()).collect();
    let schema = json!({"type": "object", "properties": properties, "required": required});
    let schema: ElicitationSchema = serde_json::from_value(schema).ok()?;
    Some(ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: format!("The page {} asks for: {}", asked.page_url, asked.form_description),
        requested_schema: schema,
    })
}

/// The request that has a client show the form for a question.
pub(super) fn form_request(asked: &FormDataRequest) -> Option<InputRequest> {
    form(asked).map(|form| InputRequest::Elicitation(ElicitRequest::new(form)))
}

/// What a client brings of a person's answer; none when the question was put off, or the response is none.
pub(super) fn answer_in(response: Value) -> Option<FormAnswer> {
    serde_json::from_value(response).ok().as_ref().and_then(answer_of)
}

/// What a person answered; none when the question was put off.
fn answer_of(result: &ElicitResult) -> Option<FormAnswer> {
    match result.action {
        ElicitationAction::Accept => {
            let fields = result.content.as_ref().and_then(Value::as_object)?;
            let value = |(ref_, value): (&String, &Value)| FieldValue {
                ref_: ref_.clone(),
                value: value.as_str().map_or_else(|| value.to_string(), str::to_owned),
            };
            Some(FormAnswer::Fields(fields.iter().map(value).collect()))
        }
        ElicitationAction::Decline => Some(FormAnswer::Cancelled),
        _ => None,
    }
}

impl Session {
    /// Asks a client that is attached, and gives the run what the person answered. False when nobody answered.
    pub(super) async fn ask(
        &self,
        run: &RunId,
        asked: &FormDataRequest,
        context: &RequestContext<RoleServer>,
    ) -> Result<bool, Answer> {
        let Some(form) = form(asked) else { return Ok(false) };
        let asking = context
            .peer
            .create_elicitation_with_timeout(form, Some(ANSWER_TIME));
        let result = tokio::select! {
            result = asking => result,
            () = context.ct.cancelled() => return Ok(false),
            () = self.state.closing.cancelled() => return Ok(false),
            () = self.keep_alive(run, context) => return Ok(false),
        };
        match result.ok().as_ref().and_then(answer_of) {
            Some(answer) => self.answer(&asked.request_id, &answer).await.map(|()| true),
            None => Ok(false),
        }
    }

    /// The result that has the client ask and repeat its call.
    pub(super) fn require(&self, run: &RunId, asked: &FormDataRequest) -> Option<InputRequiredResult> {
        let request = form_request(asked)?;
        // No more than a name: the service gives an answer only to a question of a run that the caller may see.
        let state = format!("{run} {}", asked.request_id);
        Some(InputRequiredResult::new(
            Some([(FORM.to_owned(), request)].into()),
            Some(state),
        ))
    }

    /// The result that has the client open the console for its person, who answers there, and repeat its call.
    pub(super) fn require_visit(
        &self,
        run: &RunId,
        asked: &FormDataRequest,
        context: &RequestContext<RoleServer>,
    ) -> Option<InputRequiredResult> {
        let request = self.visit_request(asked, context)?;
        let state = format!("{run} {}", asked.request_id);
        Some(InputRequiredResult::new(
            Some([(LINK.to_owned(), request)].into()),
            Some(state),
        ))
    }

    /// The request that has a client open the console for its person; none where it cannot, or where no console is.
    pub(super) fn visit_request(
        &self,
        asked: &FormDataRequest,
        context: &RequestContext<RoleServer>,
    ) -> Option<InputRequest> {
        let elicitation = context.client_capabilities()?.elicitation?;
        if elicitation.url.is_none() || !is_modern(context) {
            return None;
        }
        let origin = self.origin.as_deref()?;
        let visit = ElicitRequestParams::UrlElicitationParams {
            meta: None,
            message: format!(
                "The page {} asks for values that must not pass through a chat. Give them in the console.",
                asked.page_url
            ),
            url: format!("{origin}{}", console_path(asked)),
            elicitation_id: String::new(),
        };
        Some(InputRequest::Elicitation(ElicitRequest::new(visit)))
    }

    /// Reads what a repeated call brings back, and gives the run the answer in it.
    pub(super) async fn resume(&self, state: &str, responses: Option<&Value>) -> Result<Pending, Answer> {
        let pending = state.split_once(' ').and_then(|(run, question)| {
            let (run, question) = (RunId::parse(run).ok()?, RequestId::parse(question).ok()?);
            Some(Pending { run, question })
        });
        let pending = pending.ok_or_else(|| {
            Answer::failure("the requestState of this call is not one that this server gave; make the call again without it")
        })?;
        let visited = responses
            .and_then(|responses| serde_json::from_value::<ElicitResult>(responses[LINK].clone()).ok());
        if visited.is_some_and(|visit| visit.action == ElicitationAction::Accept) {
            // The person answers in the console; the run is waited for.
            return Ok(pending);
        }
        match responses.and_then(|responses| answer_in(responses[FORM].clone())) {
            Some(answer) => self.answer(&pending.question, &answer).await?,
            None => return Err(put_off(&pending.run)),
        }
        Ok(pending)
    }

    async fn answer(&self, question: &RequestId, answer: &FormAnswer) -> Result<(), Answer> {
        self.permit(&[Scope::Automate])?;
        let answered = self
            .state
            .service
            .answer(self.caller.sees(), question, answer)
            .await;
        answered.map_err(|error| Answer::failure(error.message))
    }

    /// The answer to a call whose run waits for a person that this client must not or cannot ask.
    pub(super) fn refer(&self, run: &RunId, asked: &FormDataRequest) -> Answer {
        Answer::text(format!(
            "{} Then call run_wait with run_id {run}.",
            self.referral(run, asked)
        ))
    }

    /// Where a person can answer, and why not in this client.
    pub(super) fn referral(&self, run: &RunId, asked: &FormDataRequest) -> String {
        let count = asked.fields.len();
        let why = if !is_plain(asked) {
            "some of it is secret and must not pass through a chat"
        } else if may_answer(self) {
            "this client cannot show a form"
        } else {
            "the key of this client has not the scope automate, which answers need"
        };
        format!(
            "{run} waits for a person to fill in {count} field(s) of a page, and {why}. Tell the person to answer in the \
             console of the Huntsman server at {origin}{console}, or by POST /v1/automate/{question}/input. \
             Do not ask for the values here.",
            origin = self.origin.as_deref().unwrap_or_default(),
            console = console_path(asked),
            question = asked.request_id,
        )
    }
}

/// The page of the console where a person answers a question.
fn console_path(asked: &FormDataRequest) -> String {
    format!("/console/questions/{}", asked.request_id)
}

/// The answer to a call whose person did not answer.
pub(super) fn put_off(run: &RunId) -> Answer {
    Answer::text(format!(
        "the person did not answer; {run} waits on until its time for answers is over. Call run_wait with run_id {run} to \
         ask again."
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asks(label: &str, field_type: FieldType) -> FormDataRequest {
        let field = FormField {
            ref_: "E1".into(),
            label: label.into(),
            field_type,
            required: true,
            options: None,
            current_value: None,
            description: None,
            receivers: vec!["shop.example".into()],
        };
        FormDataRequest {
            request_id: RequestId::from_random([7; 16]),
            page_url: "https://shop.example/".into(),
            page_title: "Shop".into(),
            form_description: "your order".into(),
            fields: vec![field],
        }
    }

    #[test]
    fn secrets_are_never_asked_for_through_a_client() {
        for (label, kind) in [
            ("Password", FieldType::Text),
            ("Name", FieldType::Password),
            ("Card number", FieldType::Text),
            ("PIN", FieldType::Number),
            ("Your one-time code", FieldType::Text),
            ("anything", FieldType::Other),
        ] {
            assert!(!is_plain(&asks(label, kind)), "{label}");
        }
        for label in ["Shipping address", "Opinion", "Name", "City"] {
            assert!(is_plain(&asks(label, FieldType::Text)), "{label}");
        }
        assert!(form(&asks("Name", FieldType::Email)).is_some());
    }
}
