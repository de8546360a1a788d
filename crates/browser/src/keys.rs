//! Keys of a keyboard of the US layout by their names, chords of keys, and their effects.

/// One key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct KeyboardKey {
    /// Its value, `KeyboardEvent.key` of the UI Events standard.
    pub(crate) key: String,
    /// Its place, `KeyboardEvent.code`; empty for a character that has no key of its own.
    pub(crate) code: String,
    /// Its Windows virtual key code, as `KeyboardEvent.keyCode`; 0 for none.
    pub(crate) number: u32,
    /// The text it writes.
    pub(crate) text: String,
    /// Whether it is pressed with Shift.
    pub(crate) shift: bool,
    /// `KeyboardEvent.location`.
    pub(crate) location: u8,
}

/// Modifier keys, as bits of the DevTools protocol.
pub(crate) const ALT: u8 = 1;
pub(crate) const CONTROL: u8 = 2;
pub(crate) const META: u8 = 4;
pub(crate) const SHIFT: u8 = 8;

/// Named keys: name, code, number, text.
const NAMED_KEYS: &[(&str, &str, u32, &str)] = &[
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

/// Punctuation keys: character, character with Shift, code, number.
const PUNCTUATION_KEYS: &[(char, char, &str, u32)] = &[
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
/// The characters of the digit keys with Shift.
const SHIFTED_DIGITS: &str = ")!@#$%^&*(";

impl KeyboardKey {
    fn new(key: &str, code: &str, number: u32, text: &str) -> KeyboardKey {
        KeyboardKey {
            key: key.to_owned(),
            code: code.to_owned(),
            number,
            text: text.to_owned(),
            shift: false,
            location: u8::from(matches!(number, 16..=18 | 91)),
        }
    }

    /// The key that writes a character; one without a code where the keyboard has none.
    pub(crate) fn of(c: char) -> KeyboardKey {
        let text = c.to_string();
        match c {
            '\n' | '\r' => return KeyboardKey::new("Enter", "Enter", 13, "\r"),
            '\t' => return KeyboardKey::new("Tab", "Tab", 9, "\t"),
            ' ' => return KeyboardKey::new(" ", "Space", 32, " "),
            _ => {}
        }
        if c.is_ascii_alphabetic() {
            let upper = c.to_ascii_uppercase();
            let mut key = KeyboardKey::new(&text, &format!("Key{upper}"), u32::from(upper), &text);
            key.shift = c.is_ascii_uppercase();
            return key;
        }
        if let Some(digit) = c.to_digit(10) {
            return KeyboardKey::new(&text, &format!("Digit{digit}"), 48 + digit, &text);
        }
        if let Some(digit) = SHIFTED_DIGITS.find(c).and_then(|at| u32::try_from(at).ok()) {
            let mut key = KeyboardKey::new(&text, &format!("Digit{digit}"), 48 + digit, &text);
            key.shift = true;
            return key;
        }
        if let Some((_, shifted, code, number)) = PUNCTUATION_KEYS.iter().find(|key| key.0 == c || key.1 == c)
        {
            let mut key = KeyboardKey::new(&text, code, *number, &text);
            key.shift = *shifted == c;
            return key;
        }
        KeyboardKey::new(&text, "", 0, &text)
    }

    /// A key by its name.
    fn named(name: &str) -> Option<KeyboardKey> {
        let mut chars = name.chars();
        if let (Some(c), None) = (chars.next(), chars.next()) {
            return Some(KeyboardKey::of(c));
        }
        let low = name.to_lowercase();
        let real = ALIASES
            .iter()
            .find(|alias| alias.0 == low)
            .map_or(name, |alias| alias.1);
        if let Some((key, code, number, text)) =
            NAMED_KEYS.iter().find(|key| key.0.eq_ignore_ascii_case(real))
        {
            return Some(KeyboardKey::new(key, code, *number, text));
        }
        let function = low
            .strip_prefix('f')
            .and_then(|digits| digits.parse::<u32>().ok())?;
        (1..=24).contains(&function).then(|| {
            KeyboardKey::new(
                &format!("F{function}"),
                &format!("F{function}"),
                111 + function,
                "",
            )
        })
    }

    /// The bit of a modifier key; 0 for any other key.
    pub(crate) fn modifier(&self) -> u8 {
        match self.key.as_str() {
            "Alt" => ALT,
            "Control" => CONTROL,
            "Meta" => META,
            "Shift" => SHIFT,
            _ => 0,
        }
    }
}

/// A key with the modifiers that are held, such as `Control+Shift+A`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyChord {
    held: Vec<KeyboardKey>,
    key: KeyboardKey,
}

/// The effects that a chord may have on the element that gets it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct KeyEffects {
    /// A character is written.
    pub write: bool,
    /// The clipboard is written, which may come from another page.
    pub paste: bool,
    /// A form is sent, a link followed, a button pressed.
    pub press: bool,
}

