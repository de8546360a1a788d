use serde_json::value::to_raw_value;
use serde_json::{Value, json};
use tokio::time::advance;

use super::*;

/// Has the tracker apply an event of the session `S`.
fn apply(tracker: &ContextTracker, method: &str, params: &Value) {
    let event = CdpEvent::decode(method, &to_raw_value(params).unwrap()).unwrap();
    tracker.apply("S", event);
}

fn open_dialog(tracker: &ContextTracker) -> Option<String> {
    let state = tracker.state();
    let dialog = state.pages[0].dialog.as_ref();
    dialog.map(|dialog| dialog.open.text.clone())
}

#[tokio::test(start_paused = true)]
async fn the_dialog_of_the_next_document_has_its_own_time() {
    let (near, _browser) = tokio::io::duplex(1 << 16);
    let (reader, writer) = tokio::io::split(near);
    let connection = Connection::over_pipes(reader, writer);
    let profile = Profile {
        asks: true,
        ..Profile::default()
    };
    let tracker = ContextTracker::new(connection, "C".into(), &profile, None, None);
    let attached = json!({"sessionId": "S", "targetInfo": {"targetId": "T", "type": "page"}});
    let attached: AttachedToTarget = serde_json::from_value(attached).unwrap();
    tracker.target_attached(BROWSER_SESSION, &attached, true);
    let ask = |text: &str| {
        let params = json!({"url": "", "message": text, "type": "confirm", "hasBrowserHandler": false});
        apply(&tracker, "Page.javascriptDialogOpening", &params);
    };
    ask("first");
    advance(Duration::from_secs(5)).await;
    apply(
        &tracker,
        "Page.javascriptDialogClosed",
        &json!({"result": true, "userInput": ""}),
    );
    let frame =
        json!({"frame": {"id": "T", "loaderId": "L", "url": "http://b.example/"}, "type": "Navigation"});
    apply(&tracker, "Page.frameNavigated", &frame);
    advance(Duration::from_secs(23)).await;
    ask("second");
    // The first one would have been answered at 30 seconds.
    tokio::time::sleep(Duration::from_secs(10)).await;
    assert_eq!(open_dialog(&tracker), Some("second".into()));
    tokio::time::sleep(DIALOG_TIMEOUT).await;
    assert_eq!(open_dialog(&tracker), None);
}
