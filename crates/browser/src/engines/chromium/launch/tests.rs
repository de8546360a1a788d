//! Tests of launched browsers themselves, without what is sent to their pages.

use std::net::UdpSocket;

use serde_json::value::RawValue;
use testkit::chromium::{has_sandbox, settings};

use super::*;
use crate::engines::chromium::cdp::EventHandler;
use crate::engines::chromium::cdp::runtime::{Evaluate, RunIfWaitingForDebugger};
use crate::engines::chromium::cdp::target::{CreateBrowserContext, CreateTarget, SetAutoAttach};

/// Notes the session of the page that is opened.
#[derive(Default)]
struct SessionNote(Mutex<Option<String>>);

impl EventHandler for SessionNote {
    fn event(&self, _: &str, method: &str, params: &RawValue) {
        if method == "Target.attachedToTarget" {
            let params: serde_json::Value = serde_json::from_str(params.get()).unwrap();
            *self.0.lock().unwrap() = params["sessionId"].as_str().map(str::to_owned);
        }
    }

    fn disconnected(&self) {}
}

/// What a page of a browser with further switches gathers for WebRTC: its candidates, and the datagrams that reached the
/// STUN server.
async fn gather(switches: &[&str]) -> (String, usize) {
    let server = UdpSocket::bind("127.0.0.1:0").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let options = LaunchOptions {
        program: settings().program,
        sandbox: has_sandbox(),
        switches: switches.iter().map(|&switch| switch.to_owned()).collect(),
        base: folder.path().to_owned(),
        process_bytes: 2 << 30,
    };
    let (process, _) = launch(&options).await.unwrap();
    let connection = &process.connection;
    let note = Arc::new(SessionNote::default());
    let handler: Arc<dyn EventHandler> = note.clone();
    connection.set_handler(Arc::downgrade(&handler));
    connection.send(BROWSER_SESSION, &SetAutoAttach::PAUSED);
    let context = CreateBrowserContext {
        dispose_on_detach: true,
        proxy_server: None,
        proxy_bypass_list: None,
    };
    let context = connection
        .call(BROWSER_SESSION, &context)
        .receive()
        .await
        .unwrap();
    let page = CreateTarget {
        url: "about:blank",
        browser_context_id: &context.browser_context_id,
    };
    connection.call(BROWSER_SESSION, &page).receive().await.unwrap();
    let session = note.0.lock().unwrap().clone().unwrap();
    connection.send(&session, &RunIfWaitingForDebugger {});
    let expression = format!(
        "new Promise((done) => {{
            const peer = new RTCPeerConnection({{ iceServers: [{{ urls: 'stun:{}' }}] }});
            const candidates = [];
            peer.onicecandidate = (event) => event.candidate && candidates.push(event.candidate.candidate);
            peer.createDataChannel('d');
            peer.createOffer().then((offer) => peer.setLocalDescription(offer));
            setTimeout(() => done(candidates.join('|')), 3000);
        }})",
        server.local_addr().unwrap()
    );
    let evaluate = Evaluate {
        expression: &expression,
        return_by_value: true,
        await_promise: true,
        ..Evaluate::default()
    };
    let candidates = connection.call(&session, &evaluate).receive().await.unwrap();
    server.set_nonblocking(true).unwrap();
    let datagrams = std::iter::from_fn(|| server.recv(&mut [0; 2048]).ok()).count();
    let candidates = candidates.result.value.as_str().unwrap_or_default().to_owned();
    (candidates, datagrams)
}

#[tokio::test]
async fn webrtc_sends_no_datagrams_even_where_pages_have_it() {
    assert_eq!(gather(&[]).await, (String::new(), 0));
    // The same page with another policy shows that the policy did that, and that no address of this machine is told.
    let free = [
        "--webrtc-ip-handling-policy=default",
        "--force-webrtc-ip-handling-policy=default",
    ];
    let (candidates, datagrams) = gather(&free).await;
    assert!(datagrams > 0, "{candidates}");
    let hosts = candidates
        .split('|')
        .filter(|candidate| candidate.contains("typ host"));
    let hosts: Vec<_> = hosts
        .filter_map(|candidate| candidate.split(' ').nth(4))
        .collect();
    assert!(
        !hosts.is_empty() && hosts.iter().all(|host| host.ends_with(".local")),
        "{candidates}"
    );
}

#[tokio::test]
async fn a_log_without_line_ends_is_kept_within_bounds() {
    let mut child = Command::new("sh")
        .args([
            "-c",
            "head -c 50000000 /dev/zero | tr '\\0' x >&2; echo the end >&2",
        ])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let tail = collect_log(&mut child);
    child.wait().await.unwrap();
    let end = Instant::now() + Duration::from_secs(20);
    while !tail.lock().unwrap().ends_with(b"the end\n") {
        assert!(Instant::now() < end, "the end of the log is not kept");
        tokio::task::yield_now().await;
    }
    assert!(tail.lock().unwrap().capacity() <= 4 * LOG_TAIL_BYTES);
}
