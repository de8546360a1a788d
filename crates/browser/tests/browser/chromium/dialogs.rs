//! Questions of pages, answered by whoever uses the tab.

use super::*;

/// A tab whose questions wait.
async fn asking(html: &str) -> Scene {
    let site = Site::of_pages(&[("/", html), ("/two", "<title>Two</title><p>two")]).await;
    let profile = Profile {
        asks: true,
        ..profile()
    };
    Scene::with(site, profile).await
}

fn say(accept: bool, text: Option<&str>) -> Action {
    Action::Dialog {
        accept,
        text: text.map(str::to_owned),
    }
}

fn kind(scene: &Scene) -> Option<String> {
    scene.tab.dialog().map(|it| it.kind)
}

const QUESTIONS: &str = r#"<title>Here</title><button onclick="document.title = confirm('Delete all?')">Delete</button>
    <button onclick="document.title = prompt('Your name?', 'Bob')">Name</button>
    <button onclick="alert('Saved!'); document.title = 'saved'">Save</button>
    <select aria-label=Pick onchange="document.title = confirm('Sure?')"><option>One<option>Two</select>"#;

#[tokio::test]
async fn a_question_waits_for_its_answer() {
    let mut scene = asking(QUESTIONS).await;
    for (answer, wanted) in [(true, "true"), (false, "false")] {
        let notes = scene.click("Delete").await.notes.join("\n");
        assert!(
            notes.contains("Delete all?") && notes.contains("waits"),
            "{notes}"
        );
        let open = scene.tab.dialog().unwrap();
        assert_eq!(
            (open.kind.as_str(), open.text.as_str()),
            ("confirm", "Delete all?")
        );
        scene.act(say(answer, None)).await;
        assert_eq!(scene.tab.dialog(), None);
        assert_eq!(scene.look().await.title, wanted);
    }
    for (answer, wanted) in [
        (say(true, Some("Ann")), "Ann"),
        (say(true, None), "Bob"),
        (say(false, None), "null"),
    ] {
        scene.click("Name").await;
        assert_eq!(scene.tab.dialog().unwrap().suggestion, "Bob");
        scene.act(answer).await;
        assert_eq!(scene.look().await.title, wanted);
    }
    // An alert leaves nothing to choose.
    let notes = scene.click("Save").await.notes.join("\n");
    assert!(
        notes.contains("Saved!") && scene.tab.dialog().is_none(),
        "{notes}"
    );
    assert_eq!(scene.look().await.title, "saved");
}

#[tokio::test]
async fn a_question_that_comes_up_in_the_middle_of_an_action_waits_too() {
    let mut scene = asking(QUESTIONS).await;
    let target = scene.find("Pick").await;
    let options = vec!["Two".to_owned()];
    let notes = scene
        .act(Action::Select { target, options })
        .await
        .notes
        .join("\n");
    assert!(notes.contains("Sure?"), "{notes}");
    scene.act(say(true, None)).await;
    assert_eq!(scene.look().await.title, "true");
}

#[tokio::test]
async fn what_nobody_answers_is_no() {
    let mut scene = asking(QUESTIONS).await;
    let save = scene.find("Save").await;
    scene.click("Delete").await;
    let outcome = scene
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
    assert_eq!(scene.look().await.title, "false");
    // Looking is enough.
    scene.click("Name").await;
    assert_eq!(scene.look().await.title, "null");
}

const UNSAVED: &str = r#"<title>Here</title><input aria-label=Text>
    <script>addEventListener('beforeunload', (e) => e.preventDefault())</script><a href=/two>Leave</a>"#;

