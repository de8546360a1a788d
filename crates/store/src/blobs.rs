//! Port `Blobs`: large values addressed by their SHA-256.

use std::fmt;

use async_trait::async_trait;
use bytes::Bytes;
use data_encoding::{HEXLOWER, HEXLOWER_PERMISSIVE};
use sha2::{Digest as _, Sha256};

use crate::Error;

/// SHA-256 of a blob's bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// The digest of some bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// Reads 64 hexadecimal digits.
    pub fn parse(text: &str) -> Option<Self> {
        let bytes = HEXLOWER_PERMISSIVE.decode(text.as_bytes()).ok()?;
        bytes.try_into().ok().map(Self)
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&HEXLOWER.encode_display(&self.0), out)
    }
}

/// Blobs.
///
/// Promises, for every engine: a blob that was put can be read until it is removed; what is read has the requested
/// digest.
#[async_trait]
pub trait Blobs: Send + Sync {
    /// Stores some bytes.
    ///
    /// # Errors
    /// [`Error::DiskFull`] and those of the engine.
    async fn put(&self, bytes: Bytes) -> Result<Digest, Error>;

    /// The bytes of a digest, if they are stored.
    ///
    /// # Errors
    /// [`Error::Damaged`] when the stored bytes have another digest.
    async fn get(&self, digest: &Digest) -> Result<Option<Bytes>, Error>;
}
