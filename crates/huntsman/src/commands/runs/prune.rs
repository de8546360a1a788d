//! `huntsman runs prune` and `delete`: deletes runs that have ended.

use clap::Args;
use jiff::{SignedDuration, Timestamp};
use wire::RunId;
use wire::run_cursor::RunCursor;

use crate::composition::Application;
use crate::failure::Failure;
use crate::output::Output;

/// Runs that are looked up at once.
const BATCH: usize = 200;

#[derive(Debug, Args)]
#[group(required = true, multiple = true)]
pub(super) struct Prune {
    /// Those that ended this many days ago or more.
    #[arg(long, value_name = "DAYS", value_parser = clap::value_parser!(u32).range(0..=36_500))]
    older_than: Option<u32>,
    /// All but this many of the newest.
    #[arg(long, value_name = "COUNT")]
    keep: Option<usize>,
}

impl Prune {
    /// Deletes what is both old enough and beyond the newest that are kept, and prints how many runs that were.
    pub(super) async fn run(&self, application: &Application, output: &mut Output) -> Result<(), Failure> {
        let age = SignedDuration::from_hours(24 * i64::from(self.older_than.unwrap_or(0)));
        let before = Timestamp::now().checked_sub(age).map_err(anyhow::Error::from)?;
        let (mut cursor, mut place, mut chosen) = (None, 0, Vec::new());
        loop {
            let list = application.service.list(None, None, cursor, BATCH).await?;
            for run in list.runs {
                let is_old = run.finished_at.is_some_and(|ended| ended <= before);
                if is_old && place >= self.keep.unwrap_or(0) {
                    chosen.push(run.id);
                }
                place += 1;
            }
            match list.next.as_deref().and_then(RunCursor::parse) {
                Some(next) => cursor = Some(next),
                None => break,
            }
        }
        let mut deleted = 0;
        for id in &chosen {
            deleted += usize::from(delete(application, id).await?);
        }
        Ok(output.text(&format!("{deleted} run(s) deleted"))?)
    }
}

/// Deletes a run with its events and files; says so on stderr and gives false when the run goes on.
pub(super) async fn delete(application: &Application, id: &RunId) -> Result<bool, Failure> {
    if application.service.delete(None, id).await? {
        return Ok(true);
    }
    note!("the run {id} has not ended; cancel it first: huntsman runs cancel {id}");
    Ok(false)
}
