//! Body decoding (gzip, brotli, deflate, zstd) part by part, within the size limits.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use async_compression::tokio::bufread::{
    BrotliDecoder, DeflateDecoder, GzipDecoder, ZlibDecoder, ZstdDecoder,
};
use bytes::{Buf, Bytes, BytesMut};
use http::{HeaderMap, header};
use hyper::body::{Body, Incoming};
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncRead, AsyncReadExt, ReadBuf};

use crate::error::{Error, SizeLimit};
use crate::{Limits, Oversize};

/// How much is decoded at a time.
const CHUNK_BYTES: usize = 32 * 1024;

/// A body being read. Holds at most one received and one decoded chunk.
pub(crate) struct BodyDecoder {
    source: BodySource,
    coding: ContentCoding,
    body_bytes: u64,
    ratio: u64,
    oversize: Oversize,
    decoded_bytes: u64,
    /// Buffer of the decoder; its memory is reused once a chunk is dropped.
    scratch: BytesMut,
    /// The body was cut at `body_bytes`.
    pub(crate) cut: bool,
}

enum BodySource {
    /// Nothing was read yet, so the codec is not chosen.
    Unread(Box<BodyReader>),
    Plain(Box<BodyReader>),
    Encoded(Box<Decompressor>),
    Ended,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ContentCoding {
    Identity,
    Gzip,
    Brotli,
    Deflate,
    Zstd,
    /// More than one coding, which is refused.
    Stacked,
}

enum Decompressor {
    Gzip(GzipDecoder<BodyReader>),
    Brotli(BrotliDecoder<BodyReader>),
    Zlib(ZlibDecoder<BodyReader>),
    Deflate(DeflateDecoder<BodyReader>),
    Zstd(ZstdDecoder<BodyReader>),
}

impl BodyDecoder {
    pub(crate) fn new(
        incoming: Incoming,
        ended_by_close: bool,
        headers: &HeaderMap,
        limits: &Limits,
    ) -> BodyDecoder {
        BodyDecoder {
            source: BodySource::Unread(Box::new(BodyReader {
                incoming,
                chunk: Bytes::new(),
                received_bytes: 0,
                ended_by_close,
                ended: false,
                failure: None,
            })),
            coding: coding(headers),
            body_bytes: limits.body_bytes as u64,
            ratio: u64::from(limits.ratio.max(1)),
            oversize: limits.oversize,
            decoded_bytes: 0,
            scratch: BytesMut::new(),
            cut: false,
        }
    }

    /// The next part, never empty; `None` at the end.
    pub(crate) async fn next(&mut self) -> Result<Option<Bytes>, Error> {
        if let BodySource::Unread(_) = self.source {
            self.choose_decoder().await?;
        }
        loop {
            let part = match &mut self.source {
                BodySource::Ended | BodySource::Unread(_) => None,
                BodySource::Plain(reader) => {
                    reader.fill().await;
                    match reader.failure.take() {
                        None => Some(reader.take_chunk()).filter(|chunk| !chunk.is_empty()),
                        Some(error) => return Err(error),
                    }
                }
                BodySource::Encoded(decompressor) => {
                    self.scratch.reserve(CHUNK_BYTES);
                    match decompressor.decoded().read_buf(&mut self.scratch).await {
                        Ok(_) => Some(self.scratch.split().freeze()).filter(|chunk| !chunk.is_empty()),
                        Err(_) => return Err(decompressor.failure()),
                    }
                }
            };
            if let Some(part) = part {
                return self.enforce_limits(part).map(Some);
            }
            if !self.begins_next_member().await {
                let end = self.drain().await;
                self.source = BodySource::Ended;
                return end.map(|()| None);
            }
        }
    }

