//! Text of PDF documents.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use url::Url;

use crate::http_request::send;
use crate::{Error, Tool, ToolContext};

/// The tool `pdf.extract_text`.
pub struct ExtractText;

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    url: Option<String>,
    pages: Option<String>,
}

#[derive(Serialize)]
pub struct Output {
    title: String,
    pages: Vec<PdfPage>,
    text: String,
    page_count: usize,
    complete: bool,
}

/// One page of a document.
#[derive(Serialize)]
struct PdfPage {
    number: usize,
    text: String,
}

/// Longest wait for the document itself.
const TIMEOUT: Duration = Duration::from_secs(30);
/// A document begins with this, after a few bytes at most (ISO 32000-1, annex H).
const MARK: &[u8] = b"%PDF-";
const LEAD: usize = 1024;

impl Tool for ExtractText {
    type Params = Params;
    type Output = Output;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Output, Error> {
        let wanted = params.pages.as_deref().map(ranges).transpose()?;
        let url = match &params.url {
            Some(url) => Url::parse(url).map_err(|error| Error::param("url", error.to_string()))?,
            None => context.url().ok_or(Error::Missing {
                what: "a document",
                advice: "give its address as `url`, or go to it first",
            })?,
        };
        let response = send(context, net::Request::get(url), &serde_json::Map::new(), TIMEOUT).await?;
        let response = response.accepted()?;
        let head = response
            .body
            .get(..LEAD.min(response.body.len()))
            .unwrap_or_default();
        if !head.windows(MARK.len()).any(|it| it == MARK) {
            return Err(Error::NotFound(format!(
                "there is no PDF document at {}; give the address of one as `url`",
                response.url
            )));
        }
        let truncated = response.truncated;
        let document = sandbox::pdf::read(context.sandbox()?, response.body)
            .await
            .map_err(|error| Error::of_sandbox("url", "reading the document", error))?;
        let page_count = document.pages.len();
        let pages: Vec<PdfPage> = (1..)
            .zip(document.pages)
            .filter(|(number, _)| {
                let within = |(from, to): &(usize, usize)| (from..=to).contains(&number);
                wanted.as_ref().is_none_or(|it| it.iter().any(within))
            })
            .map(|(number, text)| PdfPage { number, text })
            .collect();
        if document.cut {
            context
                .warn("pages are missing at the end: the document is damaged, or reading it took too long");
        }
        Ok(Output {
            title: document.title,
            text: pages
                .iter()
                .map(|it| it.text.as_str())
                .collect::<Vec<_>>()
                .join("\n"),
            pages,
            page_count,
            complete: !document.cut && !truncated,
        })
    }
}

/// `1-3,7` as pairs of first and last page.
fn ranges(text: &str) -> Result<Vec<(usize, usize)>, Error> {
    let bad = || Error::param("pages", format!("{text:?} names no pages; write them as 1-3,7"));
    text.split(',')
        .map(|part| {
            let (from, to) = part.split_once('-').unwrap_or((part, part));
            let number = |text: &str| text.trim().parse::<usize>().ok().filter(|it| *it > 0);
            let pair = number(from).zip(number(to)).ok_or_else(bad)?;
            (pair.0 <= pair.1).then_some(pair).ok_or_else(bad)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_named_one_by_one_and_in_ranges() {
        assert_eq!(ranges("1-3, 7").unwrap(), [(1, 3), (7, 7)]);
        for text in ["", "0", "3-1", "a", "1-", "-", "1,,2", "99999999999999999999999"] {
            assert!(ranges(text).is_err(), "{text:?}");
        }
    }
}
