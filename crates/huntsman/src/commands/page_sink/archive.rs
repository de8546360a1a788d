//! `Archive`: pages as a WARC 1.1 file (ISO 28500:2017). A page is a `resource` record that holds its HTML as it was read,
//! in UTF-8; heads of HTTP answers are not kept.

use std::io::{self, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;

use crate::failure::Failure;

/// A WARC file that is being written.
pub(super) struct Archive {
    writer: Box<dyn Write>,
    /// Whether each record is a gzip member, as WARC asks of packed files.
    is_packed: bool,
    /// Whether the first record is written.
    is_begun: bool,
}

impl Archive {
    /// An archive that begins with its first page.
    pub(super) fn new(writer: Box<dyn Write>, is_packed: bool) -> Self {
        Self {
            writer,
            is_packed,
            is_begun: false,
        }
    }

    /// Writes the record that says what wrote the file.
    fn begin(&mut self) -> Result<(), Failure> {
        let about = format!(
            "software: huntsman/{}\r\nformat: WARC File Format 1.1\r\n\
             conformsTo: http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/\r\n",
            env!("CARGO_PKG_VERSION")
        );
        self.record("warcinfo", None, "application/warc-fields", about.as_bytes())
    }

    /// Adds a page; one that gave no HTML is left out.
    pub(super) fn put(&mut self, result: &Value) -> Result<(), Failure> {
        let (Some(url), Some(html)) = (result["url"].as_str(), result["formats"]["html"].as_str()) else {
            return Ok(());
        };
        if !self.is_begun {
            self.begin()?;
            self.is_begun = true;
        }
        // Links of the page are relative to the address at which it was read.
        let url = result["final_url"].as_str().unwrap_or(url);
        self.record("resource", Some(url), "text/html; charset=utf-8", html.as_bytes())
    }

    fn record(&mut self, kind: &str, url: Option<&str>, media: &str, block: &[u8]) -> Result<(), Failure> {
        // A line end in an address would begin a field of its own.
        let target = url.filter(|url| !url.contains(['\r', '\n']));
        let target = target
            .map(|url| format!("WARC-Target-URI: {url}\r\n"))
            .unwrap_or_default();
        let head = format!(
            "WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:uuid:{}>\r\nWARC-Date: {:.0}\r\n{target}\
             Content-Type: {media}\r\nContent-Length: {}\r\n\r\n",
            random_uuid(),
            jiff::Timestamp::now(),
            block.len()
        );
        let mut record = head.into_bytes();
        record.extend_from_slice(block);
        record.extend_from_slice(b"\r\n\r\n");
        let record = if self.is_packed { packed(&record)? } else { record };
        self.writer.write_all(&record)?;
        Ok(self.writer.flush()?)
    }
}

/// The bytes as one member of a gzip file; members one after the other are a gzip file, too.
fn packed(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes)?;
    encoder.finish()
}

/// A random UUID (RFC 9562, version 4).
fn random_uuid() -> String {
    let bits = fastrand::u128(..) & !(0xf << 76 | 0x3 << 62) | 0x4 << 76 | 0x2 << 62;
    let digits = format!("{bits:032x}");
    format!(
        "{}-{}-{}-{}-{}",
        &digits[..8],
        &digits[8..12],
        &digits[12..16],
        &digits[16..20],
        &digits[20..]
    )
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;
    use std::sync::{Arc, Mutex};

    use serde_json::json;

    use super::*;

    #[derive(Clone, Default)]
    struct Kept(Arc<Mutex<Vec<u8>>>);

    impl Write for Kept {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    fn written(is_packed: bool) -> Vec<u8> {
        let kept = Kept::default();
        let mut archive = Archive::new(Box::new(kept.clone()), is_packed);
        let page = json!({"url": "https://a.example/", "formats": {"html": "<p>Z\u{fc}rich</p>"}});
        archive.put(&page).unwrap();
        let moved = json!({"url": "https://a.example/old", "final_url": "https://a.example/new/", "formats": {"html": "<p>b"}});
        archive.put(&moved).unwrap();
        archive
            .put(&json!({"url": "https://a.example/gone", "status": "failed"}))
            .unwrap();
        let bytes = kept.0.lock().unwrap();
        bytes.clone()
    }

    #[test]
    fn a_page_is_a_record_of_its_bytes() {
        let text = String::from_utf8(written(false)).unwrap();
        assert_eq!(text.matches("WARC/1.1\r\n").count(), 3, "{text}");
        assert!(
            text.contains("WARC-Target-URI: https://a.example/new/\r\n"),
            "{text}"
        );
        let page = text.split("WARC-Type: resource\r\n").nth(1).unwrap();
        assert!(
            page.contains("\r\nWARC-Target-URI: https://a.example/\r\n")
                && page.contains("\r\nContent-Length: 14\r\n\r\n<p>Zürich</p>\r\n\r\n"),
            "{page}"
        );
        let id = page.split("urn:uuid:").nth(1).unwrap();
        assert_eq!((&id[14..15], id[..36].matches('-').count()), ("4", 4), "{id}");
    }

    #[test]
    fn each_record_of_a_packed_file_can_be_read_alone() {
        let bytes = written(true);
        let mut first = String::new();
        flate2::bufread::GzDecoder::new(bytes.as_slice())
            .read_to_string(&mut first)
            .unwrap();
        assert!(
            first.contains("warcinfo") && !first.contains("resource"),
            "{first}"
        );
        let mut all = String::new();
        flate2::read::MultiGzDecoder::new(bytes.as_slice())
            .read_to_string(&mut all)
            .unwrap();
        assert_eq!(all.matches("WARC/1.1\r\n").count(), 3, "{all}");
    }
}
