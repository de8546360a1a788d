//! The main text of any page.

#![no_main]

use extract as _;
use libfuzzer_sys::fuzz_target;
use page::Page;

fn read(bytes: &[u8]) -> String {
    let page = Page::new(page::charset::decode(bytes, None).text, url::Url::parse("https://shop.example/a/b").ok());
    let content = extract::rules::content::find(&page);
    extract::rules::content::text(&page, &content)
}

fuzz_target!(|bytes: &[u8]| {
    assert_eq!(read(bytes), read(bytes));
});
