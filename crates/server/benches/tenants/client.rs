//! A client of one connection that is kept open. What it does costs the processor little, since what is measured is the server.

use std::net::SocketAddr;

use memchr::memmem;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};

/// Bytes that an answer may have without a further allocation.
const ANSWER: usize = 16 * 1024;
/// What ends the head of an answer.
const END_OF_HEAD: &[u8] = b"\r\n\r\n";

pub(crate) struct Client {
    stream: TcpStream,
    to: SocketAddr,
    read: Vec<u8>,
}

/// A request as it is sent.
pub(crate) struct Prepared(String);

impl Client {
    /// A connection from this address of loopback.
    pub(crate) async fn connect(from: &str, to: SocketAddr) -> Self {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind(format!("{from}:0").parse().unwrap()).unwrap();
        let stream = socket.connect(to).await.unwrap();
        stream.set_nodelay(true).unwrap();
        Self {
            stream,
            to,
            read: Vec::with_capacity(ANSWER),
        }
    }

    /// The text of a request to the client's server.
    pub(crate) fn prepare(&self, method: &str, path: &str, key: Option<&str>, body: &str) -> Prepared {
        let authorization = key.map_or_else(String::new, |key| format!("authorization: Bearer {key}\r\n"));
        Prepared(format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\n{authorization}content-length: {}\r\n\r\n{body}",
            self.to,
            body.len()
        ))
    }

    /// Sends a request and reads its answer to the end; the status and the body.
    pub(crate) async fn ask(&mut self, request: &Prepared) -> (u16, &[u8]) {
        self.stream.write_all(request.0.as_bytes()).await.unwrap();
        self.read.clear();
        loop {
            let count = self.stream.read_buf(&mut self.read).await.unwrap();
            assert!(count > 0, "the connection was closed");
            if let Some((status, body)) = whole_answer(&self.read) {
                return (status, &self.read[body..]);
            }
        }
    }
}

/// The status of an answer and where its body begins; none while a part is missing.
fn whole_answer(read: &[u8]) -> Option<(u16, usize)> {
    let body = memmem::find(read, END_OF_HEAD)? + END_OF_HEAD.len();
    let head = str::from_utf8(&read[..body]).unwrap();
    let mut lines = head.lines();
    let status = lines.next().unwrap().split(' ').nth(1).unwrap();
    let length = lines.find_map(|line| line.strip_prefix("content-length: "));
    let length: usize = length.expect("a length").parse().unwrap();
    (read.len() - body >= length).then(|| (status.parse().unwrap(), body))
}
