//! What a tool is: parameters in, one output or an error out.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::context::ToolContext;
use crate::error::Error;

/// A capability with a name, a manifest and one job.
///
/// Promises, held by the registry for every tool: `run` sees only parameters that fit the manifest, defaults filled in;
/// it is dropped when its time is over; what it gives back fits the manifest's `output_schema` or counts as a failure.
pub trait Tool: Send + Sync + 'static {
    /// Its parameters, as the manifest has them.
    type Params: DeserializeOwned + schemars::JsonSchema + Send + 'static;
    /// What it gives back; an object on the wire.
    type Output: Serialize + Send;

    /// Does it once.
    fn run(
        &self,
        params: Self::Params,
        context: &mut ToolContext,
    ) -> impl Future<Output = Result<Self::Output, Error>> + Send;
}
