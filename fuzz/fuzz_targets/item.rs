//! The item of any page.

#![no_main]

use extract as _;
use libfuzzer_sys::fuzz_target;
use page::Page;

fn read(bytes: &[u8]) -> String {
    let page = Page::new(page::charset::decode(bytes, None).text, url::Url::parse("https://shop.example/a/b").ok());
    format!("{:?}", extract::modes::rule_based::read(&page, &extract::mode::ExtractionRequest::default()))
}

fuzz_target!(|bytes: &[u8]| {
    assert_eq!(read(bytes), read(bytes));
});
