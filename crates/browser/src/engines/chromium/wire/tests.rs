use std::sync::Mutex;

use serde_json::{Value, json};
use tokio::io::{DuplexStream, ReadHalf, WriteHalf, duplex, split};

use super::*;

#[derive(Default)]
struct Heard(Mutex<Vec<(String, String)>>);

impl Events for Heard {
    fn event(&self, session: &str, method: &str, _: &RawValue) {
        self.0.lock().unwrap().push((session.into(), method.into()));
    }

    fn lost(&self) {
        self.0.lock().unwrap().push((String::new(), "lost".into()));
    }
}

struct Far {
    reader: ReadHalf<DuplexStream>,
    writer: WriteHalf<DuplexStream>,
}

impl Far {
    async fn asked(&mut self) -> Value {
        let mut message = Vec::new();
        loop {
            match self.reader.read_u8().await.unwrap() {
                0 => return serde_json::from_slice(&message).unwrap(),
                byte => message.push(byte),
            }
        }
    }

    async fn say(&mut self, message: &str) {
        self.writer.write_all(message.as_bytes()).await.unwrap();
        self.writer.write_all(&[0]).await.unwrap();
    }
}

fn pair() -> (Connection, Far, Arc<Heard>) {
    let (near, far) = duplex(1 << 16);
    let (reader, writer) = split(near);
    let connection = Connection::over_pipes(reader, writer);
    let heard = Arc::new(Heard::default());
    let events: Arc<dyn Events> = heard.clone();
    connection.listen(Arc::downgrade(&events));
    let (reader, writer) = split(far);
    (connection, Far { reader, writer }, heard)
}

#[tokio::test]
async fn answers_find_their_calls_in_any_order_and_nonsense_is_passed_over() {
    let (connection, mut far, heard) = pair();
    let first = connection.call("", "A.one", json!({"x": 1}));
    let second = connection.call("S", "A.two", json!({}));
    let third = connection.call("S", "A.three", json!({}));
    assert_eq!(
        far.asked().await,
        json!({"id": 1, "method": "A.one", "params": {"x": 1}})
    );
    assert_eq!(far.asked().await["sessionId"], "S");
    far.asked().await;
    for message in [
        "not json at all",
        "{\"method\":\"New.event\",\"params\":{\"deep\":[[[{}]]]},\"sessionId\":\"S\"}",
        "{\"id\":77,\"result\":{}}",
        "[]",
        "{\"id\":3,\"error\":{\"code\":-32000,\"message\":\"no\"}}",
        "{\"id\":2,\"result\":{\"v\":2}}",
        "{\"id\":1,\"result\":{\"v\":1}}",
    ] {
        far.say(message).await;
    }
    assert_eq!(first.read::<Value>().await, Ok(json!({"v": 1})));
    assert_eq!(second.read::<Value>().await, Ok(json!({"v": 2})));
    assert_eq!(third.read::<Value>().await, Err(Fault::Refused("no".into())));
    assert_eq!(
        *heard.0.lock().unwrap(),
        [("S".to_owned(), "New.event".to_owned())]
    );
}

#[tokio::test]
async fn a_dead_browser_fails_all_calls_at_once() {
    let (connection, far, heard) = pair();
    let calls: Vec<Reply> = (0..100).map(|_| connection.call("", "A.b", json!({}))).collect();
    drop(far);
    for call in calls {
        assert_eq!(call.read::<Value>().await, Err(Fault::Lost));
    }
    assert!(connection.is_over());
    assert_eq!(
        connection.call("", "A.b", json!({})).read::<Value>().await,
        Err(Fault::Lost)
    );
    assert_eq!(heard.0.lock().unwrap().last().unwrap().1, "lost");
}

#[tokio::test]
async fn an_answer_that_is_too_long_fails_its_call_and_no_other() {
    let (connection, mut far, _heard) = pair();
    let long = connection.call("", "A.long", json!({}));
    let short = connection.call("", "A.short", json!({}));
    far.asked().await;
    far.asked().await;
    let telling = tokio::spawn(async move {
        far.writer
            .write_all(b"{\"id\":1,\"result\":{\"v\":\"")
            .await
            .unwrap();
        let chunk = vec![b'x'; 1 << 20];
        for _ in 0..(MESSAGE_BYTES >> 20) + 2 {
            far.writer.write_all(&chunk).await.unwrap();
        }
        far.say("\"}}").await;
        far.say("{\"id\":2,\"result\":{\"v\":2}}").await;
        far
    });
    assert_eq!(long.read::<Value>().await, Err(Fault::Unreadable));
    assert_eq!(short.read::<Value>().await, Ok(json!({"v": 2})));
    drop(telling.await.unwrap());
}
