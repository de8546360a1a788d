//! The pages a site names itself: site maps and indexes of them (sitemaps.org), within limits.

use std::collections::{HashSet, VecDeque};
use std::io::Read;

use net::{Client, Limits, Oversize, Request};
use url::Url;

use crate::error::Error;

/// Bounds of one reading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MapLimits {
    /// Most files fetched.
    pub files: usize,
    /// How far an index may lead to further indexes; the first file is at one.
    pub depth: usize,
    /// Most pages.
    pub pages: usize,
    /// Most bytes of one file once it is unpacked.
    pub bytes: usize,
}

impl Default for MapLimits {
    fn default() -> Self {
        MapLimits {
            files: 50,
            depth: 3,
            pages: 50_000,
            bytes: 16 << 20,
        }
    }
}

/// What the site maps said.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SiteMap {
    /// The pages, each once, in the order they were named.
    pub pages: Vec<MapPage>,
    /// Files fetched.
    pub files: usize,
    /// Files that could not be fetched.
    pub failed: usize,
    /// Whether a limit left something out.
    pub truncated: bool,
}

/// A page of a site map.
#[derive(Debug, Clone, PartialEq)]
pub struct MapPage {
    /// Its address.
    pub url: Url,
    /// When it changed last, as written.
    pub modified: Option<String>,
}

/// Reads site maps, each file once. `like` says how they are asked for (cancel token, robots mode, jar). A
/// file that fails is counted and skipped, unless it is refused or the only one.
pub async fn read(
    client: &Client,
    starts: &[Url],
    like: &Request,
    limits: &MapLimits,
) -> Result<SiteMap, Error> {
    let mut map = SiteMap::default();
    let mut known: HashSet<Url> = starts.iter().cloned().collect();
    let mut pages = HashSet::new();
    let mut waiting: VecDeque<(Url, usize)> = starts.iter().map(|url| (url.clone(), 1)).collect();
    while let Some((url, depth)) = waiting.pop_front() {
        if map.files >= limits.files || map.pages.len() >= limits.pages {
            map.truncated = true;
            break;
        }
        map.files += 1;
        let (file, cut) = match fetch(client, &url, like, limits).await {
            Ok(file) => file,
            Err(why @ (net::Error::Cancelled | net::Error::Blocked(_))) => return Err(why.into()),
            Err(why) if starts.len() == 1 && depth == 1 => return Err(why.into()),
            Err(_) => {
                map.failed += 1;
                continue;
            }
        };
        map.truncated |= cut;
        let (inner, listed) = parse(&file);
        for text in inner {
            let Ok(next) = url.join(&text) else { continue };
            if depth >= limits.depth {
                map.truncated = true;
            } else if waiting.len() < limits.files && known.insert(next.clone()) {
                waiting.push_back((next, depth + 1));
            }
        }
        for (text, modified) in listed {
            let Ok(page) = url.join(&text) else { continue };
            if map.pages.len() >= limits.pages {
                map.truncated = true;
                break;
            }
            if matches!(page.scheme(), "http" | "https") && pages.insert(page.clone()) {
                map.pages.push(MapPage { url: page, modified });
            }
        }
    }
    Ok(map)
}

async fn fetch(
    client: &Client,
    url: &Url,
    like: &Request,
    limits: &MapLimits,
) -> Result<(String, bool), net::Error> {
    let bounds = like.limits.clone().unwrap_or_else(|| client.limits().clone());
    let request = Request {
        url: url.clone(),
        // What was granted for one host is granted for no other.
        granted: like.granted && like.url.host() == url.host(),
        limits: Some(Limits {
            body_bytes: limits.bytes,
            oversize: Oversize::Cut,
            ..bounds
        }),
        ..like.clone()
    };
    let answer = client.fetch(request).await?.accepted()?;
    // Files named .xml.gz are packed as files, which no header undoes.
    if answer.body.starts_with(&[0x1f, 0x8b]) {
        return Ok(unpack(&answer.body, limits.bytes));
    }
    Ok((
        String::from_utf8_lossy(&answer.body).into_owned(),
        answer.truncated,
    ))
}

/// Unpacks as far as it goes and no further than `most` bytes.
fn unpack(packed: &[u8], most: usize) -> (String, bool) {
    let mut plain = Vec::new();
    let whole = flate2::read::MultiGzDecoder::new(packed)
        .take(most as u64 + 1)
        .read_to_end(&mut plain);
    let cut = whole.is_err() || plain.len() > most;
    plain.truncate(most);
    (String::from_utf8_lossy(&plain).into_owned(), cut)
}

/// An address as the file has it, and when it changed.
type Listed = (String, Option<String>);

/// The further maps an index names, and the pages a map names. Many site maps are not correct XML, so this
/// looks for the two elements that matter and for nothing else.
fn parse(file: &str) -> (Vec<String>, Vec<Listed>) {
    let text = file.trim_start_matches('\u{feff}').trim_start();
    if !text.starts_with('<') {
        let lines = text
            .lines()
            .map(str::trim)
            .filter(|line| line.starts_with("http"));
        return (Vec::new(), lines.map(|line| (line.to_owned(), None)).collect());
    }
    let is_index = text.contains("<sitemapindex");
    let (mut maps, mut pages) = (Vec::new(), Vec::new());
    let mut rest = text;
    while let Some((address, after)) = element(rest, "loc") {
        // What belongs to this address ends where the next one begins.
        let until = after.find("<loc>").unwrap_or(after.len());
        let modified = element(after.get(..until).unwrap_or_default(), "lastmod").map(|(date, _)| date);
        match is_index {
            true => maps.push(address),
            false => pages.push((address, modified)),
        }
        rest = after;
    }
    (maps, pages)
}

/// The content of the next element of this name, and what comes after it.
fn element<'a>(text: &'a str, name: &str) -> Option<(String, &'a str)> {
    let open = format!("<{name}>");
    let start = text.find(&open)? + open.len();
    let inner = text.get(start..)?;
    let end = inner.find(&format!("</{name}>"))?;
    let content = inner.get(..end)?.trim();
    let content = content
        .strip_prefix("<![CDATA[")
        .and_then(|it| it.strip_suffix("]]>"))
        .map(str::trim)
        .unwrap_or(content);
    let plain = content
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&apos;", "'")
        .replace("&#38;", "&")
        .replace("&amp;", "&");
    Some((plain, inner.get(end..)?))
}

#[cfg(test)]
mod tests;
