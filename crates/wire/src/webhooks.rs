//! Webhooks: endpoints that are told of ends of runs, chosen events and changes of pages, and the log of deliveries.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

use crate::automate::AutomateEvent;
use crate::event::{Audience, Event};
use crate::research::ResearchEvent;
use crate::scrape::ScrapeEvent;
use crate::stamp::iso_millis;
use crate::strict::{self, RequestRefusal};
use crate::vocabulary::{Vocabulary as _, vocabulary};

/// Most events that an endpoint names.
const MAX_EVENTS: usize = 50;
/// Most characters of an event's name.
const MAX_NAME: usize = 100;
/// Most characters of a description.
const MAX_DESCRIPTION: usize = 200;

/// What a message is about, beside the events of runs.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, IntoStaticStr, VariantArray, Serialize, Deserialize, JsonSchema,
)]
pub enum WebhookEvent {
    /// A run ended well.
    #[serde(rename = "run.completed")]
    #[strum(serialize = "run.completed")]
    RunCompleted,
    /// A run ended badly.
    #[serde(rename = "run.failed")]
    #[strum(serialize = "run.failed")]
    RunFailed,
    /// A run was stopped.
    #[serde(rename = "run.cancelled")]
    #[strum(serialize = "run.cancelled")]
    RunCancelled,
    /// What a monitor watches has changed.
    #[serde(rename = "monitor.changed")]
    #[strum(serialize = "monitor.changed")]
    MonitorChanged,
    /// A monitor cannot read what it watches.
    #[serde(rename = "monitor.failed")]
    #[strum(serialize = "monitor.failed")]
    MonitorFailed,
}

/// How a delivery stands.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, IntoStaticStr, VariantArray, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum DeliveryState {
    /// It is sent at its next time.
    Pending,
    /// The receiver has taken it.
    Delivered,
    /// It is not tried again: a dead letter, which can be sent again by hand.
    Dead,
}

vocabulary!(WebhookEvent, DeliveryState);

/// `POST /v1/webhooks`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(extend("additionalProperties" = false))]
pub struct CreateWebhook {
    /// Where messages are sent, by POST.
    #[schemars(
        url,
        length(max = 8192),
        pattern(r"^[Hh][Tt][Tt][Pp][Ss]?://[^/?#@\s\\]+([/?#]|$)")
    )]
    pub url: String,
    /// What is sent: `run.completed`, `run.failed`, `run.cancelled`, `monitor.changed`, `monitor.failed`, or names of events
    /// of runs, such as `interactive:form_data:request`. The first five when absent.
    #[serde(default)]
    pub events: Vec<String>,
    /// What people call the endpoint.
    #[serde(default)]
    pub description: String,
}

/// The names of the events of runs that everybody who may see a run sees.
fn event_names() -> Vec<&'static str> {
    fn public<E: Event>() -> impl Iterator<Item = &'static str> {
        let samples = E::samples().into_iter();
        samples
            .filter(|event| event.audience() == Audience::Public)
            .map(|event| event.name())
    }
    public::<ScrapeEvent>()
        .chain(public::<AutomateEvent>())
        .chain(public::<ResearchEvent>())
        .collect()
}

impl CreateWebhook {
    /// Reads a body.
    ///
    /// # Errors
    /// Naming the first field that is wrong.
    pub fn parse(body: &[u8]) -> Result<Self, RequestRefusal> {
        let mut from = strict::object(body)?;
        let url = from.address("url")?;
        let url = from.required("url", url)?;
        let events = from.texts("events", MAX_EVENTS, MAX_NAME)?;
        let description = from.text("description", MAX_DESCRIPTION)?.unwrap_or_default();
        from.refuse_others()?;
        let mut events = match events {
            None => WebhookEvent::spellings().map(str::to_owned).collect(),
            Some(events) if events.is_empty() => {
                let advice =
                    "must name at least one event; leave it out for ends of runs and changes of monitors";
                return Err(RequestRefusal::field("events", advice));
            }
            Some(events) => events,
        };
        let of_runs = event_names();
        let is_known = |name: &str| WebhookEvent::spellings().any(|it| it == name) || of_runs.contains(&name);
        if let Some(at) = events.iter().position(|name| !is_known(name)) {
            let own: Vec<&str> = WebhookEvent::spellings().collect();
            let advice = format!(
                "must be one of {}, or an event of a run such as url_complete or interactive:form_data:request",
                own.join(", ")
            );
            return Err(RequestRefusal::field(format!("events[{at}]"), advice));
        }
        events.sort_unstable();
        events.dedup();
        Ok(Self {
            url,
            events,
            description,
        })
    }
}

