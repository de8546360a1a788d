//! Parts of a page that a server sent late, set where scripts would set them.
//!
//! Servers that render React send a page before all its parts are ready: `<template id="B:0">` stands where a part belongs, the part
//! follows at the end as `<div hidden id="S:0">`, and a script behind the part moves it with `$RC("B:0","S:0")` (`$RR` where style
//! sheets belong to it, `$RS("S:0","P:0")` for a part of a part). The names are those of `react-dom/server`.

use std::borrow::Cow;
use std::ops::Range;

/// Most parts that are moved.
const MAX_PARTS: usize = 400;
/// Most bytes of HTML that are written while parts are moved; a page with more keeps its further parts at its end.
const MAX_WRITTEN: usize = 64 << 20;
/// Most bytes between the end of a part and the call that moves it: the first such script also defines the functions.
const MAX_SCRIPT: usize = 8_000;

/// The HTML with its late parts in their places.
pub(crate) fn in_place(html: &str) -> Cow<'_, str> {
    if !html.contains("<div hidden id=\"S:") {
        return Cow::Borrowed(html);
    }
    let mut whole = html.to_owned();
    let mut from = 0;
    let mut written = 0;
    for _ in 0..MAX_PARTS {
        let Some(call) = next_call(&whole, from) else {
            break;
        };
        written += whole.len();
        if written > MAX_WRITTEN {
            break;
        }
        let behind = whole.len() - call.end;
        if let Some(moved) = moved(&whole, &call) {
            whole = moved;
        }
        // What stands behind the call is as it was.
        from = whole.len() - behind;
    }
    Cow::Owned(whole)
}

/// A call that moves a part.
struct MoveCall {
    /// Where the call begins, and where it ends.
    start: usize,
    end: usize,
    /// The number of the element that holds the part: `S:0`.
    part: String,
    /// The number of the template in whose place the part belongs: `B:0`.
    place: String,
}

/// The first call from this byte on.
fn next_call(html: &str, from: usize) -> Option<MoveCall> {
    let mut at = from;
    loop {
        let start = at + html.get(at..)?.find("$R")?;
        at = start + 2;
        let rest = html.get(at..)?;
        let Some(kind) = rest.chars().next().filter(|kind| matches!(kind, 'C' | 'R' | 'S')) else {
            continue;
        };
        let Some(arguments) = rest.get(1..).and_then(|rest| rest.strip_prefix("(\"")) else {
            continue;
        };
        let mut parts = arguments.splitn(3, '"');
        let (first, comma, rest) = (parts.next()?, parts.next().unwrap_or_default(), parts.next());
        let second = rest.and_then(|rest| rest.split('"').next()).unwrap_or_default();
        if comma != "," || !is_number(first) || !is_number(second) {
            continue;
        }
        let (place, part) = if kind == 'S' {
            (second, first)
        } else {
            (first, second)
        };
        return Some(MoveCall {
            start,
            end: at,
            part: part.to_owned(),
            place: place.to_owned(),
        });
    }
}

/// Whether a text is the number of a part or of a place: `B:1f`.
fn is_number(text: &str) -> bool {
    let number = text
        .strip_prefix("B:")
        .or_else(|| text.strip_prefix("S:"))
        .or_else(|| text.strip_prefix("P:"));
    number.is_some_and(|number| {
        !number.is_empty() && number.len() <= 8 && number.bytes().all(|byte| byte.is_ascii_hexdigit())
    })
}

/// The HTML with the part of a call in its place; none where the part or the place is not as servers write them.
fn moved(html: &str, call: &MoveCall) -> Option<String> {
    let opening = format!("<div hidden id=\"{}\">", call.part);
    let open = html.get(..call.start)?.rfind(&opening)?;
    let content = open + opening.len();
    let script = content + html.get(content..call.start)?.rfind("<script")?;
    if call.start - script > MAX_SCRIPT {
        return None;
    }
    let part = html.get(content..script)?.trim_end();
    let place = place_of(html.get(..open)?, &call.place)?;
    let whole = [
        html.get(..place.start)?,
        part.strip_suffix("</div>")?,
        html.get(place.end..open)?,
        html.get(content + part.len()..)?,
    ];
    Some(whole.concat())
}

/// The template of a place with what is shown until its part is there, up to the mark that closes it.
fn place_of(html: &str, number: &str) -> Option<Range<usize>> {
    let template = format!("<template id=\"{number}\"></template>");
    let start = html.find(&template)?;
    let end = start + template.len();
    if !number.starts_with("B:") {
        return Some(start..end);
    }
    // Boundaries within the fallback open and close as comments, too.
    let mut depth = 0usize;
    let mut at = end;
    loop {
        let mark = at + html.get(at..)?.find("<!--")?;
        let rest = html.get(mark + 4..)?;
        if rest.starts_with("/$-->") {
            if depth == 0 {
                return Some(start..mark);
            }
            depth -= 1;
        } else if rest.starts_with("$-->") || rest.starts_with("$?-->") || rest.starts_with("$!-->") {
            depth += 1;
        }
        at = mark + 4;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn late_parts_stand_where_scripts_would_set_them() {
        let html = "<p>one</p><!--$?--><template id=\"B:0\"></template><i>wait<!--$--><!--/$--></i><!--/$--><p>four</p>\
            <div hidden id=\"S:0\"><p>two</p><template id=\"P:2\"></template></div><script>$RC=function(){};$RC(\"B:0\",\"S:0\")</script>\
            <div hidden id=\"S:2\"><p>three</p></div><script>$RS(\"S:2\",\"P:2\")</script><p>end</p>";
        assert_eq!(
            in_place(html),
            "<p>one</p><!--$?--><p>two</p><p>three</p><!--/$--><p>four</p><script>$RC=function(){};$RC(\"B:0\",\"S:0\")</script>\
             <script>$RS(\"S:2\",\"P:2\")</script><p>end</p>"
        );
    }

    #[test]
    fn what_is_not_as_servers_write_it_stays() {
        for html in [
            "<p>$RC(\"B:0\",\"S:0\")</p>",
            "<div hidden id=\"S:0\">a</div>$RC(\"B:0\",\"S:0\")",
            "<template id=\"B:0\"></template><div hidden id=\"S:0\">a</div><script>$RC(\"B:0\",\"S:0\")</script>",
            "<div hidden id=\"S:0\">a</div><script>$RC(\"B:0\",\"S:0\"",
            "<div hidden id=\"S:0\">a</div><script>$R",
        ] {
            assert_eq!(in_place(html), html);
        }
    }
}
