use std::io::ErrorKind;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use super::*;
use crate::client::ClientConfig;

/// A server that returns what it gets.
async fn echo() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            tokio::spawn(async move {
                let (mut read, mut write) = stream.split();
                let _ = tokio::io::copy(&mut read, &mut write).await;
            });
        }
    });
    address
}

/// Asks for a tunnel.
async fn ask_tunnel(proxy: &Proxy, server: SocketAddr) -> TcpStream {
    let mut stream = TcpStream::connect(proxy.address()).await.unwrap();
    let authorization = authorization(proxy.password()).unwrap();
    let authorization = authorization.to_str().unwrap();
    let request = format!("CONNECT {server} HTTP/1.1\r\nProxy-Authorization: {authorization}\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    stream
}

async fn read_head(stream: &mut TcpStream) {
    let mut head = [0; 19];
    stream.read_exact(&mut head).await.unwrap();
    assert_eq!(&head, b"HTTP/1.1 200 OK\r\n\r\n");
}

#[tokio::test]
async fn a_tunnel_is_one_of_the_connections_as_long_as_it_lasts() {
    let server = echo().await;
    let client = Client::new(ClientConfig::default()).unwrap();
    let config = ProxyConfig {
        granted: vec!["127.0.0.1".into()],
        ..ProxyConfig::default()
    };
    let proxy = Proxy::with_connections(&client, config, 1).await.unwrap();
    let mut first = ask_tunnel(&proxy, server).await;
    read_head(&mut first).await;
    let mut second = ask_tunnel(&proxy, server).await;
    // Many turns of the first tunnel, in each of which the second one could be opened.
    for _ in 0..200 {
        first.write_all(b"ping").await.unwrap();
        first.read_exact(&mut [0; 4]).await.unwrap();
    }
    let waiting = second.try_read(&mut [0; 1]).unwrap_err();
    assert_eq!(waiting.kind(), ErrorKind::WouldBlock);
    drop(first);
    read_head(&mut second).await;
}
