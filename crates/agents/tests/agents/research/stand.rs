//! One research run as its runtime would do it, with a log that is a list.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use agents::cancel::{CancelSignal, Cancelled};
use agents::research::ResearchLimits;
use agents::run::{Journal, Run};
use agents::services::{AgentServices, Reading};
use async_trait::async_trait;
use llm::Models;
use llm::transport::Network;
use llm::wires::Wire;
use serde_json::{Value, json};
use testkit::{ProviderAnswer, ProviderRequest, ScriptedProvider, ScriptedTurn, TestSite};
use wire::research::{ResearchComplete, ResearchEvent};
use wire::tabstack::ResearchRequest;
use wire::{Event as _, LogEntry, Stamped};

/// A log that breaks off after so many entries.
pub(crate) struct Log {
    pub(crate) entries: Mutex<Vec<LogEntry>>,
    most: usize,
}

#[async_trait]
impl Journal<ResearchEvent> for Log {
    async fn record(&self, event: ResearchEvent) -> Result<(), Cancelled> {
        let mut entries = self.entries.lock().unwrap();
        if entries.len() >= self.most {
            return Err(Cancelled::ShuttingDown);
        }
        let at = jiff::Timestamp::from_millisecond(1_764_000_000_000 + entries.len() as i64).unwrap();
        let seq = entries.len() as u64 + 1;
        entries.push(
            Stamped {
                seq,
                at,
                iteration: None,
                event,
            }
            .entry(),
        );
        Ok(())
    }

    async fn settle(&self) -> Result<(), Cancelled> {
        Ok(())
    }

    fn turn(&self, _: String) {}
}

pub(crate) struct Stand {
    pub(crate) site: TestSite,
    pub(crate) provider: ScriptedProvider,
    pub(crate) services: AgentServices,
}

impl Stand {
    /// A web, its search, and a model that answers as `answer` says.
    pub(crate) async fn start(answer: impl Fn(&Asking) -> Value + Send + Sync + 'static) -> Self {
        let site = super::web::start().await;
        let provider = ScriptedProvider::start(move |exchange, _| {
            ProviderAnswer::from(ScriptedTurn {
                piece: 0,
                ..ScriptedTurn::json(&answer(&Asking::of(exchange)))
            })
        })
        .await;
        Self::with(site, provider)
    }

    /// A site, and a model that answers from a script.
    pub(crate) fn with(site: TestSite, provider: ScriptedProvider) -> Self {
        let client = net::Client::new(net::ClientConfig {
            allow: vec!["127.0.0.1".parse().unwrap()],
            politeness: net::Politeness {
                per_host: 50,
                delay: Duration::ZERO,
                ..net::Politeness::default()
            },
            ..net::ClientConfig::default()
        })
        .unwrap();
        let settings = search::ProviderSettings {
            url: Some(site.url("/").parse().unwrap()),
            key: None,
        };
        let http = Arc::new(browser::engines::http::HttpBrowser::new(client.clone()));
        let services = AgentServices {
            session: agents::session::RunSession::default(),
            policy: None,
            browser: http.clone(),
            models: Some(Models::new(
                provider.settings(Wire::OpenAiChat),
                Arc::new(Network::new(client.clone())),
            )),
            reading: Reading::default(),
            sandbox: Some(testkit::sandbox::sandbox()),
            search: Some(search::named("searxng", &settings, client.clone()).unwrap()),
            client,
            research: ResearchLimits::default(),
            tools: tools::Registry::builtin(),
            pages_at_once: 8,
            page_delay: std::time::Duration::ZERO,
            uploads: Vec::new(),
            screenshots: None,
            granted: Vec::new(),
            setup: agents::services::SetupFacts::default(),
            engines: agents::page_settings::Engines::http(http),
            exits: Arc::default(),
            pages: agents::page_settings::PageSettings::default(),
            client_models: Arc::default(),
        };
        Self {
            site,
            provider,
            services,
        }
    }

    /// Calls the model by another name from here on, so that its questions can be told apart.
    pub(crate) fn rename_model(&mut self, name: &str) {
        let settings = llm::ModelSettings {
            model: Some(name.to_owned()),
            ..self.provider.settings(Wire::OpenAiChat)
        };
        self.services.models = Some(Models::new(
            settings,
            Arc::new(Network::new(self.services.client.clone())),
        ));
    }

