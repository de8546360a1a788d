//! Texts that the written files share.

/// The command that writes the files anew.
pub(super) const COMMAND: &str = "cargo xtask reference";

/// A text in lines of at most `width` characters, each after `indent`.
pub(super) fn wrapped(text: &str, indent: &str, width: usize) -> String {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let is_full = lines
            .last()
            .is_some_and(|line| !line.is_empty() && line.chars().count() + word.chars().count() >= width);
        if is_full {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    let lines = lines.iter().map(|line| format!("{indent}{line}\n"));
    lines.collect()
}
