//! The reward of a step: one table.

use serde::{Deserialize, Serialize};

use super::detail::{CallOutcome, StepDetail, StepStatus};
use crate::num::Num;

/// An amount of reward, counted in hundredths so that sums have no float noise.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Reward(i64);

impl From<Reward> for Num {
    fn from(Reward(hundredths): Reward) -> Num {
        Num::hundredths(hundredths)
    }
}

impl std::ops::AddAssign for Reward {
    fn add_assign(&mut self, other: Self) {
        self.0 = self.0.saturating_add(other.0);
    }
}

/// What is rewarded, and with how many hundredths: when it completed, when it failed. A tool that has no row of
/// its own earns as `tool_call`. The figures are those the stream's first consumers were trained on.
const TABLE: &[(&str, i64, i64)] = &[
    ("plugins", 10, 0),
    ("planner", 15, 0),
    ("navigator", 5, -10),
    ("agent_decision", 10, 0),
    ("tool_call", 5, -2),
    ("extract", 50, 5),
    ("extract.nothing", 10, 5),
    ("recover", 10, 0),
    ("verifier", 5, 0),
    ("output", 10, 0),
    ("complete", 0, 0),
    ("html.parse", 10, -2),
    ("url.parse", 5, -2),
    ("validate.url", 5, -2),
];

/// The row of the table that a step falls under.
fn row(detail: &StepDetail) -> &str {
    match detail {
        StepDetail::RegistryCall(call) => call.tool_name.as_str(),
        StepDetail::Extract {
            items: None | Some(0),
            ..
        } => "extract.nothing",
        StepDetail::Plugins { .. }
        | StepDetail::Plan { .. }
        | StepDetail::Navigate { .. }
        | StepDetail::Decision { .. }
        | StepDetail::RuntimeCall(_)
        | StepDetail::Extract { .. }
        | StepDetail::Recover { .. }
        | StepDetail::Verify { .. }
        | StepDetail::Output { .. }
        | StepDetail::PageDone { .. } => detail.action(),
    }
}

/// What a step earns. Nothing until it ended, nothing when it was skipped or stopped.
#[must_use]
pub(super) fn reward(detail: &StepDetail, status: StepStatus) -> Reward {
    let failed = match (status, detail) {
        (StepStatus::Running | StepStatus::Skipped | StepStatus::Cancelled, _) => return Reward(0),
        (StepStatus::Failed, _) => true,
        (StepStatus::Completed, StepDetail::RuntimeCall(call)) => {
            matches!(call.outcome, Some(CallOutcome::Failure { .. }))
        }
        (StepStatus::Completed, _) => false,
    };
    let find = |name: &str| TABLE.iter().find(|(row, ..)| *row == name);
    let earned = find(row(detail)).or_else(|| find(detail.action()));
    Reward(earned.map_or(0, |(_, completed, lost)| if failed { *lost } else { *completed }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scrape::{Preview, RegistryCall, RuntimeCall};

    fn call(outcome: Option<CallOutcome>) -> StepDetail {
        StepDetail::RuntimeCall(RuntimeCall {
            tool: "html.select".into(),
            params: Default::default(),
            outcome,
        })
    }

    fn good() -> Option<CallOutcome> {
        Some(CallOutcome::Success {
            preview: Preview::of(&serde_json::json!({})),
            duration_ms: 3,
        })
    }

    fn bad() -> Option<CallOutcome> {
        Some(CallOutcome::Failure {
            error: "no match".into(),
            code: None,
            duration_ms: 3,
        })
    }

    #[test]
    fn a_call_earns_when_it_ended_and_costs_when_it_failed() {
        assert_eq!(reward(&call(None), StepStatus::Running), Reward(0));
        assert_eq!(reward(&call(good()), StepStatus::Completed), Reward(5));
        assert_eq!(reward(&call(bad()), StepStatus::Failed), Reward(-2));
        assert_eq!(
            reward(&call(bad()), StepStatus::Completed),
            Reward(-2),
            "the outcome counts, not the label"
        );
        assert_eq!(reward(&call(None), StepStatus::Cancelled), Reward(0));
        let parse = RegistryCall {
            tool_name: "html.parse".into(),
            ..RegistryCall::default()
        };
        assert_eq!(
            reward(&StepDetail::RegistryCall(parse), StepStatus::Completed),
            Reward(10)
        );
    }
}
