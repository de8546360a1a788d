//! The local model of the guides: answers as a model would that does the tasks of the pages.

use serde_json::json;
use testkit::{ProviderAnswer, ProviderRequest, ScriptedProvider, ScriptedTurn, play_automation};
use tokio::runtime::Runtime;

/// The server; it ends when this is dropped.
pub(crate) struct Model {
    provider: ScriptedProvider,
    /// What the server runs on.
    _runtime: Runtime,
    pub(crate) port: u16,
}

impl Model {
    pub(crate) fn start() -> Model {
        let runtime = Runtime::new().unwrap();
        let provider = runtime.block_on(ScriptedProvider::start(|asked, _| answer(asked)));
        let base = provider.base_url();
        let port = base
            .split(':')
            .nth(2)
            .and_then(|rest| rest.split('/').next())
            .unwrap();
        Model {
            port: port.parse().unwrap(),
            provider,
            _runtime: runtime,
        }
    }

    /// Rules of providers that a request broke.
    pub(crate) fn faults(&self) -> Vec<String> {
        self.provider.faults()
    }
}

fn answer(asked: &ProviderRequest) -> ProviderAnswer {
    let text = asked.body.to_string();
    let is_login = text.contains("/account/login");
    if asked.body["format"].is_null() && asked.body["tools"].is_null() {
        return ScriptedTurn::text("pong").into();
    }
    if asked.body["format"].is_object() && !text.contains("completionQuality") {
        let (criteria, plan) = match is_login {
            true => (
                "a page of the account is shown",
                "Fill in the login form, then the code.",
            ),
            false => (
                "the price of the mop is known",
                "Open the mop in the list and read its price.",
            ),
        };
        return ScriptedTurn::json(&json!({"successCriteria": criteria, "plan": plan})).into();
    }
    play_automation(asked, |turn, named| {
        let fill = |name: &str, key: &str| {
            ScriptedTurn::call("fill_user_data", json!({"ref": named(name), "key": key}))
        };
        let click = |name: &str| ScriptedTurn::call("click", json!({"ref": named(name)}));
        let done = |result: &str| ScriptedTurn::call("done", json!({"result": result}));
        match turn {
            0 if is_login => fill("User", "user"),
            1 if is_login => fill("Password", "password"),
            2 if is_login => click("Log in"),
            3 if is_login => fill("Code", "code"),
            4 if is_login => click("Confirm"),
            _ if is_login => done("You are logged in."),
            // The link is named by the picture in it and by its text.
            0 => click("Mop Zefira Air 106 Mop Zefira Air 106"),
            _ => done("The mop costs 258.00 EUR."),
        }
    })
    .into()
}
