//! Text of the web for a client's model: quoted, and marked as data.

use page::Quoted;

/// The text between tags with a random label, a mark before each line. What could pass for such tags is replaced.
pub fn quoted(text: &str) -> String {
    let label = format!("{:08x}", fastrand::u32(..));
    Quoted::new(&label, text, usize::MAX).to_string()
}
