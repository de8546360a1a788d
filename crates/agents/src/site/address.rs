//! Addresses of a site as crawls take them: cleaned, named, and told from those that never end.

use url::Url;
use wire::frontier::AddressKey;

/// Longest address that is read, in bytes.
const MAX_BYTES: usize = 2_048;
/// Longest address that is looked at, in bytes; what names a visit may be as long again as the rest.
const MAX_READ_BYTES: usize = 2 * MAX_BYTES;
/// Most segments of a path.
const MAX_SEGMENTS: usize = 20;
/// How often one segment may occur in a path.
const MAX_REPEATS: usize = 3;

/// Parameters by which PHP, Java, Zen Cart and osCommerce name a visit, and that name nothing else.
const VISIT_PARAMETERS: [&str; 4] = ["phpsessid", "jsessionid", "zenid", "oscsid"];
/// Parameters that name a visit, or a story, a section or a lecture: their values tell.
const SESSION_PARAMETERS: [&str; 4] = ["sessionid", "session_id", "sid", "osid"];
/// The two numbers by which ColdFusion names a visit.
const COLDFUSION_PARAMETERS: [&str; 2] = ["cfid", "cftoken"];
/// A parameter that says where a reader comes from.
const ORIGIN_PARAMETER: &str = "xtor";
/// Fewest letters and digits of the value of a session. Shorter ones are small enough to be guessed, and no system makes them.
const LEAST_SESSION: usize = 16;
/// Fewest places where letters and digits meet in a value that chance made. Names with a year or a number have one to three; of
/// ids of 26 letters and digits about one in twenty has fewer, and one of 32 hexadecimal digits has about 14.
const LEAST_CHANGES: usize = 4;
/// Names of the file that a folder shows.
const INDEX_FILES: [&str; 3] = ["index.html", "index.htm", "index.php"];
/// Parameters by which calendars are turned over.
const CALENDAR_PARAMETERS: [&str; 9] = [
    "month",
    "year",
    "day",
    "week",
    "date",
    "cal",
    "calendar",
    "start_date",
    "tribe-bar-date",
];
/// Endings of files that are no pages.
const FILE_ENDINGS: &[&str] = &[
    "7z",
    "aac",
    "apk",
    "avi",
    "avif",
    "bmp",
    "bz2",
    "css",
    "dmg",
    "eot",
    "exe",
    "flac",
    "flv",
    "gif",
    "gz",
    "ico",
    "iso",
    "jpeg",
    "jpg",
    "js",
    "m4a",
    "m4v",
    "map",
    "mjs",
    "mkv",
    "mov",
    "mp3",
    "mp4",
    "mpeg",
    "mpg",
    "msi",
    "ogg",
    "ogv",
    "otf",
    "png",
    "rar",
    "rpm",
    "svg",
    "swf",
    "tar",
    "tgz",
    "tif",
    "tiff",
    "ttf",
    "wasm",
    "wav",
    "webm",
    "webmanifest",
    "webp",
    "wma",
    "wmv",
    "woff",
    "woff2",
    "xz",
    "zip",
    "deb",
    "bin",
    "jar",
];

/// Parameters from which on a query is taken for a choice of filters.
const FILTERS: usize = 3;

/// Why an address is not followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NotFollowed {
    /// It is no page.
    NoPage,
    /// Its name is that of a picture, an archive, a program or the like.
    File,
    /// It looks like one of an endless series: too long, too deep, or the same segment again and again.
    Endless,
}

/// The address without what names a visit: fragment, user name, session ids.
///
/// # Errors
/// When it is not followed.
pub(super) fn clean(url: &Url) -> Result<Url, NotFollowed> {
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
        return Err(NotFollowed::NoPage);
    }
    if url.as_str().len() > MAX_READ_BYTES {
        return Err(NotFollowed::Endless);
    }
    let mut clean = url.clone();
    clean.set_fragment(None);
    if clean.set_username("").is_err() || clean.set_password(None).is_err() {
        return Err(NotFollowed::NoPage);
    }
    remove_session(&mut clean);
    if is_file(&clean) {
        return Err(NotFollowed::File);
    }
    if clean.as_str().len() > MAX_BYTES || repeats(clean.path()) {
        return Err(NotFollowed::Endless);
    }
    Ok(clean)
}

/// The name of an address: that of its canonical form. An index file that is linked by its name may be another page than its
/// folder.
pub(super) fn key(url: &Url) -> AddressKey {
    let last = url.path().rsplit('/').next().unwrap_or_default();
    match INDEX_FILES.contains(&last) {
        true => AddressKey::of(&format!("{last} {}", net::canonical(url))),
        false => AddressKey::of(&net::canonical(url)),
    }
}

