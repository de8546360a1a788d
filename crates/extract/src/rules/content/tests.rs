use super::*;

fn read(html: &str) -> String {
    let page = Page::new(html, None);
    text(&page, &find(&page))
}

const STORY: &str = "<p>The river rose again on Monday night, and by the morning the lower streets were under water, the mayor said.</p>\
<p>Schools stay closed until Thursday; the bridge, which is eighty years old, is to be checked before anyone may cross it.</p>\
<p>Helpers from three towns brought sand, pumps and soup, and nobody was hurt, according to the fire brigade.</p>";

#[test]
fn a_story_is_read_without_the_furniture_around_it() {
    let html = format!(
        "<body><nav><ul><li><a href=/a>Home</a><li><a href=/b>Sport</a></ul></nav><div class=story><h1>River rises</h1>{STORY}</div>\
         <footer><p>Copyright The Paper, all rights reserved, terms and privacy.</p></footer></body>"
    );
    let text = read(&html);
    assert!(
        text.contains("eighty years old") && text.contains("nobody was hurt"),
        "{text}"
    );
    assert!(!text.contains("Sport") && !text.contains("Copyright"), "{text}");
}

#[test]
fn a_page_without_words_has_no_content() {
    for html in [
        "",
        "<p>",
        "<body><img src=x></body>",
        "<script>var a = 1</script>",
    ] {
        assert_eq!(read(html), "", "{html}");
    }
}
