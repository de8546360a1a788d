//! A batch that is stopped: what was read is in its log. A crawl: how far a page is from the start.

use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use agents::cancel::{CancelSignal, Cancelled};
use agents::run::{Journal, Run};
use agents::site::crawl::SiteJob;
use agents::site::frontier::{CrawlFrontier, LoggedPage};
use async_trait::async_trait;
use testkit::{ScriptedProvider, ScriptedTurn, SiteReply, TestSite};
use wire::frontier::{AddressKey, FrontierReply, FrontierStatus, FrontierUpdate, TakenAddress};
use wire::scrape::{ScrapeEvent, StepDetail};
use wire::site::{BatchRequest, CrawlRequest, PageOptions};
use wire::{Event as _, RunId};

use super::research::stand::Stand;

#[derive(Default)]
struct Log(Mutex<Vec<ScrapeEvent>>);

#[async_trait]
impl Journal<ScrapeEvent> for Log {
    async fn record(&self, event: ScrapeEvent) -> Result<(), Cancelled> {
        self.0.lock().unwrap().push(event);
        Ok(())
    }

    async fn settle(&self) -> Result<(), Cancelled> {
        Ok(())
    }

    fn turn(&self, _: String) {}
}

/// The addresses of a batch, all but the last, which is never given. The run is cancelled when it asks for more.
struct Frontier {
    urls: Vec<String>,
    taken: AtomicUsize,
    cancel: CancelSignal,
}

#[async_trait]
impl CrawlFrontier for Frontier {
    async fn open(&self) -> Result<FrontierStatus, Cancelled> {
        Ok(FrontierStatus::default())
    }

    async fn update(&self, update: FrontierUpdate) -> Result<FrontierReply, Cancelled> {
        Ok(FrontierReply {
            duplicates: vec![None; update.pages.len()],
            ..FrontierReply::default()
        })
    }

    async fn take(&self, _: usize, _: &[String]) -> Result<Vec<TakenAddress>, Cancelled> {
        if self.taken.fetch_add(1, Ordering::SeqCst) > 0 {
            self.cancel.cancel(Cancelled::Requested);
            return Ok(Vec::new());
        }
        let given = self.urls.iter().zip(0..).take(self.urls.len() - 1);
        let address = given.map(|(url, place)| TakenAddress {
            place,
            key: AddressKey::of(url),
            url: url.clone(),
            host: "127.0.0.1".to_owned(),
            depth: 0,
            after_seq: 0,
        });
        Ok(address.collect())
    }

    async fn logged(&self, _: u64, _: &HashSet<u64>) -> Result<Vec<LoggedPage>, Cancelled> {
        Ok(Vec::new())
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_that_were_read_are_told_when_the_run_is_cancelled() {
    let site = TestSite::start(|asked| match asked.path.as_str() {
        "/0" => SiteReply::html(
            "<title>Lamp</title><main><h1>Lamp</h1><p>A lamp of brass for the desk.</p></main>",
        ),
        _ => SiteReply::html("").after(Duration::from_secs(3600)),
    })
    .await;
    let stand = Stand::with(site, ScriptedProvider::saying(Vec::<ScriptedTurn>::new()).await);
    let cancel = CancelSignal::after(Duration::from_secs(600));
    let urls: Vec<String> = (0..9)
        .map(|number| stand.site.url(&format!("/{number}")))
        .collect();
    let frontier = Frontier {
        urls: urls.clone(),
        taken: AtomicUsize::new(0),
        cancel: cancel.clone(),
    };
    let request = BatchRequest {
        urls: urls.clone(),
        retries: 0,
        page: PageOptions::default(),
    };
    let log = Arc::new(Log::default());
    let run = Run::new(log.clone(), cancel);
    let id = RunId::from_random([7; 16]);
    let job = SiteJob::Batch(&request);
    agents::site::crawl::run(&run, &id, job, &stand.services, &frontier, true)
        .await
        .unwrap();
    let events = log.0.lock().unwrap();
    let complete: Vec<&str> = events
        .iter()
        .filter_map(|event| match event {
            ScrapeEvent::UrlComplete(page) => Some(page.url.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(complete, [urls[0].as_str()]);
    let Some(ScrapeEvent::Complete { data }) = events.last() else {
        panic!("the end: {:?}", events.last().map(|event| event.name()));
    };
    assert_eq!(data.crawl.as_ref().unwrap().read, 1);
}

/// Gives these addresses at once, and no others.
struct TakenAtOnce(Mutex<Vec<TakenAddress>>);

#[async_trait]
impl CrawlFrontier for TakenAtOnce {
    async fn open(&self) -> Result<FrontierStatus, Cancelled> {
        Ok(FrontierStatus::default())
    }

    async fn update(&self, update: FrontierUpdate) -> Result<FrontierReply, Cancelled> {
        Ok(FrontierReply {
            duplicates: vec![None; update.pages.len()],
            ..FrontierReply::default()
        })
    }

    async fn take(&self, _: usize, _: &[String]) -> Result<Vec<TakenAddress>, Cancelled> {
        Ok(std::mem::take(&mut *self.0.lock().unwrap()))
    }

    async fn logged(&self, _: u64, _: &HashSet<u64>) -> Result<Vec<LoggedPage>, Cancelled> {
        Ok(Vec::new())
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_two_links_away_waits_for_a_start_that_may_link_to_it() {
    let site = TestSite::start(|asked| match asked.path.as_str() {
        "/start" => SiteReply::html("<h1>Start</h1><a href=/vases>Vases</a>"),
        "/listed" | "/vases" => SiteReply::html("<h1>Vases</h1><p>All vases of the shop in one list.</p>"),
        _ => SiteReply::html("").status(404),
    })
    .await;
    let stand = Stand::with(site, ScriptedProvider::saying(Vec::<ScriptedTurn>::new()).await);
    let address = |path: &str, place, depth| TakenAddress {
        place,
        key: AddressKey::of(&net::canonical(&stand.site.url(path).parse().unwrap())),
        url: stand.site.url(path),
        host: "127.0.0.1".to_owned(),
        depth,
        after_seq: 0,
    };
    // The page of the site map was faster than the start, and led to the vases first.
    let addresses = [("/start", 0, 0), ("/listed", 1, 1), ("/vases", 2, 2)];
    let addresses = addresses.map(|(path, place, depth)| address(path, place, depth));
    let frontier = TakenAtOnce(Mutex::new(addresses.to_vec()));
    let request = serde_json::json!({"url": stand.site.url("/start"), "depth": 2, "sitemap": false});
    let request: CrawlRequest = serde_json::from_value(request).unwrap();
    let log = Arc::new(Log::default());
    let run = Run::new(log.clone(), CancelSignal::after(Duration::from_secs(600)));
    let (id, job) = (RunId::from_random([7; 16]), SiteJob::Crawl(&request));
    agents::site::crawl::run(&run, &id, job, &stand.services, &frontier, true)
        .await
        .unwrap();
    let events = log.0.lock().unwrap();
    let depth = |event: &ScrapeEvent| match event {
        ScrapeEvent::Step { data } => match &data.detail {
            StepDetail::PageDone {
                result: Some(result), ..
            } => Some((result["index"].as_u64()?, result["depth"].as_u64()?)),
            _ => None,
        },
        _ => None,
    };
    let mut depths: Vec<(u64, u64)> = events.iter().filter_map(depth).collect();
    depths.sort_unstable();
    assert_eq!(depths, [(0, 0), (1, 1), (2, 1)]);
}