    /// Goes on with the next member of a gzip file, if there is one. Anything else behind a member is padding.
    async fn begins_next_member(&mut self) -> bool {
        const FIRST_BYTE: u8 = 0x1f;
        let BodySource::Encoded(decompressor) = &mut self.source else {
            return false;
        };
        let reader = decompressor.reader_mut();
        reader.fill().await;
        if reader.chunk.first() != Some(&FIRST_BYTE) || !matches!(**decompressor, Decompressor::Gzip(_)) {
            return false;
        }
        if let BodySource::Encoded(decompressor) = std::mem::replace(&mut self.source, BodySource::Ended)
            && let Decompressor::Gzip(decoder) = *decompressor
        {
            let next = Decompressor::Gzip(GzipDecoder::new(decoder.into_inner()));
            self.source = BodySource::Encoded(Box::new(next));
        }
        true
    }

    /// Chooses the codec by the coding and, for deflate, by the first byte.
    async fn choose_decoder(&mut self) -> Result<(), Error> {
        let BodySource::Unread(mut reader) = std::mem::replace(&mut self.source, BodySource::Ended) else {
            return Ok(());
        };
        reader.fill().await;
        if let Some(error) = reader.failure.take() {
            return Err(error);
        }
        // An empty body is an empty body, whatever its headers say about it.
        let Some(first) = reader.chunk.first().copied() else {
            return Ok(());
        };
        let decompressor = match self.coding {
            ContentCoding::Identity => {
                self.source = BodySource::Plain(reader);
                return Ok(());
            }
            ContentCoding::Stacked => return Err(Error::BadEncoding),
            ContentCoding::Gzip => Decompressor::Gzip(GzipDecoder::new(*reader)),
            ContentCoding::Brotli => Decompressor::Brotli(BrotliDecoder::new(*reader)),
            // "deflate" means zlib, and some servers send the bare stream (RFC 9110, 8.4.1.2). The low half
            // of zlib's first byte names the method, and eight is the only one.
            ContentCoding::Deflate if first & 0x0f == 8 => Decompressor::Zlib(ZlibDecoder::new(*reader)),
            ContentCoding::Deflate => Decompressor::Deflate(DeflateDecoder::new(*reader)),
            ContentCoding::Zstd => {
                let mut decoder = ZstdDecoder::new(*reader);
                decoder.multiple_members(true);
                Decompressor::Zstd(decoder)
            }
        };
        self.source = BodySource::Encoded(Box::new(decompressor));
        Ok(())
    }

    fn enforce_limits(&mut self, mut part: Bytes) -> Result<Bytes, Error> {
        let before = self.decoded_bytes;
        self.decoded_bytes += part.len() as u64;
        let reader = match &self.source {
            BodySource::Encoded(decompressor) => decompressor.reader().received_bytes,
            _ => self.decoded_bytes,
        };
        if self.decoded_bytes > Limits::RATIO_FLOOR && self.decoded_bytes / self.ratio > reader {
            self.source = BodySource::Ended;
            return Err(Error::TooLarge(SizeLimit::Ratio));
        }
        if self.decoded_bytes > self.body_bytes {
            self.source = BodySource::Ended;
            if self.oversize == Oversize::Refuse {
                return Err(Error::TooLarge(SizeLimit::Body));
            }
            self.cut = true;
            part.truncate(usize::try_from(self.body_bytes - before).unwrap_or(0));
        }
        Ok(part)
    }

    /// Reads what may follow the compressed data, so that the connection can be reused. A body that is lost behind
    /// its data is lost nevertheless: its end is unknown.
    async fn drain(&mut self) -> Result<(), Error> {
        let BodySource::Encoded(decompressor) = &mut self.source else {
            return Ok(());
        };
        let reader = decompressor.reader_mut();
        for _ in 0..8 {
            reader.fill().await;
            if let Some(error) = reader.failure.take() {
                return Err(error);
            }
            if reader.take_chunk().is_empty() {
                return Ok(());
            }
        }
        Ok(())
    }
}

/// Evaluates an expression for the decoder of any coding.
macro_rules! with_decoder {
    ($decompressor:expr, $decoder:ident => $value:expr) => {
        match $decompressor {
            Decompressor::Gzip($decoder) => $value,
            Decompressor::Brotli($decoder) => $value,
            Decompressor::Zlib($decoder) => $value,
            Decompressor::Deflate($decoder) => $value,
            Decompressor::Zstd($decoder) => $value,
        }
    };
}

impl Decompressor {
    fn decoded(&mut self) -> &mut (dyn AsyncRead + Send + Unpin) {
        with_decoder!(self, decoder => decoder)
    }

