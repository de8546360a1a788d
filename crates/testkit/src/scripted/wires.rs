//! The wires that the scripted provider speaks, a file each.

mod anthropic;
mod gemini;
mod ollama;
mod openai_chat;
mod openai_responses;
mod scripted_wire;

pub(super) use scripted_wire::ScriptedWire;

/// All wires.
const WIRES: [&ScriptedWire; 5] = [
    &openai_chat::WIRE,
    &openai_responses::WIRE,
    &anthropic::WIRE,
    &gemini::WIRE,
    &ollama::WIRE,
];

/// The wire whose requests arrive at that path.
pub(super) fn at_path(path: &str) -> Option<&'static ScriptedWire> {
    let path = path.split('?').next().unwrap_or(path);
    WIRES.into_iter().find(|wire| path.ends_with(wire.path_end))
}

#[cfg(test)]
mod tests {
    use llm::wires::Wire;

    use super::*;

    #[test]
    fn every_wire_is_scripted() {
        let scripted: Vec<Wire> = WIRES.iter().map(|wire| wire.wire).collect();
        assert_eq!(scripted, Wire::ALL);
    }
}
