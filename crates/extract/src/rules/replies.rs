//! Items of markup in which others answer to a page or judge a thing.

use page::dom::Node;

/// Whether the item of the markup that an element belongs to is a comment, an answer or a review.
pub(super) fn is_of_reply(node: Node<'_>) -> bool {
    const REPLIES: [&str; 5] = ["Comment", "UserComments", "Answer", "Review", "UserReview"];
    let item = node.ancestors().find(|around| around.attr("itemscope").is_some());
    let kind = item.and_then(|item| item.attr("itemtype")).unwrap_or_default();
    kind.split_ascii_whitespace().any(|kind| {
        let name = kind.rsplit(['/', '#']).next().unwrap_or_default();
        REPLIES.contains(&name)
    })
}

/// Whether an element is an opinion of somebody on the thing that the markup describes around it.
pub(super) fn is_opinion(node: Node<'_>) -> bool {
    let of = node.attr("itemprop").unwrap_or_default();
    node.attr("itemscope").is_some()
        && of
            .split_ascii_whitespace()
            .any(|of| matches!(of, "review" | "reviews"))
}

/// Whether the item of the markup that an element belongs to is such an opinion.
pub(super) fn is_in_opinion(node: Node<'_>) -> bool {
    let item = node.ancestors().find(|around| around.attr("itemscope").is_some());
    item.is_some_and(is_opinion)
}
