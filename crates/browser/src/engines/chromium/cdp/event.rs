//! The events in use, decoded by the name of their method.

use serde_json::value::RawValue;

use super::{browser, fetch, input, network, page, target};

/// Declares [`CdpEvent`] as a table of methods, variants and the types of their parameters.
macro_rules! events {
    ($($method:literal => $variant:ident($params:ty),)+) => {
        /// An event of the browser or of one of its pages.
        pub(crate) enum CdpEvent {
            $($variant($params),)+
        }

        impl CdpEvent {
            /// Decodes an event; none for one that is not in use, or whose parameters cannot be read.
            pub(crate) fn decode(method: &str, params: &RawValue) -> Option<CdpEvent> {
                match method {
                    $($method => serde_json::from_str(params.get()).ok().map(CdpEvent::$variant),)+
                    _ => None,
                }
            }
        }
    };
}

/// Parameters that are not read.
pub(crate) type Unread = serde::de::IgnoredAny;

events! {
    "Browser.downloadProgress" => DownloadProgress(browser::DownloadProgress),
    "Browser.downloadWillBegin" => DownloadWillBegin(browser::DownloadWillBegin),
    "Fetch.authRequired" => AuthRequired(fetch::AuthRequired),
    "Fetch.requestPaused" => RequestPaused(fetch::RequestPaused),
    "Input.dragIntercepted" => DragIntercepted(input::DragIntercepted),
    "Inspector.targetCrashed" => TargetCrashed(Unread),
    "Network.dataReceived" => DataReceived(network::DataReceived),
    "Network.loadingFailed" => LoadingFailed(network::LoadingFailed),
    "Network.loadingFinished" => LoadingFinished(network::LoadingFinished),
    "Network.requestWillBeSent" => RequestWillBeSent(network::RequestWillBeSent),
    "Network.responseReceived" => ResponseReceived(network::ResponseReceived),
    "Page.domContentEventFired" => DomContentEventFired(Unread),
    "Page.fileChooserOpened" => FileChooserOpened(Unread),
    "Page.frameAttached" => FrameAttached(page::FrameAttached),
    "Page.frameDetached" => FrameDetached(page::FrameDetached),
    "Page.frameNavigated" => FrameNavigated(page::FrameNavigated),
    "Page.frameRequestedNavigation" => FrameRequestedNavigation(page::FrameRequestedNavigation),
    "Page.frameStartedLoading" => FrameStartedLoading(page::FrameLoading),
    "Page.frameStoppedLoading" => FrameStoppedLoading(page::FrameLoading),
    "Page.javascriptDialogClosed" => JavascriptDialogClosed(Unread),
    "Page.javascriptDialogOpening" => JavascriptDialogOpening(page::JavascriptDialogOpening),
    "Page.loadEventFired" => LoadEventFired(Unread),
    "Page.navigatedWithinDocument" => NavigatedWithinDocument(page::NavigatedWithinDocument),
    "Page.screencastFrame" => ScreencastFrame(page::ScreencastFrame),
    "Target.attachedToTarget" => AttachedToTarget(target::AttachedToTarget),
    "Target.detachedFromTarget" => DetachedFromTarget(target::DetachedFromTarget),
}

impl CdpEvent {
    /// The method of [`CdpEvent::DataReceived`], by far the most frequent event while a page loads.
    pub(crate) const DATA_RECEIVED: &'static str = "Network.dataReceived";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_in_use_are_decoded_and_others_are_not() {
        let decode = |method: &str, params: &str| {
            CdpEvent::decode(method, &RawValue::from_string(params.to_owned()).unwrap())
        };
        let params = r#"{"requestId":"1","dataLength":7,"later":[{}]}"#;
        assert!(
            matches!(decode(CdpEvent::DATA_RECEIVED, params), Some(CdpEvent::DataReceived(data)) if data.data_length == 7)
        );
        assert!(matches!(
            decode("Page.loadEventFired", "{}"),
            Some(CdpEvent::LoadEventFired(_))
        ));
        assert!(decode("Page.frameAttached", "{}").is_none());
        assert!(decode("Page.neverHeardOf", "{}").is_none());
    }
}
