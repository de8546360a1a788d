//! `CdpCommand`: the tie between the parameters of a command, its method and its response.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// The parameters of one command.
pub(crate) trait CdpCommand: Serialize {
    /// The method, as the protocol spells it.
    const METHOD: &'static str;
    /// What the browser answers.
    type Response: DeserializeOwned;
}

/// The response of a command whose result is not read.
pub(crate) type Ignored = serde::de::IgnoredAny;

/// Implements [`CdpCommand`]: `Navigate<'_>: "Page.navigate" => Navigated;`.
macro_rules! commands {
    ($($params:ty: $method:literal => $response:ty;)+) => {$(
        impl $crate::engines::chromium::cdp::command::CdpCommand for $params {
            const METHOD: &'static str = $method;
            type Response = $response;
        }
    )+};
}
pub(super) use commands;
