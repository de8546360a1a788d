//! `Archive`: the entries of a ZIP archive, unpacked within limits.

use std::io::{Cursor, Read as _};

use page::charset;
use zip::ZipArchive;
use zip::result::ZipError;

use crate::error::Error;

/// Most entries of an archive.
const MAX_ENTRIES: usize = 10_000;
/// Most bytes of one entry, unpacked.
const MAX_ENTRY_BYTES: u64 = 64 << 20;
/// Most bytes of all entries that are read, unpacked.
const MAX_UNPACKED_BYTES: u64 = 128 << 20;

/// A ZIP archive in memory.
pub(super) struct Archive<'a> {
    zip: ZipArchive<Cursor<&'a [u8]>>,
    /// The bytes unpacked so far.
    unpacked: u64,
}

impl<'a> Archive<'a> {
    /// Reads the directory of an archive.
    ///
    /// # Errors
    /// When the bytes are no archive, or it has too many entries.
    pub(super) fn open(bytes: &'a [u8]) -> Result<Archive<'a>, Error> {
        if bytes.starts_with(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1") {
            let text = "the document cannot be read: it is an Office file of the format before 2007, or protected by a \
                        password";
            return Err(Error::Failed(text.to_owned()));
        }
        let zip = ZipArchive::new(Cursor::new(bytes)).map_err(|_| unreadable("its archive is damaged"))?;
        if zip.len() > MAX_ENTRIES {
            return Err(Error::TooLarge {
                what: "the number of files in the document".to_owned(),
                limit: format!("{MAX_ENTRIES} files"),
            });
        }
        Ok(Archive { zip, unpacked: 0 })
    }

    /// Whether there is an entry of this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.zip.index_for_name(name).is_some()
    }

    /// The text of an entry; none where there is no entry of this name.
    ///
    /// # Errors
    /// When the entry is damaged or encrypted, or unpacks to too many bytes.
    pub(super) fn text(&mut self, name: &str) -> Result<Option<String>, Error> {
        let room = MAX_ENTRY_BYTES.min(MAX_UNPACKED_BYTES - self.unpacked);
        let entry = match self.zip.by_name(name.trim_start_matches('/')) {
            Ok(entry) => entry,
            Err(ZipError::FileNotFound) => return Ok(None),
            Err(ZipError::UnsupportedArchive(_) | ZipError::InvalidPassword) => {
                return Err(unreadable("it is protected by a password"));
            }
            Err(ZipError::CompressionMethodNotSupported(_)) => {
                return Err(unreadable("it is packed in an unusual way"));
            }
            Err(_) => return Err(unreadable("its archive is damaged")),
        };
        let mut bytes = Vec::new();
        entry
            .take(room + 1)
            .read_to_end(&mut bytes)
            .map_err(|_| unreadable("its archive is damaged"))?;
        let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        if size > room {
            let limit = if room == MAX_ENTRY_BYTES {
                MAX_ENTRY_BYTES
            } else {
                MAX_UNPACKED_BYTES
            };
            return Err(Error::TooLarge {
                what: "the unpacked size of the document".to_owned(),
                limit: format!("{} MB", limit >> 20),
            });
        }
        self.unpacked += size;
        Ok(Some(match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => charset::decode(error.as_bytes(), None).text,
        }))
    }

    /// The text of an entry without which there is no document.
    ///
    /// # Errors
    /// As [`Archive::text`], and when the entry is missing.
    pub(super) fn required(&mut self, name: &str) -> Result<String, Error> {
        self.text(name)?
            .ok_or_else(|| unreadable("parts of it are missing"))
    }
}

/// The error of a document for a reason.
pub(super) fn unreadable(reason: &str) -> Error {
    Error::Failed(format!("the document cannot be read: {reason}"))
}

/// The name of an entry to which a path leads from another entry, without `.` and `..`.
pub(super) fn resolve(base: &str, path: &str) -> String {
    let path = path.split(['#', '?']).next().unwrap_or_default();
    let folder = match path.strip_prefix('/') {
        Some(_) => "",
        None => base.rsplit_once('/').map_or("", |(folder, _)| folder),
    };
    let mut parts: Vec<&str> = Vec::new();
    for part in folder.split('/').chain(path.split('/')) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}
