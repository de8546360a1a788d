//! Tests of dialogs that the caller answers.

use super::*;

/// A tab whose questions wait.
async fn asking(html: &str) -> TabFixture {
    let site = TestSite::of_pages(&[("/", html), ("/two", "<title>Two</title><p>two")]).await;
    let profile = Profile {
        asks: true,
        ..profile()
    };
    TabFixture::with(site, profile).await
}

fn say(accept: bool, text: Option<&str>) -> Action {
    Action::Dialog {
        accept,
        text: text.map(str::to_owned),
    }
}

fn kind(fixture: &TabFixture) -> Option<String> {
    fixture.tab.dialog().map(|it| it.kind)
}

const QUESTIONS: &str = r#"<title>Here</title><button onclick="document.title = confirm('Delete all?')">Delete</button>
    <button onclick="document.title = prompt('Your name?', 'Bob')">Name</button>
    <button onclick="alert('Saved!'); document.title = 'saved'">Save</button>
    <select aria-label=Pick onchange="document.title = confirm('Sure?')"><option>One<option>Two</select>"#;

#[tokio::test]
async fn a_question_waits_for_its_answer() {
    let mut fixture = asking(QUESTIONS).await;
    for (answer, wanted) in [(true, "true"), (false, "false")] {
        let notes = fixture.click("Delete").await.notes.join("\n");
        assert!(
            notes.contains("Delete all?") && notes.contains("waits"),
            "{notes}"
        );
        let open = fixture.tab.dialog().unwrap();
        assert_eq!(
            (open.kind.as_str(), open.text.as_str()),
            ("confirm", "Delete all?")
        );
        fixture.act(say(answer, None)).await;
        assert_eq!(fixture.tab.dialog(), None);
        assert_eq!(fixture.snapshot().await.title, wanted);
    }
    for (answer, wanted) in [
        (say(true, Some("Ann")), "Ann"),
        (say(true, None), "Bob"),
        (say(false, None), "null"),
    ] {
        fixture.click("Name").await;
        assert_eq!(fixture.tab.dialog().unwrap().suggestion, "Bob");
        fixture.act(answer).await;
        assert_eq!(fixture.snapshot().await.title, wanted);
    }
    // An alert leaves nothing to choose.
    let notes = fixture.click("Save").await.notes.join("\n");
    assert!(
        notes.contains("Saved!") && fixture.tab.dialog().is_none(),
        "{notes}"
    );
    assert_eq!(fixture.snapshot().await.title, "saved");
}

#[tokio::test]
async fn a_question_that_comes_up_in_the_middle_of_an_action_waits_too() {
    let mut fixture = asking(QUESTIONS).await;
    let target = fixture.find("Pick").await;
    let options = vec!["Two".to_owned()];
    let notes = fixture
        .act(Action::Select { target, options })
        .await
        .notes
        .join("\n");
    assert!(notes.contains("Sure?"), "{notes}");
    fixture.act(say(true, None)).await;
    assert_eq!(fixture.snapshot().await.title, "true");
}

#[tokio::test]
async fn what_nobody_answers_is_no() {
    let mut fixture = asking(QUESTIONS).await;
    let save = fixture.find("Save").await;
    fixture.click("Delete").await;
    let outcome = fixture
        .act(Action::Hover {
            target: save,
            at: None,
        })
        .await;
    let notes = outcome.notes.join("\n");
    assert!(
        notes.contains("nobody answered") && notes.contains("dismissed"),
        "{notes}"
    );
    assert_eq!(fixture.snapshot().await.title, "false");
    // Looking is enough.
    fixture.click("Name").await;
    assert_eq!(fixture.snapshot().await.title, "null");
}

const UNSAVED: &str = r#"<title>Here</title><input aria-label=Text>
    <script>addEventListener('beforeunload', (e) => e.preventDefault())</script><a href=/two>Leave</a>"#;

