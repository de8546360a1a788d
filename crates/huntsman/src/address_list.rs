//! Lists of addresses: those of the command line and those of files and stdin.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::path::PathBuf;

use url::Url;

use crate::failure::Failure;

/// Most addresses of one command that waits for all of its pages.
const MOST: usize = 10_000;
/// Most bytes of one list.
const MOST_BYTES: u64 = 64 << 20;

/// The addresses, each once, in their order; otherwise as [`read_all`].
///
/// # Errors
/// As [`read_all`]; at most 10,000 addresses are taken.
pub(crate) fn read(typed: &[String], files: &[String]) -> Result<Vec<String>, Failure> {
    let mut seen = HashSet::new();
    let mut addresses = listed(typed, files)?;
    addresses.retain(|address| seen.insert(address.clone()));
    bounded(addresses, MOST)
}

/// The addresses in their order. `-` among those typed, and as the name of a file, is stdin. Of a list every line is an
/// address; blank lines and lines that begin with `#` are left out.
///
/// # Errors
/// When a list cannot be read, is no text or names no address, or there are more than `most`.
pub(crate) fn read_all(typed: &[String], files: &[String], most: usize) -> Result<Vec<String>, Failure> {
    bounded(listed(typed, files)?, most)
}

fn bounded(addresses: Vec<String>, most: usize) -> Result<Vec<String>, Failure> {
    match addresses.len() {
        count if count > most => {
            let advice = match most {
                MOST => {
                    "read it with `huntsman batch`, which can be interrupted and resumed, or split the list"
                }
                _ => "split the list",
            };
            Err(Failure::usage(format!(
                "{count} addresses are more than the {most} of one command; {advice}"
            )))
        }
        _ => Ok(addresses),
    }
}

fn listed(typed: &[String], files: &[String]) -> Result<Vec<String>, Failure> {
    let from_stdin = typed.iter().chain(files).filter(|word| *word == "-").count();
    if from_stdin > 1 {
        return Err(Failure::usage("- is given twice, and stdin can be read once"));
    }
    let mut addresses = Vec::new();
    for word in typed {
        match word.as_str() {
            "-" => addresses.extend(list("-")?),
            word => addresses.push(web_address(word)?.to_owned()),
        }
    }
    for file in files {
        addresses.extend(list(file)?);
    }
    Ok(addresses)
}

/// Endings of files that people give where an address is wanted. A host could have the name of any other file.
const FILE_ENDINGS: [&str; 10] = [
    "html", "htm", "xhtml", "txt", "csv", "json", "jsonl", "xml", "pdf", "md",
];

/// What was typed as an address, unless it is blank or a file of this machine.
pub(crate) fn web_address(typed: &str) -> Result<&str, Failure> {
    if typed.trim().is_empty() {
        return Err(Failure::usage(
            "an address is blank; give one such as https://example.org/page",
        ));
    }
    let path = match Url::parse(typed) {
        Ok(url) if url.scheme() == "file" => url.to_file_path().unwrap_or_default(),
        _ => PathBuf::from(typed),
    };
    let ending = path.extension().and_then(OsStr::to_str).unwrap_or_default();
    let looks_like_file = path.is_absolute()
        || typed.starts_with('.')
        || FILE_ENDINGS.contains(&ending.to_ascii_lowercase().as_str());
    if looks_like_file && path.is_file() {
        let shown = path.display();
        return Err(Failure::usage(format!(
            "{shown} is a file of this machine; `huntsman extract {shown}` reads its HTML, and `--input {shown}` of \
             `huntsman scrape` and `huntsman batch` the addresses in it"
        )));
    }
    Ok(typed)
}

fn list(name: &str) -> Result<Vec<String>, Failure> {
    let shown = if name == "-" { "stdin" } else { name };
    let refused = |why: String| Failure::usage(format!("--input: {shown}: {why}"));
    if name.contains("://") {
        return Err(refused("is an address; give it without --input".to_owned()));
    }
    let reader: Box<dyn Read> = match name {
        "-" => Box::new(std::io::stdin().lock()),
        path => Box::new(File::open(path).map_err(|error| refused(format!("cannot be read: {error}")))?),
    };
    let mut bytes = Vec::new();
    let read = reader.take(MOST_BYTES + 1).read_to_end(&mut bytes);
    read.map_err(|error| refused(format!("cannot be read: {error}")))?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(refused(format!(
            "has more than {MOST_BYTES} bytes; split the list"
        )));
    }
    let text = String::from_utf8(bytes).map_err(|_| refused("is no text in UTF-8".to_owned()))?;
    let lines = text.trim_start_matches('\u{feff}').lines().map(str::trim);
    let addresses: Vec<String> = lines
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(str::to_owned)
        .collect();
    match addresses.first() {
        None => Err(refused("names no address; write one on each line".to_owned())),
        Some(first) if first.starts_with('<') => Err(refused(
            "is HTML and no list of addresses; `huntsman extract` reads HTML from a file or stdin".to_owned(),
        )),
        Some(_) => Ok(addresses),
    }
}