    fn reader(&self) -> &BodyReader {
        with_decoder!(self, decoder => decoder.get_ref())
    }

    fn reader_mut(&mut self) -> &mut BodyReader {
        with_decoder!(self, decoder => decoder.get_mut())
    }

    /// The error of the connection, if there is one, else of the data. Data that stop in the middle of a body
    /// that only the connection's end could end were cut by that end.
    fn failure(&mut self) -> Error {
        let reader = self.reader_mut();
        let cut = reader.ended_by_close && reader.ended && reader.chunk.is_empty();
        reader.failure.take().unwrap_or(match cut {
            true => Error::Incomplete,
            false => Error::BadEncoding,
        })
    }
}

fn coding(headers: &HeaderMap) -> ContentCoding {
    let mut layers = headers
        .get_all(header::CONTENT_ENCODING)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(|word| word.trim().to_ascii_lowercase())
        .filter_map(|word| match word.as_str() {
            "gzip" | "x-gzip" => Some(ContentCoding::Gzip),
            "br" => Some(ContentCoding::Brotli),
            "deflate" => Some(ContentCoding::Deflate),
            "zstd" => Some(ContentCoding::Zstd),
            // Anything else was not asked for and is most likely no coding at all, as "utf-8".
            _ => None,
        });
    match (layers.next(), layers.next()) {
        (None, _) => ContentCoding::Identity,
        (Some(only), None) => only,
        (Some(_), Some(_)) => ContentCoding::Stacked,
    }
}

/// The encoded body as a reader that remembers why it failed.
struct BodyReader {
    incoming: Incoming,
    chunk: Bytes,
    /// Bytes received so far.
    received_bytes: u64,
    /// Whether only the end of the connection ends the body.
    ended_by_close: bool,
    ended: bool,
    failure: Option<Error>,
}

impl BodyReader {
    fn take_chunk(&mut self) -> Bytes {
        std::mem::take(&mut self.chunk)
    }

    /// Waits until there is a chunk, or the end.
    async fn fill(&mut self) {
        // The reader below gives no errors, see there.
        let _ = self.fill_buf().await;
    }
}

impl AsyncBufRead for BodyReader {
    fn poll_fill_buf(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<&[u8]>> {
        let this = self.get_mut();
        while this.chunk.is_empty() && !this.ended {
            match ready!(Pin::new(&mut this.incoming).poll_frame(cx)) {
                None => this.ended = true,
                Some(Ok(frame)) => {
                    if let Ok(data) = frame.into_data() {
                        this.received_bytes += data.len() as u64;
                        this.chunk = data;
                    }
                }
                Some(Err(error)) => {
                    this.failure = Some(match error.is_parse() {
                        true => Error::BadResponse("a part of the body is not framed correctly"),
                        false => Error::Incomplete,
                    });
                    // A decoder sees the end of its input, gives out what it has and then fails; the
                    // failure stored here says why.
                    this.ended = true;
                }
            }
        }
        Poll::Ready(Ok(&this.chunk))
    }

    fn consume(self: Pin<&mut Self>, amount: usize) {
        let this = self.get_mut();
        this.chunk.advance(amount.min(this.chunk.len()));
    }
}

impl AsyncRead for BodyReader {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let chunk = ready!(self.as_mut().poll_fill_buf(cx))?;
        let amount = chunk.len().min(into.remaining());
        into.put_slice(chunk.get(..amount).unwrap_or_default());
        self.consume(amount);
        Poll::Ready(Ok(()))
    }
}
