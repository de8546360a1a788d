//! What comes next in a run: a state machine without IO. The driver does what it says and tells it what was seen.

use std::collections::{HashMap, VecDeque};

use super::call::{Doing, Move};

/// How far a run may go.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// Turns of the loop.
    pub(super) turns: u32,
    /// Answers that are judged.
    pub(super) answers: u32,
    /// Errors in a row.
    pub(super) errors_in_row: u32,
    /// Errors in all.
    pub(super) errors: u32,
    /// The same move on the same page: at this one the model is warned, at the next one the run ends.
    pub(super) same: u32,
    /// Moves of one turn that are done.
    pub(super) moves: usize,
}

impl Limits {
    /// The usual limits, with those that a request sets.
    pub(super) fn new(turns: u32, answers: u32) -> Self {
        Self {
            turns,
            answers,
            errors_in_row: 5,
            errors: 15,
            same: 4,
            moves: 20,
        }
    }
}

/// What to do next.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Next {
    /// Begin a turn: this one, from 0.
    Turn(u32),
    /// Look at the page.
    Look,
    /// Ask the model.
    Think,
    /// Do this.
    Do(Move),
    /// Have this answer judged.
    Judge {
        /// The answer.
        answer: String,
        /// Which answer it is, from 1.
        attempt: u32,
    },
    /// End the run.
    End(Ending),
}

/// How a run ends.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Ending {
    /// The answer was accepted.
    Accepted(String),
    /// The agent gave up.
    Aborted(String),
    /// It was stopped for repeating itself.
    Repeating(String),
    /// No answer was accepted; the last one and what was wrong with it.
    Rejected {
        /// The last answer.
        answer: String,
        /// What the judge said.
        feedback: String,
    },
    /// Out of turns, with the last answer that was refused.
    OutOfTurns(Option<String>),
    /// Too many errors; the last one.
    TooManyErrors {
        /// How many, and in which count.
        count: String,
        /// The last one.
        last: String,
    },
    /// Something failed that no further turn can mend.
    Broken {
        /// Its stable name.
        code: String,
        /// In words.
        text: String,
    },
}

/// What a model's turn came to.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Thought {
    /// Calls, and how many of them could not be used.
    Moves {
        /// Those that can be done, in order.
        moves: Vec<Move>,
        /// How many were malformed, unknown or wrong.
        refused: usize,
    },
    /// No answer.
    Failed(Trouble),
}

/// Something that went wrong outside of the page.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Trouble {
    /// Its stable name.
    pub(super) code: String,
    /// In words.
    pub(super) text: String,
    /// Whether no further turn can mend it.
    pub(super) fatal: bool,
}

/// What became of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Deed {
    /// Done, and nothing else happened.
    Quiet,
    /// Done, and the page is another one or something else came up.
    Surprise,
    /// Not done.
    Failed,
}

/// What a judge said.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Verdict {
    /// The answer does the task.
    Accepted,
    /// It does not.
    Refused(String),
    /// The judge could not be asked, and another try may help.
    Missing(Trouble),
}

/// What the driver has to tell, after it reported something.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Words {
    /// Calls that are not done, each with why.
    pub(super) skipped: Vec<(String, String)>,
    /// A warning for the model and the reader.
    pub(super) warning: Option<String>,
}

#[derive(Debug, Clone, PartialEq)]
enum State {
    Between,
    Looking,
    Thinking,
    Doing,
    Judging(String),
    Over(Ending),
}

/// A run's course.
#[derive(Debug)]
pub(super) struct Course {
    limits: Limits,
    state: State,
    turns: u32,
    actions: u32,
    answers: u32,
    errors: u32,
    errors_in_row: u32,
    last_error: String,
    refused_answer: Option<String>,
    /// Whether the page may have changed since it was looked at.
    unseen: bool,
    page: u64,
    tried: HashMap<(u64, String), u32>,
    queue: VecDeque<Move>,
    prints: Vec<String>,
}

