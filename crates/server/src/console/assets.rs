//! The script, the style sheet and the icon of the console, under names that change with their content.

use std::sync::LazyLock;

use axum::extract::Path;
use axum::response::{IntoResponse as _, Response};
use data_encoding::HEXLOWER;
use http::HeaderValue;
use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use sha2::{Digest as _, Sha256};
use wire::Code;

use crate::response::ApiError;

/// One file of the console.
struct Asset {
    /// Its name in addresses: stem, digits of a hash of its bytes, extension.
    name: String,
    kind: &'static str,
    bytes: &'static [u8],
}

fn asset(stem: &str, extension: &str, kind: &'static str, bytes: &'static [u8]) -> Asset {
    let hash = Sha256::digest(bytes);
    let digits = HEXLOWER.encode(hash.get(..5).unwrap_or_default());
    Asset {
        name: format!("{stem}-{digits}.{extension}"),
        kind,
        bytes,
    }
}

static STYLE: LazyLock<Asset> = LazyLock::new(|| {
    asset(
        "console",
        "css",
        "text/css; charset=utf-8",
        include_bytes!("assets/console.css"),
    )
});
static SCRIPT: LazyLock<Asset> = LazyLock::new(|| {
    asset(
        "console",
        "js",
        "text/javascript; charset=utf-8",
        include_bytes!("assets/console.js"),
    )
});
static ICON: LazyLock<Asset> =
    LazyLock::new(|| asset("icon", "svg", "image/svg+xml", include_bytes!("assets/icon.svg")));

/// Addresses of the three files.
#[derive(serde::Serialize)]
pub(super) struct AssetPaths {
    style: String,
    script: String,
    icon: String,
}

/// Where the pages find their files.
pub(super) fn paths() -> AssetPaths {
    let path = |asset: &Asset| format!("/console/assets/{}", asset.name);
    AssetPaths {
        style: path(&STYLE),
        script: path(&SCRIPT),
        icon: path(&ICON),
    }
}

/// One file; browsers keep it, since another content has another name.
pub(super) async fn serve(Path(name): Path<String>) -> Response {
    let found = [&*STYLE, &*SCRIPT, &*ICON].into_iter().find(|it| it.name == name);
    let Some(asset) = found else {
        return ApiError::new(Code::NotFound, "there is no such file; reload the page").into_response();
    };
    let mut response = Response::new(asset.bytes.into());
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(asset.kind));
    let forever = HeaderValue::from_static("public, max-age=31536000, immutable");
    headers.insert(CACHE_CONTROL, forever);
    response
}