    /// Questions that the model of this name was asked.
    pub(crate) fn asked(&self, name: &str) -> usize {
        self.provider
            .seen()
            .iter()
            .filter(|it| it.body["model"] == name)
            .count()
    }

    /// Runs to the end, or until the log holds `most` entries.
    pub(crate) async fn run(
        &self,
        request: &ResearchRequest,
        earlier: &[LogEntry],
        most: usize,
    ) -> Vec<LogEntry> {
        let log = Arc::new(Log {
            entries: Mutex::new(earlier.to_vec()),
            most,
        });
        let run = Run::new(log.clone(), CancelSignal::after(Duration::from_secs(600)));
        let _ = agents::research::run(&run, request, &self.services, earlier).await;
        log.entries.lock().unwrap().clone()
    }

    /// Runs to the end.
    pub(crate) async fn whole(&self, request: &ResearchRequest) -> Vec<LogEntry> {
        self.run(request, &[], usize::MAX).await
    }
}

/// The events that clients get.
pub(crate) fn public(entries: &[LogEntry]) -> Vec<ResearchEvent> {
    let events = entries
        .iter()
        .map(|it| Stamped::<ResearchEvent>::from_entry(it).unwrap().event);
    events
        .filter(|it| it.audience() == wire::Audience::Public)
        .collect()
}

/// The report of a run that has one.
pub(crate) fn complete(entries: &[LogEntry]) -> Box<ResearchComplete> {
    match public(entries).pop() {
        Some(ResearchEvent::Complete(complete)) => complete,
        other => panic!("the run ended in {other:?}"),
    }
}

/// Each start has its end, in the right order, and the log one end, which is last.
pub(crate) fn check_pairs(events: &[ResearchEvent]) {
    let mut open: Vec<&str> = Vec::new();
    for event in events {
        match event.name().split_once(':') {
            Some((part, "start")) => open.push(part),
            Some((part, _)) => assert_eq!(open.pop(), Some(part)),
            None => {}
        }
    }
    assert!(open.is_empty(), "{open:?}");
    assert_eq!(events.iter().filter(|it| it.is_terminal()).count(), 1);
    assert!(events.last().unwrap().is_terminal());
}

/// A question to the scripted model.
pub(crate) struct Asking {
    /// Which form its answer has.
    pub(crate) form: String,
    pub(crate) text: String,
}

impl Asking {
    pub(crate) fn of(exchange: &ProviderRequest) -> Self {
        let body = &exchange.body;
        Self {
            form: body["response_format"]["json_schema"]["name"]
                .as_str()
                .unwrap_or_default()
                .to_owned(),
            text: body["messages"].as_array().unwrap().last().unwrap()["content"]
                .as_str()
                .map_or_else(
                    || {
                        body["messages"].as_array().unwrap().last().unwrap()["content"][0]["text"]
                            .as_str()
                            .unwrap_or_default()
                            .to_owned()
                    },
                    str::to_owned,
                ),
        }
    }

    /// The lines of pages in the question, without the signs before them.
    pub(crate) fn quoted(&self) -> Vec<&str> {
        self.text.lines().filter_map(|it| it.strip_prefix("| ")).collect()
    }

    /// The numbered sources with the lines of each.
    pub(crate) fn sources(&self) -> Vec<(u64, String, Vec<String>)> {
        let mut found: Vec<(u64, String, Vec<String>)> = Vec::new();
        for line in self.text.lines() {
            if let Some((number, rest)) = line
                .strip_prefix("Source ")
                .and_then(|it| it.split_once([':', ' ']))
                && let Ok(number) = number.parse()
            {
                found.push((number, rest.to_owned(), Vec::new()));
            } else if let (Some(line), Some(last)) = (line.strip_prefix("| "), found.last_mut()) {
                last.2.push(line.to_owned());
            }
        }
        found
    }
}

/// The numbers of a text, as written.
pub(crate) fn digits(text: &str) -> Vec<&str> {
    text.split(|it: char| !it.is_ascii_digit())
        .filter(|it| !it.is_empty())
        .collect()
}

