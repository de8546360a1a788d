//! From the received bytes to the decoded body, part by part, within the size limits.

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

use crate::error::{Error, Size};
use crate::{Limits, Oversize};

/// How much is decoded at a time.
const PIECE: usize = 32 * 1024;

/// A body being read. Holds at most one received and one decoded piece.
pub(crate) struct Decoded {
    source: Source,
    coding: Coding,
    body_bytes: u64,
    ratio: u64,
    oversize: Oversize,
    given: u64,
    /// Where decoded pieces are made; the memory is used again once a piece is gone.
    scratch: BytesMut,
    /// The body was cut at `body_bytes`.
    pub(crate) cut: bool,
}

enum Source {
    /// Nothing was read yet, so the codec is not chosen.
    Fresh(Box<Received>),
    Plain(Box<Received>),
    Packed(Box<Packed>),
    Ended,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Coding {
    Identity,
    Gzip,
    Brotli,
    Deflate,
    Zstd,
    /// More than one layer, which no honest server sends.
    Stacked,
}

enum Packed {
    Gzip(GzipDecoder<Received>),
    Brotli(BrotliDecoder<Received>),
    Zlib(ZlibDecoder<Received>),
    Deflate(DeflateDecoder<Received>),
    Zstd(ZstdDecoder<Received>),
}

impl Decoded {
    pub(crate) fn new(incoming: Incoming, headers: &HeaderMap, limits: &Limits) -> Decoded {
        Decoded {
            source: Source::Fresh(Box::new(Received {
                incoming,
                piece: Bytes::new(),
                taken: 0,
                ended: false,
                failure: None,
            })),
            coding: coding(headers),
            body_bytes: limits.body_bytes as u64,
            ratio: u64::from(limits.ratio.max(1)),
            oversize: limits.oversize,
            given: 0,
            scratch: BytesMut::new(),
            cut: false,
        }
    }

    /// The next part, never empty; `None` at the end.
    pub(crate) async fn next(&mut self) -> Result<Option<Bytes>, Error> {
        if let Source::Fresh(_) = self.source {
            self.begin().await?;
        }
        let part = match &mut self.source {
            Source::Ended | Source::Fresh(_) => None,
            Source::Plain(received) => {
                received.fill().await;
                match received.failure.take() {
                    None => Some(received.piece_out()).filter(|piece| !piece.is_empty()),
                    Some(why) => return Err(why),
                }
            }
            Source::Packed(packed) => {
                self.scratch.reserve(PIECE);
                match packed.reader().read_buf(&mut self.scratch).await {
                    Ok(_) => Some(self.scratch.split().freeze()).filter(|piece| !piece.is_empty()),
                    Err(_) => return Err(packed.failure()),
                }
            }
        };
        match part {
            Some(part) => self.measure(part).map(Some),
            None => {
                self.drain().await;
                self.source = Source::Ended;
                Ok(None)
            }
        }
    }

    /// Chooses the codec by the coding and, for deflate, by the first byte.
    async fn begin(&mut self) -> Result<(), Error> {
        let Source::Fresh(mut received) = std::mem::replace(&mut self.source, Source::Ended) else {
            return Ok(());
        };
        received.fill().await;
        if let Some(why) = received.failure.take() {
            return Err(why);
        }
        // An empty body is an empty body, whatever its headers say about it.
        let Some(first) = received.piece.first().copied() else {
            return Ok(());
        };
        let packed = match self.coding {
            Coding::Identity => {
                self.source = Source::Plain(received);
                return Ok(());
            }
            Coding::Stacked => return Err(Error::BadEncoding),
            Coding::Gzip => {
                let mut decoder = GzipDecoder::new(*received);
                decoder.multiple_members(true);
                Packed::Gzip(decoder)
            }
            Coding::Brotli => Packed::Brotli(BrotliDecoder::new(*received)),
            // "deflate" means zlib, and some servers send the bare stream (RFC 9110, 8.4.1.2). The low half
            // of zlib's first byte names the method, and eight is the only one.
            Coding::Deflate if first & 0x0f == 8 => Packed::Zlib(ZlibDecoder::new(*received)),
            Coding::Deflate => Packed::Deflate(DeflateDecoder::new(*received)),
            Coding::Zstd => {
                let mut decoder = ZstdDecoder::new(*received);
                decoder.multiple_members(true);
                Packed::Zstd(decoder)
            }
        };
        self.source = Source::Packed(Box::new(packed));
        Ok(())
    }