#[tokio::test]
async fn a_page_may_ask_whether_it_may_be_left() {
    let mut fixture = asking(UNSAVED).await;
    let (two, text) = (
        fixture.site.url("/two").parse().unwrap(),
        fixture.find("Text").await,
    );
    // Browsers ask only where somebody has done something.
    let typed = Action::Type {
        target: text,
        text: "x".into(),
    };
    fixture.act(typed).await;
    let asked = fixture.tab.goto(&two).await.unwrap_err();
    assert_eq!(
        (asked.code(), kind(&fixture)),
        ("DIALOG_OPEN", Some("beforeunload".into()))
    );
    fixture.act(say(false, None)).await;
    assert_eq!(fixture.snapshot().await.title, "Here");
    let outcome = fixture.click("Leave").await;
    assert!(outcome.visit.is_none() && kind(&fixture).is_some(), "{outcome:?}");
    let outcome = fixture.act(say(true, None)).await;
    assert_eq!(outcome.visit.map(|it| it.title), Some("Two".into()));
    // Where nobody waits for the question, whoever leaves is let go.
    let mut fixture = TabFixture::of(UNSAVED).await;
    let text = fixture.find("Text").await;
    let typed = Action::Type {
        target: text,
        text: "x".into(),
    };
    fixture.act(typed).await;
    let here = fixture.site.url("/?again").parse().unwrap();
    assert_eq!(fixture.tab.goto(&here).await.unwrap().url, here);
}

#[tokio::test]
async fn a_page_that_does_not_let_go_is_left_all_the_same() {
    let html = format!("{UNSAVED}<script>setInterval(() => location.href = '/two', 5)</script>");
    let mut fixture = asking(&html).await;
    let target = fixture.tab.snapshot().await.ok().and_then(|it| {
        let field = it.nodes.iter().find(|it| it.role == "textbox");
        field.and_then(|it| it.target)
    });
    if let Some(target) = target {
        let _ = fixture.tab.act(&Action::Click { target, times: 1 }).await;
    }
    let mut asked = 0;
    while fixture.tab.dialog().is_some() {
        fixture.tab.act(&say(false, None)).await.unwrap();
        asked += 1;
        assert!(asked < 100, "the page asks for ever");
    }
    assert_eq!(fixture.snapshot().await.title, "Two");
}

#[tokio::test]
async fn a_question_while_loading_does_not_hold_the_visit_up() {
    let mut fixture = asking("<title>Here</title><p>x").await;
    let site = TestSite::of_pages(&[(
        "/",
        "<title>Q</title><script>document.title = confirm('Are you 18?')</script><p>after",
    )])
    .await;
    let url = site.url("/").parse::<Url>().unwrap();
    let visit = fixture.tab.goto(&url).await.unwrap();
    assert_eq!((visit.url, kind(&fixture)), (url, Some("confirm".into())));
    fixture.act(say(true, None)).await;
    assert_eq!(fixture.snapshot().await.title, "true");
}

#[tokio::test]
async fn a_place_of_the_view_leads_to_what_is_there() {
    let html = r#"<body style="margin:0"><a href=/two style="position:absolute;left:100px;top:50px"><span>to <b>two</b></span></a>
        <canvas width=200 height=100 style="position:absolute;left:300px;top:200px"
        onclick="document.title = [event.offsetX, event.offsetY]"></canvas>"#;
    let mut fixture = asking(html).await;
    let two = fixture.site.url("/two");
    let hit = fixture
        .tab
        .hit(browser::Point { x: 105.0, y: 55.0 })
        .await
        .unwrap()
        .unwrap();
    assert_eq!(hit.link, Some(two));
    let hit = fixture
        .tab
        .hit(browser::Point { x: 350.0, y: 220.0 })
        .await
        .unwrap()
        .unwrap();
    assert_eq!((hit.at.x, hit.at.y, hit.link), (50.0, 20.0, None));
    fixture
        .act(Action::ClickAt {
            target: hit.target,
            at: hit.at,
        })
        .await;
    assert_eq!(fixture.snapshot().await.title, "50,20");
    assert_eq!(
        fixture
            .tab
            .hit(browser::Point { x: 900.0, y: 700.0 })
            .await
            .unwrap(),
        None
    );
    assert_eq!(
        fixture.tab.hit(browser::Point { x: -5.0, y: 1e9 }).await.unwrap(),
        None
    );
}