/// An endpoint, without its secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Webhook {
    /// Its id.
    pub id: String,
    /// Where messages are sent; absent when it cannot be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// What is sent.
    pub events: Vec<String>,
    /// What people call it.
    pub description: String,
    /// When it was created.
    #[serde(with = "iso_millis")]
    #[schemars(with = "String")]
    pub created_at: Timestamp,
    /// Why its address cannot be read, and what to do. No messages are sent to such an endpoint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// An endpoint whose secret was just made. The secret is never shown again.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WebhookWithSecret {
    /// The endpoint.
    #[serde(flatten)]
    pub webhook: Webhook,
    /// What messages are signed with: `whsec_` and 32 bytes in base64.
    pub secret: String,
    /// Until when messages are signed with the secret before it too.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "iso_millis::option")]
    #[schemars(with = "Option<String>")]
    pub previous_until: Option<Timestamp>,
}

impl std::fmt::Debug for WebhookWithSecret {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "WebhookWithSecret({})", self.webhook.id)
    }
}

/// All endpoints of a caller.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WebhookList {
    /// By id.
    pub webhooks: Vec<Webhook>,
}

/// One try of a delivery.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DeliveryAttempt {
    /// When it began.
    #[serde(with = "iso_millis")]
    #[schemars(with = "String")]
    pub at: Timestamp,
    /// The status of the answer, where there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// Why the receiver has not taken the message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// How long it took, in milliseconds.
    pub millis: u64,
}

/// A message to an endpoint, as it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Delivery {
    /// The id of the message, which stands in `webhook-id`; the same in every try.
    pub id: String,
    /// The type of the message; absent until it is known how the run ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    /// The run that the message is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    /// How it stands.
    pub state: DeliveryState,
    /// When it came up.
    #[serde(with = "iso_millis")]
    #[schemars(with = "String")]
    pub created_at: Timestamp,
    /// When it is tried next.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "iso_millis::option")]
    #[schemars(with = "Option<String>")]
    pub next_attempt_at: Option<Timestamp>,
    /// The last tries, the oldest first.
    pub attempts: Vec<DeliveryAttempt>,
}

/// Deliveries of an endpoint, the newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DeliveryList {
    /// The deliveries.
    pub deliveries: Vec<Delivery>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_endpoint_has_an_address_and_events_that_there_are() {
        let parse = |text: &str| CreateWebhook::parse(text.as_bytes());
        let usual = parse(r#"{"url": "https://hooks.example/a"}"#).unwrap();
        assert_eq!(usual.events.len(), 5);
        let chosen = r#"{"url": "https://hooks.example/a", "description": "ours",
                         "events": ["url_complete", "run.failed", "run.failed", "interactive:form_data:request"]}"#;
        let chosen = parse(chosen).unwrap();
        assert_eq!(
            chosen.events,
            ["interactive:form_data:request", "run.failed", "url_complete"]
        );
        for (body, field) in [
            ("{}", "url"),
            (r#"{"url": "ftp://hooks.example"}"#, "url"),
            (r#"{"url": "https://a:b@hooks.example"}"#, "url"),
            (r#"{"url": "https://a.example", "events": []}"#, "events"),
            (
                r#"{"url": "https://a.example", "events": ["run.done"]}"#,
                "events[0]",
            ),
            (
                r#"{"url": "https://a.example", "events": ["run.failed", "ai:generation"]}"#,
                "events[1]",
            ),
            (r#"{"url": "https://a.example", "description": 1}"#, "description"),
            (r#"{"url": "https://a.example", "secret": "x"}"#, "secret"),
        ] {
            let refusal = parse(body).unwrap_err();
            assert_eq!(refusal.field.as_deref(), Some(field), "{body}");
        }
    }
}
