//! Questions and their answers, as class names and ids call them: who answers has not asked, and the day of an answer is not that of
//! the question.

use page::dom::Node;

/// Whether an element is called a question, or a part of one: `question-header`, `qa_question`.
pub(super) fn is_question(node: Node<'_>) -> bool {
    is_called(node, "question")
}

/// Whether an element is called an answer, or a part of one: `accepted-answer`, `answer_timestamp`.
pub(super) fn is_answer(node: Node<'_>) -> bool {
    is_called(node, "answer")
}

/// Whether one of the words of class and id begins so. What is named so in the class of a whole page tells of its kind.
fn is_called(node: Node<'_>, word: &str) -> bool {
    let begins = |part: &str| {
        let start = part.get(..word.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(word))
    };
    // Few names have the first letter of "question".
    let first = word.bytes().next().unwrap_or_default();
    let may_be = |name: &str| name.bytes().any(|byte| byte.eq_ignore_ascii_case(&first));
    let is_named = |name: &str| may_be(name) && name.split(|c: char| !c.is_ascii_alphabetic()).any(begins);
    !matches!(node.tag(), "body" | "html") && (is_named(node.class()) || is_named(node.id_attr()))
}
