//! HopFilter: which addresses the redirects of a request may lead to.

use std::fmt;
use std::sync::Arc;

use url::Url;

/// Whether a redirect may lead to an address.
type Allows = dyn Fn(&Url) -> bool + Send + Sync;

/// Decides about the address of each redirect before anything is sent there. The default allows all. Clones share the
/// decision.
#[derive(Clone, Default)]
pub struct HopFilter(Option<Arc<Allows>>);

impl HopFilter {
    /// A filter that allows the addresses for which `allows` is true.
    pub fn new(allows: impl Fn(&Url) -> bool + Send + Sync + 'static) -> HopFilter {
        HopFilter(Some(Arc::new(allows)))
    }

    /// Whether a redirect may lead to this address.
    pub(crate) fn allows(&self, url: &Url) -> bool {
        self.0.as_ref().is_none_or(|allows| allows(url))
    }
}

impl fmt::Debug for HopFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Some(_) => "HopFilter(some addresses)",
            None => "HopFilter(all addresses)",
        })
    }
}
