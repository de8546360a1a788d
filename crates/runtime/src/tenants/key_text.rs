//! `KeyText`: the text of an API key: `hmk_`, 8 characters that name it, 30 random ones, and 6 of a checksum.
//!
//! The form is that of GitHub's tokens: a prefix that scanners for leaked secrets recognise, and a CRC-32 by which a
//! mistyped key is told from an unknown one without asking the store. Keys for administrators begin with `hma_`. The random
//! part has 178 bits, so one SHA-256 is enough to keep it.

use std::fmt;

use store::blobs::Digest;
use wire::Code;

use crate::config::Secret;
use crate::error::ServiceError;

const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const USER_PREFIX: &str = "hmk_";
const ADMIN_PREFIX: &str = "hma_";
const PREFIX: usize = USER_PREFIX.len();
const ID: usize = 8;
const RANDOM: usize = 30;
const CHECKSUM: usize = 6;
const LENGTH: usize = PREFIX + ID + RANDOM + CHECKSUM;

/// The whole text of a key of this form. `Debug` shows the id only.
#[derive(Clone, PartialEq, Eq)]
pub struct KeyText(String);

impl fmt::Debug for KeyText {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "KeyText({})", self.id())
    }
}

impl KeyText {
    /// A new key.
    ///
    /// # Errors
    /// When the system gives no randomness.
    pub fn random(admin: bool) -> Result<Self, ServiceError> {
        let mut text = String::from(if admin { ADMIN_PREFIX } else { USER_PREFIX });
        while text.len() < LENGTH - CHECKSUM {
            let mut random = [0; 64];
            getrandom::fill(&mut random)
                .map_err(|error| ServiceError::new(Code::Internal, error.to_string()))?;
            // A byte above the last multiple of 62 would favour some characters.
            let even = random.iter().filter(|byte| **byte < 248);
            let letters = even.filter_map(|byte| ALPHABET.get(usize::from(*byte % 62)));
            text.extend(
                letters
                    .take(LENGTH - CHECKSUM - text.len())
                    .map(|byte| char::from(*byte)),
            );
        }
        text.push_str(&checksum(&text));
        Ok(Self(text))
    }

    /// Reads a key; none for a text of another form or with a wrong checksum.
    pub fn parse(text: &str) -> Option<Self> {
        let has_form = text.len() == LENGTH
            && looks_like_one(text)
            && text.bytes().skip(PREFIX).all(|byte| byte.is_ascii_alphanumeric());
        let (body, sum) = has_form.then(|| text.split_at(LENGTH - CHECKSUM))?;
        (checksum(body) == sum).then(|| Self(text.to_owned()))
    }

    /// What names the key; no secret.
    pub fn id(&self) -> &str {
        self.0.get(PREFIX..PREFIX + ID).unwrap_or_default()
    }

    /// SHA-256 of the text, in hexadecimal digits.
    pub(super) fn hash(&self) -> String {
        Digest::of(self.0.as_bytes()).to_string()
    }

    pub(super) fn secret(&self) -> Secret {
        Secret::from(self.0.clone())
    }
}

/// Whether a text begins as keys of this form do.
pub fn looks_like_one(text: &str) -> bool {
    text.starts_with(USER_PREFIX) || text.starts_with(ADMIN_PREFIX)
}

/// Whether two hashes are the same, in a time that does not tell where they differ.
pub(super) fn same(one: &str, other: &str) -> bool {
    let pairs = one.bytes().zip(other.bytes());
    let differing = pairs.fold(0, |all, (one, other)| all | (one ^ other));
    std::hint::black_box(differing) == 0 && one.len() == other.len()
}

/// CRC-32 of a text, as in ISO 3309, in six characters.
fn checksum(text: &str) -> String {
    let mut rest = crc32fast::hash(text.as_bytes());
    let mut letters = [b'0'; CHECKSUM];
    for letter in letters.iter_mut().rev() {
        *letter = ALPHABET
            .get(usize::try_from(rest % 62).unwrap_or_default())
            .copied()
            .unwrap_or(b'0');
        rest /= 62;
    }
    letters.iter().map(|letter| char::from(*letter)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_that_of_the_standard() {
        // 0xcbf4_3926, the check value of CRC-32.
        assert_eq!(checksum("123456789"), "3jZRME");
    }

    #[test]
    fn every_key_is_read_back_and_no_changed_one_is() {
        for admin in [false, true] {
            let key = KeyText::random(admin).unwrap();
            assert_eq!(KeyText::parse(&key.0), Some(key.clone()));
            assert_ne!(KeyText::random(admin).unwrap(), key);
            assert!(!format!("{key:?}").contains(&key.0));
            for at in 0..key.0.len() {
                let mut bytes = key.0.clone().into_bytes();
                bytes[at] = if bytes[at] == b'x' { b'y' } else { b'x' };
                let changed = String::from_utf8(bytes).unwrap();
                assert_eq!(KeyText::parse(&changed), None, "{at}");
                assert_eq!(KeyText::parse(&key.0[..at]), None);
            }
            assert_eq!(KeyText::parse(&format!("{} ", key.0)), None);
        }
        for wrong in ["", "hmk_", "hmk_éééééééééééééééééééééé", "some-other-key"] {
            assert_eq!(KeyText::parse(wrong), None);
        }
    }
}
