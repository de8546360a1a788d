//! Incremental scan for the end of a JSON object, constant time for each byte.

/// Follows brackets and strings of a JSON object as its bytes arrive.
///
/// It is a gate, not a judge: a closed object still has to pass a strict parse, but an open one needs none.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scan {
    state: ScanState,
    depth: u32,
    in_string: bool,
    escaped: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum ScanState {
    /// Only blanks so far.
    #[default]
    Before,
    /// Within the object.
    Inside,
    /// The object is closed and only blanks followed.
    Closed,
    /// No object, or something behind it.
    Other,
}

impl Scan {
    /// Reads the next bytes.
    pub(crate) fn feed(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            match self.state {
                ScanState::Inside => self.inside(byte),
                ScanState::Before if is_blank(byte) => {}
                ScanState::Before if byte == b'{' => {
                    self.state = ScanState::Inside;
                    self.depth = 1;
                }
                ScanState::Closed if is_blank(byte) => {}
                ScanState::Before | ScanState::Closed => self.state = ScanState::Other,
                ScanState::Other => return,
            }
        }
    }

    /// True when the bytes so far are one bracketed object and blanks.
    pub(crate) fn is_closed(&self) -> bool {
        self.state == ScanState::Closed
    }

    fn inside(&mut self, byte: u8) {
        if self.in_string {
            if self.escaped {
                self.escaped = false;
            } else if byte == b'\\' {
                self.escaped = true;
            } else if byte == b'"' {
                self.in_string = false;
            }
            return;
        }
        match byte {
            b'"' => self.in_string = true,
            b'{' | b'[' => self.depth = self.depth.saturating_add(1),
            b'}' | b']' => {
                self.depth = self.depth.saturating_sub(1);
                if self.depth == 0 {
                    self.state = ScanState::Closed;
                }
            }
            _ => {}
        }
    }
}

/// The four blanks of JSON.
pub(crate) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// The text without JSON's blanks around it.
pub(crate) fn trimmed(text: &str) -> &str {
    text.trim_matches([' ', '\t', '\n', '\r'])
}
