//! Tests of actions.

use super::*;

#[tokio::test]
async fn keys_are_real_and_fields_of_every_kind_are_filled() {
    let html = r#"<input aria-label=Plain onkeydown="n = (window.n||0)+1"><textarea aria-label=Long>old</textarea>
        <input type=date aria-label=Day><input type=time aria-label=Hour><input type=color aria-label=Shade>
        <input type=range aria-label=Level max=10><div contenteditable aria-label=Rich>rich</div>
        <input type=email aria-label=Mail><input aria-label=Short maxlength=3><input aria-label=Fixed readonly value=f>
        <select aria-label=Pick><option>One<option>Two</select>
        <button onclick="document.title = [n, ...[...document.querySelectorAll('input,textarea,select')].map(e=>e.value),
          document.querySelector('div').innerText].join('|')">Tell</button>"#;
    let mut fixture = TabFixture::of(html).await;
    for (name, value) in [
        ("Plain", "ab c"),
        ("Long", "two\nlines"),
        ("Day", "2026-03-31"),
        ("Hour", "17:45"),
        ("Shade", "#3366cc"),
        ("Level", "7"),
        ("Rich", "new"),
        ("Mail", "a@b.test"),
        ("Short", "abcdef"),
    ] {
        let target = fixture.find(name).await;
        fixture
            .act(Action::Fill {
                target,
                value: value.into(),
            })
            .await;
    }
    let pick = fixture.find("Pick").await;
    fixture
        .act(Action::Select {
            target: pick,
            options: vec!["Two".into()],
        })
        .await;
    fixture.click("Tell").await;
    let title = fixture.snapshot().await.title;
    assert_eq!(
        title,
        "4|ab c|two lines|2026-03-31|17:45|#3366cc|7|a@b.test|abc|f|Two|new"
    );
    let (fixed, day) = (fixture.find("Fixed").await, fixture.find("Day").await);
    for (target, value) in [(fixed, "x"), (day, "31.3.2026")] {
        let refused = fixture
            .fails(Action::Fill {
                target,
                value: value.into(),
            })
            .await;
        assert_eq!(refused.code(), "NOT_ACTIONABLE", "{refused}");
    }
}

#[tokio::test]
async fn a_value_goes_into_its_field_whatever_takes_the_focus() {
    const THIEF: &str = "<input aria-label=Theirs id=t><script>setInterval(() => t.focus(), 1); onblur = () => t.focus()</script>";
    let thief = TestSite::of_pages(&[("/", THIEF)]).await;
    let near = thief.url("/");
    let far = near.replace("127.0.0.1", "localhost");
    for frame in [near, far, "about:blank".to_owned()] {
        let html = format!(
            "<input id=a aria-label=Field><textarea aria-label=Long></textarea>
             <div contenteditable role=textbox aria-label=Rich></div>
             <div id=p tabindex=0 role=application aria-label=Pad>pad</div><input id=t aria-label=Trap>
             <iframe src='{frame}'></iframe><script>a.onfocus = p.onfocus = () => t.focus();
             if ('{frame}' === 'about:blank') setInterval(() => document.activeElement.isContentEditable || t.focus(), 1);</script>"
        );
        let mut fixture = TabFixture::of(&html).await;
        for name in ["Field", "Long", "Rich"] {
            let target = fixture.find(name).await;
            let value = "one".to_owned();
            fixture.act(Action::Fill { target, value }).await;
            let text = " two".to_owned();
            fixture.act(Action::Type { target, text }).await;
        }
        // Where only keys would do, none is pressed.
        let target = fixture.find("Pad").await;
        let (text, keys) = ("secret".to_owned(), "x".to_owned());
        let target_of_keys = Some(target);
        for action in [
            Action::Type { target, text },
            Action::Press {
                keys,
                target: target_of_keys,
            },
        ] {
            let refused = fixture.fails(action).await;
            assert!(
                refused.to_string().contains("does not keep the focus"),
                "{refused}"
            );
        }
        let snapshot = fixture.snapshot().await;
        let value = |name: &str| {
            let node = snapshot.nodes.iter().find(|node| node.name == name);
            node.and_then(|node| node.value.clone()).unwrap_or_default()
        };
        for (name, expected) in [
            ("Field", "one two"),
            ("Long", "one two"),
            ("Rich", "one two"),
            ("Trap", ""),
            ("Theirs", ""),
        ] {
            assert_eq!(value(name), expected, "{name} beside {frame}");
        }
    }
}

