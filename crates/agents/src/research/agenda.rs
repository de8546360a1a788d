//! What comes next? Decided from what was done, without doing anything.

use super::effort::Effort;

/// What was done so far, as far as it decides what comes next.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Progress {
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
pub enum Step {
    /// Read the pages that the question names.
    Prefetch,
    /// Make a plan.
    Plan,
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
pub fn next(effort: &Effort, done: &Progress) -> Step {
    if done.unread {
        return Step::Prefetch;
    }
    if !done.planned {
        return Step::Plan;
    }
    // One loop is always made: without it there is nothing to write about.
    let first = done.iterations == 0 && !(done.spent && done.sources);
    if first || (done.iterations < effort.iterations && !done.enough && !done.spent) {
        return Step::Iterate(done.iterations + 1);
    }
    if effort.outlines && !done.outlined && done.sources && !done.spent {
        return Step::Outline;
    }
    if done.drafts == 0 {
        return Step::Write(1);
    }
    if effort.judges() && done.sources && !done.spent {
        if done.judged < done.drafts {
            return Step::Judge(done.drafts);
        }
        if !done.approved && done.drafts < effort.drafts {
            return Step::Write(done.drafts + 1);
        }
    }
    Step::Finish
}

#[cfg(test)]
mod tests {
    use super::*;
    use wire::research::Mode;

    /// A run in which every loop wants another and no judge is ever content.
    fn longest(mode: Mode) -> Vec<Step> {
        let effort = Effort::of(mode);
        let mut done = Progress {
            unread: true,
            sources: true,
            ..Progress::default()
        };
        let mut steps = Vec::new();
        loop {
            let step = next(&effort, &done);
            steps.push(step);
            match step {
                Step::Prefetch => done.unread = false,
                Step::Plan => done.planned = true,
                Step::Iterate(number) => done.iterations = number,
                Step::Outline => done.outlined = true,
                Step::Write(number) => done.drafts = number,
                Step::Judge(number) => done.judged = number,
                Step::Finish => return steps,
            }
            assert!(steps.len() < 50, "a run ends: {steps:?}");
        }
    }

    #[test]
    fn every_mode_goes_as_far_as_its_table_says() {
        use Step::{Finish, Iterate, Judge, Outline, Plan, Prefetch, Write};
        assert_eq!(
            longest(Mode::Fast),
            [Prefetch, Plan, Iterate(1), Write(1), Finish]
        );
        assert_eq!(
            longest(Mode::Balanced),
            [
                Prefetch,
                Plan,
                Iterate(1),
                Iterate(2),
                Iterate(3),
                Outline,
                Write(1),
                Finish
            ]
        );
        assert_eq!(
            longest(Mode::Deep)[6..],
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
        for (mode, loops) in [(Mode::Max, 5), (Mode::Ultra, 10)] {
            let loop_count = longest(mode).iter().filter(|it| matches!(it, Iterate(_))).count();
            assert_eq!(loop_count, loops, "{mode:?}");
        }
    }

    #[test]
    fn what_is_spent_or_enough_leads_to_the_report() {
        let effort = Effort::of(Mode::Ultra);
        let reading = Progress {
            planned: true,
            iterations: 2,
            sources: true,
            ..Progress::default()
        };
        assert_eq!(next(&effort, &reading), Step::Iterate(3));
        let enough = Progress {
            enough: true,
            ..reading
        };
        assert_eq!(next(&effort, &enough), Step::Outline);
        let spent = Progress {
            spent: true,
            ..reading
        };
        assert_eq!(next(&effort, &spent), Step::Write(1));
        let written = Progress { drafts: 1, ..spent };
        assert_eq!(next(&effort, &written), Step::Finish);
        let approved = Progress {
            enough: true,
            outlined: true,
            drafts: 1,
            judged: 1,
            approved: true,
            ..reading
        };
        assert_eq!(next(&effort, &approved), Step::Finish);
    }
}
