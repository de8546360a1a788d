//! Where the links of a page lead: a page of a shop leads to products, a page of a manual to other parts of the manual.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use foldhash::fast::RandomState;
use page::Page;

use super::words::{HOSTS, PATHS};
use crate::rules::addresses::destination;

/// Most links of a page that are read.
const MOST_LINKS: usize = 3_000;

/// Hyphens and underscores from which the last part of a path is the title of a text.
const TITLE_MARKS: usize = 4;

/// The groups that a word is in, one bit each.
type GroupsByWord = HashMap<&'static str, u32, RandomState>;

static PATH_GROUPS: LazyLock<GroupsByWord> = LazyLock::new(|| groups_by_word(PATHS));
static HOST_GROUPS: LazyLock<GroupsByWord> = LazyLock::new(|| groups_by_word(HOSTS));

fn groups_by_word(groups: &'static [&'static str]) -> GroupsByWord {
    let mut by_word = GroupsByWord::default();
    for (bit, words) in groups.iter().enumerate() {
        for word in words.split(' ') {
            *by_word.entry(word).or_default() |= 1 << bit;
        }
    }
    by_word
}

/// The groups of a word, in whatever case it is written.
fn groups_of(by_word: &GroupsByWord, word: &str) -> u32 {
    let is_lower = !word.bytes().any(|byte| byte.is_ascii_uppercase());
    let found = match is_lower {
        true => by_word.get(word),
        false => by_word.get(word.to_ascii_lowercase().as_str()),
    };
    found.copied().unwrap_or_default()
}

/// Adds one to the sum of each group whose bit is set.
fn add(sums: &mut [f32], groups: u32) {
    for (bit, sum) in sums.iter_mut().enumerate() {
        *sum += f32::from(u8::from(groups >> bit & 1 == 1));
    }
}

/// The shares of the links that lead to each sort of place, always in the same order.
pub(super) fn read(page: &Page) -> Vec<f32> {
    let hrefs: HashSet<&str, RandomState> = page
        .dom()
        .by_tag("a")
        .filter_map(|link| link.attr("href"))
        .filter_map(destination)
        .take(MOST_LINKS)
        .collect();
    let (mut paths, mut hosts) = ([0.0f32; PATHS.len()], [0.0f32; HOSTS.len()]);
    let (mut dated, mut titled, mut asking) = (0.0f32, 0.0f32, 0.0f32);
    for href in &hrefs {
        let (host, path, has_query) = split(href);
        let (mut groups, mut is_dated, mut marks) = (0, false, 0);
        for part in path.split('/').filter(|part| !part.is_empty()) {
            let name = part.split('.').next().unwrap_or(part);
            groups |= groups_of(&PATH_GROUPS, name);
            is_dated |= is_year(name);
            marks = name.matches(['-', '_']).count();
        }
        add(&mut paths, groups);
        let labels = host.split('.').map(|label| groups_of(&HOST_GROUPS, label));
        add(&mut hosts, labels.fold(0, |all, groups| all | groups));
        dated += f32::from(u8::from(is_dated));
        titled += f32::from(u8::from(marks >= TITLE_MARKS));
        asking += f32::from(u8::from(has_query));
    }
    let many = hrefs.len().max(1) as f32;
    // A sort that half of the links lead to is as plain as it gets: the rest are those of every page of a site.
    let sorts = paths.iter().chain(&hosts).map(|sum| (sum / many * 2.0).min(1.0));
    let others = [dated, titled, asking].map(|sum| sum / many);
    let number = (hrefs.len() as f32).ln_1p() / 6.0;
    sorts.chain(others).chain([number]).collect()
}

/// Whether one of the tokens is the word.
pub(super) fn holds(tokens: &str, word: &str) -> bool {
    tokens.split(' ').any(|token| token == word)
}

/// Whether a part of a path is a year of this century.
pub(super) fn is_year(part: &str) -> bool {
    part.len() == 4 && part.starts_with("20") && part.bytes().all(|byte| byte.is_ascii_digit())
}

/// The host, the path, and whether there is a query; of an address relative to its page the host is empty.
fn split(href: &str) -> (&str, &str, bool) {
    let (address, query) = href
        .split_once('?')
        .map_or((href, ""), |(address, query)| (address, query));
    let remote = address
        .split_once("://")
        .map(|(_, rest)| rest)
        .or_else(|| address.strip_prefix("//"));
    let (host, path) = match remote {
        Some(rest) => rest.find('/').map_or((rest, ""), |at| rest.split_at(at)),
        None => ("", address),
    };
    (host, path, !query.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_taken_apart() {
        assert_eq!(
            split("https://docs.example.com/a/b?x=1"),
            ("docs.example.com", "/a/b", true)
        );
        assert_eq!(split("//example.com"), ("example.com", "", false));
        assert_eq!(split("../b.html"), ("", "../b.html", false));
    }
}
