//! PDF documents, and children that break while they read them.

use std::path::PathBuf;

use bytes::Bytes;
use sandbox::{Error, Sandbox, pdf};

/// A child that is a shell script. What it prints are frames: a tag, four bytes of length, the payload.
fn scripted(script: &str) -> Sandbox {
    Sandbox::new(PathBuf::from("/bin/sh"), ["-c".into(), script.into()])
}

/// The first frame of a child: 26 bytes.
const READY: &str = r#"printf '\001\032\000\000\000{"process":1,"missing":[]}'; "#;

#[tokio::test]
async fn pages_read_before_a_crash_are_kept() {
    let document = r#"{"Document":{"title":"T","pages":3}}"#;
    let page = r#"{"Page":[{"Paragraph":"an example of text"},{"Paragraph":"more"}]}"#;
    let length = page.len();
    let script = format!(
        "{READY} printf '\\002\\{:03o}\\000\\000\\000{document}'; printf '\\002\\{length:03o}\\000\\000\\000{page}'; kill -9 $$",
        document.len()
    );
    let document = pdf::read(&scripted(&script), Bytes::from_static(b"%PDF"))
        .await
        .unwrap();
    assert_eq!(document.pages, ["an example of text\nmore"]);
    assert_eq!((document.title.as_str(), document.cut), ("T", true));
    let page = document.page(&"https://a.example/x.pdf".parse().unwrap());
    assert!(page.dom().root().text().contains("an example of text"));
}

#[tokio::test]
async fn a_child_that_does_not_work_is_an_error_and_no_hang() {
    let read = async |sandbox: Sandbox| {
        pdf::read(&sandbox, Bytes::from(vec![0; 1 << 20]))
            .await
            .unwrap_err()
    };
    assert!(matches!(read(scripted("exit 1")).await, Error::Start(_)));
    assert!(matches!(read(scripted("echo noise")).await, Error::Start(_)));
    let crashed = format!("{READY} exit 1");
    assert!(
        read(scripted(&crashed))
            .await
            .to_string()
            .contains("cannot be read")
    );
    let none = Sandbox::new(PathBuf::from("/no/such/program"), []);
    let error = read(none).await;
    assert!(
        matches!(&error, Error::Start(why) if !why.contains("/no")),
        "{error}"
    );
    assert!(
        read(testkit::sandbox::sandbox())
            .await
            .to_string()
            .contains("damaged")
    );
}