/// The series that an address belongs to, where it is one of those that calendars and filters make without end.
pub(super) fn series(url: &Url) -> Option<AddressKey> {
    let segments: Vec<&str> = url
        .path()
        .split('/')
        .filter(|segment| !segment.is_empty())
        .collect();
    let is_number = |segment: &&&str| segment.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    let numbers = segments.iter().rev().take_while(is_number).count();
    let is_day = segments
        .iter()
        .rev()
        .take(numbers)
        .any(|segment| is_year(segment));
    let names: Vec<String> = url
        .query_pairs()
        .map(|(name, _)| name.to_ascii_lowercase())
        .collect();
    let turns = names
        .iter()
        .any(|name| CALENDAR_PARAMETERS.contains(&name.as_str()));
    let host = url.host_str().unwrap_or_default();
    if (numbers >= 2 || segments.last().is_some_and(|last| is_month(last))) && is_day {
        let named: Vec<&str> = segments.iter().take(segments.len() - numbers).copied().collect();
        return Some(AddressKey::of(&format!("days {host}/{}", named.join("/"))));
    }
    if turns || names.len() >= FILTERS {
        return Some(AddressKey::of(&format!("query {host}{}", url.path())));
    }
    None
}

/// Whether a segment begins with a year.
fn is_year(segment: &str) -> bool {
    let year = segment.split('-').next().unwrap_or_default();
    year.len() == 4 && (year.starts_with("19") || year.starts_with("20") || year.starts_with("21"))
}

/// Whether a segment is `2026-01` or `2026-01-31`.
fn is_month(segment: &str) -> bool {
    segment.contains('-') && segment.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
}

fn remove_session(url: &mut Url) {
    if let Some((path, rest)) = url.path().to_ascii_lowercase().split_once(";jsessionid=")
        && is_session("jsessionid", rest)
    {
        let kept = url.path().get(..path.len()).unwrap_or_default().to_owned();
        url.set_path(&kept);
    }
    let names: Vec<String> = url
        .query_pairs()
        .map(|(name, _)| name.to_ascii_lowercase())
        .collect();
    let is_coldfusion = COLDFUSION_PARAMETERS
        .iter()
        .all(|name| names.iter().any(|other| other == name));
    let names_visit = |name: &str, value: &str| {
        let name = name.to_ascii_lowercase();
        name == ORIGIN_PARAMETER
            || (is_coldfusion && COLDFUSION_PARAMETERS.contains(&name.as_str()))
            || is_session(&name, value)
    };
    if !url.query_pairs().any(|(name, value)| names_visit(&name, &value)) {
        return;
    }
    // Each pair as it is written, since sites tell `%20` from `+`.
    let kept: Vec<&str> = url
        .query()
        .unwrap_or_default()
        .split('&')
        .filter(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            !names_visit(name, value)
        })
        .collect();
    let kept = kept.join("&");
    url.set_query(Some(kept.as_str()).filter(|kept| !kept.is_empty()));
}

/// Whether a parameter names a visit: by its name, in lower case, and a value that is long. Under a name that other things have
/// too, the value has to be one that chance made: letters and digits that change again and again, and no date, slug or number.
fn is_session(name: &str, value: &str) -> bool {
    let is_sign = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.!~,*%".contains(&byte);
    let letters = value.bytes().filter(u8::is_ascii_alphanumeric).count();
    if letters < LEAST_SESSION || !value.bytes().all(is_sign) {
        return false;
    }
    // ASP ends the name in letters of its own.
    if name.starts_with("aspsessionid") || VISIT_PARAMETERS.contains(&name) {
        return true;
    }
    let pairs = value.bytes().zip(value.bytes().skip(1));
    let changes = pairs.filter(|(one, other)| one.is_ascii_digit() != other.is_ascii_digit());
    SESSION_PARAMETERS.contains(&name) && letters == value.len() && changes.count() >= LEAST_CHANGES
}

fn is_file(url: &Url) -> bool {
    let name = url.path().rsplit('/').next().unwrap_or_default();
    name.rsplit_once('.').is_some_and(|(stem, ending)| {
        !stem.is_empty() && FILE_ENDINGS.contains(&ending.to_ascii_lowercase().as_str())
    })
}

