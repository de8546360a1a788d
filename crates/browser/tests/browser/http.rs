//! Tests of the http engine, beside the promises of the port.

use std::str::FromStr;

use browser::engines::http::HttpBrowser;
use browser::snapshot::SnapshotView;
use browser::{Action, Browser, Error, PageWarning, Profile, Ref, Tab};
use net::{Client, ClientConfig};
use testkit::{SiteReply, TestSite};
use url::Url;

use crate::conformance;

fn browser() -> HttpBrowser {
    HttpBrowser::new(Client::new(ClientConfig::default()).unwrap())
}

#[tokio::test]
async fn the_http_engine_keeps_the_promises() {
    let site = conformance::site().await;
    conformance::all(&browser(), &site).await;
}

async fn tab(site: &TestSite, path: &str) -> Box<dyn Tab> {
    let profile = Profile {
        granted: vec!["127.0.0.1".into()],
        uploads: vec![std::env::temp_dir()],
        ..Profile::default()
    };
    let mut tab = browser().open(profile).await.unwrap();
    tab.goto(&Url::from_str(&site.url(path)).unwrap()).await.unwrap();
    tab
}

async fn shown(html: &str) -> String {
    let site = TestSite::of_pages(&[("/", html)]).await;
    let text = tab(&site, "/")
        .await
        .snapshot()
        .await
        .unwrap()
        .text(&SnapshotView::default());
    text.replace(&site.url(""), "")
}

#[tokio::test]
async fn what_only_a_browser_opens_is_shown_as_it_was_sent() {
    let html = r#"<p>Before</p><details><summary>More</summary><p>Hidden fact</details><iframe src="/frame"></iframe>"#;
    let expect = r#"paragraph "Before"
group
 button "More" [ref=E1]
 paragraph "Hidden fact"
iframe [url=/frame]
"#;
    assert_eq!(shown(html).await, expect);
}

#[tokio::test]
async fn fields_are_named_by_their_labels() {
    let html = r#"<label for=a>For a</label><input id=a><label>Around <input></label><input aria-label=Said>
        <span id=x>By</span><span id=y>id</span><input aria-labelledby="x y"><input placeholder=Hint><input title=Tip>
        <input type=submit><input type=submit value=Go><button><img alt=Picture></button><input type=image alt=Map>
        <select aria-label=Pick><option>One<option selected>Two</select>"#;
    let text = shown(html).await;
    let lines: Vec<&str> = text.lines().filter(|line| line.contains("ref=")).collect();
    let names: Vec<&str> = lines.iter().map(|line| line.split('"').nth(1).unwrap()).collect();
    assert_eq!(
        names,
        [
            "For a", "Around", "Said", "By id", "Hint", "Tip", "Submit", "Go", "Picture", "Map", "Pick"
        ]
    );
    assert!(
        text.contains("combobox \"Pick\" [ref=E11]: \"Two\"\n option \"One\"\n option \"Two\" [selected]\n")
    );
}

