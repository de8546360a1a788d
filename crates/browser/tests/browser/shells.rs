//! Pages that scripts fill, in the shapes that the common frameworks give them, and small pages that are whole as they
//! come. Which engine they are read with is decided by what they yield.

use std::sync::Arc;

use browser::engines::auto::AutoBrowser;
use browser::engines::http::HttpBrowser;
use browser::{Browser, PageWarning, Profile, Tab};
use net::{Client, ClientConfig};
use testkit::{SiteReply, TestSite};

/// What a script shows.
const SHOWN: &str =
    "The red kettle boils a litre of water in four minutes and costs 24 euros at the moment. ";

/// A script that renders into the element with this selector, from data that it holds.
fn renders(selector: &str) -> String {
    format!(
        "<script>const data = {{title: 'Kettles', rows: Array.from({{length: 6}}, (_, i) => i)}};\
         setTimeout(() => {{ const at = document.querySelector({selector:?}); at.innerHTML = '<h1>' + data.title + '</h1>' + \
         data.rows.map(i => '<p>' + i + ' {SHOWN}</p>').join(''); at.removeAttribute('hidden'); }}, 20);</script>"
    )
}

/// Name and page of each shape.
fn shells() -> Vec<(&'static str, String)> {
    let nav: String = [
        "Home", "Kettles", "Pots", "Tea", "Coffee", "Help", "Account", "Basket", "Stores", "Jobs",
    ]
    .iter()
    .map(|name| format!("<li><a href='/{name}'>{name} and everything about them</a></li>"))
    .collect();
    let nav = format!("<nav><ul>{nav}</ul></nav>");
    let footer = "<footer><p>All rights reserved. Prices include taxes. The Kettle House, 1 Spout Lane, Teatown. \
        Terms, privacy, imprint, cookies, returns, delivery, newsletter, careers and press.</p></footer>";
    let ask = "<noscript>You need to enable JavaScript to run this app.</noscript>";
    let state = format!(
        "<script id=__NEXT_DATA__ type=application/json>{{\"props\":{{\"text\":\"{}\"}}}}</script>",
        SHOWN.repeat(20)
    );
    let skeletons = "<div class='card-skeleton'></div>".repeat(6);
    let beside = "<p>Kettles are lent for a week at a time and come back clean. Whoever keeps one longer pays for it.</p>".repeat(8);
    vec![
        (
            "create-react-app",
            format!("{ask}<div id=root></div>{}", renders("#root")),
        ),
        ("vite", format!("<div id=app></div>{}", renders("#app"))),
        ("angular", format!("<app-root></app-root>{}", renders("app-root"))),
        (
            "angular with a text",
            format!("<app-root>Loading...</app-root>{}", renders("app-root")),
        ),
        (
            "next, rendered by the client",
            format!("<div id=__next></div>{state}{}", renders("#__next")),
        ),
        (
            "nuxt as an application",
            format!(
                "<div id=__nuxt></div><script>window.__NUXT__={{config:{{}}}}</script>{}",
                renders("#__nuxt")
            ),
        ),
        (
            "gatsby shell",
            format!(
                "<div id=___gatsby><div id=gatsby-focus-wrapper></div></div>{}",
                renders("#gatsby-focus-wrapper")
            ),
        ),
        (
            "svelte in the body",
            format!(
                "<div style='display: contents'><main></main></div>{}",
                renders("main")
            ),
        ),
        (
            "navigation and an empty main",
            format!("{nav}<main></main>{footer}{}", renders("main")),
        ),
        (
            "navigation in the root and an empty main",
            format!(
                "<div id=root><header>{nav}</header><main></main>{footer}</div>{}",
                renders("main")
            ),
        ),
        (
            "skeletons",
            format!(
                "{nav}<section id=list>{skeletons}</section>{footer}{}",
                renders("#list")
            ),
        ),
        (
            "busy region",
            format!(
                "{nav}<section id=list aria-busy=true><p>Please wait</p></section>{}",
                renders("#list")
            ),
        ),
        (
            "empty list",
            format!(
                "<header>{nav}</header><ul id=results></ul>{footer}{}",
                renders("#results")
            ),
        ),
        (
            "empty table",
            format!(
                "{nav}<h1>Kettles</h1><table><thead><tr><th>Name<th>Price</tr></thead><tbody id=rows></tbody></table>{}",
                renders("#rows")
            ),
        ),
        (
            "vue in the page",
            format!(
                "{nav}<div id=shop v-cloak><h1>{{{{ title }}}}</h1><p v-for='row in rows'>{{{{ row.text }}}}</p></div>{}",
                renders("#shop")
            ),
        ),
        (
            "angularjs",
            format!(
                "<div ng-app=shop id=shop><h1>{{{{title}}}}</h1><p ng-repeat='row in rows'>{{{{row.text}}}}</p></div>{}",
                renders("#shop")
            ),
        ),
        (
            "alpine",
            format!(
                "{nav}<div x-data='shop' id=shop><template x-for='row in rows'><p x-text=row></p></template></div>{}",
                renders("#shop")
            ),
        ),
        (
            "web component",
            format!("{nav}<shop-list></shop-list>{}", renders("shop-list")),
        ),
        (
            "hidden root",
            format!("<div id=app hidden></div><p>Loading</p>{}", renders("#app")),
        ),
        (
            "angularjs view",
            format!(
                "<div ng-app=shop>{nav}<div ng-view></div>{footer}</div>{}",
                renders("[ng-view]")
            ),
        ),
        (
            "loading beside a picture",
            format!(
                "<header><h1>Kettles</h1></header><div id=app><div class=splash><img src=/kettle.png alt=''><p>Loading...</p></div></div>\
                 <footer><p>Made by the people of Teatown, who have boiled water since 1871 and write about it on Fridays. Letters to \
                 Spout Lane 1 are read aloud in the yard, and those with a stamp from far away are put on the wall.</p></footer>{}",
                renders("#app")
            ),
        ),
        (
            "empty article",
            format!(
                "<header><h1>Kettles</h1></header><article></article>{footer}{}",
                renders("article")
            ),
        ),
        (
            "a product without its name",
            format!(
                "{nav}<main><h1 class=line></h1><div class=line></div><h2>Delivery</h2><p>Kettles come within three days by post, to \
                 the door or to a shop nearby, and go back free of charge.</p></main>{}",
                renders("main")
            ),
        ),
        (
            "a thread that says it loads",
            format!(
                "{nav}<h1>Which kettle?</h1><div id=thread>Loading posts</div><div id=footer>{}</div>{}",
                "<p>The Kettle House answers letters in the order in which they come.</p>".repeat(6),
                renders("#thread")
            ),
        ),
        (
            "results beside their filters",
            format!(
                "<main><div><h2>Narrow your search</h2>{}</div><div id=hits><p>Searching …</p></div></main>{}",
                "<label><input type=checkbox>Kettles of this colour</label>".repeat(12),
                renders("#hits")
            ),
        ),
        (
            "blocks without names",
            format!(
                "{nav}<div class=front><div class=lead></div><div class=latest></div></div>{footer}{}",
                renders(".front")
            ),
        ),
        (
            "everything written by one script",
            format!(
                "<script>document.addEventListener('DOMContentLoaded', () => {{ document.body.innerHTML = '<h1>Kettles</h1>' + \
             Array.from({{length: 6}}, (_, i) => '<p>' + i + ' {SHOWN}</p>').join(''); }}); /* {} */</script>",
                "x".repeat(200)
            ),
        ),
        (
            "a list above questions and answers",
            format!(
                "<main><h1>Kettles for hire</h1><form><label>Size <select><option>Any</option></select></label></form>\
                 <kettle-list data-size=20></kettle-list><section><h2>Questions</h2>{}</section></main>{}",
                beside,
                renders("kettle-list")
            ),
        ),
        (
            "an outline under the lead of an article",
            format!(
                "<main><article><h1>The town that sold its kettle</h1><p>Nobody expected to see that kettle again.</p>\
                 <div class=body><div class=line></div><div class=line></div><div class=line></div></div></article>\
                 <section><h2>More to read</h2>{beside}</section></main>{}",
                renders(".body")
            ),
        ),
        (
            "a wheel and words above the conditions",
            format!(
                "<h2>Departures of the kettle bus</h2><div id=board><p><img src=/wheel.gif alt=''>Fahrplan wird geladen …</p></div>\
                 <div><h3>Conditions</h3>{beside}</div>{}",
                renders("#board")
            ),
        ),
        (
            "a template beside loading words in a line of their own",
            format!(
                "<main><h1>Kettles for the shade</h1><p class=wait>Chargement des bouilloires…</p><div class=grid><template>\
                 <h2></h2></template></div></main><section><h2>Questions</h2>{beside}</section>{}",
                renders("main")
            ),
        ),
        (
            "a table without rows below a text",
            format!(
                "<h1>Kettles measured</h1><p>The office boils every kettle once a year, and writes down how long it takes and how much it \
                 holds, together with the temperature of the room and the name of the clerk who looked on.</p><table id=data><thead><tr><th>Kettle</th><th>Litres</th><th>Minutes</th>\
                 </tr></thead><tbody><tr><td colspan=3>Daten werden geladen ...</td></tr></tbody></table>{}",
                renders("#data")
            ),
        ),
        (
            "an outline beside a button",
            format!(
                "<main><div><i></i></div><div class=part><div class=x></div><div class=x></div><button disabled>Buy</button></div>\
                 <section><h2>Delivery</h2><p>Kettles go out within three days.</p></section></main>{}",
                renders(".part")
            ),
        ),
        (
            "a form to sign in beside the root",
            format!(
                "<div id=root></div><div class=box><p>No results</p><input name=user><input type=password></div>{}",
                renders("#root")
            ),
        ),
        (
            "an element that a module defines",
            format!(
                "<docs-shell>{nav}<docs-page src=/kettles.md></docs-page></docs-shell>{footer}{}",
                renders("docs-page").replace("<script>", "<script type=module>")
            ),
        ),
    ]
}

