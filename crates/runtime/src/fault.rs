//! Work whose panic is an error of its own and ends nothing else.

use std::panic::AssertUnwindSafe;

use futures_util::FutureExt as _;
use wire::Code;

use crate::error::ServiceError;

/// What the work gives. The hook of the process has logged a panic by then.
///
/// # Errors
/// Those of the work; [`Code::Internal`] where it panics.
pub(crate) async fn caught<T>(
    work: impl Future<Output = Result<T, ServiceError>>,
) -> Result<T, ServiceError> {
    let fault = |_| {
        ServiceError::new(
            Code::Internal,
            "the server met an unexpected fault; its log says more",
        )
    };
    AssertUnwindSafe(work).catch_unwind().await.map_err(fault)?
}
