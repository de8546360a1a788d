//! Tests of snapshots.

use super::*;

#[tokio::test]
async fn frames_and_shadows_are_shown_where_they_lie() {
    let site = TestSite::start(|asked| match asked.path.as_str() {
        "/" => {
            let host = asked.headers["host"].to_str().unwrap().to_owned();
            let far = host.replace("127.0.0.1", "localhost");
            SiteReply::html(format!(
                "<h1>Outer</h1><iframe title=Near src=/near></iframe><x-box></x-box><iframe title=Far src='http://{far}/far'></iframe>
                 <p>End</p><script>customElements.define('x-box', class extends HTMLElement {{ connectedCallback() {{
                   this.attachShadow({{mode: 'open'}}).innerHTML = '<label><input type=checkbox> Agree</label>'; }} }});</script>"
            ))
        }
        "/near" => SiteReply::html("<button onclick=\"this.textContent='Pressed near'\">Press near</button>"),
        _ => SiteReply::html("<p>Deep</p><button onclick=\"this.textContent='Pressed far'\">Press far</button><input aria-label=Card>"),
    })
    .await;
    let mut fixture = TabFixture::on(site).await;
    let text = fixture.text().await;
    let lines: Vec<&str> = text
        .lines()
        .map(|line| line.split(" [").next().unwrap())
        .collect();
    let expect = [
        "heading \"Outer\"",
        "iframe \"Near\"",
        " button \"Press near\"",
        "checkbox \"Agree\"",
        "iframe \"Far\"",
        " paragraph \"Deep\"",
        " button \"Press far\"",
        " textbox \"Card\"",
        "paragraph \"End\"",
    ];
    assert_eq!(lines, expect);
    fixture.click("Press near").await;
    fixture.click("Press far").await;
    let card = fixture.find("Card").await;
    fixture
        .act(Action::Fill {
            target: card,
            value: "4242".into(),
        })
        .await;
    let agree = fixture.find("Agree").await;
    fixture
        .act(Action::Check {
            target: agree,
            on: true,
        })
        .await;
    let text = fixture.text().await;
    for part in ["Pressed near", "Pressed far", ": \"4242\"", "\"Agree\" [checked]"] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
}

#[tokio::test]
async fn what_can_be_clicked_has_a_ref_whatever_it_is() {
    let html = r#"<style>.p{cursor:pointer} .i{display:inline-block;width:16px;height:16px;background:#f00}</style>
        <p>Read <span class="p">this link</span> now</p><div id=heard>listens</div>
        <div class=p><b>Mail</b> from Ann <span class="p i star"></span></div><div tabindex=0>focus me</div>
        <span onclick="1">x</span><svg width=100 height=60><circle id=c cx=20 cy=20 r=10 fill=red></circle></svg>
        <script>document.getElementById('heard').addEventListener('click', () => 0)</script>"#;
    let text = TabFixture::of(html).await.text().await;
    for part in [
        "generic \"this link\" [clickable] [ref=",
        "generic \"listens\" [clickable] [ref=",
        "generic \"focus me\" [clickable] [ref=",
        "generic \"x\" [clickable] [ref=",
        "[class=p i star] [color=#ff0000] [ref=",
        "graphic [shape=circle] [color=#ff0000] [id=c]",
    ] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    assert!(
        text.contains("\"from Ann\"") || text.contains("Mail from Ann"),
        "{text}"
    );
}

/// A list of cards with one button that listens: asking for listeners from a world of our own once crashed such a page.
#[tokio::test]
async fn a_page_survives_many_looks() {
    let card = "<li><a href=/item><h2>Lamp</h2></a><span><del>20</del> <ins>10</ins></span><span>In stock</span>\
                <button type=button>Add to cart</button></li>";
    let html = format!(
        "<main><input id=query><button type=button id=go aria-label=Search></button><ul>{}</ul></main>\
         <script>document.getElementById('go').addEventListener('click', () => {{}})</script>",
        card.repeat(100)
    );
    let mut fixture = TabFixture::of(&html).await;
    for round in 0..6 {
        let target = fixture.tab.find("#query").await.unwrap()[0];
        let value = format!("round {round}");
        fixture
            .tab
            .act(&Action::Fill {
                target,
                value: value.clone(),
            })
            .await
            .unwrap();
        let snapshot = fixture.snapshot().await;
        assert_eq!(snapshot.find(target).unwrap().value.as_ref(), Some(&value));
    }
    assert_eq!(fixture.site.hits("/"), 1);
}

#[tokio::test]
async fn what_listens_for_others_is_nothing_to_click() {
    let html = "<div id=root><button>One</button><p>text</p><button>Two</button></div>
        <script>document.getElementById('root').addEventListener('click', () => 0)</script>";
    let text = TabFixture::of(html).await.text().await;
    let expect = "button \"One\" [ref=E2]\nparagraph \"text\"\nbutton \"Two\" [ref=E3]\n";
    assert_eq!(text, expect);
}

#[tokio::test]
async fn a_long_visit_of_listening_pages_and_a_large_one_holds() {
    let site = TestSite::start(|asked| {
        let rows = if asked.path == "/9" { 2000 } else { 20 };
        let mut html = format!("<title>{}</title><a href=/9>Last</a><ul>", asked.path);
        for row in 0..rows {
            html.push_str(&format!("<li><span>Row {row}</span> <button>Take {row}</button></li>"));
        }
        html.push_str("</ul><script>for (const it of document.querySelectorAll('button')) it.addEventListener('click', () => 0)</script>");
        SiteReply::html(html)
    })
    .await;
    let mut fixture = TabFixture::on(site).await;
    for page in 1..9 {
        let url = fixture.site.url(&format!("/{page}")).parse().unwrap();
        fixture.tab.goto(&url).await.unwrap();
        fixture.snapshot().await;
    }
    assert_eq!(fixture.click("Last").await.visit.unwrap().title, "/9");
    let snapshot = fixture.snapshot().await;
    assert!(snapshot.nodes.len() > 4000);
    let text = snapshot.text(&SnapshotView::default());
    assert!(text.len() < 21_000 && text.contains("more elements"), "{text}");
}

#[tokio::test]
async fn a_form_whose_fields_bear_the_names_of_its_properties_is_shown() {
    let names = [
        "getAttribute",
        "childNodes",
        "nodeType",
        "localName",
        "shadowRoot",
        "parentElement",
        "children",
        "namespaceURI",
    ];
    let fields: String = names
        .iter()
        .map(|it| format!("<input name={it} aria-label='The {it}'>"))
        .collect();
    let mut fixture = TabFixture::of(&format!(
        "<form aria-label=Order>{fields}<button>Send</button></form><p>After</p>"
    ))
    .await;
    let shown = fixture.text().await;
    for name in names {
        assert!(shown.contains(&format!("\"The {name}\"")), "{name}: {shown}");
    }
    assert!(
        shown.contains("form \"Order\"") && shown.contains("button \"Send\"") && shown.contains("After"),
        "{shown}"
    );
}
