//! The archive formats of packages, without times and owners of this machine: tar with gzip, ar, and zip.

use std::io::{Cursor, Write as _};

use flate2::{Compression, GzBuilder};
use zip::CompressionMethod;
use zip::write::SimpleFileOptions;

/// A tar archive packed with gzip.
pub(crate) struct TarGz {
    tar: tar::Builder<flate2::write::GzEncoder<Vec<u8>>>,
    epoch: u64,
}

impl TarGz {
    pub(crate) fn new(epoch: u64, level: u32) -> TarGz {
        // The head of gzip stays without a time and a name.
        let gzip = GzBuilder::new().write(Vec::new(), Compression::new(level));
        TarGz {
            tar: tar::Builder::new(gzip),
            epoch,
        }
    }

    /// Adds a file of root, which everybody may read, and may execute when it is a program.
    pub(crate) fn file(&mut self, path: &str, bytes: &[u8], is_program: bool) -> anyhow::Result<()> {
        let mut head = tar::Header::new_gnu();
        head.set_size(bytes.len() as u64);
        head.set_mode(if is_program { 0o755 } else { 0o644 });
        head.set_mtime(self.epoch);
        self.tar.append_data(&mut head, path, bytes)?;
        Ok(())
    }

    /// Adds an empty folder.
    pub(crate) fn folder(&mut self, path: &str) -> anyhow::Result<()> {
        let mut head = tar::Header::new_gnu();
        head.set_entry_type(tar::EntryType::Directory);
        head.set_size(0);
        head.set_mode(0o755);
        head.set_mtime(self.epoch);
        self.tar
            .append_data(&mut head, format!("{path}/"), std::io::empty())?;
        Ok(())
    }

    pub(crate) fn finish(self) -> anyhow::Result<Vec<u8>> {
        Ok(self.tar.into_inner()?.finish()?)
    }
}

/// The bytes of a file packed with gzip.
pub(crate) fn gzip(bytes: &[u8]) -> anyhow::Result<Vec<u8>> {
    let mut gzip = GzBuilder::new().write(Vec::new(), Compression::best());
    gzip.write_all(bytes)?;
    Ok(gzip.finish()?)
}

/// An ar archive in the common format of System V, as `.deb` wants it: deb(5).
pub(crate) fn ar(files: &[(&str, &[u8])], epoch: u64) -> Vec<u8> {
    let mut out = b"!<arch>\n".to_vec();
    for (name, bytes) in files {
        let head = format!(
            "{name:<16}{epoch:<12}{:<6}{:<6}{:<8}{:<10}`\n",
            0,
            0,
            100_644,
            bytes.len()
        );
        out.extend_from_slice(head.as_bytes());
        out.extend_from_slice(bytes);
        // Each member begins at an even place.
        out.extend_from_slice(if bytes.len() % 2 == 1 { b"\n" } else { b"" });
    }
    out
}

/// A zip archive. Its times are the earliest that the format knows.
pub(crate) struct Zip {
    zip: zip::ZipWriter<Cursor<Vec<u8>>>,
    options: SimpleFileOptions,
}

impl Zip {
    pub(crate) fn new(level: u32) -> Zip {
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .compression_level(Some(level.into()));
        Zip {
            zip: zip::ZipWriter::new(Cursor::new(Vec::new())),
            options,
        }
    }

    /// Adds a file, which may be executed when it is a program.
    pub(crate) fn file(&mut self, path: &str, bytes: &[u8], is_program: bool) -> anyhow::Result<()> {
        let mode = if is_program { 0o100_755 } else { 0o100_644 };
        self.zip.start_file(path, self.options.unix_permissions(mode))?;
        self.zip.write_all(bytes)?;
        Ok(())
    }

    pub(crate) fn finish(self) -> anyhow::Result<Vec<u8>> {
        Ok(self.zip.finish()?.into_inner())
    }
}
