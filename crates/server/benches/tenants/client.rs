//! A client of one connection that is kept open.

use std::net::SocketAddr;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};

pub(crate) struct Client {
    stream: TcpStream,
    to: SocketAddr,
    read: Vec<u8>,
}

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
            read: Vec::new(),
        }
    }

    /// Sends a request and reads its answer to the end; the status and the body.
    pub(crate) async fn ask(
        &mut self,
        method: &str,
        path: &str,
        key: Option<&str>,
        body: &str,
    ) -> (u16, String) {
        let authorization = key.map_or_else(String::new, |key| format!("authorization: Bearer {key}\r\n"));
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\n{authorization}content-length: {}\r\n\r\n{body}",
            self.to,
            body.len()
        );
        self.stream.write_all(request.as_bytes()).await.unwrap();
        self.read.clear();
        loop {
            let mut piece = [0; 4096];
            let count = self.stream.read(&mut piece).await.unwrap();
            assert!(count > 0, "the connection was closed");
            self.read.extend_from_slice(piece.get(..count).unwrap());
            let text = String::from_utf8_lossy(&self.read);
            let Some((head, body)) = text.split_once("\r\n\r\n") else {
                continue;
            };
            let length = head
                .lines()
                .find_map(|line| line.strip_prefix("content-length: "));
            let length: usize = length.expect("a length").parse().unwrap();
            if body.len() >= length {
                let status = head.split(' ').nth(1).unwrap().parse().unwrap();
                return (status, body.to_owned());
            }
        }
    }
}
