//! CSS selectors of any text over a fixed page: parsed alike twice, and true to the meaning of `,`, `:is` and `:not`.

#![no_main]

use std::thread;

use libfuzzer_sys::fuzz_target;
use page::Page;
use page::dom::Selector;

const HTML: &str = r##"<main id=m class="a b"><h1>T</h1><ul><li class=x>1<li class="x y">2<li lang=de data-a="1 2">3</ul>
    <p>t <a href="/u?q=1#f" title='A "b"'>l</a> <a name=n></a><svg><circle r=1 /></svg></p><p></p></main>"##;

/// Numbers, in document order, of the elements that a selector matches.
fn selected(page: &Page, css: &str) -> Option<Vec<usize>> {
    let selector = Selector::parse(css).ok()?;
    assert_eq!(selector.to_string(), css);
    let root = page.dom().root();
    let by_each = root.descendants().enumerate();
    let by_each: Vec<usize> = by_each.filter_map(|(at, node)| selector.matches(node).then_some(at)).collect();
    assert_eq!(root.select(&selector).count(), by_each.len(), "{css:?}");
    Some(by_each)
}

/// Whether a text stays as it is when brackets are put around it.
fn is_closed(css: &str) -> bool {
    let count = |sign: char| css.matches(sign).count();
    !css.contains(['"', '\'', '\\', '/', '<', '{', '}', '(', ')', '|']) && count('[') == count(']')
}

fn check(css: &str) {
    let page = Page::new(HTML.to_owned(), None);
    let found = selected(&page, css);
    assert_eq!(found, selected(&page, css), "{css:?}");
    let Some(found) = found.filter(|_| is_closed(css)) else { return };
    for same in [format!("{css},{css}"), format!(":is({css})"), format!(":where({css})")] {
        if let Some(other) = selected(&page, &same) {
            assert_eq!(found, other, "{css:?} and {same:?}");
        }
    }
    if let Some(others) = selected(&page, &format!(":not({css})")) {
        let elements = page.dom().root().descendants().filter(|node| node.is_element()).count();
        assert_eq!(found.len() + others.len(), elements, "{css:?}");
        assert!(found.iter().all(|at| !others.contains(at)), "{css:?}");
    }
}

fuzz_target!(|css: &str| {
    // A worker thread of the server has a stack of 2 MB; the main thread of a fuzzer has more.
    let css = css.to_owned();
    let worker = thread::Builder::new().stack_size(2 << 20).spawn(move || check(&css)).expect("a thread");
    worker.join().expect("no panic");
});
