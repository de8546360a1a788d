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
         <a href='https://evil.test/f'><b tabindex=0>Inner</b></a><a href=/near><i tabindex=0>Near</i></a>",
    )
    .await;
    let (here, own) = (fixture.site.url("/"), fixture.site.url("/own"));
    let near = fixture.site.url("/near");
    for (name, url, form, link) in [
        ("Loose", here.as_str(), false, None),
        ("Own", own.as_str(), true, None),
        ("Send", own.as_str(), true, None),
        ("Elsewhere", "https://evil.test/b", true, None),
        ("Theirs", "https://evil.test/a", true, None),
        ("Far", "https://evil.test/c", true, None),
        ("Clobbered", "https://evil.test/d", true, None),
        ("Word", "https://evil.test/e", true, None),
        ("Inner", here.as_str(), false, Some("https://evil.test/f")),
        ("Near", here.as_str(), false, Some(near.as_str())),
    ] {
        let target = fixture.find(name).await;
        let receiver = fixture.tab.receiver(target).await.unwrap();
        let (url, link) = (url.parse().unwrap(), link.map(|it| it.parse().unwrap()));
        assert_eq!(receiver, Some(Receiver { url, form, link }), "{name}");
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
