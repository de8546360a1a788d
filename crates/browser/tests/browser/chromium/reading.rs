//! Tests of reading: what a page shows in shadow trees and frames, what comes late, and where a page leads by itself.

use std::time::Duration;

use browser::{PageWarning, Visit};
use tokio::time::Instant;

use super::*;

/// Goes to the first page of a site and reads it as a scrape does: the visit, and the text of the page's body.
async fn read(site: &TestSite, profile: Profile) -> (Visit, String) {
    let asked = Instant::now();
    let mut tab = browser().open(profile).await.unwrap();
    let mut visit = tab.goto(&site.url("/").parse().unwrap()).await.unwrap();
    tab.settle(&mut visit, asked).await.unwrap();
    let page = tab.page().await.unwrap();
    let text = page.dom().body().unwrap().text();
    (visit, text.split_whitespace().collect::<Vec<_>>().join(" "))
}

async fn read_pages(pages: &[(&str, &str)]) -> (Visit, String) {
    read(&TestSite::of_pages(pages).await, profile()).await
}

/// A sentence that is long enough for a page to be no shell.
const PROSE: &str = "The works at the river cast kettles, lamps and bells of brass since 1871, and sell them in the yard on each \
                     weekday from nine to five; those who come by train find us beyond the bridge, left of the mill.";

#[tokio::test]
async fn shadow_trees_are_read_in_the_place_of_their_hosts() {
    let html = "<main><h1>Lamps</h1><x-card><b slot=price>12 EUR</b>Lamp Oslo<i slot=other>hidden</i></x-card><p>End</p></main>
        <form><input name=childNodes><input name=shadowRoot><x-plain></x-plain></form><script>
        customElements.define('x-card', class extends HTMLElement { connectedCallback() {
          this.attachShadow({mode: 'open'}).innerHTML =
            '<p>Name: <slot></slot></p><x-inner></x-inner><p>Price: <slot name=price>none</slot><slot name=old>, no old one</slot></p>'; } });
        customElements.define('x-inner', class extends HTMLElement { connectedCallback() {
          this.attachShadow({mode: 'open'}).innerHTML = '<p>In &lt;stock&gt;</p>'; } });
        customElements.define('x-plain', class extends HTMLElement { connectedCallback() {
          this.attachShadow({mode: 'open'}).innerHTML = '<p>Of the form</p>'; } });</script>";
    let (visit, text) = read_pages(&[("/", html)]).await;
    assert_eq!(
        text,
        "Lamps Name: Lamp Oslo In <stock> Price: 12 EUR, no old one End Of the form"
    );
    assert_eq!(visit.warnings, []);
}

#[tokio::test]
async fn what_is_in_shadow_trees_is_found_and_waited_for() {
    let html = "<x-card></x-card><script>customElements.define('x-card', class extends HTMLElement { connectedCallback() {
          const tree = this.attachShadow({mode: 'open'}); setTimeout(() => { tree.innerHTML = '<button class=late>Buy it</button>'; }, 300); } });
        </script>";
    let mut fixture = TabFixture::of(html).await;
    let condition = browser::PageCondition::Selector(".late".to_owned());
    let waited = fixture.tab.wait_until(&condition, Duration::from_secs(10)).await;
    waited.unwrap();
    let found = fixture.tab.find(".late").await.unwrap();
    assert_eq!(found.len(), 1);
}

#[tokio::test]
async fn frames_of_the_origin_are_read_in_their_place() {
    let pages = [
        (
            "/",
            "<h1>Catalogue</h1><iframe src=/in/list class=shelf></iframe><iframe src=/hidden style='display:none'></iframe>
             <iframe src=/pixel width=1 height=1></iframe><iframe srcdoc='<p>Of the source</p>'></iframe><p>End</p>",
        ),
        (
            "/in/list",
            "<title>List</title><style>b{}</style><a href=lamp>Lamp</a> <a href=#top>Top</a><img srcset='a.png 1x, /b.png 2x'>\
             <iframe src=deep></iframe><script>document.body.append(' written')</script>",
        ),
        ("/in/deep", "<p>Deep</p>"),
        ("/hidden", "<p>Hidden</p>"),
        ("/pixel", "<p>Pixel</p>"),
    ];
    let site = TestSite::of_pages(&pages).await;
    let mut fixture = TabFixture::with(site, profile()).await;
    let page = fixture.tab.page().await.unwrap();
    let text = page.dom().body().unwrap().text();
    let text: Vec<&str> = text.split_whitespace().collect();
    assert_eq!(
        text.join(" "),
        "Catalogue Lamp Top Deep written Of the source End"
    );
    let html = page.html().replace(&fixture.site.url(""), "");
    for part in [
        "<div data-frame=\"/in/list\" class=\"shelf\"><a href=\"/in/lamp\">Lamp</a> <a href=\"/in/list#top\">Top</a>",
        "srcset=\"/in/a.png 1x, /b.png 2x\"",
    ] {
        assert!(html.contains(part), "{part} in {html}");
    }
    assert_eq!(fixture.tab.find("[href=lamp]").await.unwrap().len(), 1);
}

