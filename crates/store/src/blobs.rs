//! Port `Blobs`: large values, addressed by their SHA-256 or kept with a run.

use std::fmt;

use async_trait::async_trait;
use bytes::Bytes;
use data_encoding::{HEXLOWER, HEXLOWER_PERMISSIVE};
use jiff::Timestamp;
use sha2::{Digest as _, Sha256};
use wire::RunId;

use crate::Error;

/// SHA-256 of a blob's bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// The digest of some bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// The 64 hexadecimal digits, without an allocation.
    pub fn digits(&self) -> [u8; 64] {
        let mut digits = [0; 64];
        HEXLOWER.encode_mut(&self.0, &mut digits);
        digits
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

/// A name for a blob of a run that is put now: the time in milliseconds since 1970, in 13 digits, and 16 random digits.
pub(crate) fn name_of_run_blob() -> String {
    let now = Timestamp::now().as_millisecond().max(0);
    format!("{now:013}-{:016x}", fastrand::u64(..))
}

/// The least name that a blob of a run put at `at` can have.
pub(crate) fn first_name_at(at: Timestamp) -> String {
    format!("{:013}", at.as_millisecond().max(0))
}

/// Whether a text is a name as [`Blobs::put_of_run`] gives them.
pub(crate) fn is_run_blob_name(name: &str) -> bool {
    name.split_once('-').is_some_and(|(time, rest)| {
        time.len() == 13
            && time.bytes().all(|byte| byte.is_ascii_digit())
            && rest.len() == 16
            && rest.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
    })
}

/// Blobs.
///
/// Promises, for every engine: a blob that was put can be read until it is removed; what is read has the requested
/// digest. A blob of a run is seen under that run alone, and is removed with the run and with its events.
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

    /// Stores some bytes with a run, and returns the name that they have there.
    ///
    /// # Errors
    /// [`Error::UnknownRun`], [`Error::DiskFull`] and those of the engine.
    async fn put_of_run(&self, run: &RunId, bytes: Bytes) -> Result<String, Error>;

    /// The bytes that are stored with a run under a name.
    ///
    /// # Errors
    /// Those of the engine.
    async fn get_of_run(&self, run: &RunId, name: &str) -> Result<Option<Bytes>, Error>;

    /// Removes the blobs of runs that were put before a time, also those of runs that go on, and counts them.
    ///
    /// # Errors
    /// Those of the engine.
    async fn expire_of_runs(&self, before: Timestamp) -> Result<usize, Error>;
}
