//! Who gets what is put into a field, as the page has it and not as it pretends.

use web::Receiver;

use super::Scene;

#[tokio::test]
async fn a_field_says_who_gets_what_is_put_into_it() {
    let mut scene = Scene::of(
        "<input aria-label=Loose><form action=/own><input aria-label=Own><button>Send</button>\
         <button formaction='https://evil.test/b'>Elsewhere</button></form>\
         <form action='https://evil.test/a'><input aria-label=Theirs></form>\
         <form id=far action='https://evil.test/c'></form><input form=far aria-label=Far>\
         <form action='https://evil.test/d'><input name=action aria-label=Clobbered></form>",
    )
    .await;
    let (here, own) = (scene.site.url("/"), scene.site.url("/own"));
    for (name, url, form) in [
        ("Loose", here.as_str(), false),
        ("Own", own.as_str(), true),
        ("Send", own.as_str(), true),
        ("Elsewhere", "https://evil.test/b", true),
        ("Theirs", "https://evil.test/a", true),
        ("Far", "https://evil.test/c", true),
        ("Clobbered", "https://evil.test/d", true),
    ] {
        let target = scene.find(name).await;
        let receiver = scene.tab.receiver(target).await.unwrap();
        let url = url.parse().unwrap();
        assert_eq!(receiver, Some(Receiver { url, form }), "{name}");
    }
}