/// Name and page of pages that are whole without scripts, though each has one.
fn whole() -> Vec<(&'static str, String)> {
    let counter = "<script>(function(w,d,s,l,i){w[l]=w[l]||[];w[l].push({'gtm.start':new Date().getTime(),event:'gtm.js'});\
        var f=d.getElementsByTagName(s)[0],j=d.createElement(s);j.async=true;j.src='/gtm.js?id='+i;\
        f.parentNode.insertBefore(j,f);})(window,document,'script','dataLayer','GTM-XXXX');</script>";
    let library = "<script src=/jquery.js></script>";
    let links: String = (0..30)
        .map(|n| format!("<li><a href=/{n}>Story number {n} of the day</a> {n} points</li>"))
        .collect();
    let article = format!(
        "<article><h1>Kettles</h1>{}</article>",
        format!("<p>{SHOWN}</p>").repeat(8)
    );
    vec![
        ("article", format!("{article}{library}{counter}")),
        (
            "article rendered by the server into a root",
            format!("<div id=__next><main>{article}</main></div>{library}"),
        ),
        (
            "article beside an empty widget",
            format!("{article}<div id=root></div>{library}"),
        ),
        ("list of links", format!("<ul>{links}</ul>{library}{counter}")),
        (
            "list of links in a main",
            format!("<main><ol>{links}</ol></main>{library}"),
        ),
        ("a word on a page", format!("<h1>It works!</h1>{library}")),
        (
            "a notice",
            format!("<h1>Moved</h1><p>We have moved to Spout Lane.</p>{counter}"),
        ),
        (
            "a form",
            format!(
                "<main><h1>Sign in</h1><form><label>Mail <input name=mail></label><button>Go</button></form></main>{library}"
            ),
        ),
        (
            "pictures",
            format!(
                "<div>{}</div>{library}<div id=box></div>",
                "<img src=/a.jpg alt=''>".repeat(12)
            ),
        ),
        (
            "a frame",
            format!("<iframe src=/map width=500></iframe>{}", "<p>The way to us.</p>"),
        ),
        (
            "article that asks for scripts for its comments",
            format!(
                "{article}<div id=comments></div><noscript>Please enable JavaScript to view the comments.</noscript>{library}"
            ),
        ),
        (
            "a start page with a search in its navigation",
            format!(
                "<nav><input><ul id=hits></ul><a href=/docs>Documentation</a></nav><header><h1>Kettles</h1><p>All about kettles.</p></header>\
                 <main><h4>Start</h4><p>How to boil the first water</p><h4>Go on</h4><p>Everything about scale</p></main>{library}"
            ),
        ),
        (
            "article on braces",
            format!("<p>Write {{{{ name }}}} and {{{{ price }}}} in a template.</p>{article}{library}"),
        ),
        (
            "article with its state",
            format!(
                "<div id=__nuxt>{article}</div><script>window.__NUXT__={{text:\"{}\"}}</script>",
                SHOWN.repeat(20)
            ),
        ),
        (
            "an address beside an empty map",
            format!(
                "<main><h1>How to find us</h1><p>The Kettle House stands in Spout Lane 1, behind the church, and is open from nine \
                 to five. The bus 12 stops at the door.</p><div id=map></div></main>{library}"
            ),
        ),
        (
            "a text beside the root of a chat",
            format!("<main><h1>Descaling</h1><p>{SHOWN}{SHOWN}</p></main><div id=root></div>{library}"),
        ),
        (
            "product with a long state",
            format!(
                "<main><h1>Red kettle</h1><p>24.00 EUR</p><p>{SHOWN}</p><button>Buy</button></main>\
                 <script type=application/json>{{\"rows\":\"{}\"}}</script>{library}",
                SHOWN.repeat(30)
            ),
        ),
        (
            "product",
            format!(
                "<main><h1>Red kettle</h1><p>24.00 EUR</p><p>{SHOWN}</p><p>{SHOWN}</p><button>Buy</button></main>{library}\
             <div class=spinner></div><p>{SHOWN}</p>"
            ),
        ),
        (
            "a sentence beside empty places of widgets",
            format!(
                "<div id=app></div><main><article><h1>No water on Friday</h1><p>The water will be off in Spout Lane from eight to \
                 twelve.</p></article></main><aside><div id=root-forms aria-busy=true></div></aside>{library}"
            ),
        ),
        (
            "an answer within the root",
            format!("<div id=app><main class=answer>Yes, every half hour.</main></div>{library}"),
        ),
        (
            "a search that found nothing",
            format!(
                "<div id=app data-server-rendered=true><main><h1>No results for \"glass kettle\"</h1><ul class=hits></ul></main></div>\
                 <script>window.__INITIAL_STATE__={{hits:[],rows:\"{}\"}}</script>",
                "x".repeat(1200)
            ),
        ),
        (
            "a login",
            format!(
                "<noscript>Please enable JavaScript</noscript><h1>Welcome back</h1><form><input name=user><input type=password>\
                 <button>Go</button></form>{library}"
            ),
        ),
        (
            "services, each beside its empty graph",
            format!(
                "<h1>Status</h1>{}{library}",
                "<div class=service><span>Kettles</span> <b>boil</b><div aria-busy=true><div data-part=k></div></div></div>".repeat(4)
            ),
        ),
        (
            "a short entry of a journal, with much script",
            format!(
                "<h2><a href=/>Notes on kettles</a></h2><div><h3>Swifts</h3><p>They came back on Tuesday, eleven of them. I had the \
                 window open and the kettle on, and forgot about both.</p></div><div id=more></div><script>/* {} */</script>",
                "x".repeat(9000)
            ),
        ),
    ]
}

