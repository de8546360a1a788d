//! Threads: posts of several people below each other, with a line that counts the replies.

use std::collections::HashMap;

use page::dom::{Node, NodeId};

use super::comments::is_in_comments;
use super::element_source::element_source;
use super::records::RecordGroup;
use super::rows::{ListReader, Row};
use super::visible_page::VisiblePage;
use super::vocabulary::{class_bit, class_bits};
use crate::provenance::Sourced;

/// Fewest posts of a thread.
const POSTS: usize = 3;
/// Most elements of a post among which its author is looked for.
const MOST_ELEMENTS: usize = 60;
/// The share of the text of a page that its thread has at least, in tenths: a list of threads at the side has less.
const MOST_OF_PAGE: usize = 5;
/// Longest line that counts replies, in bytes.
const LONGEST_COUNT: usize = 40;

locale::patterns! {
    /// A time of day.
    static TIME = r"\b(?:[01]?\d|2[0-3])[:.][0-5]\d\b";
    /// A line that counts replies and says nothing else, "76 Replies": below an article stands what they reply to.
    static REPLIES = r"(?i)^\(?\d{1,3}(?:[.,\s]?\d{3})*\)?\s*(?:repl(?:y|ies)|responses?|antwort(?:en)?|réponses?|respuestas?|respostas?|rispost[ae]|reacties?|odpowiedzi|odpowied[źz]|odpověd[ií]|odpovede|ответ(?:а|ов)?|відповід(?:ь|і|ей)|svar|vastausta|yanıt|válasz|件の返信|条回复|則回覆)$|^(?:replies|responses|antworten|réponses|respuestas|respostas|risposte|reacties|odpowiedzi|ответов)\s*[:(]\s*\d{1,6}\s*\)?$";
}

/// Whether the page is a thread: most of its text stands in siblings that are called posts and name their authors, and one line
/// counts the replies.
pub(super) fn is_thread(view: &VisiblePage<'_>) -> bool {
    let mut counts = view.lines.iter().filter(|line| {
        let text = view.lines.line_text(line).trim();
        text.len() <= LONGEST_COUNT && REPLIES.is_match(text)
    });
    counts.next().is_some() && counts.next().is_none() && has_posts(view)
}

/// The share of the text of a page that the records of a thread have at least, in tenths.
const POSTS_OF_PAGE: usize = 4;
/// Bytes that the longer half of the posts of a thread have at least each.
const USUAL_POST: usize = 80;

/// Whether the entries of a list are the posts of a thread.
pub(crate) fn are_posts(view: &VisiblePage<'_>, list: &ListReader<'_, '_>) -> bool {
    posts(view, list).is_some()
}

/// The entries of a list where they are the posts of a thread: nearly all of them give a time of day, many who wrote, none is older
/// than the one before, and they make up much of the page. News and entries of a blog begin with the latest.
fn posts(view: &VisiblePage<'_>, list: &ListReader<'_, '_>) -> Option<Vec<Row>> {
    // Lists take long to find, and most articles give no times.
    let lines = view.lines.iter().map(|line| view.lines.line_text(line));
    if lines.flat_map(|line| TIME.find_iter(line)).take(POSTS).count() < POSTS {
        return None;
    }
    let group = list.best_group().filter(|group| hold_the_page(view, group))?;
    let most_of = |count: usize| count >= POSTS && count * 4 >= group.records.len() * 3;
    let timed = group.records.iter().filter(|record| TIME.is_match(&record.text));
    if !most_of(timed.count()) {
        return None;
    }
    let rows = list.rows();
    let signed = rows.iter().filter(|row| row.author.is_some());
    let times: Vec<&str> = rows
        .iter()
        .filter_map(|row| row.date.as_deref().filter(|date| date.contains('T')))
        .collect();
    let are_posts = most_of(times.len())
        && signed.count() * 2 >= rows.len()
        && times.first() != times.last()
        && times.windows(2).all(|pair| pair.first() <= pair.get(1));
    are_posts.then_some(rows)
}

