//! `Keyring`: encrypts what a run needs and nobody else may read until the run ends, and the values of the vault.
//!
//! The cipher is ChaCha20-Poly1305 (RFC 8439) with 256-bit keys and random 96-bit nonces; one key is good for 2^32 values.
//! A sealed value is one byte with the version of the format, 8 bytes with the id of the key, the nonce, and the text with
//! its tag. The id lets several keys be in use at once: the first key of a ring seals, every key of it opens, so that a key
//! is replaced by putting a new one before it. A context (the run and what the value is) is authenticated with the text: a
//! value that was moved to another row does not open.

use std::fmt;
use std::io::{Read as _, Seek as _, Write as _};
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use data_encoding::HEXLOWER;
use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use ring::hmac;
use ring::rand::{SecureRandom as _, SystemRandom};

use crate::{Error, private_files};

/// The key file's name within the data folder.
pub const KEY_FILE: &str = "secret.key";

/// Bytes of a key.
const KEY_LENGTH: usize = 32;
/// Bytes of a key's id.
pub(crate) const ID_LENGTH: usize = 8;
/// The version of the format.
const VERSION: u8 = 1;
/// Bytes before the sealed text.
const HEADER: usize = 1 + ID_LENGTH + NONCE_LEN;

/// Names a key without revealing anything of it.
pub(crate) type KeyId = [u8; ID_LENGTH];

/// Keys: the first one seals, all of them open.
pub struct Keyring(Vec<Key>);

struct Key {
    id: KeyId,
    aead: LessSafeKey,
    fingerprint: hmac::Key,
}

impl fmt::Debug for Keyring {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ids = self.0.iter().map(|key| hex(&key.id));
        out.debug_list().entries(ids).finish()
    }
}

impl Key {
    fn new(bytes: &[u8]) -> Result<Self, Error> {
        let unusable = || bad_key("a key has 32 bytes");
        if bytes.len() != KEY_LENGTH {
            return Err(unusable());
        }
        // Independent keys for each purpose, so that none of them says anything about another.
        let derive = |purpose: &[u8]| hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, bytes), purpose);
        let sealing = derive(b"huntsman sealing 1");
        let mut id = [0; ID_LENGTH];
        id.copy_from_slice(
            derive(b"huntsman key id 1")
                .as_ref()
                .get(..ID_LENGTH)
                .unwrap_or(&[0; ID_LENGTH]),
        );
        let unbound = UnboundKey::new(&CHACHA20_POLY1305, sealing.as_ref()).map_err(|_| unusable())?;
        Ok(Self {
            id,
            aead: LessSafeKey::new(unbound),
            fingerprint: hmac::Key::new(hmac::HMAC_SHA256, derive(b"huntsman fingerprint 1").as_ref()),
        })
    }
}

impl Keyring {
    /// A key that is gone with the process, for stores that are too.
    ///
    /// # Errors
    /// When the system gives no randomness.
    pub fn random() -> Result<Self, Error> {
        Ok(Self(vec![Key::new(&random::<KEY_LENGTH>()?)?]))
    }

    /// The keys of a data folder. `given` are those that the operator has set, the one that seals first: each is 64
    /// hexadecimal digits, 32 bytes in base64, or the path of a file with either. The folder's key file opens too where
    /// there is one; without `given` it also seals, and is created where it is missing.
    ///
    /// # Errors
    /// [`Error::BadKey`] for one that is no key or cannot be read.
    pub fn open(folder: &Path, given: &[&str]) -> Result<Self, Error> {
        let mut keys = given
            .iter()
            .map(|text| Key::new(&given_key(text)?))
            .collect::<Result<Vec<_>, _>>()?;
        let file = folder.join(KEY_FILE);
        if keys.is_empty() || file.exists() {
            keys.push(Key::new(&folder_key(&file)?)?);
        }
        Ok(Self(keys))
    }

    /// Encrypts a text.
    ///
    /// # Errors
    /// When the system gives no randomness.
    pub(crate) fn seal(&self, context: &str, text: &str) -> Result<Vec<u8>, Error> {
        let key = self.0.first().ok_or_else(|| bad_key("there is no key"))?;
        let nonce = random::<NONCE_LEN>()?;
        let mut sealed = Vec::with_capacity(HEADER + text.len() + CHACHA20_POLY1305.tag_len());
        sealed.push(VERSION);
        sealed.extend(key.id);
        sealed.extend(nonce);
        let mut body = text.as_bytes().to_vec();
        let nonce = Nonce::assume_unique_for_key(nonce);
        key.aead
            .seal_in_place_append_tag(nonce, Aad::from(context.as_bytes()), &mut body)
            .map_err(|_| bad_key("the text is too long to encrypt"))?;
        sealed.extend(body);
        Ok(sealed)
    }