#[tokio::test]
async fn a_page_may_ask_whether_it_may_be_left() {
    let mut scene = asking(UNSAVED).await;
    let (two, text) = (scene.site.url("/two").parse().unwrap(), scene.find("Text").await);
    // Browsers ask only where somebody has done something.
    let typed = Action::Type {
        target: text,
        text: "x".into(),
    };
    scene.act(typed).await;
    let asked = scene.tab.goto(&two).await.unwrap_err();
    assert_eq!(
        (asked.code(), kind(&scene)),
        ("DIALOG_OPEN", Some("beforeunload".into()))
    );
    scene.act(say(false, None)).await;
    assert_eq!(scene.look().await.title, "Here");
    let outcome = scene.click("Leave").await;
    assert!(outcome.visit.is_none() && kind(&scene).is_some(), "{outcome:?}");
    let outcome = scene.act(say(true, None)).await;
    assert_eq!(outcome.visit.map(|it| it.title), Some("Two".into()));
    // Where nobody waits for the question, whoever leaves is let go.
    let mut scene = Scene::of(UNSAVED).await;
    let text = scene.find("Text").await;
    let typed = Action::Type {
        target: text,
        text: "x".into(),
    };
    scene.act(typed).await;
    let here = scene.site.url("/?again").parse().unwrap();
    assert_eq!(scene.tab.goto(&here).await.unwrap().url, here);
}

#[tokio::test]
async fn a_page_that_does_not_let_go_is_left_all_the_same() {
    let html = format!("{UNSAVED}<script>setInterval(() => location.href = '/two', 5)</script>");
    let mut scene = asking(&html).await;
    let target = scene.tab.snapshot().await.ok().and_then(|it| {
        let field = it.nodes.iter().find(|it| it.role == "textbox");
        field.and_then(|it| it.target)
    });
    if let Some(target) = target {
        let _ = scene.tab.act(&Action::Click { target, times: 1 }).await;
    }
    let mut asked = 0;
    while scene.tab.dialog().is_some() {
        scene.tab.act(&say(false, None)).await.unwrap();
        asked += 1;
        assert!(asked < 100, "the page asks for ever");
    }
    assert_eq!(scene.look().await.title, "Two");
}

#[tokio::test]
async fn a_question_while_loading_does_not_hold_the_visit_up() {
    let mut scene = asking("<title>Here</title><p>x").await;
    let site = Site::of_pages(&[(
        "/",
        "<title>Q</title><script>document.title = confirm('Are you 18?')</script><p>after",
    )])
    .await;
    let url = site.url("/").parse::<Url>().unwrap();
    let visit = scene.tab.goto(&url).await.unwrap();
    assert_eq!((visit.url, kind(&scene)), (url, Some("confirm".into())));
    scene.act(say(true, None)).await;
    assert_eq!(scene.look().await.title, "true");
}

#[tokio::test]
async fn a_place_of_the_view_leads_to_what_is_there() {
    let html = r#"<body style="margin:0"><a href=/two style="position:absolute;left:100px;top:50px"><span>to <b>two</b></span></a>
        <canvas width=200 height=100 style="position:absolute;left:300px;top:200px"
        onclick="document.title = [event.offsetX, event.offsetY]"></canvas>"#;
    let mut scene = asking(html).await;
    let two = scene.site.url("/two");
    let hit = scene
        .tab
        .hit(browser::Point { x: 105.0, y: 55.0 })
        .await
        .unwrap()
        .unwrap();
    assert_eq!(hit.link, Some(two));
    let hit = scene
        .tab
        .hit(browser::Point { x: 350.0, y: 220.0 })
        .await
        .unwrap()
        .unwrap();
    assert_eq!((hit.at.x, hit.at.y, hit.link), (50.0, 20.0, None));
    scene
        .act(Action::ClickAt {
            target: hit.target,
            at: hit.at,
        })
        .await;
    assert_eq!(scene.look().await.title, "50,20");
    assert_eq!(
        scene
            .tab
            .hit(browser::Point { x: 900.0, y: 700.0 })
            .await
            .unwrap(),
        None
    );
    assert_eq!(
        scene.tab.hit(browser::Point { x: -5.0, y: 1e9 }).await.unwrap(),
        None
    );
}
