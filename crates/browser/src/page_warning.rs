//! `PageWarning`: what changes how a page should be read.

use std::borrow::Cow;

use url::Url;

/// Something about a page that changes how it should be read.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum PageWarning {
    /// The page asks for a proof that its reader is a person.
    BotWall,
    /// The status says "found" and the page says "not found".
    SoftNotFound,
    /// The page stays empty without its scripts.
    ScriptsNeeded,
    /// The page stays empty without its scripts, and was opened once more in a browser that runs them.
    ScriptsRun,
    /// The body is empty.
    Empty,
    /// Only the first part of the body was loaded.
    Truncated,
    /// The pages of the tab have used up what they may load; requests of the page have failed.
    BudgetExceeded,
    /// The body is a file, and no page.
    NotAPage,
    /// Some signs could not be decoded: the page is not, or not all of it, in the encoding that it names.
    Undecoded,
    /// A part of what is shown is in frames that were not read: those of other origins, and those of an engine without a browser.
    UnreadFrames(Vec<Url>),
    /// A request of the page had no answer yet when the time to wait for it had passed.
    StillLoading,
    /// A dialog that asks for consent covers the page.
    ConsentDialog,
}

impl PageWarning {
    /// The stable name, as clients see it.
    pub fn code(&self) -> &'static str {
        match self {
            PageWarning::BotWall => "BOT_WALL",
            PageWarning::SoftNotFound => "SOFT_NOT_FOUND",
            PageWarning::ScriptsNeeded => "JS_REQUIRED",
            PageWarning::ScriptsRun => "JS_RUN",
            PageWarning::Empty => "EMPTY_CONTENT",
            PageWarning::Truncated => "TRUNCATED",
            PageWarning::BudgetExceeded => "BUDGET_EXCEEDED",
            PageWarning::NotAPage => "NOT_A_PAGE",
            PageWarning::Undecoded => "UNDECODED",
            PageWarning::UnreadFrames(_) => "UNREAD_FRAMES",
            PageWarning::StillLoading => "STILL_LOADING",
            PageWarning::ConsentDialog => "CONSENT_DIALOG",
        }
    }

    /// One sentence for a reader.
    pub fn text(&self) -> Cow<'static, str> {
        let text = match self {
            PageWarning::BotWall => {
                "the site asks to prove that the visitor is a person; its content was not shown"
            }
            PageWarning::SoftNotFound => "the page says that what was asked for does not exist",
            PageWarning::ScriptsNeeded => {
                "the page needs its scripts; use the chromium engine, for which Chromium has to be installed"
            }
            PageWarning::ScriptsRun => {
                "the page needs its scripts, or shows frames, so it was opened in a browser"
            }
            PageWarning::Empty => "the page is empty",
            PageWarning::Truncated => "only the first part of the page came",
            PageWarning::BudgetExceeded => {
                "the pages of this run have loaded as much as they may; further requests fail, and parts of the page may be missing"
            }
            PageWarning::NotAPage => {
                "the address leads to a file, not to a page, of a kind that is not read: those that are read are HTML, XML, \
                 JSON, CSV, plain text, Markdown, PDF, the documents of Office and OpenDocument, and EPUB"
            }
            PageWarning::Undecoded => {
                "some signs of the page could not be decoded and are shown as \u{fffd}; its encoding is not what it names"
            }
            PageWarning::UnreadFrames(addresses) => {
                let addresses: Vec<&str> = addresses.iter().map(Url::as_str).collect();
                return Cow::Owned(format!(
                    "the page shows frames whose content was not read; scrape their addresses: {}",
                    addresses.join(", ")
                ));
            }
            PageWarning::StillLoading => {
                "the page was still loading when it was read: a request of it had no answer yet, and content may be missing; \
                 name what to wait for (wait_for)"
            }
            PageWarning::ConsentDialog => {
                "a dialog that asks for consent covers the page; its text is among what was read, and content may come only once it \
                 is answered"
            }
        };
        Cow::Borrowed(text)
    }
}
