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
const BODY: usize = PREFIX + ID + RANDOM;
const LENGTH: usize = BODY + CHECKSUM;

/// The whole text of a key of this form. `Debug` shows the id only.
#[derive(Clone, PartialEq, Eq)]
pub struct KeyText([u8; LENGTH]);

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
        let mut text = Vec::from(if admin { ADMIN_PREFIX } else { USER_PREFIX });
        while text.len() < BODY {
            let mut random = [0; 64];
            getrandom::fill(&mut random)
                .map_err(|error| ServiceError::new(Code::Internal, error.to_string()))?;
            // A byte above the last multiple of 62 would favour some characters.
            let even = random.iter().filter(|byte| **byte < 248);
            let letters = even.filter_map(|byte| ALPHABET.get(usize::from(*byte % 62)));
            text.extend(letters.take(BODY - text.len()));
        }
        text.extend(checksum(&text));
        let wrong_length = |_| ServiceError::new(Code::Internal, "a key of another length was made");
        text.try_into().map(Self).map_err(wrong_length)
    }

    /// Reads a key; none for a text of another form or with a wrong checksum.
    pub fn parse(text: &str) -> Option<Self> {
        let whole: [u8; LENGTH] = text.as_bytes().try_into().ok()?;
        let has_form = looks_like_one(text) && whole.iter().skip(PREFIX).all(u8::is_ascii_alphanumeric);
        let (body, sum) = whole.split_at(BODY);
        (has_form && checksum(body) == sum).then_some(Self(whole))
    }

    fn text(&self) -> &str {
        str::from_utf8(&self.0).unwrap_or_default()
    }

    /// Whether this is the key's text, found out in a time that does not tell where they differ.
    pub(super) fn is(&self, text: &str) -> bool {
        same(&self.0, text.as_bytes())
    }

    /// What names the key; no secret.
    pub fn id(&self) -> &str {
        self.text().get(PREFIX..PREFIX + ID).unwrap_or_default()
    }

    /// SHA-256 of the text.
    pub(super) fn hash(&self) -> Digest {
        Digest::of(&self.0)
    }

    pub(super) fn secret(&self) -> Secret {
        Secret::from(self.text().to_owned())
    }
}

/// Whether a text begins as keys of this form do.
pub fn looks_like_one(text: &str) -> bool {
    text.starts_with(USER_PREFIX) || text.starts_with(ADMIN_PREFIX)
}

/// Whether two hashes or keys are the same, in a time that does not tell where they differ. Eight bytes at once.
pub fn same(one: &[u8], other: &[u8]) -> bool {
    let ((one_words, one_rest), (other_words, other_rest)) = (one.as_chunks(), other.as_chunks());
    let words = one_words.iter().zip(other_words);
    let differing = words.fold(0, |all, (one, other)| {
        all | (u64::from_ne_bytes(*one) ^ u64::from_ne_bytes(*other))
    });
    let rest = one_rest.iter().zip(other_rest);
    let differing = rest.fold(differing, |all, (one, other)| all | u64::from(one ^ other));
    std::hint::black_box(differing) == 0 && one.len() == other.len()
}

/// CRC-32 of a text, as in ISO 3309, in six characters.
fn checksum(text: &[u8]) -> [u8; CHECKSUM] {
    let mut rest = crc32fast::hash(text);
    let mut letters = [b'0'; CHECKSUM];
    for letter in letters.iter_mut().rev() {
        *letter = ALPHABET
            .get(usize::try_from(rest % 62).unwrap_or_default())
            .copied()
            .unwrap_or(b'0');
        rest /= 62;
    }
    letters
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_that_of_the_standard() {
        // 0xcbf4_3926, the check value of CRC-32.
        assert_eq!(checksum(b"123456789"), *b"3jZRME");
    }

    #[test]
    fn texts_are_the_same_where_every_byte_and_the_length_are() {
        for length in 0..40 {
            let text: Vec<u8> = (0..length).collect();
            assert!(same(&text, &text.clone()));
            for at in 0..text.len() {
                let mut other = text.clone();
                other[at] ^= 0x40;
                assert!(!same(&text, &other), "{length} {at}");
                assert!(!same(&text, &text[..at]) && !same(&text[..at], &text));
            }
        }
    }

    #[test]
    fn every_key_is_read_back_and_no_changed_one_is() {
        for admin in [false, true] {
            let key = KeyText::random(admin).unwrap();
            let text = key.text().to_owned();
            assert_eq!(KeyText::parse(&text), Some(key.clone()));
            assert_ne!(KeyText::random(admin).unwrap(), key);
            assert!(!format!("{key:?}").contains(&text));
            for at in 0..text.len() {
                let mut bytes = text.clone().into_bytes();
                bytes[at] = if bytes[at] == b'x' { b'y' } else { b'x' };
                let changed = String::from_utf8(bytes).unwrap();
                assert_eq!(KeyText::parse(&changed), None, "{at}");
                assert_eq!(KeyText::parse(&text[..at]), None);
            }
            assert_eq!(KeyText::parse(&format!("{text} ")), None);
        }
        for wrong in ["", "hmk_", "hmk_éééééééééééééééééééééé", "some-other-key"] {
            assert_eq!(KeyText::parse(wrong), None);
        }
    }
}
