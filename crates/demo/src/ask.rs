//! Requests to the demo site and its responses.

use url::form_urlencoded;

use crate::html;

/// A request, as far as the site reads it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DemoRequest {
    /// The path, decoded, with its leading slash.
    pub path: String,
    /// The pairs of the query, followed by those of a form's body.
    pub pairs: Vec<(String, String)>,
    /// The cookies.
    pub cookies: Vec<(String, String)>,
}

impl DemoRequest {
    /// Parses the target of a request line (`/path?a=b`) and a form's body.
    pub fn new(target: &str, body: &[u8]) -> DemoRequest {
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        // A path decodes like a value of a form, except that a plus is a plus.
        let escaped = format!("p={}", path.replace('+', "%2B").replace('&', "%26"));
        let path = form_urlencoded::parse(escaped.as_bytes())
            .next()
            .map(|pair| pair.1.into_owned());
        let pairs = form_urlencoded::parse(query.as_bytes()).chain(form_urlencoded::parse(body));
        DemoRequest {
            path: path.unwrap_or_default(),
            pairs: pairs
                .map(|(key, value)| (key.into_owned(), value.into_owned()))
                .collect(),
            cookies: Vec::new(),
        }
    }

    /// The same with the cookies of a `Cookie` header.
    #[must_use]
    pub fn with_cookies(mut self, header: &str) -> DemoRequest {
        let pairs = header.split(';').filter_map(|pair| pair.trim().split_once('='));
        self.cookies = pairs
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect();
        self
    }

    /// The value of a cookie.
    pub fn cookie(&self, name: &str) -> Option<&str> {
        let cookie = self.cookies.iter().find(|cookie| cookie.0 == name)?;
        Some(&cookie.1)
    }

    /// The value of a key, trimmed; none when it is empty.
    pub fn get(&self, key: &str) -> Option<&str> {
        let pair = self.pairs.iter().rev().find(|pair| pair.0 == key)?;
        Some(pair.1.trim()).filter(|value| !value.is_empty())
    }

    /// The value of a key as a number, with a decimal point or comma.
    pub fn number<N: std::str::FromStr>(&self, key: &str) -> Option<N> {
        self.get(key)?.replace(',', ".").parse().ok()
    }

    /// The value of a key as an amount of money in hundredths.
    pub fn cents(&self, key: &str) -> Option<u64> {
        let amount = self
            .number::<f64>(key)
            .filter(|amount| amount.is_finite() && *amount >= 0.0)?;
        Some((amount * 100.0).round() as u64)
    }

    /// The number of the requested page, from 1.
    pub fn page(&self) -> usize {
        self.number("page")
            .or_else(|| self.number("p"))
            .unwrap_or(1)
            .max(1)
    }

    /// The address of this request with a key changed.
    pub fn with(&self, key: &str, value: &str) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        let others = self.pairs.iter().filter(|pair| pair.0 != key);
        query.extend_pairs(others).append_pair(key, value);
        format!("{}?{}", self.path, query.finish())
    }
}

/// A response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DemoResponse {
    /// The status.
    pub status: u16,
    /// The media type.
    pub content_type: &'static str,
    /// The body.
    pub body: String,
    /// Further headers.
    pub headers: Vec<(&'static str, String)>,
}

impl DemoResponse {
    /// A page of the demo site's own layout.
    pub(crate) fn page(title: &str, content: &str) -> DemoResponse {
        DemoResponse::html(html::frame(title, content))
    }

    /// A whole page.
    pub(crate) fn html(body: String) -> DemoResponse {
        DemoResponse::of("text/html; charset=utf-8", body)
    }

    /// A body of any media type.
    pub(crate) fn of(content_type: &'static str, body: impl Into<String>) -> DemoResponse {
        DemoResponse {
            status: 200,
            content_type,
            body: body.into(),
            headers: Vec::new(),
        }
    }

    /// A redirect of a form to another page of the site.
    pub(crate) fn redirect(to: &str) -> DemoResponse {
        DemoResponse::html(String::new())
            .status(303)
            .header("location", to.to_owned())
    }

    /// The same with a further header.
    pub(crate) fn header(mut self, name: &'static str, value: String) -> DemoResponse {
        self.headers.push((name, value));
        self
    }

    /// The same with another status.
    pub(crate) fn status(mut self, status: u16) -> DemoResponse {
        self.status = status;
        self
    }
}