/// A model that does its work honestly, but writes some citations that do not hold.
pub(crate) fn honest(ask: &Asking) -> Value {
    let lake = super::web::lake(super::web::ASKED);
    match ask.form.as_str() {
        "plan" => json!({
            "complexity": "moderate", "objective": "Tell how deep the lake is and who surveyed it.",
            "plan": "Look for pages of the lake and read them.",
            "questions": [format!("How deep is Lake {}?", lake.name), format!("Who surveyed Lake {}?", lake.name)],
            "queries": [format!("Lake {} depth metres", lake.name), format!("Lake {} surveyed", lake.name)],
        }),
        "analysis" => {
            let lines = ask.quoted();
            let orders = lines.iter().any(|it| it.contains("SYSTEM"));
            let about = lines.iter().any(|it| it.contains(&format!("Lake {}", lake.name)));
            let facts = lines
                .iter()
                .filter(|it| it.contains("metres deep") && !orders)
                .take(2);
            let claims: Vec<Value> = facts
                .map(|it| json!({"claim": it.chars().take(300).collect::<String>(), "quote": ""}))
                .collect();
            json!({
                "relevance": if about { "high" } else { "low" },
                "reliability": if orders { "low" } else { "medium" },
                "summary": if about { "About the lake." } else { "About another lake." }, "claims": claims,
            })
        }
        "evaluation" => {
            let count = ask.text.matches(';').count() + 1;
            json!({
                "assessments": [{"number": 1, "status": "partial", "findings": "Pages differ."}, {"number": 2, "status": "answered", "findings": "Known."}],
                "coverage": "Moderate", "gaps": "More surveys.",
                "next_queries": [format!("Lake {} survey history {count}", super::web::lake(count % 40).name)], "should_continue": true,
            })
        }
        "outline" => {
            let ids: Vec<u64> = ask.sources().into_iter().map(|it| it.0).collect();
            json!({"direct_answer": "It is known.", "key_takeaways": ["It is deep."], "headings": ["Depth", "Survey"], "sources": ids})
        }
        "report" => {
            let mut sentences =
                vec![json!({"text": "The lake is known to many people who walk there [1].", "sources": []})];
            for (number, _, lines) in ask.sources() {
                let told = lines
                    .iter()
                    .flat_map(|it| it.split_inclusive(". "))
                    .find(|it| it.contains("metres deep"));
                if let Some(told) = told {
                    let text = format!("Lake {}: {}", lake.name, told.trim())
                        .replace(": It", " lies far from the coast; it");
                    sentences.push(json!({"text": text, "sources": [number]}));
                }
            }
            let true_one = &lake.facts()[1];
            sentences.push(json!({"text": true_one, "sources": [99]}));
            sentences.push(json!({"text": format!("Lake {} is 9999 metres deep, see http://evil.example/1.", lake.name), "sources": [1, 2]}));
            let (first, rest) = sentences.split_at(2.min(sentences.len()));
            json!({"sections": [{"heading": "", "sentences": first}, {"heading": "Details", "sentences": rest}]})
        }
        "revision" => json!({"sentences": []}),
        "answers" => {
            let says =
                ask.text.contains("How deep") && ask.quoted().iter().any(|line| line.contains("metres deep"));
            json!({"answers": if says { "yes" } else { "no" }})
        }
        "copies" => {
            let lines = ask.quoted();
            let mut sentences = lines.iter().flat_map(|line| line.split_inclusive(". "));
            let told = sentences
                .find(|sentence| sentence.contains("metres deep"))
                .map(|told| told.trim());
            json!({"quotes": [{"passage": 1, "text": told.unwrap_or_default()}]})
        }
        "verdicts" => {
            let mut verdicts = Vec::new();
            for part in ask.text.split("Statement ").skip(1) {
                let Some((number, rest)) = part.split_once(": ") else {
                    continue;
                };
                let (statement, passage) = rest.split_once("Text:").unwrap_or((rest, ""));
                let Ok(number) = number.parse::<u64>() else {
                    continue;
                };
                let supported = digits(statement).iter().all(|it| digits(passage).contains(it));
                verdicts.push(json!({"number": number, "supported": supported, "relevant": true}));
            }
            json!({"verdicts": verdicts})
        }
        "judgment" => {
            json!({"observation": "Short.", "score": 5, "approved": false, "feedback": "Say more about the survey."})
        }
        other => panic!("nobody asks for {other:?}"),
    }
}
