//! A client that shows every frame: HTTP/2 by hand (RFC 9113), without any courtesy of its own.

use std::net::SocketAddr;
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

pub(crate) const HEADERS: u8 = 1;
pub(crate) const RST_STREAM: u8 = 3;
pub(crate) const SETTINGS: u8 = 4;
pub(crate) const PING: u8 = 6;

/// Longer than anything may take; ends a test that would hang.
const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) struct Http2 {
    socket: TcpStream,
    authority: String,
}

/// A frame that came.
pub(crate) struct Frame {
    pub(crate) kind: u8,
    pub(crate) flags: u8,
    pub(crate) payload: Vec<u8>,
}

impl Http2 {
    /// Connects with these settings: pairs of identifier and value.
    pub(crate) async fn connect(to: SocketAddr, settings: &[(u16, u32)]) -> Self {
        let socket = TcpStream::connect(to).await.unwrap();
        let mut client = Self {
            socket,
            authority: to.to_string(),
        };
        client
            .socket
            .write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
            .await
            .unwrap();
        let payload: Vec<u8> = settings
            .iter()
            .flat_map(|(name, value)| [&name.to_be_bytes()[..], &value.to_be_bytes()].concat())
            .collect();
        assert!(client.send(SETTINGS, 0, 0, &payload).await);
        client
    }

    /// Sends a frame; false when the server takes no more.
    pub(crate) async fn send(&mut self, kind: u8, flags: u8, stream: u32, payload: &[u8]) -> bool {
        let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
        let head = [&length[1..], &[kind, flags], &stream.to_be_bytes()].concat();
        self.socket.write_all(&[&head, payload].concat()).await.is_ok()
    }

    /// Sends a GET request without a body; false when the server takes no more.
    pub(crate) async fn get(&mut self, stream: u32, path: &str) -> bool {
        let text =
            |name: u8, value: &str| [&[name, u8::try_from(value.len()).unwrap()], value.as_bytes()].concat();
        // Static table of HPACK: 2 is `:method: GET`, 6 is `:scheme: http`, 4 is `:path`, 1 is `:authority`.
        let head = [vec![0x82, 0x86], text(4, path), text(1, &self.authority)].concat();
        self.send(HEADERS, 0x5, stream, &head).await
    }

    /// The next frame; none when the connection has ended.
    pub(crate) async fn frame(&mut self) -> Option<Frame> {
        tokio::time::timeout(PATIENCE, self.read_frame())
            .await
            .expect("a frame or the end")
    }

    async fn read_frame(&mut self) -> Option<Frame> {
        let mut head = [0; 9];
        self.socket.read_exact(&mut head).await.ok()?;
        let length = u32::from_be_bytes([0, head[0], head[1], head[2]]);
        let mut payload = vec![0; length as usize];
        self.socket.read_exact(&mut payload).await.ok()?;
        Some(Frame {
            kind: head[3],
            flags: head[4],
            payload,
        })
    }

    /// Reads to the end of the connection, answering pings and settings or not. Returns the kinds of the frames.
    pub(crate) async fn drain(&mut self, answers: bool) -> Vec<u8> {
        let mut kinds = Vec::new();
        while let Some(frame) = self.frame().await {
            if answers && frame.kind == PING && frame.flags == 0 {
                self.send(PING, 1, 0, &frame.payload).await;
            }
            if answers && frame.kind == SETTINGS && frame.flags == 0 {
                self.send(SETTINGS, 1, 0, &[]).await;
            }
            kinds.push(frame.kind);
        }
        kinds
    }
}
