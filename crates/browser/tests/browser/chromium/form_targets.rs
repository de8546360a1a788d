//! Tests of form targets: where a form really sends its fields, whatever the page pretends.

use browser::Receiver;

use super::*;

#[tokio::test]
async fn a_field_says_who_gets_what_is_put_into_it() {
    let mut fixture = TabFixture::of(
        "<input aria-label=Loose><form action=/own><input aria-label=Own><button>Send</button>\
         <button formaction='https://evil.test/b'>Elsewhere</button></form>\
         <form action='https://evil.test/a'><input aria-label=Theirs></form>\
         <form id=far action='https://evil.test/c'></form><input form=far aria-label=Far>\
         <form action='https://evil.test/d'><input name=action aria-label=Clobbered><img name=parentNode></form>\
         <form action=/own id=own></form><label for=go><b tabindex=0>Word</b></label>\
         <button id=go form=own formaction='https://evil.test/e' hidden></button>\
         <form action=/own><button formaction='https://evil.test/g'>Away</button><input aria-label=First></form>\
         <form action='https://evil.test/h'><button formaction=''>Same</button></form>\
         <a href='https://evil.test/f'><b tabindex=0>Inner</b></a><a href=/near><i tabindex=0>Near</i></a>",
    )
    .await;
    let (here, own) = (fixture.site.url("/"), fixture.site.url("/own"));
    let near = fixture.site.url("/near");
    let evil = |path: &str| format!("https://evil.test/{path}");
    for (name, actions, link) in [
        ("Loose", vec![], None),
        ("Own", vec![own.clone(), evil("b")], None),
        ("Send", vec![own.clone()], None),
        ("Elsewhere", vec![evil("b")], None),
        ("Theirs", vec![evil("a")], None),
        ("Far", vec![evil("c")], None),
        ("Clobbered", vec![evil("d")], None),
        ("Word", vec![evil("e")], None),
        ("Inner", vec![], Some(evil("f"))),
        ("Near", vec![], Some(near)),
        ("First", vec![evil("g"), own.clone()], None),
        ("Same", vec![here.clone()], None),
    ] {
        let target = fixture.find(name).await;
        let receiver = fixture.tab.receiver(target).await.unwrap();
        let expected = Receiver {
            document: here.parse().unwrap(),
            actions: actions.iter().map(|it| it.parse().unwrap()).collect(),
            link: link.map(|it| it.parse().unwrap()),
        };
        assert_eq!(receiver, Some(expected), "{name}");
    }
}

#[tokio::test]
async fn a_document_without_an_address_is_that_of_its_origin() {
    let site = TestSite::start(|asked| {
        let host = asked.headers["host"].to_str().unwrap();
        match asked.path.as_str() {
            "/" => {
                let far = host.replace("127.0.0.1", "localhost");
                SiteReply::html(format!(
                    "<iframe srcdoc='<input aria-label=Ours>'></iframe>
                     <iframe src='http://{far}/far' width=500 height=300></iframe>"
                ))
            }
            _ => {
                let own = host.replace("localhost", "127.0.0.1");
                SiteReply::html(format!(
                    "<iframe srcdoc=\"<base href='http://{own}/'><input aria-label=Theirs>\"></iframe>"
                ))
            }
        }
    })
    .await;
    let mut fixture = TabFixture::on(site).await;
    let here = fixture.site.url("/");
    let far = here.replace("127.0.0.1", "localhost");
    for (name, document) in [("Ours", here.as_str()), ("Theirs", &far)] {
        // Frames within frames come after the page itself.
        for _ in 0..100 {
            if fixture.text().await.contains(name) {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        let target = fixture.find(name).await;
        let receiver = fixture.tab.receiver(target).await.unwrap().unwrap();
        assert_eq!(receiver.document.as_str(), document, "{name}");
    }
}

#[tokio::test]
async fn what_has_the_focus_is_found_wherever_it_lies() {
    let site = TestSite::start(|asked| match asked.path.as_str() {
        "/" => {
            let host = asked.headers["host"].to_str().unwrap().to_owned();
            let far = host.replace("127.0.0.1", "localhost");
            SiteReply::html(format!(
                "<input aria-label=Outer><iframe src=/inner title=Near></iframe><iframe src='http://{far}/inner' title=Far>
                 </iframe><x-box></x-box><script>customElements.define('x-box', class extends HTMLElement {{
                   connectedCallback() {{ this.attachShadow({{mode: 'open'}}).innerHTML = '<input aria-label=Shadow>' }} }})
                 </script>"
            ))
        }
        _ => SiteReply::html("<input aria-label=Inner>"),
    })
    .await;
    let mut fixture = TabFixture::on(site).await;
    assert_eq!(fixture.tab.focused().await.unwrap(), []);
    let snapshot = fixture.snapshot().await;
    let fields: Vec<Ref> = snapshot
        .nodes
        .iter()
        .filter(|it| it.role == "textbox")
        .map(|it| it.target.unwrap())
        .collect();
    assert_eq!(fields.len(), 4);
    for field in fields {
        fixture.act(Action::Focus { target: field }).await;
        let focused = fixture.tab.focused().await.unwrap();
        assert!(focused.contains(&field), "{field} in {focused:?}");
    }
}