#[tokio::test]
async fn files_and_texts_go_out_as_multipart() {
    let site = TestSite::start(|asked| match asked.path.as_str() {
        "/" => SiteReply::html(
            "<form method=post action=/up enctype=multipart/form-data><input name='a\"b' value='x y'>
             <input type=file name=f aria-label=File><input type=file name=none><button>Send</button></form>",
        ),
        _ => SiteReply::html("<title>Thanks</title>"),
    })
    .await;
    let mut tab = tab(&site, "/").await;
    tab.snapshot().await.unwrap();
    let file = std::env::temp_dir().join(format!("huntsman-upload-{}.txt", std::process::id()));
    std::fs::write(&file, b"\x00content\r\n").unwrap();
    // The form, the text field, then the file field.
    tab.act(&Action::Upload {
        target: Ref(3),
        files: vec![file.clone()],
    })
    .await
    .unwrap();
    assert_eq!(
        tab.act(&Action::Submit { target: Ref(1) })
            .await
            .unwrap()
            .visit
            .unwrap()
            .title,
        "Thanks"
    );
    std::fs::remove_file(&file).unwrap();
    let sent = site.asked().pop().unwrap();
    let content_type = sent.headers["content-type"].to_str().unwrap().to_owned();
    let boundary = content_type
        .strip_prefix("multipart/form-data; boundary=")
        .unwrap();
    let body = String::from_utf8(sent.body.to_vec()).unwrap();
    let parts: Vec<&str> = body.split(&format!("--{boundary}")).collect();
    assert_eq!(parts.len(), 5);
    assert_eq!(
        parts[1],
        "\r\nContent-Disposition: form-data; name=\"a%22b\"\r\n\r\nx y\r\n"
    );
    let name = file.file_name().unwrap().to_str().unwrap();
    assert!(parts[2].starts_with(&format!(
        "\r\nContent-Disposition: form-data; name=\"f\"; filename=\"{name}\"\r\n"
    )));
    assert!(parts[2].ends_with("\r\n\r\n\0content\r\n\r\n"));
    assert!(parts[3].contains("name=\"none\"; filename=\"\""));
    assert_eq!(parts[4], "--\r\n");
}

#[tokio::test]
async fn a_refresh_at_once_is_followed_and_a_slow_one_is_not() {
    let site = TestSite::of_pages(&[
        ("/now", "<meta http-equiv=Refresh content='0; URL=\"/there\"'>"),
        (
            "/later",
            "<title>Later</title><meta http-equiv=refresh content='300;url=/there'>",
        ),
        (
            "/circle",
            "<title>Circle</title><meta http-equiv=refresh content='0;url=/circle'>",
        ),
        (
            "/inside",
            "<meta http-equiv=refresh content='0;url=http://10.0.0.1/'>",
        ),
        ("/there", "<title>There</title>"),
    ])
    .await;
    let mut tab = tab(&site, "/there").await;
    for (path, title) in [("/now", "There"), ("/later", "Later"), ("/circle", "Circle")] {
        assert_eq!(
            tab.goto(&site.url(path).parse().unwrap()).await.unwrap().title,
            title
        );
    }
    let refused = tab.goto(&site.url("/inside").parse().unwrap()).await.unwrap_err();
    assert_eq!(refused.code(), "URL_BLOCKED");
}

#[tokio::test]
async fn what_needs_scripts_says_so() {
    let site = TestSite::of_pages(&[(
        "/",
        "<a href='javascript:void(0)'>Menu</a><button type=button>Open</button><div role=button>Press</div>
         <a href='mailto:a@b.test'>Mail</a><a href='#top'>Up</a>",
    )])
    .await;
    let mut tab = tab(&site, "/").await;
    tab.snapshot().await.unwrap();
    for n in 1..=3 {
        let refused = tab
            .act(&Action::Click {
                target: Ref(n),
                times: 1,
            })
            .await
            .unwrap_err();
        assert_eq!(refused.code(), "NOT_CAPABLE", "E{n}");
        assert!(refused.to_string().contains("chromium"), "{refused}");
    }
    let mail = tab
        .act(&Action::Click {
            target: Ref(4),
            times: 1,
        })
        .await
        .unwrap_err();
    assert_eq!(
        mail.to_string(),
        "E4 cannot take this action: it leads to a mailto: address, which is no page"
    );
    let up = tab
        .act(&Action::Click {
            target: Ref(5),
            times: 1,
        })
        .await
        .unwrap();
    assert_eq!((up.visit, up.notes.len()), (None, 1));
    assert_eq!(site.hits("/"), 1);
}