/// Who wrote the first of the posts that are the entries of a list.
pub(crate) fn first_author(view: &VisiblePage<'_>, list: &ListReader<'_, '_>) -> Option<Sourced<String>> {
    let author = posts(view, list)?.into_iter().next()?.author?;
    let root = list.best_group()?.records.first()?.roots.first()?;
    Some(Sourced::new(author, element_source(view.dom().node(*root))))
}

/// Whether records are long, make up much of the page, and are no comments on it.
fn hold_the_page(view: &VisiblePage<'_>, group: &RecordGroup) -> bool {
    let mut lengths: Vec<usize> = group.records.iter().map(|record| record.text.len()).collect();
    lengths.sort_unstable();
    let held: usize = lengths.iter().sum();
    let usual = lengths.get(lengths.len() / 2).copied().unwrap_or_default();
    let mut roots = group.records.iter().flat_map(|record| &record.roots);
    usual >= USUAL_POST
        && held * 10 >= view.lines.text().len() * POSTS_OF_PAGE
        && !roots.any(|root| is_in_comments(view, view.dom().node(*root)))
}

fn has_posts(view: &VisiblePage<'_>) -> bool {
    let all = view.lines.text().len();
    let mut groups: HashMap<(NodeId, &str), Vec<Node<'_>>> = HashMap::new();
    for node in view.dom().nodes().filter(|node| node.is_element()) {
        let Some(class) = node.classes().next().filter(|_| is_post(node)) else {
            continue;
        };
        if let Some(parent) = node.parent() {
            groups.entry((parent.id(), class)).or_default().push(node);
        }
    }
    groups.into_values().any(|posts| {
        let is_own = |post: &Node<'_>| names_author(*post) && !is_in_comments(view, *post);
        let length: usize = posts.iter().map(|post| post.text().len()).sum();
        posts.len() >= POSTS && length * 10 >= all * MOST_OF_PAGE && posts.iter().all(is_own)
    })
}

/// Whether class names call an element a post of a thread.
fn is_post(node: Node<'_>) -> bool {
    let bits = class_bits(node.class());
    bits & class_bit("thread") != 0 && bits & class_bit("comment") == 0
}

/// Whether an element in a post is called its author.
fn names_author(post: Node<'_>) -> bool {
    let elements = post.descendants().filter(|node| node.is_element());
    elements.take(MOST_ELEMENTS).any(|node| {
        let is_name = |class: &str| {
            let class = class.to_ascii_lowercase();
            AUTHORS.iter().any(|word| class.contains(word))
        };
        node.classes().any(is_name) && !node.text().trim().is_empty()
    })
}

/// Parts of class names of the author of a post.
const AUTHORS: [&str; 5] = ["author", "username", "user-name", "poster", "creator"];

#[cfg(test)]
mod tests {
    use super::*;
    use page::Page;

    fn is_thread_of(posts: &str, count: &str) -> bool {
        let html = format!("<h1>Which glue for oak?</h1><h2>{count}</h2><div>{posts}</div>");
        is_thread(&VisiblePage::of(&Page::new(&html, None)))
    }

    fn posts(class: &str) -> String {
        let post = |name: &str| {
            format!(
                "<div class='{class}'><span class=post-author>{name}</span><p>Hide glue holds well in a dry room.</p></div>"
            )
        };
        ["Ann", "Bob", "Cid"].map(post).concat()
    }

    #[test]
    fn posts_with_authors_and_a_count_of_replies_are_a_thread() {
        assert!(is_thread_of(&posts("forum-post"), "2 Replies"));
        assert!(is_thread_of(&posts("topic-reply"), "Antworten: 2"));
    }

    #[test]
    fn comments_below_an_article_are_no_thread() {
        assert!(!is_thread_of(&posts("comment"), "2 Replies"));
        assert!(!is_thread_of(
            &posts("forum-post"),
            "2 replies to “Which glue for oak?”"
        ));
        let nested = format!("<section id=comments>{}</section>", posts("reply"));
        assert!(!is_thread_of(&nested, "2 Replies"));
        let long = format!(
            "{}{}",
            "<p>Oak is a heavy wood that takes glue well.</p>".repeat(20),
            posts("forum-post")
        );
        assert!(!is_thread_of(&long, "2 Replies"));
    }
}