impl Course {
    /// A run at its beginning; `open` says whether there is a page to look at.
    pub(super) fn new(limits: Limits, open: bool) -> Self {
        Self {
            limits,
            state: State::Between,
            turns: 0,
            actions: 0,
            answers: 0,
            errors: 0,
            errors_in_row: 0,
            last_error: String::new(),
            refused_answer: None,
            unseen: open,
            page: 0,
            tried: HashMap::new(),
            queue: VecDeque::new(),
            prints: Vec::new(),
        }
    }

    /// Turns begun so far.
    pub(super) fn turns(&self) -> u32 {
        self.turns
    }

    /// Moves done so far, without the ends.
    pub(super) fn actions(&self) -> u32 {
        self.actions
    }

    /// Answers refused so far.
    pub(super) fn refused_answers(&self) -> u32 {
        self.answers
    }

    /// What to do now. Asked again without a report in between, it says the same, except that a turn begins once.
    pub(super) fn next(&mut self) -> Next {
        match &self.state {
            State::Between => {
                if self.turns >= self.limits.turns {
                    return self.end(Ending::OutOfTurns(self.refused_answer.clone()));
                }
                let turn = self.turns;
                self.turns += 1;
                self.state = if self.unseen {
                    State::Looking
                } else {
                    State::Thinking
                };
                Next::Turn(turn)
            }
            State::Looking => Next::Look,
            State::Thinking => Next::Think,
            State::Judging(answer) => Next::Judge {
                answer: answer.clone(),
                attempt: self.answers + 1,
            },
            State::Over(ending) => Next::End(ending.clone()),
            State::Doing => match self.queue.front().cloned() {
                Some(it) => match it.doing {
                    Doing::Done(answer) => {
                        self.queue.pop_front();
                        self.state = State::Judging(answer.clone());
                        Next::Judge {
                            answer,
                            attempt: self.answers + 1,
                        }
                    }
                    Doing::Abort(reason) => {
                        self.queue.pop_front();
                        self.end(Ending::Aborted(reason))
                    }
                    _ => Next::Do(it),
                },
                None => {
                    self.state = State::Between;
                    self.next()
                }
            },
        }
    }

    fn end(&mut self, ending: Ending) -> Next {
        self.state = State::Over(ending.clone());
        Next::End(ending)
    }

    /// The page was looked at; `page` stands for what it showed.
    pub(super) fn looked(&mut self, page: u64) {
        self.page = page;
        self.unseen = false;
        self.state = State::Thinking;
    }

    /// The model has to see the page again before it is asked, though nothing was done to it.
    pub(super) fn look_again(&mut self) {
        self.unseen = true;
    }

    /// The page could not be looked at.
    pub(super) fn blind(&mut self, trouble: Trouble) {
        if trouble.fatal {
            self.break_off(trouble);
            return;
        }
        self.unseen = true;
        self.state = State::Thinking;
        self.count_error(trouble.text);
    }

    /// The model has answered, or has not. `print` gives what a move is, apart from the refs' numbers.
    pub(super) fn thought(&mut self, thought: Thought, print: impl Fn(&Move) -> String) -> Words {
        self.state = State::Between;
        let mut words = Words::default();
        let (moves, refused) = match thought {
            Thought::Moves { moves, refused } => (moves, refused),
            Thought::Failed(trouble) if trouble.fatal => {
                self.break_off(trouble);
                return words;
            }
            Thought::Failed(trouble) => {
                self.count_error(format!("{}: {}", trouble.code, trouble.text));
                return words;
            }
        };
        if moves.is_empty() {
            let text = if refused > 0 {
                "the model's tool calls could not be used"
            } else {
                "the model called no tool"
            };
            self.count_error(text.to_owned());
            return words;
        }
        self.prints.clear();
        for (place, it) in moves.into_iter().enumerate() {
            if place >= self.limits.moves {
                let why = format!("not done: a turn has at most {} calls", self.limits.moves);
                words.skipped.push((it.id, why));
            } else if self.queue.front().is_some_and(is_end) {
                words
                    .skipped
                    .push((it.id, "not done: the turn was finished before it".to_owned()));
            } else if place > 0 && is_end(&it) {
                let why = "not done: look at what the other calls came to before you finish".to_owned();
                words.skipped.push((it.id, why));
            } else if let Some(warning) = self.repetition(&it, print(&it)) {
                words.warning = Some(warning);
                self.queue.push_back(it);
            } else if matches!(self.state, State::Over(_)) {
                words.skipped.push((
                    it.id,
                    "not done: the run was stopped for repeating itself".to_owned(),
                ));
            } else {
                self.queue.push_back(it);
            }
        }
        if !matches!(self.state, State::Over(_)) {
            self.state = State::Doing;
        }
        words
    }

