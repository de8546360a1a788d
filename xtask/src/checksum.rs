//! SHA-256 of bytes, as `sha256sum` writes it.

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

/// 64 hexadecimal digits.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    let mut text = String::new();
    for byte in Sha256::digest(bytes) {
        // Writing into a String cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}
