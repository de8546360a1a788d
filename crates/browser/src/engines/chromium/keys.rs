//! What the browser is told about keys.

use serde_json::{Value, json};

use crate::keys::{ALT, CONTROL, Chord, Key, META, SHIFT};

/// The events of pressing and letting go, as `Input.dispatchKeyEvent` takes them.
pub(super) fn events(key: &Key, held: u8) -> [Value; 2] {
    let held = if key.shift { held | SHIFT } else { held };
    // With Control or Meta a key commands, and writes nothing.
    let text = if held & (CONTROL | META | ALT) == 0 {
        key.text.as_str()
    } else {
        ""
    };
    let mut down = json!({
        "type": if text.is_empty() { "rawKeyDown" } else { "keyDown" },
        "key": key.key,
        "code": key.code,
        "windowsVirtualKeyCode": key.number,
        "modifiers": held,
        "location": key.location,
    });
    if !text.is_empty() {
        down["text"] = text.into();
        down["unmodifiedText"] = text.into();
    }
    if let Some(command) = command(key, held) {
        down["commands"] = json!([command]);
    }
    let up = json!({
        "type": "keyUp",
        "key": key.key,
        "code": key.code,
        "windowsVirtualKeyCode": key.number,
        "modifiers": held,
        "location": key.location,
    });
    [down, up]
}

/// What an editor does at this key, where the browser leaves that to the window system.
fn command(key: &Key, held: u8) -> Option<&'static str> {
    let plain = held & !SHIFT == CONTROL;
    match (key.code.as_str(), plain, held & SHIFT != 0) {
        ("KeyA", true, _) => Some("selectAll"),
        ("KeyC", true, _) => Some("copy"),
        ("KeyX", true, _) => Some("cut"),
        ("KeyV", true, _) => Some("paste"),
        ("KeyZ", true, false) => Some("undo"),
        ("KeyZ", true, true) | ("KeyY", true, _) => Some("redo"),
        _ => None,
    }
}

/// The events of a chord: the first keys are held while the last one is pressed.
pub(super) fn press(chord: &Chord) -> Vec<Value> {
    let (before, last) = chord.keys();
    let mut held = 0;
    let mut told = Vec::new();
    for key in before {
        held |= key.held();
        let [down, _] = events(key, held);
        told.push(down);
    }
    told.extend(events(last, held));
    for key in before.iter().rev() {
        held &= !key.held();
        let [_, up] = events(key, held);
        told.push(up);
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(text: &str) -> Vec<(String, String, u64)> {
        let field = |it: &Value, name: &str| it[name].as_str().unwrap_or_default().to_owned();
        press(&Chord::read(text).unwrap())
            .iter()
            .map(|it| {
                (
                    field(it, "type"),
                    field(it, "key"),
                    it["modifiers"].as_u64().unwrap(),
                )
            })
            .collect()
    }

    #[test]
    fn keys_are_held_while_the_last_one_is_pressed() {
        let told = |kind: &str, key: &str, held| (kind.to_owned(), key.to_owned(), held);
        assert_eq!(
            seen("ctrl+A"),
            [
                told("rawKeyDown", "Control", 2),
                told("rawKeyDown", "A", 10),
                told("keyUp", "A", 10),
                told("keyUp", "Control", 0)
            ]
        );
        assert_eq!(
            seen("Enter"),
            [told("keyDown", "Enter", 0), told("keyUp", "Enter", 0)]
        );
        assert_eq!(seen("+").len(), 2);
        assert_eq!(seen("Control++").len(), 4);
    }

    #[test]
    fn every_printable_sign_writes_itself() {
        for c in (' '..='~').chain("żß漢é".chars()) {
            let [down, _] = events(&Key::of(c), 0);
            assert_eq!(down["text"], c.to_string());
        }
    }
}