#[tokio::test]
async fn framesets_are_read_with_their_frames() {
    let pages = [
        (
            "/",
            "<title>Old</title><frameset cols='30%,70%'><frame src=/menu><frame src=/text></frameset>",
        ),
        ("/menu", "<p>Menu</p>"),
        ("/text", "<p>Text</p>"),
    ];
    let (_, text) = read_pages(&pages).await;
    assert_eq!(text, "Menu Text");
}

#[tokio::test]
async fn frames_of_other_origins_are_named() {
    let site = TestSite::start(|asked| {
        let host = asked.headers["host"].to_str().unwrap().to_owned();
        let far = format!("http://{}", host.replace("127.0.0.1", "localhost"));
        SiteReply::html(match asked.path.as_str() {
            "/" => format!("<h1>Catalogue</h1><iframe src={far}/list></iframe><iframe src={far}/pixel width=1 height=1></iframe>"),
            _ => "<p>Far away</p>".to_owned(),
        })
    })
    .await;
    let (visit, text) = read(&site, profile()).await;
    let far = site.url("/list").replace("127.0.0.1", "localhost");
    assert_eq!(text, "Catalogue");
    assert_eq!(
        visit.warnings,
        [PageWarning::UnreadFrames(vec![far.parse().unwrap()])]
    );
}

#[tokio::test]
async fn small_frames_of_other_origins_beside_a_content_are_not_worth_a_word() {
    let site = TestSite::start(|asked| {
        let host = asked.headers["host"].to_str().unwrap().to_owned();
        let far = format!("http://{}", host.replace("127.0.0.1", "localhost"));
        SiteReply::html(match asked.path.as_str() {
            "/" => format!("<h1>Catalogue</h1><p>{PROSE} {PROSE} {PROSE}</p><iframe src={far}/advert width=300 height=250></iframe>"),
            _ => "<p>Far away</p>".to_owned(),
        })
    })
    .await;
    let (visit, _) = read(&site, profile()).await;
    assert_eq!(visit.warnings, []);
}

#[tokio::test]
async fn frames_that_robots_may_not_visit_are_named_and_not_read() {
    let site = TestSite::start(|asked| match asked.path.as_str() {
        "/robots.txt" => SiteReply::bytes("text/plain", "User-agent: *\nDisallow: /private"),
        "/" => SiteReply::html(
            "<h1>Catalogue</h1><iframe src=/private/list></iframe><iframe src=/list></iframe>",
        ),
        "/list" => SiteReply::html("<p>Open list</p>"),
        _ => SiteReply::html("<p>Private list</p>"),
    })
    .await;
    let obedient = Profile {
        robots: net::RobotsMode::Obey,
        ..profile()
    };
    let (visit, text) = read(&site, obedient).await;
    assert_eq!(text, "Catalogue Open list");
    let denied = site.url("/private/list").parse().unwrap();
    assert_eq!(visit.warnings, [PageWarning::UnreadFrames(vec![denied])]);
}

/// A page whose list comes with data that the server gives after some time; none for data that never come.
async fn slow_site(main: &'static str, delay: Option<Duration>) -> TestSite {
    TestSite::start(move |asked| match asked.path.as_str() {
        "/" => SiteReply::html(format!(
            "<main><h1>Catalogue</h1>{main}<div id=root></div></main><script>fetch('/data').then((it) => it.text())
             .then((it) => {{ document.getElementById('root').innerHTML = it; }})</script>"
        )),
        _ => SiteReply::html("<ul><li>Kettle Oslo</li><li>Lamp Graz</li></ul>").after(delay.unwrap_or(Duration::from_secs(60))),
    })
    .await
}

#[tokio::test]
async fn data_that_come_late_are_waited_for() {
    for (main, delay) in [("", 4000), (PROSE, 2500)] {
        let site = slow_site(main, Some(Duration::from_millis(delay))).await;
        let (visit, text) = read(&site, profile()).await;
        assert!(text.ends_with("Kettle Oslo Lamp Graz"), "{text}");
        assert_eq!(visit.warnings, []);
    }
}

