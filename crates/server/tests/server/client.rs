//! A client that shows every byte: HTTP/1.1 by hand.

use std::net::SocketAddr;
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;

/// Longer than anything may take; ends a test that would hang.
const PATIENCE: Duration = Duration::from_secs(60);

/// A request to be sent.
pub(crate) struct Ask {
    head: String,
    body: Vec<u8>,
}

impl Ask {
    pub(crate) fn new(method: &str, path: &str) -> Self {
        let head = format!("{method} {path} HTTP/1.1\r\n");
        Self {
            head,
            body: Vec::new(),
        }
    }

    pub(crate) fn get(path: &str) -> Self {
        Self::new("GET", path)
    }

    pub(crate) fn post(path: &str, body: impl Into<Vec<u8>>) -> Self {
        Self::with_body("POST", path, body)
    }

    pub(crate) fn with_body(method: &str, path: &str, body: impl Into<Vec<u8>>) -> Self {
        Self {
            body: body.into(),
            ..Self::new(method, path).header("content-type", "application/json")
        }
    }

    pub(crate) fn json(path: &str, body: &Value) -> Self {
        Self::post(path, body.to_string())
    }

    /// The fields of a form.
    pub(crate) fn form(path: &str, body: &str) -> Self {
        Self {
            body: body.as_bytes().into(),
            ..Self::new("POST", path).header("content-type", "application/x-www-form-urlencoded")
        }
    }

    pub(crate) fn header(mut self, name: &str, value: &str) -> Self {
        self.head.push_str(&format!("{name}: {value}\r\n"));
        self
    }

    /// Sends the request and reads the head of its answer.
    pub(crate) async fn send(self, to: SocketAddr) -> Answer {
        let socket = TcpStream::connect(to).await.unwrap();
        self.send_over(socket).await
    }

    async fn send_over(mut self, mut socket: TcpStream) -> Answer {
        let to = socket.peer_addr().unwrap();
        if !self.head.contains("\r\nhost:") {
            self = self.header("host", &to.to_string());
        }
        if !self.body.is_empty() {
            let length = self.body.len().to_string();
            self = self.header("content-length", &length);
        }
        socket
            .write_all(format!("{}\r\n", self.head).as_bytes())
            .await
            .unwrap();
        // A server that refuses early closes before it has read everything.
        let _ = socket.write_all(&self.body).await;
        tokio::time::timeout(PATIENCE, Answer::read(socket))
            .await
            .expect("an answer")
    }
}

/// An answer, whose body is read as it comes.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    from: BufReader<TcpStream>,
}

impl Answer {
    pub(crate) async fn read(socket: TcpStream) -> Self {
        let mut from = BufReader::new(socket);
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            from.read_line(&mut line).await.unwrap();
            match line.trim_end() {
                "" => break,
                line => lines.push(line.to_owned()),
            }
        }
        let status = lines
            .first()
            .and_then(|it| it.split(' ').nth(1))
            .expect("a status line");
        let headers = lines.iter().skip(1).filter_map(|it| it.split_once(": "));
        Self {
            status: status.parse().unwrap(),
            headers: headers
                .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
                .collect(),
            from,
        }
    }

    /// Sends a further request over the same connection, once the body of this answer is read.
    pub(crate) async fn then(mut self, next: Ask) -> Answer {
        self.text().await;
        next.send_over(self.from.into_inner()).await
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(key, _)| key == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The next chunk of a chunked body; none after the last one.
    pub(crate) async fn chunk(&mut self) -> Option<String> {
        assert_eq!(self.header("transfer-encoding"), Some("chunked"));
        tokio::time::timeout(PATIENCE, self.read_chunk())
            .await
            .expect("a chunk")
    }

    async fn read_chunk(&mut self) -> Option<String> {
        let mut size = String::new();
        self.from.read_line(&mut size).await.unwrap();
        let size = usize::from_str_radix(size.trim_end(), 16).expect("a chunk, not a connection cut off");
        let mut chunk = vec![0; size + 2];
        self.from.read_exact(&mut chunk).await.unwrap();
        chunk.truncate(size);
        Some(String::from_utf8(chunk).unwrap()).filter(|it| !it.is_empty())
    }

    /// The whole body.
    pub(crate) async fn text(&mut self) -> String {
        if let Some(length) = self.header("content-length") {
            let mut body = vec![0; length.parse().unwrap()];
            let reading = self.from.read_exact(&mut body);
            tokio::time::timeout(PATIENCE, reading)
                .await
                .expect("a body")
                .unwrap();
            return String::from_utf8(body).unwrap();
        }
        let mut text = String::new();
        while let Some(chunk) = self.chunk().await {
            text.push_str(&chunk);
        }
        text
    }

    pub(crate) async fn json(&mut self) -> Value {
        serde_json::from_str(&self.text().await).unwrap()
    }

    /// The whole stream's frames, without comments.
    pub(crate) async fn frames(&mut self) -> Vec<String> {
        assert_eq!(
            (self.status, self.header("content-type")),
            (200, Some("text/event-stream"))
        );
        frames(&self.text().await)
    }

    /// The same, for a stream that may have nothing to tell any more.
    pub(crate) async fn frames_or_none(&mut self) -> Vec<String> {
        assert_eq!(self.status, 200);
        frames(&self.text().await)
    }

    /// Reads on until the text so far satisfies `enough`.
    pub(crate) async fn until(&mut self, enough: impl Fn(&str) -> bool) -> String {
        let mut text = String::new();
        while !enough(&text) {
            text.push_str(&self.chunk().await.expect("more of the stream"));
        }
        text
    }
}

/// The frames of a stream, each with its blank line, without comments.
pub(crate) fn frames(text: &str) -> Vec<String> {
    assert!(text.ends_with("\n\n"), "{text:?}");
    let frames = text.split_inclusive("\n\n").filter(|it| !it.starts_with(':'));
    frames.map(str::to_owned).collect()
}
