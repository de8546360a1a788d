//! From the names of keys to keys (a keyboard of the US layout), and what they may come to.

/// One key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Key {
    /// What it is called, `KeyboardEvent.key` of the UI Events standard.
    pub(crate) key: String,
    /// Where it is, `KeyboardEvent.code`; empty for a character that has no place of its own.
    pub(crate) code: String,
    /// Its Windows virtual key code, as `KeyboardEvent.keyCode`; 0 for none.
    pub(crate) number: u32,
    /// What it writes.
    pub(crate) text: String,
    /// Whether Shift belongs to it.
    pub(crate) shift: bool,
    /// `KeyboardEvent.location`.
    pub(crate) location: u8,
}

/// Keys held while another one is pressed, as bits of the DevTools protocol.
pub(crate) const ALT: u8 = 1;
pub(crate) const CONTROL: u8 = 2;
pub(crate) const META: u8 = 4;
pub(crate) const SHIFT: u8 = 8;

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
    pub(crate) fn of(c: char) -> Key {
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

    /// The bit of a key that can be held while others are pressed; 0 for any other key.
    pub(crate) fn held(&self) -> u8 {
        match self.key.as_str() {
            "Alt" => ALT,
            "Control" => CONTROL,
            "Meta" => META,
            "Shift" => SHIFT,
            _ => 0,
        }
    }
}

/// A key, and what is held while it is pressed, such as `Control+Shift+A`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chord {
    held: Vec<Key>,
    key: Key,
}

/// What a chord may do to the element that it goes to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Strokes {
    /// A character is written.
    pub write: bool,
    /// What was copied, on this page or on another one, is written.
    pub paste: bool,
    /// A form is sent, a link followed, a button pressed.
    pub press: bool,
}

impl Chord {
    /// Reads a chord: any of Alt, Control, Meta and Shift, then one key, joined by plus signs. Names are those of
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
            Key::named(name).ok_or_else(|| {
                format!("no key is called {name:?}; keys are called Enter, Tab, Escape, ArrowDown, F5, a, or Control+A")
            })
        };
        let key = named(last)?;
        let names = before.split('+').filter(|name| !name.is_empty());
        let held = names.map(named).collect::<Result<Vec<_>, _>>()?;
        if let Some(other) = held.iter().find(|it| it.held() == 0) {
            return Err(format!(
                "{:?} cannot be held while another key is pressed, only Alt, Control, Meta and Shift; press one key at a time, \
                 or type the text",
                other.key
            ));
        }
        Ok(Self { held, key })
    }

    /// What is held, and what is pressed meanwhile.
    pub(crate) fn keys(&self) -> (&[Key], &Key) {
        (&self.held, &self.key)
    }

    /// What it may do.
    pub fn strokes(&self) -> Strokes {
        let held = self.held.iter().fold(0, |held, it| held | it.held());
        let key = &self.key;
        let commands = held & (CONTROL | META) != 0;
        Strokes {
            write: held & (ALT | CONTROL | META) == 0 && key.text.chars().any(|it| !it.is_control()),
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
        for (chord, wanted) in cases {
            let it = Chord::read(chord).unwrap().strokes();
            let found = w * u8::from(it.write) + v * u8::from(it.paste) + p * u8::from(it.press);
            assert_eq!(found, wanted, "{chord:?}");
        }
    }

    #[test]
    fn what_cannot_be_pressed_is_named_in_the_error() {
        for (chord, told) in [
            ("Hyper+Q", "Hyper"),
            ("", "no key"),
            ("\n", "no key"),
            ("h+i+Control", "\"h\""),
            ("Tab+a", "\"Tab\""),
        ] {
            assert!(Chord::read(chord).unwrap_err().contains(told), "{chord:?}");
        }
    }
}