impl KeyChord {
    /// Parses a chord: any of Alt, Control, Meta and Shift, then one key, joined by plus signs. Names are those of
    /// `KeyboardEvent.key`, without regard to case, and what people call these keys.
    ///
    /// # Errors
    /// In one sentence what is wrong with it.
    pub fn read(text: &str) -> Result<Self, String> {
        let text = text.trim_matches(|c: char| c.is_whitespace() && c != ' ');
        // A plus sign at the end is the key itself.
        let (before, last) = match text.strip_suffix('+') {
            Some(before) => (before.strip_suffix('+').unwrap_or(before), "+"),
            None => text.rsplit_once('+').unwrap_or(("", text)),
        };
        if last.is_empty() {
            return Err("no key is named".to_owned());
        }
        let named = |name: &str| {
            let name = if name.trim().is_empty() { " " } else { name.trim() };
            KeyboardKey::named(name).ok_or_else(|| {
                format!("no key is called {name:?}; keys are called Enter, Tab, Escape, ArrowDown, F5, a, or Control+A")
            })
        };
        let key = named(last)?;
        let names = before.split('+').filter(|name| !name.is_empty());
        let held = names.map(named).collect::<Result<Vec<_>, _>>()?;
        if let Some(other) = held.iter().find(|key| key.modifier() == 0) {
            return Err(format!(
                "{:?} cannot be held while another key is pressed, only Alt, Control, Meta and Shift; press one key at a time, \
                 or type the text",
                other.key
            ));
        }
        Ok(Self { held, key })
    }

    /// The modifiers, and the key that is pressed.
    pub(crate) fn keys(&self) -> (&[KeyboardKey], &KeyboardKey) {
        (&self.held, &self.key)
    }

    /// The effects it may have.
    pub fn strokes(&self) -> KeyEffects {
        let held = self.held.iter().fold(0, |held, key| held | key.modifier());
        let key = &self.key;
        let commands = held & (CONTROL | META) != 0;
        KeyEffects {
            write: held & (ALT | CONTROL | META) == 0 && key.text.chars().any(|c| !c.is_control()),
            paste: commands && key.code == "KeyV" || held & SHIFT != 0 && key.code == "Insert",
            press: matches!(key.key.as_str(), "Enter" | " "),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_write_paste_press_or_do_no_harm() {
        let (w, v, p) = (1, 2, 4);
        let cases = [
            ("a", w),
            ("Shift+Z", w),
            ("é", w),
            ("+", w),
            ("Shift++", w),
            ("Control++", 0),
            ("Space", w | p),
            (" ", w | p),
            ("Enter", p),
            ("Control+Enter", p),
            ("Control+Shift+V", v),
            ("ctrl+v", v),
            ("meta+v", v),
            ("Shift+Insert", v),
            ("shift+ins", v),
            ("Control+A", 0),
            ("Control+c", 0),
            ("ArrowDown", 0),
            ("Tab", 0),
            ("Escape", 0),
        ];
        for (chord, expected) in cases {
            let effects = KeyChord::read(chord).unwrap().strokes();
            let bits =
                w * u8::from(effects.write) + v * u8::from(effects.paste) + p * u8::from(effects.press);
            assert_eq!(bits, expected, "{chord:?}");
        }
    }

    #[test]
    fn what_cannot_be_pressed_is_named_in_the_error() {
        for (chord, part) in [
            ("Hyper+Q", "Hyper"),
            ("", "no key"),
            ("\n", "no key"),
            ("h+i+Control", "\"h\""),
            ("Tab+a", "\"Tab\""),
        ] {
            assert!(KeyChord::read(chord).unwrap_err().contains(part), "{chord:?}");
        }
    }
}
