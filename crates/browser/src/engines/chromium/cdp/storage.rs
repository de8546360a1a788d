//! Domain `Storage`: cookies of a browser context.

use serde::{Deserialize, Serialize};

use super::command::{Ignored, commands};

commands! {
    SetBrowserCookies<'_>: "Storage.setCookies" => Ignored;
    GetBrowserCookies<'_>: "Storage.getCookies" => BrowserCookies;
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SetBrowserCookies<'a> {
    pub(crate) cookies: Vec<BrowserCookie>,
    pub(crate) browser_context_id: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GetBrowserCookies<'a> {
    pub(crate) browser_context_id: &'a str,
}

#[derive(Deserialize)]
pub(crate) struct BrowserCookies {
    pub(crate) cookies: Vec<BrowserCookie>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BrowserCookie {
    pub(crate) name: String,
    pub(crate) value: String,
    /// Begins with a dot when subdomains get the cookie too.
    pub(crate) domain: String,
    pub(crate) path: String,
    /// In seconds since 1970; absent or -1 for a cookie of the session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) expires: Option<f64>,
    #[serde(default)]
    pub(crate) http_only: bool,
    #[serde(default)]
    pub(crate) secure: bool,
    /// `Strict`, `Lax` or `None`; absent where the site did not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) same_site: Option<String>,
}