    /// Decrypts what [`Keyring::seal`] made for the same context.
    ///
    /// # Errors
    /// [`Error::KeyUnavailable`] when no key of the ring has the value's id; [`Error::Damaged`] when the value is not what
    /// was sealed.
    pub(crate) fn unseal(&self, context: &str, sealed: &[u8]) -> Result<String, Error> {
        let damaged = || Error::Damaged {
            reason: "an encrypted value is not what was written".into(),
        };
        let id = key_id(sealed).ok_or_else(damaged)?;
        let key = self.key(&id)?;
        let (header, body) = sealed.split_at_checked(HEADER).ok_or_else(damaged)?;
        let nonce = header.get(1 + ID_LENGTH..).unwrap_or_default();
        let nonce = Nonce::try_assume_unique_for_key(nonce).map_err(|_| damaged())?;
        let mut body = body.to_vec();
        let text = key
            .aead
            .open_in_place(nonce, Aad::from(context.as_bytes()), &mut body)
            .map_err(|_| damaged())?;
        String::from_utf8(text.to_vec()).map_err(|_| damaged())
    }

    /// A keyed digest of a text: equal texts can be recognised, and nobody without the key can try out guesses.
    pub(crate) fn fingerprint(&self, text: &str) -> Vec<u8> {
        self.0.first().map(|key| digest(key, text)).unwrap_or_default()
    }

    /// Whether a fingerprint is that of this text. A fingerprint of a key that is not in the ring fits nothing.
    pub(crate) fn fits(&self, fingerprint: &[u8], text: &str) -> bool {
        let key = self.0.iter().find(|key| fingerprint.starts_with(&key.id));
        key.is_some_and(|key| digest(key, text) == fingerprint)
    }

    /// Whether new values are sealed with this key.
    pub(crate) fn seals_with(&self, id: &KeyId) -> bool {
        self.0.first().is_some_and(|key| key.id == *id)
    }

    /// Whether the ring has this key.
    pub(crate) fn knows(&self, id: &[u8]) -> bool {
        self.0.iter().any(|key| key.id == id)
    }

    fn key(&self, id: &KeyId) -> Result<&Key, Error> {
        self.0
            .iter()
            .find(|key| key.id == *id)
            .ok_or_else(|| Error::KeyUnavailable {
                key: hex(id),
                runs: 1,
            })
    }
}

fn digest(key: &Key, text: &str) -> Vec<u8> {
    let mut digest = key.id.to_vec();
    digest.extend(hmac::sign(&key.fingerprint, text.as_bytes()).as_ref());
    digest
}

/// The id of the key that a value was sealed with.
pub(crate) fn key_id(sealed: &[u8]) -> Option<KeyId> {
    let (version, rest) = sealed.split_first()?;
    let id = rest.get(..ID_LENGTH)?;
    (*version == VERSION).then(|| id.try_into().ok())?
}

/// Bytes as hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    HEXLOWER.encode(bytes)
}

fn bad_key(reason: impl Into<String>) -> Error {
    Error::BadKey {
        reason: reason.into(),
    }
}

fn random<const LENGTH: usize>() -> Result<[u8; LENGTH], Error> {
    let mut bytes = [0; LENGTH];
    SystemRandom::new()
        .fill(&mut bytes)
        .map_err(|_| bad_key("the system gives no randomness"))?;
    Ok(bytes)
}

/// A key as an operator gives it: its text, or a file with it.
fn given_key(text: &str) -> Result<Vec<u8>, Error> {
    if let Some(key) = read_key(text) {
        return Ok(key);
    }
    let path = Path::new(text.trim());
    if !path.is_file() {
        return Err(bad_key(
            "a key is 64 hexadecimal digits, 32 bytes in base64, or the path of a file with either",
        ));
    }
    let held = std::fs::read_to_string(path)
        .map_err(|error| bad_key(format!("its file cannot be read: {error}")))?;
    read_key(&held)
        .ok_or_else(|| bad_key("its file holds neither 64 hexadecimal digits nor 32 bytes in base64"))
}

