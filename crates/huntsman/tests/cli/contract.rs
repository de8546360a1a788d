//! Every event that a server told, held against the schema of its family: the one made of our types, and the contract's
//! own where `HUNTSMAN_CONTRACT_DIR` names its folder.

use std::path::{Path, PathBuf};

use jsonschema::Validator;
use serde_json::{Value, json};

use crate::server::Server;

fn schemas(kind: &str) -> Vec<Validator> {
    let own = concat!(env!("CARGO_MANIFEST_DIR"), "/../wire/schemas");
    let mut files = vec![Path::new(own).join(format!("{kind}-events.json"))];
    let folder = std::env::var_os("HUNTSMAN_CONTRACT_DIR").map(PathBuf::from);
    files.extend(folder.map(|it| it.join(format!("{kind}-events.schema.json"))));
    let read = |file: PathBuf| {
        let schema: Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
        jsonschema::validator_for(&schema).unwrap()
    };
    files.into_iter().map(read).collect()
}

/// Checks the events of every run and says how many runs and events there were; each run has one terminal event.
pub(crate) async fn check(server: &Server) -> (usize, usize) {
    let (address, runs) = (server.address.clone(), server.runs());
    tokio::task::spawn_blocking(move || {
        let mut events = 0;
        for run in &runs {
            let kind = run["kind"].as_str().unwrap();
            let path = format!("/v1/runs/{}/events", run["id"].as_str().unwrap());
            let told = Server::ask(&address, "GET", &path, "");
            let schemas = schemas(kind);
            let frames: Vec<&str> = told.split("\n\n").filter(|it| it.contains("event: ")).collect();
            let mut ends = 0;
            for frame in &frames {
                let field = |name: &str| frame.lines().find_map(|it| it.strip_prefix(name)).unwrap();
                let data: Value = serde_json::from_str(field("data: ")).unwrap();
                let event = json!({"event": field("event: "), "data": data});
                for schema in &schemas {
                    let faults: Vec<String> = schema.iter_errors(&event).map(|it| it.to_string()).collect();
                    assert!(faults.is_empty(), "{event}: {faults:?}");
                }
                ends += usize::from(matches!(event["event"].as_str(), Some("complete" | "error")));
            }
            assert_eq!(ends, 1, "{kind}: {told}");
            events += frames.len();
        }
        (runs.len(), events)
    })
    .await
    .unwrap()
}
