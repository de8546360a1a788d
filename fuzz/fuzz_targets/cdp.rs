//! Messages of a browser, any bytes: read alike however the pipe cuts them, and every command gets an end.

#![no_main]

use std::io::Cursor;
use std::sync::LazyLock;

use browser::engines::chromium::replay;
use libfuzzer_sys::fuzz_target;
use tokio::io::AsyncReadExt as _;
use tokio::runtime::{Builder, Runtime};

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Builder::new_current_thread().build().expect("a runtime"));

fuzz_target!(|bytes: &[u8]| {
    let Some((cut, messages)) = bytes.split_first() else { return };
    let (left, right) = messages.split_at(usize::from(*cut) * messages.len() / 256);
    let whole = RUNTIME.block_on(replay(Cursor::new(messages.to_vec())));
    let parts = RUNTIME.block_on(replay(Cursor::new(left.to_vec()).chain(Cursor::new(right.to_vec()))));
    assert_eq!(whole, parts);
    let count = messages.iter().filter(|byte| **byte == 0).count();
    let answered = whole.outcomes.iter().filter(|outcome| **outcome != "disconnected").count();
    assert!(whole.events.len() + answered <= count, "{whole:?}");
    assert_eq!(whole.outcomes.len(), 4);
});
