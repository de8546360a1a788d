use std::sync::Mutex;

use serde_json::{Value, json};
use tokio::io::{DuplexStream, ReadHalf, WriteHalf, duplex, split};

use super::super::command::commands;
use super::*;

#[derive(Serialize)]
struct First {
    x: u8,
}

#[derive(Serialize)]
struct Second {}

commands! {
    First: "A.one" => Value;
    Second: "A.two" => Value;
}

#[derive(Default)]
struct ReceivedEvents(Mutex<Vec<(String, String)>>);

impl EventHandler for ReceivedEvents {
    fn event(&self, session: &str, method: &str, _: &RawValue) {
        self.0.lock().unwrap().push((session.into(), method.into()));
    }

    fn disconnected(&self) {
        self.0
            .lock()
            .unwrap()
            .push((String::new(), "disconnected".into()));
    }
}

struct FakeBrowser {
    reader: ReadHalf<DuplexStream>,
    writer: WriteHalf<DuplexStream>,
}

impl FakeBrowser {
    async fn next_message(&mut self) -> Value {
        let mut message = Vec::new();
        loop {
            match self.reader.read_u8().await.unwrap() {
                0 => return serde_json::from_slice(&message).unwrap(),
                byte => message.push(byte),
            }
        }
    }

    async fn send(&mut self, message: &str) {
        self.writer.write_all(message.as_bytes()).await.unwrap();
        self.writer.write_all(&[0]).await.unwrap();
    }
}

fn pair() -> (Connection, FakeBrowser, Arc<ReceivedEvents>) {
    let (near, browser) = duplex(1 << 16);
    let (reader, writer) = split(near);
    let connection = Connection::over_pipes(reader, writer);
    let events = Arc::new(ReceivedEvents::default());
    let handler: Arc<dyn EventHandler> = events.clone();
    connection.set_handler(Arc::downgrade(&handler));
    let (reader, writer) = split(browser);
    (connection, FakeBrowser { reader, writer }, events)
}

#[tokio::test]
async fn answers_find_their_calls_in_any_order_and_nonsense_is_passed_over() {
    let (connection, mut browser, events) = pair();
    let first = connection.call("", &First { x: 1 });
    let second = connection.call("S", &Second {});
    let third = connection.call("S", &Second {});
    assert_eq!(
        browser.next_message().await,
        json!({"id": 1, "method": "A.one", "params": {"x": 1}})
    );
    assert_eq!(browser.next_message().await["sessionId"], "S");
    browser.next_message().await;
    for message in [
        "not json at all",
        "{\"method\":\"New.event\",\"params\":{\"deep\":[[[{}]]]},\"sessionId\":\"S\"}",
        "{\"id\":77,\"result\":{}}",
        "[]",
        "{\"id\":3,\"error\":{\"code\":-32000,\"message\":\"no\"}}",
        "{\"id\":2,\"result\":{\"v\":2}}",
        "{\"id\":1,\"result\":{\"v\":1}}",
    ] {
        browser.send(message).await;
    }
    assert_eq!(first.receive().await, Ok(json!({"v": 1})));
    assert_eq!(second.receive().await, Ok(json!({"v": 2})));
    assert_eq!(third.receive().await, Err(CdpError::Refused("no".into())));
    assert_eq!(
        *events.0.lock().unwrap(),
        [("S".to_owned(), "New.event".to_owned())]
    );
}

#[tokio::test]
async fn a_dead_browser_fails_all_calls_at_once() {
    let (connection, browser, events) = pair();
    let calls: Vec<PendingResponse<Value>> = (0..100).map(|_| connection.call("", &Second {})).collect();
    drop(browser);
    for call in calls {
        assert_eq!(call.receive().await, Err(CdpError::Disconnected));
    }
    assert!(connection.is_closed());
    assert_eq!(
        connection.call("", &Second {}).receive().await,
        Err(CdpError::Disconnected)
    );
    assert_eq!(events.0.lock().unwrap().last().unwrap().1, "disconnected");
}

#[tokio::test]
async fn an_answer_that_is_too_long_fails_its_call_and_no_other() {
    let (connection, mut browser, _events) = pair();
    let long = connection.call("", &Second {});
    let short = connection.call("", &Second {});
    browser.next_message().await;
    browser.next_message().await;
    let telling = tokio::spawn(async move {
        browser
            .writer
            .write_all(b"{\"id\":1,\"result\":{\"v\":\"")
            .await
            .unwrap();
        let chunk = vec![b'x'; 1 << 20];
        for _ in 0..(MAX_MESSAGE_BYTES >> 20) + 2 {
            browser.writer.write_all(&chunk).await.unwrap();
        }
        browser.send("\"}}").await;
        browser.send("{\"id\":2,\"result\":{\"v\":2}}").await;
        browser
    });
    assert_eq!(long.receive().await, Err(CdpError::Unreadable));
    assert_eq!(short.receive().await, Ok(json!({"v": 2})));
    drop(telling.await.unwrap());
}

#[tokio::test]
async fn a_websocket_ends_with_a_message_that_is_too_long_and_tells_that() {
    use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};
    let (near, far) = duplex(1 << 16);
    let config = WebSocketConfig::default().max_message_size(Some(1000));
    let near = WebSocketStream::from_raw_socket(near, Role::Client, Some(config)).await;
    let mut browser = WebSocketStream::from_raw_socket(far, Role::Server, None).await;
    let connection = Connection::over_websocket(near);
    let long = connection.call("", &Second {});
    browser.next().await.unwrap().unwrap();
    let message = json!({"id": 1, "result": {"v": "x".repeat(2000)}}).to_string();
    browser.send(Message::text(message)).await.unwrap();
    assert_eq!(long.receive().await, Err(CdpError::Unreadable));
    connection.closed().await;
    assert_eq!(
        connection.call("", &Second {}).receive().await,
        Err(CdpError::Disconnected)
    );
}
