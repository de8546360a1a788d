//! What may keys do to the element that they go to?

/// What a chord such as `Control+A` may come to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Strokes {
    /// A character is written.
    pub(super) write: bool,
    /// What was copied, on this page or on another one, is written.
    pub(super) paste: bool,
    /// A form is sent, a link followed, a button pressed.
    pub(super) press: bool,
}

impl Strokes {
    /// Reads a chord. Each of its keys goes down, so each of them counts.
    pub(super) fn of(chord: &str) -> Self {
        let chord = chord.to_lowercase();
        let keys: Vec<&str> = chord
            .split('+')
            .map(|it| if it == " " { it } else { it.trim() })
            .collect();
        let any = |names: &[&str]| keys.iter().any(|it| names.contains(it));
        let commands = any(&["control", "ctrl", "meta", "cmd", "command", "win"]);
        let is_character = |it: &&&str| it.chars().count() == 1 && ***it != *" ";
        Self {
            // Between two signs of plus, and around one alone, there is nothing but the sign.
            write: !commands
                && (keys.iter().any(|it| is_character(&it)) || any(&["", " ", "space", "spacebar"])),
            paste: (commands && any(&["v"])) || (any(&["shift"]) && any(&["insert", "ins"])),
            press: any(&["enter", "return", " ", "space", "spacebar"]),
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
            ("Control++", 0),
            ("z+u", w),
            ("Space", w | p),
            (" ", w | p),
            ("Enter", p),
            ("Control+Enter", p),
            ("a+Enter", w | p),
            ("Control+V", v),
            ("meta+v", v),
            ("Shift+Insert", v),
            ("Control+A", 0),
            ("Control+c", 0),
            ("ArrowDown", 0),
            ("Tab", 0),
            ("Escape", 0),
        ];
        for (chord, wanted) in cases {
            let it = Strokes::of(chord);
            let found = w * u8::from(it.write) + v * u8::from(it.paste) + p * u8::from(it.press);
            assert_eq!(found, wanted, "{chord:?}");
        }
    }
}
