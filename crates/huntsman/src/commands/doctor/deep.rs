//! `huntsman doctor --deep`: uses each part once that the short checks found ready.

use std::fmt::Display;
use std::net::Ipv4Addr;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use browser::{Browser, Profile};
use bytes::Bytes;
use extract::rules::records;
use llm::{Message, ModelRequest, Role};
use runtime::config::Config;
use search::SearchQuery;
use store::engines::sqlite::ProcessRole;
use tokio::net::TcpListener;
use url::Url;

use super::check::DoctorCheck;
use crate::composition;
use crate::failure::Failure;

/// Longest time for one part.
const PATIENCE: Duration = Duration::from_secs(60);
/// A page of the demo site that is a list.
const PAGE: &str = "shop/plain";
/// Most tokens of the model's answer.
const MAX_ANSWER_TOKENS: u32 = 1000;

/// Adds to each check what its part did, and what failed. A part that is not there or not asked for is left as it is; the
/// network is used on this machine alone.
pub(super) fn use_each(config: &Config, checks: &mut [DoctorCheck]) -> Result<(), Failure> {
    composition::runtime()?.block_on(async {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await;
        let listener = listener.context("cannot listen on 127.0.0.1")?;
        let address = listener.local_addr().context("the listener has no port")?;
        let page = Url::parse(&format!("http://{address}/{PAGE}")).context("the demo site has no address")?;
        let site = tokio::spawn(demo::serve::serve(listener));
        for check in checks.iter_mut().filter(|check| check.outcome.is_ok()) {
            let began = Instant::now();
            let used = tokio::time::timeout(PATIENCE, use_one(check.name, config, &page)).await;
            let used = used.unwrap_or_else(|_| Err(format!("took longer than {} s", PATIENCE.as_secs())));
            match used {
                Ok(None) => {}
                Ok(Some(did)) => {
                    let text = format!(
                        "{}; {did} in {:.1} s",
                        check.text(),
                        began.elapsed().as_secs_f64()
                    );
                    check.outcome = Ok(text);
                }
                Err(why) => {
                    let text = format!("{}; it does not work: {why}", check.text());
                    (check.outcome, check.is_required) = (Err(text), true);
                }
            }
        }
        site.abort();
        Ok(())
    })
}

/// What the part of this name did when it was used; none for a part that the short check has used already.
async fn use_one(name: &str, config: &Config, page: &Url) -> Result<Option<String>, String> {
    match name {
        "store" => store(config).await.map(Some),
        "network" => {
            let client = composition::client(config, Vec::new()).map_err(|failure| failure.text())?;
            let http = Config {
                engine: wire::BrowserEngine::Http,
                ..config.clone()
            };
            let engine = composition::browser(&http, &client, None);
            read(engine.as_ref(), page).await.map(Some)
        }
        "chromium" => {
            let client = composition::client(config, Vec::new()).map_err(|failure| failure.text())?;
            let chromium = composition::chromium(config, &client);
            let read = read(&chromium, page).await.map(Some);
            chromium.stop().await;
            read
        }
        "model" => model(config).await.map(Some),
        "search" => search(config).await.map(Some),
        _ => Ok(None),
    }
}

async fn store(config: &Config) -> Result<String, String> {
    let store = composition::open_store(config, ProcessRole::Guest).map_err(|failure| failure.text())?;
    let written = Bytes::from_static(b"huntsman doctor");
    let digest = store.blobs.put(written.clone()).await.map_err(text)?;
    match store.blobs.get(&digest).await.map_err(text)? {
        Some(read) if read == written => Ok("wrote and read".to_owned()),
        _ => Err("what was written cannot be read again".to_owned()),
    }
}

/// Opens a page of this machine and finds the list in it.
async fn read(engine: &dyn Browser, url: &Url) -> Result<String, String> {
    let profile = Profile {
        granted: url.host_str().map(str::to_owned).into_iter().collect(),
        ..Profile::default()
    };
    let mut tab = engine.open(profile).await.map_err(text)?;
    tab.goto(url).await.map_err(text)?;
    let page = tab.page().await.map_err(text)?;
    tab.close().await;
    match records::find(&page).first() {
        Some(list) => Ok(format!("read a page of {} entries", list.records.len())),
        None => Err("the page that was opened has no list".to_owned()),
    }
}

async fn model(config: &Config) -> Result<String, String> {
    let client = composition::client(config, Vec::new()).map_err(|failure| failure.text())?;
    let models = composition::models(config, &client).map_err(|failure| failure.text())?;
    let models = models.ok_or("none is configured")?;
    let seat = models.seat(Role::Planner, models.meter()).map_err(text)?;
    let mut request = ModelRequest::new(vec![Message::user("Answer with the single word: pong")]);
    request.max_tokens = Some(MAX_ANSWER_TOKENS);
    let turn = seat.ask(&request).await.map_err(text)?;
    Ok(format!("answered with {} tokens", turn.usage.output))
}

async fn search(config: &Config) -> Result<String, String> {
    let client = composition::client(config, Vec::new()).map_err(|failure| failure.text())?;
    let provider = composition::search(config, &client).map_err(|failure| failure.text())?;
    let provider = provider.ok_or("none is configured")?;
    let found = provider
        .search(&SearchQuery::new("weather", 3))
        .await
        .map_err(text)?;
    Ok(format!("found {} pages", found.hits.len()))
}

fn text(error: impl Display) -> String {
    error.to_string()
}
