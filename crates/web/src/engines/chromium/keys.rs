//! From the names of keys to what the browser is told about them (a keyboard of the US layout).

use serde_json::{Value, json};

/// One key, as its events describe it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Key {
    key: String,
    code: String,
    number: u32,
    text: String,
    shift: bool,
    location: u8,
}

/// Keys held while another one is pressed, as bits of the protocol.
pub(super) const ALT: u8 = 1;
pub(super) const CONTROL: u8 = 2;
pub(super) const META: u8 = 4;
pub(super) const SHIFT: u8 = 8;

/// Named keys: name, code, number, text.
const NAMED: &[(&str, &str, u32, &str)] = &[
    ("Enter", "Enter", 13, "\r"),
    ("Tab", "Tab", 9, "\t"),
    ("Escape", "Escape", 27, ""),
    ("Backspace", "Backspace", 8, ""),
    ("Delete", "Delete", 46, ""),
    ("Insert", "Insert", 45, ""),
    ("Home", "Home", 36, ""),
    ("End", "End", 35, ""),
    ("PageUp", "PageUp", 33, ""),
    ("PageDown", "PageDown", 34, ""),
    ("ArrowLeft", "ArrowLeft", 37, ""),
    ("ArrowUp", "ArrowUp", 38, ""),
    ("ArrowRight", "ArrowRight", 39, ""),
    ("ArrowDown", "ArrowDown", 40, ""),
    (" ", "Space", 32, " "),
    ("Shift", "ShiftLeft", 16, ""),
    ("Control", "ControlLeft", 17, ""),
    ("Alt", "AltLeft", 18, ""),
    ("Meta", "MetaLeft", 91, ""),
    ("CapsLock", "CapsLock", 20, ""),
    ("ContextMenu", "ContextMenu", 93, ""),
];

/// Other names that people and models use.
const ALIASES: &[(&str, &str)] = &[
    ("return", "Enter"),
    ("esc", "Escape"),
    ("del", "Delete"),
    ("ins", "Insert"),
    ("space", " "),
    ("spacebar", " "),
    ("left", "ArrowLeft"),
    ("right", "ArrowRight"),
    ("up", "ArrowUp"),
    ("down", "ArrowDown"),
    ("pgup", "PageUp"),
    ("pgdn", "PageDown"),
    ("ctrl", "Control"),
    ("cmd", "Meta"),
    ("command", "Meta"),
    ("win", "Meta"),
    ("option", "Alt"),
];

/// Signs and where they are: sign, sign with shift, code, number.
const SIGNS: &[(char, char, &str, u32)] = &[
    ('`', '~', "Backquote", 192),
    ('-', '_', "Minus", 189),
    ('=', '+', "Equal", 187),
    ('[', '{', "BracketLeft", 219),
    (']', '}', "BracketRight", 221),
    ('\\', '|', "Backslash", 220),
    (';', ':', "Semicolon", 186),
    ('\'', '"', "Quote", 222),
    (',', '<', "Comma", 188),
    ('.', '>', "Period", 190),
    ('/', '?', "Slash", 191),
];
/// What the digits are with shift.
const SHIFTED: &str = ")!@#$%^&*(";

impl Key {
    fn new(key: &str, code: &str, number: u32, text: &str) -> Key {
        Key {
            key: key.to_owned(),
            code: code.to_owned(),
            number,
            text: text.to_owned(),
            shift: false,
            location: u8::from(matches!(number, 16..=18 | 91)),
        }
    }

    /// The key that writes a character; one without a place on the keyboard where there is none.
    pub(super) fn of(c: char) -> Key {
        let text = c.to_string();
        match c {
            '\n' | '\r' => return Key::new("Enter", "Enter", 13, "\r"),
            '\t' => return Key::new("Tab", "Tab", 9, "\t"),
            ' ' => return Key::new(" ", "Space", 32, " "),
            _ => {}
        }
        if c.is_ascii_alphabetic() {
            let upper = c.to_ascii_uppercase();
            let mut key = Key::new(&text, &format!("Key{upper}"), u32::from(upper), &text);
            key.shift = c.is_ascii_uppercase();
            return key;
        }
        if let Some(digit) = c.to_digit(10) {
            return Key::new(&text, &format!("Digit{digit}"), 48 + digit, &text);
        }
        if let Some(digit) = SHIFTED.find(c).and_then(|at| u32::try_from(at).ok()) {
            let mut key = Key::new(&text, &format!("Digit{digit}"), 48 + digit, &text);
            key.shift = true;
            return key;
        }
        if let Some((_, shifted, code, number)) = SIGNS.iter().find(|it| it.0 == c || it.1 == c) {
            let mut key = Key::new(&text, code, *number, &text);
            key.shift = *shifted == c;
            return key;
        }
        Key::new(&text, "", 0, &text)
    }

