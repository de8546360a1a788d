//! Redirects: the next request, and what of the first one it may carry.

use http::{HeaderMap, HeaderName, Method, StatusCode, header};
use url::{Position, Url};

use crate::error::{Blocked, Error};
use crate::guard::{Destination, parse_url};
use crate::request::Request;

/// The request that a redirect asks for; `None` when the response is no redirect that can be followed.
///
/// The method rules are those of browsers (Fetch standard, "HTTP-redirect fetch"). The caller's headers stay
/// at their origin, since any of them may be a secret, and do not return to it from another one. A grant stays
/// at its host, and a body never goes from https to http.
pub(crate) fn follow(
    request: &Request,
    status: StatusCode,
    headers: &HeaderMap,
) -> Result<Option<Request>, Error> {
    if !matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308) {
        return Ok(None);
    }
    let Some(location) = headers.get(header::LOCATION) else {
        return Ok(None);
    };
    let next = destination(&request.url, &String::from_utf8_lossy(location.as_bytes()))?;
    let mut followed = request.clone();
    let becomes_get = match status.as_u16() {
        301 | 302 => request.method == Method::POST,
        303 => request.method != Method::GET && request.method != Method::HEAD,
        _ => false,
    };
    if becomes_get {
        followed.method = Method::GET;
        followed.body.clear();
        for name in BODY_HEADERS {
            followed.headers.remove(name);
        }
        followed.headers.remove(header::ORIGIN);
    }
    if request.url.scheme() == "https" && next.scheme() == "http" && !followed.body.is_empty() {
        return Err(Error::Blocked(Blocked::Downgrade));
    }
    if request.url.origin() != next.origin() {
        followed.is_own_service = false;
        let mut caller_headers = std::mem::take(&mut followed.headers);
        for name in BODY_HEADERS.into_iter().filter(|_| !followed.body.is_empty()) {
            if let Some(value) = caller_headers.remove(&name) {
                followed.headers.insert(name, value);
            }
        }
    }
    followed.granted =
        request.granted && Destination::of(&request.url)?.shares_grant(&Destination::of(&next)?);
    followed.url = next;
    Ok(Some(followed))
}

/// Headers that say what the body is, and go where the body goes.
const BODY_HEADERS: [HeaderName; 3] = [
    header::CONTENT_TYPE,
    header::CONTENT_ENCODING,
    header::CONTENT_LANGUAGE,
];

fn destination(from: &Url, location: &str) -> Result<Url, Error> {
    let joined = from
        .join(location.trim())
        .map_err(|_| Error::BadResponse("its redirect leads nowhere"))?;
    let mut next = parse_url(joined.as_str())?;
    if next.fragment().is_none() {
        next.set_fragment(from.fragment());
    }
    Ok(next)
}

/// The part of a URL that is sent to a server.
pub(crate) fn without_fragment(url: &Url) -> &str {
    &url[..Position::AfterQuery]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(location: &str) -> HeaderMap {
        HeaderMap::from_iter([(header::LOCATION, location.parse().unwrap())])
    }

    fn request(method: Method, url: &str) -> Request {
        let mut request = Request::post(url.parse().unwrap(), "text/plain", "body");
        request.method = method;
        request.granted = true;
        request
            .header("authorization", "Bearer x")
            .unwrap()
            .header("x-own", "k")
            .unwrap()
    }

    fn to(request: &Request, status: u16, location: &str) -> Request {
        follow(request, StatusCode::from_u16(status).unwrap(), &answer(location))
            .unwrap()
            .unwrap()
    }

    #[test]
    fn the_method_follows_the_browsers_rules() {
        let post = request(Method::POST, "http://ok.test/a");
        for (status, method, bytes) in [
            (301, Method::GET, 0),
            (302, Method::GET, 0),
            (303, Method::GET, 0),
            (307, Method::POST, 4),
            (308, Method::POST, 4),
        ] {
            let next = to(&post, status, "/b");
            assert_eq!((next.method, next.body.len()), (method, bytes), "{status}");
            assert_eq!(next.headers.contains_key("content-type"), bytes > 0, "{status}");
        }
        assert_eq!(
            to(&request(Method::HEAD, "http://ok.test/"), 303, "/b").method,
            Method::HEAD
        );
        assert_eq!(
            to(&request(Method::PUT, "http://ok.test/"), 302, "/b").method,
            Method::PUT
        );
    }

    #[test]
    fn headers_stay_at_their_origin_and_a_grant_at_its_host() {
        let post = request(Method::POST, "http://nas.test/a");
        for (location, headers, granted) in [
            ("/b", true, true),
            ("http://nas.test/b", true, true),
            ("https://nas.test/b", false, true),
            ("http://nas.test:8080/b", false, false),
            ("http://other.test/b", false, false),
            ("//other.test/b", false, false),
        ] {
            let next = to(&post, 307, location);
            assert_eq!(next.headers.contains_key("authorization"), headers, "{location}");
            assert_eq!(next.headers.contains_key("x-own"), headers, "{location}");
            assert!(next.headers.contains_key("content-type"), "{location}");
            assert_eq!(next.granted, granted, "{location}");
        }
    }

    #[test]
    fn a_body_never_goes_from_https_to_http() {
        let post = request(Method::POST, "https://ok.test/a");
        let refused = follow(&post, StatusCode::TEMPORARY_REDIRECT, &answer("http://ok.test/a"));
        assert_eq!(refused.unwrap_err(), Error::Blocked(Blocked::Downgrade));
        assert_eq!(
            to(&post, 303, "http://ok.test/a").url.as_str(),
            "http://ok.test/a"
        );
    }

    #[test]
    fn only_web_addresses_are_followed() {
        let get = request(Method::GET, "http://ok.test/a#part");
        assert_eq!(to(&get, 302, "/b").url.as_str(), "http://ok.test/b#part");
        assert_eq!(to(&get, 302, "/b#own").url.as_str(), "http://ok.test/b#own");
        for location in [
            "file:///etc/passwd",
            "javascript:alert(1)",
            "data:text/html,x",
            "ftp://ok.test/",
        ] {
            let refused = follow(&get, StatusCode::FOUND, &answer(location));
            assert_eq!(
                refused.unwrap_err(),
                Error::Blocked(Blocked::Scheme),
                "{location}"
            );
        }
        assert!(
            follow(&get, StatusCode::FOUND, &HeaderMap::new())
                .unwrap()
                .is_none()
        );
        assert!(
            follow(&get, StatusCode::NOT_MODIFIED, &answer("/b"))
                .unwrap()
                .is_none()
        );
    }
}
