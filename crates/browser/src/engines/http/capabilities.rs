//! Capabilities that the http engine lacks, with what to do instead.

use crate::action::{Capability, NotCapable};

/// The refusal of an action that needs a capability.
pub(super) fn not_capable(what: Capability) -> NotCapable {
    let advice = match what {
        Capability::Scripts => {
            "this element only works with the page's scripts; use the chromium engine, or a plain link or form of the page"
        }
        Capability::Hover => {
            "what appears under the pointer is often in the snapshot already; else use the chromium engine"
        }
        Capability::Scroll => "nothing needs scrolling, the snapshot has the whole page",
        Capability::Wait => {
            "the page does not change by itself; go to its address again, or use the chromium engine"
        }
        Capability::Keys => "fill the field and submit its form instead",
        Capability::Tabs => "every page opens in this same tab; go to the address instead",
        Capability::Dialogs => "without scripts no page asks anything",
        Capability::Screenshot => "read the snapshot or the page's text instead, or use the chromium engine",
        _ => "use the chromium engine",
    };
    NotCapable { what, advice }
}