/// Whether a path goes round in circles, as relative links that lead one folder deeper each time make it.
fn repeats(path: &str) -> bool {
    let segments: Vec<&str> = path.split('/').filter(|segment| !segment.is_empty()).collect();
    let count = |segment: &&str| segments.iter().filter(|other| *other == segment).count();
    segments.len() > MAX_SEGMENTS || segments.iter().any(|segment| count(segment) > MAX_REPEATS)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cleaned(url: &str) -> Result<String, NotFollowed> {
        clean(&url.parse().unwrap()).map(String::from)
    }

    #[test]
    fn what_names_a_visit_is_removed_and_what_is_no_page_is_not_followed() {
        for (url, wanted) in [
            (
                "http://u:p@a.test/x?b=1+2&PHPSESSID=8c0f1d9e7a6b5c4d3e2f1a0b9c8d7e6f&a=%20#t",
                "http://a.test/x?b=1+2&a=%20",
            ),
            (
                "http://a.test/x;jsessionid=0AC3D1F5E7B98246AC3D1F5E7B982461.node1?a=1",
                "http://a.test/x?a=1",
            ),
            ("http://a.test/x?CFID=12&CFTOKEN=34567", "http://a.test/x"),
            (
                "http://a.test/x?ASPSESSIONIDABCD=GHFKDLSAPQOWIEURYTLAKSJD",
                "http://a.test/x",
            ),
            (
                "http://a.test/x?sid=8c0f1d9e7a6b5c4d3e2f&PHPSESSID=qwertyuiopasdfghjklzxcvbnm&oid=1",
                "http://a.test/x?oid=1",
            ),
            ("http://a.test/x;jsessionid=ABC", "http://a.test/x;jsessionid=ABC"),
        ] {
            assert_eq!(cleaned(url), Ok(wanted.to_owned()));
        }
        // Stories, areas of a site, slugs, dates, lectures, numbers.
        for query in [
            "sid=1",
            "session_id=12",
            "sid=how-a-house-is-built",
            "sid=how-a-house-is-built-in-30-days-2024",
            "sid=howahouseisbuiltin30days2024",
            "sid=2024-01-15-new-council-housing-plan-approved",
            "sid=2024-01-15T12:00:00Z",
            "sid=2024011512000000123",
            "session_id=550e8400-e29b-41d4-a716-446655440000",
            "session=8c0f1d9e7a6b5c4d3e2f1a0b9c8d7e6f",
        ] {
            let url = format!("http://a.test/x?{query}");
            assert_eq!(cleaned(&url), Ok(url));
        }
        assert_eq!(cleaned("mailto:a@b.test"), Err(NotFollowed::NoPage));
        for url in ["http://a.test/p.JPG", "http://a.test/x/app.js?v=2"] {
            assert_eq!(cleaned(url), Err(NotFollowed::File), "{url}");
        }
        let deep = format!("http://a.test/{}", "d/".repeat(5));
        let long = format!("http://a.test/{}", "x".repeat(3_000));
        // No pattern is asked of a name of any length, that of a picture neither.
        let picture = format!("http://a.test/{}.jpg", "%C3".repeat(3_000));
        for url in [deep.as_str(), long.as_str(), picture.as_str()] {
            assert_eq!(cleaned(url), Err(NotFollowed::Endless));
        }
    }

    #[test]
    fn an_index_file_is_named_apart_from_its_folder() {
        let of = |url: &str| key(&url.parse().unwrap());
        assert_eq!(of("http://www.a.test/docs"), of("https://a.test/docs/"));
        assert_ne!(of("http://a.test/docs/"), of("http://a.test/docs/index.html"));
        assert_ne!(
            of("http://a.test/docs/index.php"),
            of("http://a.test/docs/index.html")
        );
    }

    #[test]
    fn calendars_and_filters_are_series_and_articles_are_not() {
        let of = |url: &str| series(&url.parse().unwrap());
        for (one, other) in [
            ("http://a.test/cal/2026/01", "http://a.test/cal/2031/12"),
            ("http://a.test/cal/2026-01-02", "http://a.test/cal/2027-09-09"),
            ("http://a.test/cal?month=1", "http://a.test/cal?month=2"),
            (
                "http://a.test/shop?a=1&b=2&c=3",
                "http://a.test/shop?c=9&a=2&x=3&y=4",
            ),
        ] {
            assert!(of(one).is_some() && of(one) == of(other), "{one} {other}");
        }
        for url in [
            "http://a.test/2026/01/02/a-story",
            "http://a.test/product/12345",
            "http://a.test/page?id=7",
            "http://a.test/topic?f=7&t=12",
            "http://a.test/2026",
        ] {
            assert_eq!(of(url), None, "{url}");
        }
    }
}
