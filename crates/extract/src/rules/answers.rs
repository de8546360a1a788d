//! Questions and their answers, as class names and ids call them: who answers has not asked, and the day of an answer is not that of
//! the question.

use page::dom::Node;

/// Whether an element is called a question, or a part of one: `question-header`, `qa_question`.
pub(super) fn is_question(node: Node<'_>) -> bool {
    !is_whole_page(node) && names_question(node)
}

/// Whether the names of an element are those of a question, whatever the element.
pub(super) fn names_question(node: Node<'_>) -> bool {
    is_named(node, "question")
}

/// Whether an element holds the whole page: what is named in its class tells of the kind of the page.
pub(super) fn is_whole_page(node: Node<'_>) -> bool {
    matches!(node.tag(), "body" | "html")
}

/// Whether an element is called an answer, or a part of one: `accepted-answer`, `answer_timestamp`.
pub(super) fn is_answer(node: Node<'_>) -> bool {
    !is_whole_page(node) && is_named(node, "answer")
}

/// Whether one of the words of class and id begins so.
fn is_named(node: Node<'_>, word: &str) -> bool {
    let begins = |part: &str| {
        let start = part.get(..word.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(word))
    };
    // Few names have the first letter of "question".
    let first = word.bytes().next().unwrap_or_default();
    let may_be = |name: &str| name.bytes().any(|byte| byte.eq_ignore_ascii_case(&first));
    let begins_so = |name: &str| may_be(name) && name.split(|c: char| !c.is_ascii_alphabetic()).any(begins);
    begins_so(node.class()) || begins_so(node.id_attr())
}