#[tokio::test]
async fn values_that_a_field_cannot_hold_are_refused() {
    let site = TestSite::of_pages(&[(
        "/",
        "<input type=number><input type=date><input disabled><input readonly><input type=checkbox><input maxlength=3>",
    )])
    .await;
    let mut tab = tab(&site, "/").await;
    tab.snapshot().await.unwrap();
    for (n, value, hint) in [
        (1, "many", "a number such as"),
        (2, "1.2.2026", "a date such as"),
        (3, "x", "disabled"),
        (4, "x", "read-only"),
        (5, "x", "use check"),
    ] {
        let refused = tab
            .act(&Action::Fill {
                target: Ref(n),
                value: value.into(),
            })
            .await
            .unwrap_err();
        assert!(refused.to_string().contains(hint), "{refused}");
    }
    tab.act(&Action::Fill {
        target: Ref(2),
        value: "2026-02-01".into(),
    })
    .await
    .unwrap();
    tab.act(&Action::Type {
        target: Ref(6),
        text: "ab".into(),
    })
    .await
    .unwrap();
    tab.act(&Action::Type {
        target: Ref(6),
        text: "cd\n".into(),
    })
    .await
    .unwrap();
    let snapshot = tab.snapshot().await.unwrap();
    assert_eq!(snapshot.find(Ref(6)).unwrap().value.as_deref(), Some("abcd"));
}

#[tokio::test]
async fn files_are_no_pages_and_texts_are() {
    let site = TestSite::start(|asked| match asked.path.as_str() {
        "/pdf" => SiteReply::bytes("application/pdf", "%PDF-1.7"),
        "/json" => SiteReply::bytes("application/json", "{\"price\": 5}"),
        _ => SiteReply::bytes("text/plain", "a < b"),
    })
    .await;
    let mut tab = tab(&site, "/text").await;
    assert_eq!(
        tab.snapshot().await.unwrap().text(&SnapshotView::default()),
        "code \"a < b\"\n"
    );
    let visit = tab.goto(&site.url("/json").parse().unwrap()).await.unwrap();
    assert!(visit.is_ok());
    assert_eq!(
        tab.page().await.unwrap().dom().body().unwrap().text(),
        "{\"price\": 5}"
    );
    let visit = tab.goto(&site.url("/pdf").parse().unwrap()).await.unwrap();
    assert_eq!(visit.warnings, [PageWarning::NotAPage]);
}

/// A page made to be slow to look at: many fields that all name one form, one label, one text.
#[tokio::test]
async fn a_hostile_page_costs_little() {
    let mut html = String::from("<form id=f action=/><button>Go</button></form><p id=t>");
    html.push_str(&"<b>x</b>".repeat(5_000));
    html.push_str("</p><label>L");
    for n in 0..5_000 {
        html.push_str(&format!(
            "<input form=f id=same name=n{n} aria-labelledby='t t t t t t t t t t'>"
        ));
        html.push_str("<label for=same>y</label><input type=radio name=r required form=f>");
    }
    let site = TestSite::start(move |_| SiteReply::html(html.clone())).await;
    let mut tab = tab(&site, "/").await;
    let snapshot = tab.snapshot().await.unwrap();
    assert!(snapshot.nodes.len() > 10_000);
    assert!(snapshot.text(&SnapshotView::default()).len() < 41_000);
    let button = snapshot
        .nodes
        .iter()
        .find(|node| node.role == "button")
        .unwrap()
        .target
        .unwrap();
    let refused = tab
        .act(&Action::Click {
            target: button,
            times: 1,
        })
        .await
        .unwrap_err();
    assert!(matches!(refused, Error::NotActionable { .. }));
}

#[tokio::test]
async fn a_selector_finds_what_can_be_acted_on() {
    let html = "<form><input name=q><input type=hidden name=q><input name=q disabled hidden><button>Go</button></form><p>q</p>";
    let site = TestSite::of_pages(&[("/", html)]).await;
    let mut tab = tab(&site, "/").await;
    let found = tab.find("[name=q], p").await.unwrap();
    assert_eq!(found.len(), 1);
    let snapshot = tab.snapshot().await.unwrap();
    assert_eq!(snapshot.find(found[0]).unwrap().role, "textbox");
    assert_eq!(tab.find("a[").await.unwrap_err().code(), "BAD_SELECTOR");
}
