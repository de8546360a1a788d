//! Markup that many pages share.

/// Escapes a text for markup and for attributes in double quotes.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('"', "&quot;")
}

/// A page of the demo site's own layout.
pub(crate) fn frame(title: &str, content: &str) -> String {
    let title = escape(title);
    format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>{STYLE}</head>\
         <body><header><a href=\"/\">Demo site</a></header><main>{content}</main>\
         <footer>A made-up site for trying things out.</footer></body></html>"
    )
}

/// The number in groups of three digits with `separator` between them.
pub(crate) fn grouped(number: u64, separator: &str) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push_str(separator);
        }
        text.push(digit);
    }
    text
}

/// Styles for readability, hiding and scrolling.
const STYLE: &str = "<style>body{font:16px/1.5 sans-serif;max-width:60rem;margin:0 auto;padding:1rem}\
[hidden]{display:none!important}.card,li.product{border:1px solid #ccd;padding:.5rem;margin:.5rem 0;min-height:90px}\
[role=option][aria-selected=true]{background:#def}table{border-collapse:collapse}td,th{border:1px solid #ccd;padding:.2rem .5rem}\
.days button{width:3rem}.track{width:300px;height:12px;background:#ccd;position:relative}\
.track [role=slider]{position:absolute;top:-4px;width:20px;height:20px;background:#369}</style>";
