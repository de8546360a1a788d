//! Links between the Markdown files of the repository: the file and the heading that each names have to exist.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;

use crate::shell;

/// Reports every broken link on stderr; an error when there is one.
pub(crate) fn run() -> anyhow::Result<()> {
    let listed = shell::read(
        "git",
        &["ls-files", "--cached", "--others", "--exclude-standard", "*.md"],
    )?;
    let files: Vec<PathBuf> = listed
        .lines()
        .map(PathBuf::from)
        .filter(|file| file.is_file())
        .collect();
    let mut broken = Vec::new();
    let mut count = 0;
    for file in &files {
        let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
        for link in links(&text) {
            count += 1;
            if let Some(reason) = fault(file, &text, &link)? {
                broken.push(format!("{}: ({link}): {reason}", file.display()));
            }
        }
    }
    for link in &broken {
        eprintln!("docs: {link}");
    }
    anyhow::ensure!(broken.is_empty(), "{} broken links", broken.len());
    println!("docs: {count} links of {} files lead somewhere", files.len());
    Ok(())
}

/// What is wrong with a link of a file; nothing with one that leaves the repository.
fn fault(file: &Path, text: &str, link: &str) -> anyhow::Result<Option<String>> {
    if link.contains("://") || link.starts_with("mailto:") {
        return Ok(None);
    }
    let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
    let target = match path {
        "" => file.to_path_buf(),
        path => file.parent().unwrap_or(Path::new("")).join(path),
    };
    if !path.is_empty() && !target.exists() {
        return Ok(Some(format!("there is no {}", target.display())));
    }
    if anchor.is_empty() || target.extension() != Some("md".as_ref()) {
        return Ok(None);
    }
    let headings = match path.is_empty() {
        true => anchors(text),
        false => anchors(&fs::read_to_string(&target)?),
    };
    Ok((!headings.contains(anchor)).then(|| format!("{} has no heading #{anchor}", target.display())))
}

/// The lines that are no code, neither fenced nor in backquotes.
fn prose(text: &str) -> impl Iterator<Item = String> {
    let mut is_code = false;
    text.lines().filter_map(move |line| {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
            return None;
        }
        (!is_code).then(|| line.split('`').step_by(2).collect::<Vec<_>>().join("`"))
    })
}

/// The targets of `[text](target)`.
fn links(text: &str) -> Vec<String> {
    let targets = |line: String| -> Vec<String> {
        let ends = line.split("](").skip(1);
        ends.filter_map(|rest| rest.split_once(')').map(|(target, _)| target.trim().to_owned()))
            .collect()
    };
    prose(text).flat_map(targets).collect()
}

/// The anchor of a heading, as GitHub makes it: one that is `taken` already gets a number. It is taken afterwards.
pub(crate) fn anchor(title: &str, taken: &mut BTreeSet<String>) -> String {
    let kept = title
        .trim()
        .chars()
        .filter(|sign| sign.is_alphanumeric() || matches!(sign, ' ' | '-' | '_'));
    let anchor: String = kept
        .flat_map(char::to_lowercase)
        .map(|sign| if sign == ' ' { '-' } else { sign })
        .collect();
    let free = match taken.contains(&anchor) {
        true => (1..)
            .map(|number| format!("{anchor}-{number}"))
            .find(|twin| !taken.contains(twin))
            .unwrap_or_default(),
        false => anchor,
    };
    taken.insert(free.clone());
    free
}

/// The anchors of the headings.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut is_code = false;
    let mut anchors = BTreeSet::new();
    for line in text.lines() {
        is_code ^= line.trim_start().starts_with("```");
        let title = line.trim_start_matches('#');
        if is_code || title.len() == line.len() || !title.starts_with(' ') {
            continue;
        }
        anchor(title, &mut anchors);
    }
    anchors
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_in_code_do_not_count() {
        let text = "See [a](b.md#c) and [d](e).\n```\n[x](y)\n```\n`[v](w)` and [f](#g)";
        assert_eq!(links(text), ["b.md#c", "e", "#g"]);
    }

    #[test]
    fn headings_become_anchors() {
        let found = anchors("# Add a tool, or `two`\n## Errors\n## Errors\n```\n# no heading\n```");
        let expected = ["add-a-tool-or-two", "errors", "errors-1"].map(str::to_owned);
        assert_eq!(found, BTreeSet::from(expected));
    }

    #[test]
    fn a_link_to_a_missing_file_or_heading_is_reported() {
        let (file, text) = (Path::new("README.md"), "# Title");
        assert_eq!(fault(file, text, "https://example.org/x").unwrap(), None);
        assert_eq!(fault(file, text, "#title").unwrap(), None);
        assert_eq!(
            fault(file, text, "#other").unwrap().unwrap(),
            "README.md has no heading #other"
        );
        assert_eq!(
            fault(file, text, "none.md").unwrap().unwrap(),
            "there is no none.md"
        );
    }
}