    /// Counts a move on a page. Gives a warning, or ends the run, when it was tried too often.
    fn repetition(&mut self, it: &Move, print: String) -> Option<String> {
        if it.may_repeat()
            || is_end(it)
            || matches!(self.state, State::Over(_))
            || self.prints.contains(&print)
        {
            return None;
        }
        self.prints.push(print.clone());
        let count = self.tried.entry((self.page, print)).or_default();
        *count += 1;
        let count = *count;
        if count > self.limits.same {
            let reason = format!(
                "stopped for repeating itself: `{}` was called {count} times on the same page without any change",
                it.tool
            );
            self.state = State::Over(Ending::Repeating(reason));
            return None;
        }
        (count == self.limits.same).then(|| {
            format!(
                "`{}` was called {count} times on this page, and nothing changes; do something else, or the run ends",
                it.tool
            )
        })
    }

    /// The move in front was done, or was not.
    pub(super) fn did(&mut self, deed: Deed, error: &str) -> Words {
        let mut words = Words::default();
        let Some(done) = self.queue.pop_front() else {
            return words;
        };
        let reads = matches!(
            done.doing,
            Doing::Extract(_) | Doing::Search(_) | Doing::Screenshot
        );
        match deed {
            Deed::Failed => {
                self.count_error(error.to_owned());
                self.unseen |= !reads;
            }
            Deed::Quiet | Deed::Surprise => {
                self.errors_in_row = 0;
                self.actions += 1;
                self.unseen |= !reads;
            }
        }
        if deed != Deed::Quiet {
            let why = match deed {
                Deed::Failed => "not done: a call before it failed",
                _ => "not done: the page has changed since it was decided; look again",
            };
            let skipped = self.queue.drain(..).map(|it| (it.id, why.to_owned()));
            words.skipped.extend(skipped);
        }
        words
    }

    /// A judge has spoken.
    pub(super) fn judged(&mut self, verdict: Verdict) {
        let State::Judging(answer) = &self.state else {
            return;
        };
        let answer = answer.clone();
        match verdict {
            Verdict::Accepted => self.state = State::Over(Ending::Accepted(answer)),
            Verdict::Missing(trouble) if trouble.fatal => self.break_off(trouble),
            Verdict::Refused(feedback) => {
                self.answers += 1;
                self.refuse(answer, feedback);
            }
            Verdict::Missing(trouble) => {
                self.answers += 1;
                let why = format!("it could not be judged ({}: {})", trouble.code, trouble.text);
                self.refuse(answer, why);
            }
        }
    }

    fn refuse(&mut self, answer: String, feedback: String) {
        self.refused_answer = Some(answer.clone());
        self.state = if self.answers >= self.limits.answers {
            State::Over(Ending::Rejected { answer, feedback })
        } else {
            State::Between
        };
    }

    /// Ends the run because of something that cannot be mended.
    pub(super) fn break_off(&mut self, trouble: Trouble) {
        let Trouble { code, text, .. } = trouble;
        self.state = State::Over(Ending::Broken { code, text });
    }

    fn count_error(&mut self, last: String) {
        self.errors += 1;
        self.errors_in_row += 1;
        self.last_error = last;
        let count = if self.errors_in_row >= self.limits.errors_in_row {
            format!("{} errors in a row", self.errors_in_row)
        } else if self.errors >= self.limits.errors {
            format!("{} errors in all", self.errors)
        } else {
            return;
        };
        let last = self.last_error.clone();
        self.state = State::Over(Ending::TooManyErrors { count, last });
    }
}

fn is_end(it: &Move) -> bool {
    matches!(it.doing, Doing::Done(_) | Doing::Abort(_))
}

#[cfg(test)]
mod tests;
