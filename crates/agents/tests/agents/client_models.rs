//! Models that requests name: who pays for them.

use std::collections::BTreeMap;
use std::sync::Arc;

use agents::services::{Ledger, TokenBudget};
use llm::transport::Network;
use llm::wires::Wire;
use llm::{Message, Meter, ModelRequest, Models, Role};
use serde_json::json;
use testkit::{ScriptedProvider, ScriptedTurn, TestSite};

use super::research::stand::Stand;

#[tokio::test]
async fn models_that_requests_name_are_paid_from_the_budget_of_the_run() {
    let provider = ScriptedProvider::start(|_, _| ScriptedTurn::json(&json!({})).into()).await;
    let mut stand = Stand::with(TestSite::of_pages(&[]).await, provider);
    let network = Arc::new(Network::new(stand.services.client.clone()));
    let named = Models::new(stand.provider.settings(Wire::OpenAiChat), network);
    let name = ("openai".to_owned(), "other".to_owned());
    stand.services.client_models = Arc::new(BTreeMap::from([(name.clone(), named)]));
    let ledger = Ledger::new(TokenBudget {
        tokens: Some(1),
        ..TokenBudget::default()
    });
    let services = stand.services.entering(&ledger);
    let seat = services.client_models[&name].seat(Role::Extractor, Meter::default());
    let seat = seat.unwrap();
    let request = ModelRequest::new(vec![Message::user("hello")]);
    seat.ask(&request).await.unwrap();
    let spent: u64 = ledger.by_model().values().map(|spent| spent.usage.total()).sum();
    assert!(spent > 1, "{spent} tokens");
    let refused = seat.ask(&request).await.unwrap_err();
    assert!(
        matches!(refused, llm::Error::BudgetExceeded { .. }),
        "{refused:?}"
    );
}
