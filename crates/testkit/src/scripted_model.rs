//! A model that answers from a script, with no wire in between.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use futures_util::StreamExt;
use futures_util::stream::{self, BoxStream};
use llm::delta::{CallArguments, Fragment, Place};
use llm::{Capabilities, Delta, Error, Model, ModelRequest, Part};

use crate::scripted::ScriptedTurn;

type DecideTurn = dyn Fn(&ModelRequest, usize) -> ScriptedTurn + Send + Sync;

/// The model. Clones share the script and the log.
#[derive(Clone)]
pub struct ScriptedModel {
    decide: Arc<DecideTurn>,
    capabilities: Capabilities,
    asked: Arc<Mutex<Vec<ModelRequest>>>,
}

impl ScriptedModel {
    /// Answers as `decide` says, from the request and its number, from 0.
    pub fn new(decide: impl Fn(&ModelRequest, usize) -> ScriptedTurn + Send + Sync + 'static) -> Self {
        Self {
            decide: Arc::new(decide),
            capabilities: Capabilities::default(),
            asked: Arc::default(),
        }
    }

    /// Gives these turns one after the other; asked once more it fails.
    pub fn saying(turns: impl IntoIterator<Item = ScriptedTurn>) -> Self {
        let turns: Mutex<VecDeque<ScriptedTurn>> = Mutex::new(turns.into_iter().collect());
        Self::new(move |_, _| {
            let next = turns.lock().expect("the script").pop_front();
            next.unwrap_or_else(|| {
                ScriptedTurn::error(Error::BadRequest {
                    provider: "script".into(),
                    status: 500,
                    message: "the script is over".into(),
                })
            })
        })
    }

    /// With other abilities.
    #[must_use]
    pub fn able(mut self, capabilities: Capabilities) -> Self {
        self.capabilities = capabilities;
        self
    }

    /// Every request so far.
    pub fn asked(&self) -> Vec<ModelRequest> {
        self.asked.lock().expect("the log").clone()
    }
}

impl Model for ScriptedModel {
    fn name(&self) -> &str {
        "scripted"
    }

    fn capabilities(&self) -> Capabilities {
        self.capabilities
    }

    fn stream(&self, request: &ModelRequest) -> BoxStream<'static, Result<Delta, Error>> {
        let number = {
            let mut asked = self.asked.lock().expect("the log");
            asked.push(request.clone());
            asked.len() - 1
        };
        stream::iter(deltas(&(self.decide)(request, number))).boxed()
    }
}

fn deltas(turn: &ScriptedTurn) -> Vec<Result<Delta, Error>> {
    let mut out: Vec<Result<Delta, Error>> = Vec::new();
    let mut push = |part: Part| out.push(Ok(Delta::of(part)));
    for piece in turn.pieces(&turn.reasoning) {
        push(Part::Reasoning(piece.to_owned()));
    }
    for piece in turn.pieces(&turn.text) {
        push(Part::Text(piece.to_owned()));
    }
    for (block, (id, name, arguments)) in (0..).zip(&turn.calls) {
        let place = Place::Block(block);
        push(Part::Call(Fragment {
            id: Some(id.clone()),
            name: Some(name.clone()),
            ..Fragment::at(place)
        }));
        for piece in turn.pieces(&arguments.to_string()) {
            push(Part::Call(Fragment {
                arguments: Some(CallArguments::Fragment(piece.to_owned())),
                ..Fragment::at(place)
            }));
        }
        push(Part::Seal(block));
    }
    match &turn.error {
        Some(error) => out.push(Err(error.clone())),
        None => {
            push(Part::Usage(turn.usage()));
            push(Part::Finish(turn.finish()));
            push(Part::End);
        }
    }
    out
}