    fn measure(&mut self, mut part: Bytes) -> Result<Bytes, Error> {
        let before = self.given;
        self.given += part.len() as u64;
        let received = match &self.source {
            Source::Packed(packed) => packed.received().taken,
            _ => self.given,
        };
        if self.given > Limits::RATIO_FLOOR && self.given / self.ratio > received {
            self.source = Source::Ended;
            return Err(Error::TooLarge(Size::Ratio));
        }
        if self.given > self.body_bytes {
            self.source = Source::Ended;
            if self.oversize == Oversize::Refuse {
                return Err(Error::TooLarge(Size::Body));
            }
            self.cut = true;
            part.truncate(usize::try_from(self.body_bytes - before).unwrap_or(0));
        }
        Ok(part)
    }

    /// Takes what may still come after the packed data, so that the connection can be used again.
    async fn drain(&mut self) {
        let Source::Packed(packed) = &mut self.source else {
            return;
        };
        let received = packed.received_mut();
        for _ in 0..8 {
            received.fill().await;
            if received.piece_out().is_empty() {
                return;
            }
        }
    }
}

impl Packed {
    fn reader(&mut self) -> &mut (dyn AsyncRead + Send + Unpin) {
        match self {
            Packed::Gzip(it) => it,
            Packed::Brotli(it) => it,
            Packed::Zlib(it) => it,
            Packed::Deflate(it) => it,
            Packed::Zstd(it) => it,
        }
    }

    fn received(&self) -> &Received {
        match self {
            Packed::Gzip(it) => it.get_ref(),
            Packed::Brotli(it) => it.get_ref(),
            Packed::Zlib(it) => it.get_ref(),
            Packed::Deflate(it) => it.get_ref(),
            Packed::Zstd(it) => it.get_ref(),
        }
    }

    fn received_mut(&mut self) -> &mut Received {
        match self {
            Packed::Gzip(it) => it.get_mut(),
            Packed::Brotli(it) => it.get_mut(),
            Packed::Zlib(it) => it.get_mut(),
            Packed::Deflate(it) => it.get_mut(),
            Packed::Zstd(it) => it.get_mut(),
        }
    }

    /// Whose fault it was: the connection's, or else the data's.
    fn failure(&mut self) -> Error {
        self.received_mut().failure.take().unwrap_or(Error::BadEncoding)
    }
}

fn coding(headers: &HeaderMap) -> Coding {
    let mut layers = headers
        .get_all(header::CONTENT_ENCODING)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(|word| word.trim().to_ascii_lowercase())
        .filter_map(|word| match word.as_str() {
            "gzip" | "x-gzip" => Some(Coding::Gzip),
            "br" => Some(Coding::Brotli),
            "deflate" => Some(Coding::Deflate),
            "zstd" => Some(Coding::Zstd),
            // Anything else was not asked for and is most likely no coding at all, as "utf-8".
            _ => None,
        });
    match (layers.next(), layers.next()) {
        (None, _) => Coding::Identity,
        (Some(only), None) => only,
        (Some(_), Some(_)) => Coding::Stacked,
    }
}

/// The body as it comes from the connection, as a reader that remembers why it failed.
struct Received {
    incoming: Incoming,
    piece: Bytes,
    /// Bytes received so far.
    taken: u64,
    ended: bool,
    failure: Option<Error>,
}

impl Received {
    fn piece_out(&mut self) -> Bytes {
        std::mem::take(&mut self.piece)
    }

    /// Waits until there is a piece, or the end.
    async fn fill(&mut self) {
        // The reader below gives no errors, see there.
        let _ = self.fill_buf().await;
    }
}

impl AsyncBufRead for Received {
    fn poll_fill_buf(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<&[u8]>> {
        let this = self.get_mut();
        while this.piece.is_empty() && !this.ended {
            match ready!(Pin::new(&mut this.incoming).poll_frame(cx)) {
                None => this.ended = true,
                Some(Ok(frame)) => {
                    if let Ok(data) = frame.into_data() {
                        this.taken += data.len() as u64;
                        this.piece = data;
                    }
                }
                Some(Err(why)) => {
                    this.failure = Some(match why.is_parse() {
                        true => Error::BadResponse("a part of the body is not framed correctly"),
                        false => Error::Incomplete,
                    });
                    // For a decoder this is simply the end, so that it gives out what it has; then it
                    // complains itself, and the failure noted here says why.
                    this.ended = true;
                }
            }
        }
        Poll::Ready(Ok(&this.piece))
    }

    fn consume(self: Pin<&mut Self>, amount: usize) {
        let this = self.get_mut();
        this.piece.advance(amount.min(this.piece.len()));
    }
}

impl AsyncRead for Received {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let piece = ready!(self.as_mut().poll_fill_buf(cx))?;
        let amount = piece.len().min(into.remaining());
        into.put_slice(piece.get(..amount).unwrap_or_default());
        self.consume(amount);
        Poll::Ready(Ok(()))
    }
}