#[tokio::test]
async fn what_covers_an_element_is_named_and_a_disabled_one_says_so() {
    let html = r#"<button onclick="document.title='reached'">Under</button><button disabled>Off</button>
        <div role=dialog aria-label="Cookies" style="position:fixed;inset:0;background:#fff">
        <button onclick="this.parentNode.remove()">Accept</button></div>"#;
    let mut fixture = TabFixture::of(html).await;
    let (under, off) = (fixture.find("Under").await, fixture.find("Off").await);
    let refused = fixture
        .fails(Action::Click {
            target: under,
            times: 1,
        })
        .await;
    assert!(refused.to_string().contains("dialog \"Cookies\""), "{refused}");
    let refused = fixture
        .fails(Action::Click {
            target: off,
            times: 1,
        })
        .await;
    assert!(refused.to_string().contains("disabled"), "{refused}");
    fixture.click("Accept").await;
    fixture
        .act(Action::Click {
            target: under,
            times: 1,
        })
        .await;
    assert_eq!(fixture.snapshot().await.title, "reached");
}

#[tokio::test]
async fn dialogs_are_answered_and_told() {
    let html = r#"<button onclick="alert('Saved!')">Save</button>
        <button onclick="document.title = confirm('Delete all?')">Delete</button>
        <button onclick="document.title = prompt('Your name?')">Name</button>"#;
    let mut fixture = TabFixture::of(html).await;
    let notes = fixture.click("Save").await.notes.join("\n");
    assert!(notes.contains("Saved!"), "{notes}");
    let notes = fixture.click("Delete").await.notes.join("\n");
    assert!(
        notes.contains("Delete all?") && notes.contains("dismissed"),
        "{notes}"
    );
    assert_eq!(fixture.snapshot().await.title, "false");
    fixture
        .act(Action::Dialog {
            accept: true,
            text: Some("Ann".into()),
        })
        .await;
    fixture.click("Delete").await;
    assert_eq!(fixture.snapshot().await.title, "true");
    fixture.click("Name").await;
    assert_eq!(fixture.snapshot().await.title, "Ann");
}

#[tokio::test]
async fn a_tab_that_the_page_opens_is_followed_and_can_be_left() {
    let site = TestSite::of_pages(&[
        ("/", "<title>One</title><a href=/two target=_blank>Open</a>"),
        (
            "/two",
            "<title>Two</title><button onclick='window.close()'>Close me</button>",
        ),
    ])
    .await;
    let mut fixture = TabFixture::on(site).await;
    let outcome = fixture.click("Open").await;
    assert_eq!(outcome.visit.unwrap().title, "Two");
    assert!(outcome.notes.join(" ").contains("new tab"), "{:?}", outcome.notes);
    let open: Vec<(u32, bool)> = fixture
        .tab
        .tabs()
        .iter()
        .map(|it| (it.number, it.current))
        .collect();
    assert_eq!(open, [(1, false), (2, true)]);
    let outcome = fixture.act(Action::SwitchTab { tab: 1 }).await;
    assert_eq!(outcome.visit.unwrap().title, "One");
    fixture.act(Action::SwitchTab { tab: 2 }).await;
    let outcome = fixture.click("Close me").await;
    assert_eq!(outcome.visit.unwrap().title, "One");
    assert_eq!(fixture.tab.tabs().len(), 1);
    assert_eq!(
        fixture.fails(Action::SwitchTab { tab: 2 }).await.code(),
        "BROWSER_REFUSED"
    );
}