    /// A key by its name.
    fn named(name: &str) -> Option<Key> {
        let mut chars = name.chars();
        if let (Some(c), None) = (chars.next(), chars.next()) {
            return Some(Key::of(c));
        }
        let low = name.to_lowercase();
        let real = ALIASES.iter().find(|it| it.0 == low).map_or(name, |it| it.1);
        if let Some((key, code, number, text)) = NAMED.iter().find(|it| it.0.eq_ignore_ascii_case(real)) {
            return Some(Key::new(key, code, *number, text));
        }
        let function = low
            .strip_prefix('f')
            .and_then(|digits| digits.parse::<u32>().ok())?;
        (1..=24).contains(&function).then(|| {
            Key::new(
                &format!("F{function}"),
                &format!("F{function}"),
                111 + function,
                "",
            )
        })
    }

    fn bit(&self) -> u8 {
        match self.key.as_str() {
            "Alt" => ALT,
            "Control" => CONTROL,
            "Meta" => META,
            "Shift" => SHIFT,
            _ => 0,
        }
    }

    /// The events of pressing and letting go, as `Input.dispatchKeyEvent` takes them.
    pub(super) fn events(&self, held: u8) -> [Value; 2] {
        let held = if self.shift { held | SHIFT } else { held };
        // With Control or Meta a key commands, and writes nothing.
        let text = if held & (CONTROL | META | ALT) == 0 {
            self.text.as_str()
        } else {
            ""
        };
        let mut down = json!({
            "type": if text.is_empty() { "rawKeyDown" } else { "keyDown" },
            "key": self.key,
            "code": self.code,
            "windowsVirtualKeyCode": self.number,
            "modifiers": held,
            "location": self.location,
        });
        if !text.is_empty() {
            down["text"] = text.into();
            down["unmodifiedText"] = text.into();
        }
        if let Some(command) = self.command(held) {
            down["commands"] = json!([command]);
        }
        let up = json!({
            "type": "keyUp",
            "key": self.key,
            "code": self.code,
            "windowsVirtualKeyCode": self.number,
            "modifiers": held,
            "location": self.location,
        });
        [down, up]
    }

    /// What an editor does at this key, where the browser leaves that to the window system.
    fn command(&self, held: u8) -> Option<&'static str> {
        let plain = held & !SHIFT == CONTROL;
        match (self.code.as_str(), plain, held & SHIFT != 0) {
            ("KeyA", true, _) => Some("selectAll"),
            ("KeyC", true, _) => Some("copy"),
            ("KeyX", true, _) => Some("cut"),
            ("KeyV", true, _) => Some("paste"),
            ("KeyZ", true, false) => Some("undo"),
            ("KeyZ", true, true) | ("KeyY", true, _) => Some("redo"),
            _ => None,
        }
    }
}

/// Reads `Control+Shift+A`: what is held, and what is pressed. The error says what is wrong.
pub(super) fn chord(text: &str) -> Result<Vec<Key>, String> {
    let text = text.trim_matches(|c: char| c.is_whitespace() && c != ' ');
    if text.is_empty() {
        return Err("no key is named".to_owned());
    }
    let mut names: Vec<&str> = Vec::new();
    let mut rest = text;
    // A plus sign at the end is the key itself.
    let last = if rest == "+" || rest.ends_with("++") {
        rest = rest.strip_suffix('+').unwrap_or_default();
        rest = rest.strip_suffix('+').unwrap_or(rest);
        Some("+")
    } else {
        None
    };
    names.extend(rest.split('+').filter(|name| !name.is_empty()));
    names.extend(last);
    names
        .into_iter()
        .map(|name| {
            let name = if name.trim().is_empty() { " " } else { name.trim() };
            Key::named(name).ok_or_else(|| {
                format!("no key is called {name:?}; keys are called Enter, Tab, Escape, ArrowDown, F5, a, or Control+A")
            })
        })
        .collect()
}

/// The events of a chord: the first keys are held while the last one is pressed.
pub(super) fn press(keys: &[Key]) -> Vec<Value> {
    let Some((last, before)) = keys.split_last() else {
        return Vec::new();
    };
    let mut held = 0;
    let mut events = Vec::new();
    for key in before {
        held |= key.bit();
        let [down, _] = key.events(held);
        events.push(down);
    }
    events.extend(last.events(held));
    for key in before.iter().rev() {
        held &= !key.bit();
        let [_, up] = key.events(held);
        events.push(up);
    }
    events
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(text: &str) -> Vec<(String, String, u64)> {
        let field = |it: &Value, name: &str| it[name].as_str().unwrap_or_default().to_owned();
        press(&chord(text).unwrap())
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
            let [down, _] = Key::of(c).events(0);
            assert_eq!(down["text"], c.to_string());
        }
    }

    #[test]
    fn an_unknown_key_is_named_in_the_error() {
        assert!(chord("Hyper+Q").unwrap_err().contains("Hyper"));
        assert!(chord("").is_err());
    }
}
