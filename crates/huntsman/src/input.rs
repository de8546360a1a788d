//! Input of bounded size: what is longer is refused, and never read in part.

use std::io::{BufRead, Read};

use anyhow::Context as _;

use crate::failure::Failure;

/// The whole of an input.
///
/// # Errors
/// When it cannot be read or has more than `most` bytes.
pub(crate) fn whole(input: impl Read, most: u64) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let read = input.take(most + 1).read_to_end(&mut bytes);
    match read.context("cannot read the input")? as u64 > most {
        true => Err(Failure::usage(format!("the input has more than {most} bytes"))),
        false => Ok(bytes),
    }
}

/// Reads the next line with its end into `bytes`, in place of what they hold. False at the end of the input.
///
/// # Errors
/// When it cannot be read or has more than `most` bytes.
pub(crate) fn next_line(input: &mut impl BufRead, most: u64, bytes: &mut Vec<u8>) -> Result<bool, Failure> {
    bytes.clear();
    let read = input.take(most + 1).read_until(b'\n', bytes);
    match read.context("cannot read the input")? as u64 {
        read if read > most => Err(Failure::usage(format!(
            "a line of the input has more than {most} bytes"
        ))),
        read => Ok(read > 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_long_is_refused_and_never_read_in_part() {
        let read = |text: &str| whole(text.as_bytes(), 6).ok();
        assert_eq!(read("123456").as_deref(), Some(&b"123456"[..]));
        assert_eq!(read("1234567"), None);
        let mut input = "12345\n1\n123456\n1".as_bytes();
        let mut bytes = Vec::new();
        for line in ["12345\n", "1\n"] {
            assert_eq!(next_line(&mut input, 6, &mut bytes).ok(), Some(true));
            assert_eq!(bytes, line.as_bytes());
        }
        assert!(next_line(&mut input, 6, &mut bytes).is_err());
        assert_eq!(next_line(&mut "".as_bytes(), 6, &mut bytes).ok(), Some(false));
    }
}
