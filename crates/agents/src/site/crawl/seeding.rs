//! What is known before the first page: the start, the addresses of site maps, the pages of a batch.

use wire::Code;
use wire::fetch_options::RobotsRule;
use wire::frontier::{AddressKey, NewAddress};
use wire::scrape::{ScrapeEvent, ScrapeStep, StepDetail};

use super::Crawl;
use super::links::{new_address, score};
use super::plan::FollowRules;
use crate::cancel::Cancelled;
use crate::error_codes;
use crate::run_error::RunError;
use crate::scrape;
use crate::site::address;
use crate::site::fetch::SiteFetcher;
use crate::site::sitemaps::{SitemapFile, SitemapReader};

/// Addresses of one update.
const CHUNK: usize = 2_000;
/// Most addresses that the step about the plan names.
const NAMED: usize = 20;

impl Crawl<'_> {
    /// Takes in what is known before the first page.
    ///
    /// # Errors
    /// When the run is over, or robots.txt forbids the start of a crawl.
    pub(super) async fn seed(&mut self) -> Result<(), RunError> {
        let context = std::sync::Arc::clone(&self.context);
        let (urls, text) = match &context.plan.follow {
            Some(rules) => {
                self.start(rules).await?;
                (
                    vec![rules.start.to_string()],
                    format!("a crawl of {}", rules.start),
                )
            }
            None => {
                self.list().await?;
                let urls = &context.plan.urls;
                (
                    urls.iter().take(NAMED).cloned().collect(),
                    format!("{} page(s) to read", urls.len()),
                )
            }
        };
        let columns = context.plan.page.columns.clone().unwrap_or_default();
        let step = ScrapeStep::completed(StepDetail::Plan { urls, columns }, text);
        self.progress.tally.add(&step);
        self.run.emit(ScrapeEvent::Step { data: step }).await?;
        self.progress.is_seeded = true;
        Ok(self.save().await?)
    }

    async fn start(&mut self, rules: &FollowRules) -> Result<(), RunError> {
        let context = std::sync::Arc::clone(&self.context);
        let fetcher = SiteFetcher {
            services: &context.services,
            cancel: self.run.cancel_signal().token().clone(),
        };
        let (client, granted) = (&context.services.client, fetcher.grants(&rules.start));
        let asking = client.robots(&rules.start, granted, &fetcher.cancel);
        let robots = match self.run.until_cancelled(asking).await? {
            Ok(robots) => robots,
            Err(error) => {
                let error = browser::Error::Net(error);
                return Err(RunError::fatal(
                    error_codes::browser_code(&error),
                    error.to_string(),
                ));
            }
        };
        let ignores_robots = context.services.pages.robots == Some(RobotsRule::Ignore);
        if !ignores_robots && !robots.allows(&rules.start) {
            let text = "robots.txt forbids the start page, or cannot be read; nothing else was fetched";
            return Err(RunError::fatal(Code::RobotsDenied, text));
        }
        let start = address::clean(&rules.start).unwrap_or_else(|_| rules.start.clone());
        // No other address has such a score.
        let start = new_address(&start, 0, i64::MAX / 2);
        self.update(Vec::new(), vec![NewAddress { group: None, ..start }])
            .await?;
        if rules.sitemap && rules.depth > 0 {
            let mut reader = SitemapReader::new(fetcher, &rules.start, &robots.sitemaps);
            let most = context.plan.most_listed();
            while self.progress.summary.known < most
                && let Some(files) = self.run.until_cancelled(reader.next()).await?
            {
                for file in files {
                    self.take_listed(&file, rules, most).await?;
                }
            }
            for note in reader.notes {
                self.progress.note(note);
            }
        }
        Ok(())
    }

    async fn take_listed(
        &mut self,
        file: &SitemapFile,
        rules: &FollowRules,
        most: u64,
    ) -> Result<(), Cancelled> {
        let listed = |entry: &page::sitemap::ListedAddress| {
            let url = address::clean(&file.url.join(&entry.url).ok()?).ok()?;
            let score = score(&url, &entry.title, 1, rules) + freshness(&entry.last_modified);
            rules.scope.wants(&url).then(|| new_address(&url, 1, score))
        };
        for chunk in file.entries.chunks(CHUNK) {
            if self.progress.summary.known >= most {
                self.progress.note(format!(
                    "site maps name more than {most} addresses; the first ones were taken in"
                ));
                return Ok(());
            }
            let added = chunk.iter().filter_map(listed).collect();
            self.update(Vec::new(), added).await?;
        }
        Ok(())
    }

    /// Takes in the pages of a batch, in their order.
    async fn list(&mut self) -> Result<(), Cancelled> {
        let context = std::sync::Arc::clone(&self.context);
        let address = |(index, url): (usize, &String)| NewAddress {
            // The address itself is in the request. One that is named twice is read twice.
            key: AddressKey::of(&format!("batch {index}")),
            url: String::new(),
            host: scrape::address(url)
                .ok()
                .and_then(|url| url.host_str().map(str::to_owned))
                .unwrap_or_default(),
            depth: 0,
            score: -i64::try_from(index).unwrap_or(i64::MAX),
            group: None,
        };
        let all: Vec<NewAddress> = context.plan.urls.iter().enumerate().map(address).collect();
        for chunk in all.chunks(CHUNK) {
            self.update(Vec::new(), chunk.to_vec()).await?;
        }
        Ok(())
    }
}

/// What the day of the last change is worth: of pages at the same depth, the newer ones are read first.
fn freshness(last_modified: &str) -> i64 {
    let year = last_modified.get(..4).and_then(|year| year.parse::<i64>().ok());
    let month = last_modified
        .get(5..7)
        .and_then(|month| month.parse::<i64>().ok());
    match (year, month) {
        (Some(year), Some(month)) => ((year - 2000) * 12 + month).clamp(0, 480) / 2,
        _ => 0,
    }
}
