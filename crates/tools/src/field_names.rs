//! Names of fields that mean the same.

/// Names that mean the same field, each group in no order.
const SYNONYMS: [&[&str]; 12] = [
    &["name", "title", "product", "headline"],
    &["url", "link", "href", "permalink", "address"],
    &["price", "cost", "amount"],
    &["points", "score", "votes", "upvotes"],
    &["author", "user", "by"],
    &["comments", "comment_count", "num_comments"],
    &["image", "picture", "img"],
    &["rating", "stars", "rating_value", "score"],
    &["reviews", "review_count", "ratings_count", "num_reviews", "rating_count"],
    &["date", "published", "date_published", "published_at", "time", "age", "created"],
    &["availability", "stock", "in_stock"],
    &["old_price", "list_price", "regular_price", "previous_price", "was_price"],
];

/// The field of rows that a name means: the name itself, apart from case, blanks and a plural `s`, or a synonym.
pub fn resolve_field<'n>(name: &str, fields: &'n [String]) -> Option<&'n str> {
    let wanted = fold(name);
    let exact = fields.iter().find(|field| fold(field) == wanted);
    let synonyms = SYNONYMS
        .iter()
        .filter(|group| group.contains(&wanted.as_str()))
        .flat_map(|group| group.iter().copied());
    exact
        .or_else(|| {
            let synonyms: Vec<&str> = synonyms.collect();
            fields.iter().find(|field| synonyms.contains(&fold(field).as_str()))
        })
        .map(String::as_str)
}

fn fold(name: &str) -> String {
    let lower = name.trim().to_lowercase().replace([' ', '-'], "_");
    let single = lower
        .strip_suffix('s')
        .filter(|name| SYNONYMS.iter().any(|group| group.contains(name)));
    single.unwrap_or(&lower).to_owned()
}