#[tokio::test]
async fn data_that_do_not_come_in_time_are_told() {
    let site = slow_site("", None).await;
    let hasty = Profile {
        patience: Duration::from_secs(3),
        ..profile()
    };
    let (visit, text) = read(&site, hasty).await;
    assert_eq!(text, "Catalogue");
    assert_eq!(visit.warnings, [PageWarning::StillLoading]);
}

#[tokio::test]
async fn redirects_that_a_page_makes_itself_are_followed() {
    let beginnings = [
        "<p>One moment please</p><script>setTimeout(() => location.href = '/list', 800)</script>",
        "<p>One moment please</p><script>setTimeout(() => { window.location.replace('/list') }, 800)</script>",
        "<meta http-equiv=Refresh content='8; url=/list'><p>You will be sent on.</p>",
        "<meta http-equiv=refresh content='0;url=/on'>",
    ];
    for beginning in beginnings {
        let pages = [
            ("/", beginning),
            ("/on", "<meta http-equiv=refresh content=\"1; URL='/list'\">"),
            ("/list", "<p>The list</p>"),
        ];
        let site = TestSite::of_pages(&pages).await;
        let fixture = TabFixture::with(site, profile()).await;
        let (url, expected) = (fixture.tab.url().unwrap(), fixture.site.url("/list"));
        assert_eq!(url.as_str(), expected, "{beginning}");
    }
}

#[tokio::test]
async fn a_redirect_that_comes_while_a_page_is_waited_for_is_followed() {
    let pages = [
        ("/", "<div id=root></div><script src=/late></script>"),
        (
            "/late",
            "setTimeout(() => { window['loc' + 'ation'] = '/list' }, 4000); // and nothing else of this page's scripts",
        ),
        ("/list", "<title>The list</title><p>The list</p>"),
    ];
    let (visit, text) = read_pages(&pages).await;
    assert_eq!(
        (visit.url.path(), visit.title.as_str(), text.as_str()),
        ("/list", "The list", "The list")
    );
}

#[tokio::test]
async fn a_refresh_to_where_the_page_is_is_no_redirect() {
    for beginning in [
        "<meta http-equiv=refresh content='5'><p>News</p>",
        "<meta http-equiv=refresh content='5; url=/'><p>News</p>",
    ] {
        let (visit, text) = read_pages(&[("/", beginning)]).await;
        assert_eq!((visit.url.path(), text.as_str()), ("/", "News"));
    }
}

#[tokio::test]
async fn redirects_without_an_end_end_with_the_patience() {
    let site = TestSite::start(|asked| {
        let number: u32 = asked.path.trim_start_matches('/').parse().unwrap_or(0);
        SiteReply::html(format!(
            "<meta http-equiv=refresh content='0; url=/{}'><p>News</p>",
            number + 1
        ))
    })
    .await;
    let hasty = Profile {
        patience: Duration::from_secs(2),
        ..profile()
    };
    let mut tab = browser().open(hasty).await.unwrap();
    let visited = tab.goto(&site.url("/").parse().unwrap()).await;
    assert!(matches!(visited, Err(Error::Timeout { .. })), "{visited:?}");
}

#[tokio::test]
async fn a_dialog_of_consent_that_covers_the_page_is_told() {
    let dialog =
        "<h2>We value your privacy</h2><p>We and our partners use cookies.</p><button>Accept all</button>";
    let whole = format!("<div style='position:fixed;inset:0;background:#fff'>{dialog}</div>");
    let dimmed = format!(
        "<div style='position:fixed;inset:0;background:#0008'></div><dialog open style='position:fixed;top:40%'>{dialog}</dialog>"
    );
    let bar = format!("<div style='position:fixed;bottom:0;left:0;right:0;height:20%'>{dialog}</div>");
    let other = "<div style='position:fixed;inset:0;background:#fff'><p>Our new lamps are here.</p><button>Close</button></div>";
    for (over, is_told) in [
        (whole.as_str(), true),
        (&dimmed, true),
        (&bar, false),
        (other, false),
    ] {
        let html = format!("<h1>Catalogue</h1><p>{PROSE} {PROSE}</p>{over}");
        let (visit, _) = read_pages(&[("/", &html)]).await;
        assert_eq!(
            visit.warnings.contains(&PageWarning::ConsentDialog),
            is_told,
            "{over}"
        );
    }
}