fn document(body: &str) -> String {
    format!("<!doctype html><html lang=en><head><title>Kettles</title></head><body>{body}</body></html>")
}

async fn site(pages: Vec<(&'static str, String)>) -> TestSite {
    TestSite::start(move |asked| {
        let number: Option<usize> = asked.path.trim_start_matches('/').parse().ok();
        match number.and_then(|number| pages.get(number)) {
            Some((_, body)) => SiteReply::html(document(body)),
            None => SiteReply::html("").status(404),
        }
    })
    .await
}

fn profile() -> Profile {
    Profile {
        granted: vec!["127.0.0.1".into()],
        ..Profile::default()
    }
}

fn quick() -> HttpBrowser {
    HttpBrowser::new(Client::new(ClientConfig::default()).unwrap())
}

async fn goto(browser: &dyn Browser, site: &TestSite, number: usize) -> (Box<dyn Tab>, Vec<PageWarning>) {
    let mut tab = browser.open(profile()).await.unwrap();
    let visit = tab
        .goto(&site.url(&format!("/{number}")).parse().unwrap())
        .await
        .unwrap();
    (tab, visit.warnings)
}

#[tokio::test]
async fn pages_that_scripts_fill_are_told_from_whole_ones() {
    let mut wrong = Vec::new();
    for (pages, is_shell) in [(shells(), true), (whole(), false)] {
        let site = site(pages.clone()).await;
        for (number, (name, _)) in pages.iter().enumerate() {
            let (_tab, warnings) = goto(&quick(), &site, number).await;
            if warnings.contains(&PageWarning::ScriptsNeeded) != is_shell {
                wrong.push(*name);
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn pages_that_scripts_fill_are_read_with_what_the_scripts_show() {
    let pages = shells();
    let site = site(pages.clone()).await;
    let full: Arc<dyn Browser> = Arc::new(crate::chromium::browser());
    for (number, (name, _)) in pages.iter().enumerate() {
        // Each by an engine that knows nothing yet.
        let browser = AutoBrowser::new(Arc::new(quick()), full.clone());
        let (mut tab, warnings) = goto(&browser, &site, number).await;
        assert_eq!(warnings, [PageWarning::ScriptsRun], "{name}");
        let text = tab.page().await.unwrap().dom().body().unwrap().text();
        assert_eq!(text.matches("red kettle").count(), 6, "{name}: {text}");
        tab.close().await;
    }
}
