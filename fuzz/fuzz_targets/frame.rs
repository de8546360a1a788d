//! The frame of any event, read back by the decoder.

#![no_main]

use libfuzzer_sys::fuzz_target;
use llm::sse::{Decoder, Framing};

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let _ = wire::sse::last_event_id(&text);
    let data = serde_json::json!({ "text": text }).to_string();
    let entry = wire::LogEntry {
        seq: 7,
        at: jiff::Timestamp::UNIX_EPOCH,
        name: "research:plan".into(),
        audience: wire::Audience::Public,
        terminal: false,
        data: data.clone(),
    };
    for frame in [wire::sse::numbered_frame(&entry), wire::sse::frame(wire::event::Family::Research, &entry)] {
        let mut decoder = Decoder::new(Framing::Events);
        let mut read = decoder.push(frame.as_bytes()).unwrap_or_default();
        read.extend(decoder.finish().unwrap_or_default());
        assert_eq!(read.len(), 1, "{frame}");
        assert!(read.iter().all(|event| event.data == data), "{frame}");
    }
});