#[tokio::test]
async fn things_are_dragged_and_text_is_selected() {
    let html = r#"<div id=a draggable=true style="width:60px;height:30px">Thing</div>
        <div id=b role=region aria-label=Bin tabindex=0 style="width:200px;height:80px;background:#eee"></div>
        <p id=t>some words to select here</p><canvas width=100 height=40 aria-label=Pad></canvas>
        <script>b.ondragover = e => e.preventDefault(); b.ondrop = e => { b.textContent = 'dropped'; };
        document.querySelector('canvas').onmousemove = e => { if (e.buttons) document.title = 'drawn ' + e.offsetX; };
        document.onselectionchange = () => { t.dataset.s = getSelection(); };
        t.tabIndex = 0; t.onfocus = () => 0;</script>"#;
    let mut fixture = TabFixture::of(html).await;
    let (thing, bin) = (fixture.find("Thing").await, fixture.find("Bin").await);
    fixture.act(Action::Drag { from: thing, to: bin }).await;
    assert!(fixture.text().await.contains("dropped"));
    let pad = fixture.find("Pad").await;
    fixture
        .act(Action::DragTo {
            from: pad,
            from_at: Some(browser::Point { x: 10.0, y: 20.0 }),
            to: None,
            at: Some(browser::Point { x: 40.0, y: 0.0 }),
        })
        .await;
    assert_eq!(fixture.snapshot().await.title, "drawn 50");
    let words = fixture.find("some words to select here").await;
    fixture
        .act(Action::SelectText {
            target: Some(words),
            text: Some("words to".into()),
        })
        .await;
    let page = fixture.tab.page().await.unwrap();
    assert!(page.html().contains("data-s=\"words to\""), "{}", page.html());
}

#[tokio::test]
async fn a_list_made_by_the_page_is_chosen_from() {
    let html = r#"<div role=combobox tabindex=0 aria-expanded=false aria-label=City onclick="setTimeout(() => {
          list.hidden = false; this.setAttribute('aria-expanded', true) }, 30)">none</div>
        <ul id=list role=listbox hidden><li role=option>Lund</li><li role=option>Oslo</li></ul>
        <script>list.onclick = e => { document.title = e.target.textContent; list.hidden = true; };</script>"#;
    let mut fixture = TabFixture::of(html).await;
    let city = fixture.find("City").await;
    fixture
        .act(Action::Select {
            target: city,
            options: vec!["Oslo".into()],
        })
        .await;
    assert_eq!(fixture.snapshot().await.title, "Oslo");
}

#[tokio::test]
async fn only_allowed_files_go_up_and_downloads_are_kept_and_told() {
    let site = TestSite::start(|asked| match asked.path.as_str() {
        "/" => SiteReply::html(
            "<input type=file aria-label=File onchange='document.title = this.files[0].name'><a href=/report>Get it</a>",
        ),
        _ => SiteReply::bytes("application/octet-stream", vec![7_u8; 5000])
            .header("content-disposition", "attachment; filename=\"report.bin\""),
    })
    .await;
    let folder = std::env::temp_dir().join(format!("huntsman-acts-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("up")).unwrap();
    std::fs::write(folder.join("up/a.txt"), "a").unwrap();
    std::fs::write(folder.join("secret.txt"), "s").unwrap();
    let profile = Profile {
        uploads: vec![folder.join("up")],
        downloads: Some(folder.join("down")),
        ..profile()
    };
    let mut fixture = TabFixture::with(site, profile).await;
    let field = fixture.find("File").await;
    let upload = |file: &str| Action::Upload {
        target: field,
        files: vec![folder.join(file)],
    };
    let refused = fixture.fails(upload("up/../secret.txt")).await;
    assert!(refused.to_string().contains("not among"), "{refused}");
    fixture.act(upload("up/a.txt")).await;
    assert_eq!(fixture.snapshot().await.title, "a.txt");
    let outcome = fixture.click("Get it").await;
    let mut notes = outcome.notes.join("\n");
    // On a busy machine the file may take its time.
    for _ in 0..1_000 {
        if notes.contains("5000 bytes") {
            break;
        }
        let quiet = Action::Wait {
            until: browser::WaitCondition::Quiet,
            timeout_ms: 100,
        };
        notes += &fixture.act(quiet).await.notes.join("\n");
    }
    assert!(
        notes.contains("report.bin") && notes.contains("5000 bytes"),
        "{notes}"
    );
    assert_eq!(std::fs::read(folder.join("down/report.bin")).unwrap().len(), 5000);
    std::fs::remove_dir_all(&folder).unwrap();
}
