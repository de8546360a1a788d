//! The research planner: the next step, decided from the progress so far without doing anything.

use super::effort::ResearchEffort;

/// What was done so far, as far as it decides what comes next.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ResearchProgress {
    /// Addresses that the question names and that nobody has looked at yet.
    pub unread: bool,
    /// There is a plan.
    pub planned: bool,
    /// Loops that were finished.
    pub iterations: u32,
    /// The last loop found that enough is known, or nothing more to be had.
    pub enough: bool,
    /// What may be spent on gathering is spent.
    pub spent: bool,
    /// There is something to write about.
    pub sources: bool,
    /// The report is outlined, or that was tried.
    pub outlined: bool,
    /// Drafts written.
    pub drafts: u32,
    /// Drafts judged.
    pub judged: u32,
    /// The last judged draft may go out.
    pub approved: bool,
}

/// A part of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResearchStep {
    /// Read the pages that the question names.
    Prefetch,
    /// Make a plan.
    ResearchPlan,
    /// Search and read: this loop, from 1.
    Iterate(u32),
    /// Outline the report.
    Outline,
    /// Write a draft: which, from 1.
    Write(u32),
    /// Judge the last draft.
    Judge(u32),
    /// Hand the report over.
    Finish,
}

/// What comes next.
pub fn next(effort: &ResearchEffort, done: &ResearchProgress) -> ResearchStep {
    if done.unread {
        return ResearchStep::Prefetch;
    }
    if !done.planned {
        return ResearchStep::ResearchPlan;
    }
    // One loop is always made: without it there is nothing to write about.
    let first = done.iterations == 0 && !(done.spent && done.sources);
    if first || (done.iterations < effort.iterations && !done.enough && !done.spent) {
        return ResearchStep::Iterate(done.iterations + 1);
    }
    if effort.outlines && !done.outlined && done.sources && !done.spent {
        return ResearchStep::Outline;
    }
    if done.drafts == 0 {
        return ResearchStep::Write(1);
    }
    if effort.judges() && done.sources && !done.spent {
        if done.judged < done.drafts {
            return ResearchStep::Judge(done.drafts);
        }
        if !done.approved && done.drafts < effort.drafts {
            return ResearchStep::Write(done.drafts + 1);
        }
    }
    ResearchStep::Finish
}

#[cfg(test)]
mod tests {
    use super::*;
    use wire::research::ResearchMode;

    /// A run in which every loop wants another and no judge is ever content.
    fn longest(mode: ResearchMode) -> Vec<ResearchStep> {
        let effort = ResearchEffort::of(mode);
        let mut done = ResearchProgress {
            unread: true,
            sources: true,
            ..ResearchProgress::default()
        };
        let mut steps = Vec::new();
        loop {
            let step = next(&effort, &done);
            steps.push(step);
            match step {
                ResearchStep::Prefetch => done.unread = false,
                ResearchStep::ResearchPlan => done.planned = true,
                ResearchStep::Iterate(number) => done.iterations = number,
                ResearchStep::Outline => done.outlined = true,
                ResearchStep::Write(number) => done.drafts = number,
                ResearchStep::Judge(number) => done.judged = number,
                ResearchStep::Finish => return steps,
            }
            assert!(steps.len() < 50, "a run ends: {steps:?}");
        }
    }

    #[test]
    fn every_mode_goes_as_far_as_its_table_says() {
        use ResearchStep::{Finish, Iterate, Judge, Outline, Prefetch, ResearchPlan, Write};
        assert_eq!(
            longest(ResearchMode::Fast),
            [Prefetch, ResearchPlan, Iterate(1), Write(1), Finish]
        );
        assert_eq!(
            longest(ResearchMode::Balanced),
            [
                Prefetch,
                ResearchPlan,
                Iterate(1),
                Iterate(2),
                Iterate(3),
                Outline,
                Write(1),
                Finish
            ]
        );
        assert_eq!(
            longest(ResearchMode::Deep)[6..],
            [
                Iterate(5),
                Outline,
                Write(1),
                Judge(1),
                Write(2),
                Judge(2),
                Finish
            ]
        );
        for (mode, loops) in [(ResearchMode::Max, 5), (ResearchMode::Ultra, 10)] {
            let loop_count = longest(mode).iter().filter(|it| matches!(it, Iterate(_))).count();
            assert_eq!(loop_count, loops, "{mode:?}");
        }
    }

    #[test]
    fn what_is_spent_or_enough_leads_to_the_report() {
        let effort = ResearchEffort::of(ResearchMode::Ultra);
        let reading = ResearchProgress {
            planned: true,
            iterations: 2,
            sources: true,
            ..ResearchProgress::default()
        };
        assert_eq!(next(&effort, &reading), ResearchStep::Iterate(3));
        let enough = ResearchProgress {
            enough: true,
            ..reading
        };
        assert_eq!(next(&effort, &enough), ResearchStep::Outline);
        let spent = ResearchProgress {
            spent: true,
            ..reading
        };
        assert_eq!(next(&effort, &spent), ResearchStep::Write(1));
        let written = ResearchProgress { drafts: 1, ..spent };
        assert_eq!(next(&effort, &written), ResearchStep::Finish);
        let approved = ResearchProgress {
            enough: true,
            outlined: true,
            drafts: 1,
            judged: 1,
            approved: true,
            ..reading
        };
        assert_eq!(next(&effort, &approved), ResearchStep::Finish);
    }
}
