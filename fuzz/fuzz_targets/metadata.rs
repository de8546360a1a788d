//! The structured data of any page.

#![no_main]

use libfuzzer_sys::fuzz_target;
use page::Page;

fn read(bytes: &[u8]) -> String {
    let page = Page::new(page::charset::decode(bytes, None).text, url::Url::parse("https://shop.example/a/b").ok());
    format!("{:?}", page::meta::Metadata::read(&page))
}

fuzz_target!(|bytes: &[u8]| {
    assert_eq!(read(bytes), read(bytes));
});
