//! Key events: from keys and chords to the events of the DevTools protocol.

use super::cdp::input::{KeyEvent, KeyEventType};
use crate::keys::{ALT, CONTROL, KeyChord, KeyboardKey, META, SHIFT};

/// The events of pressing a key and releasing it, with these modifiers.
pub(super) fn press(key: &KeyboardKey, modifiers: u8) -> [KeyEvent; 2] {
    let modifiers = if key.shift { modifiers | SHIFT } else { modifiers };
    // With one of these modifiers a key gives a command, and writes nothing.
    let writes = modifiers & (CONTROL | META | ALT) == 0 && !key.text.is_empty();
    let text = writes.then(|| key.text.clone());
    let event = |r#type, text: Option<String>, commands| KeyEvent {
        r#type,
        key: key.key.clone(),
        code: key.code.clone(),
        windows_virtual_key_code: key.number,
        modifiers,
        location: key.location,
        unmodified_text: text.clone(),
        text,
        commands,
    };
    let down = match writes {
        true => KeyEventType::KeyDown,
        false => KeyEventType::RawKeyDown,
    };
    let commands = editing_command(key, modifiers).map(|command| [command]);
    [
        event(down, text, commands),
        event(KeyEventType::KeyUp, None, None),
    ]
}

/// The editing command of a key, where the browser leaves that to the window system.
fn editing_command(key: &KeyboardKey, modifiers: u8) -> Option<&'static str> {
    let is_control = modifiers & !SHIFT == CONTROL;
    match (key.code.as_str(), is_control, modifiers & SHIFT != 0) {
        ("KeyA", true, _) => Some("selectAll"),
        ("KeyC", true, _) => Some("copy"),
        ("KeyX", true, _) => Some("cut"),
        ("KeyV", true, _) => Some("paste"),
        ("KeyZ", true, false) => Some("undo"),
        ("KeyZ", true, true) | ("KeyY", true, _) => Some("redo"),
        _ => None,
    }
}

/// The events of a chord: modifiers are held while the last key is pressed.
pub(super) fn press_chord(chord: &KeyChord) -> Vec<KeyEvent> {
    let (held, last) = chord.keys();
    let mut modifiers = 0;
    let mut events = Vec::new();
    for key in held {
        modifiers |= key.modifier();
        let [down, _] = press(key, modifiers);
        events.push(down);
    }
    events.extend(press(last, modifiers));
    for key in held.iter().rev() {
        modifiers &= !key.modifier();
        let [_, up] = press(key, modifiers);
        events.push(up);
    }
    events
}

#[cfg(test)]
mod tests {
    use super::KeyEventType::{KeyDown, KeyUp, RawKeyDown};
    use super::*;

    fn events(text: &str) -> Vec<(KeyEventType, String, u8)> {
        let events = press_chord(&KeyChord::read(text).unwrap()).into_iter();
        events
            .map(|event| (event.r#type, event.key, event.modifiers))
            .collect()
    }

    #[test]
    fn keys_are_held_while_the_last_one_is_pressed() {
        let event = |kind, key: &str, modifiers| (kind, key.to_owned(), modifiers);
        assert_eq!(
            events("ctrl+A"),
            [
                event(RawKeyDown, "Control", 2),
                event(RawKeyDown, "A", 10),
                event(KeyUp, "A", 10),
                event(KeyUp, "Control", 0)
            ]
        );
        assert_eq!(
            events("Enter"),
            [event(KeyDown, "Enter", 0), event(KeyUp, "Enter", 0)]
        );
        assert_eq!(events("+").len(), 2);
        assert_eq!(events("Control++").len(), 4);
    }

    #[test]
    fn every_printable_character_writes_itself() {
        for c in (' '..='~').chain("żß漢é".chars()) {
            let [down, _] = press(&KeyboardKey::of(c), 0);
            assert_eq!(down.text, Some(c.to_string()));
        }
    }

    #[test]
    fn events_are_written_as_the_protocol_spells_them() {
        let [down, up] = press(&KeyboardKey::of('a'), CONTROL);
        let expect = serde_json::json!({
            "type": "rawKeyDown", "key": "a", "code": "KeyA", "windowsVirtualKeyCode": 65, "modifiers": 2, "location": 0,
            "commands": ["selectAll"],
        });
        assert_eq!(serde_json::to_value(&down).unwrap(), expect);
        assert_eq!(serde_json::to_value(&up).unwrap()["type"], "keyUp");
    }
}