/// The key of a data folder's key file; a file that is missing or empty gets a new key first.
fn folder_key(path: &Path) -> Result<Vec<u8>, Error> {
    let failed = |error: std::io::Error| bad_key(format!("{KEY_FILE} cannot be read or written: {error}"));
    let mut file = private_files::open_file(path).map_err(failed)?;
    // Of two processes that start at once, one writes the key and the other reads it.
    file.lock().map_err(failed)?;
    let mut text = String::new();
    (&file).take(1 << 10).read_to_string(&mut text).map_err(failed)?;
    if text.is_empty() {
        let key = random::<KEY_LENGTH>()?;
        file.rewind().map_err(failed)?;
        file.write_all(format!("{}\n", hex(&key)).as_bytes())
            .map_err(failed)?;
        file.sync_all().map_err(failed)?;
        return Ok(key.to_vec());
    }
    read_key(&text).ok_or_else(|| {
        bad_key(format!(
            "{KEY_FILE} in the data folder holds no key: restore it, or delete it to get a new one"
        ))
    })
}

/// Reads 64 hexadecimal digits or 32 bytes in base64, in either alphabet, with or without padding.
fn read_key(text: &str) -> Option<Vec<u8>> {
    let text = text.trim();
    if text.len() == 2 * KEY_LENGTH {
        let pairs = text.as_bytes().chunks_exact(2);
        return pairs
            .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok())
            .collect();
    }
    let standard = text.trim_end_matches('=').replace('-', "+").replace('_', "/");
    let bytes = STANDARD_NO_PAD.decode(standard).ok()?;
    (bytes.len() == KEY_LENGTH).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ring(keys: &[&str]) -> Keyring {
        Keyring::open(Path::new("/nowhere"), keys).unwrap()
    }

    #[test]
    fn a_sealed_value_opens_with_its_key_in_its_place_only() {
        let (old, new) = ("11".repeat(32), "22".repeat(32));
        let sealed = ring(&[&old]).seal("run 1", "hunter2").unwrap();
        assert!(!sealed.windows(7).any(|part| part == b"hunter2"));
        assert_eq!(
            ring(&[&new, &old]).unseal("run 1", &sealed).as_deref(),
            Ok("hunter2"),
            "after a rotation"
        );
        assert!(matches!(
            ring(&[&old]).unseal("run 2", &sealed),
            Err(Error::Damaged { .. })
        ));
        assert!(matches!(
            ring(&[&new]).unseal("run 1", &sealed),
            Err(Error::KeyUnavailable { .. })
        ));
        for at in 0..sealed.len() {
            let mut damaged = sealed.clone();
            damaged[at] ^= 1;
            assert!(ring(&[&old]).unseal("run 1", &damaged).is_err(), "byte {at}");
            assert!(
                ring(&[&old]).unseal("run 1", &sealed[..at]).is_err(),
                "{at} bytes"
            );
        }
    }

    #[test]
    fn a_fingerprint_needs_the_key_and_outlives_a_rotation() {
        let (old, new) = ("11".repeat(32), "22".repeat(32));
        let fingerprint = ring(&[&old]).fingerprint("pin 1234");
        assert!(ring(&[&new, &old]).fits(&fingerprint, "pin 1234"));
        assert!(!ring(&[&old]).fits(&fingerprint, "pin 1235"));
        assert_ne!(ring(&[&new]).fingerprint("pin 1234"), fingerprint);
    }

    #[test]
    fn a_key_is_hexadecimal_or_base64_or_a_file_and_anything_else_is_refused_without_being_shown() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("key");
        std::fs::write(&file, format!("{}\n", "ab".repeat(32))).unwrap();
        let sealed = ring(&[&"ab".repeat(32)]).seal("x", "text").unwrap();
        let base64 = base64::engine::general_purpose::URL_SAFE.encode([0xab; 32]);
        for same in [file.to_str().unwrap(), &base64] {
            assert_eq!(ring(&[same]).unseal("x", &sealed).as_deref(), Ok("text"));
        }
        for wrong in ["", "secret-but-short", &"x".repeat(64), &"a".repeat(63)] {
            let Err(error) = Keyring::open(folder.path(), &[wrong]) else {
                panic!("{wrong:?} is no key");
            };
            assert!(wrong.is_empty() || !error.to_string().contains(wrong), "{error}");
        }
    }

    #[test]
    fn processes_that_start_at_once_get_one_key() {
        let folder = tempfile::tempdir().unwrap();
        let rings: Vec<_> = std::thread::scope(|scope| {
            let started: Vec<_> = (0..8)
                .map(|_| scope.spawn(|| Keyring::open(folder.path(), &[]).unwrap()))
                .collect();
            started.into_iter().map(|it| it.join().unwrap()).collect()
        });
        let sealed = rings[0].seal("x", "text").unwrap();
        assert!(
            rings
                .iter()
                .all(|ring| ring.unseal("x", &sealed).as_deref() == Ok("text"))
        );
    }
}
