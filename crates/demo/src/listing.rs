//! Which products a list page shows: searched, filtered, sorted and cut into pages.

use crate::ask::Ask;
use crate::goods::Product;

/// What a list page was asked for.
#[derive(Debug, Clone, Default)]
pub(crate) struct Wish {
    /// Words that the name must contain.
    pub(crate) words: Option<String>,
    /// Lowest price, in hundredths.
    pub(crate) min: Option<u64>,
    /// Highest price, in hundredths.
    pub(crate) max: Option<u64>,
    /// `price`, `price-desc`, `name`; the shop's own order else.
    pub(crate) sort: Option<String>,
}

impl Wish {
    /// Reads a wish from the names of a shop's fields.
    pub(crate) fn of(ask: &Ask, words: &str, min: &str, max: &str) -> Wish {
        Wish {
            words: ask.get(words).map(str::to_lowercase),
            min: ask.cents(min),
            max: ask.cents(max),
            sort: ask.get("sort").map(str::to_owned),
        }
    }

    /// The products that fit, in order.
    pub(crate) fn of_all(&self, products: Vec<Product>) -> Vec<Product> {
        let fits = |it: &Product| {
            let name = it.name.to_lowercase();
            self.min.is_none_or(|min| it.cents >= min)
                && self.max.is_none_or(|max| it.cents <= max)
                && self
                    .words
                    .as_ref()
                    .is_none_or(|words| words.split_whitespace().all(|word| name.contains(word)))
        };
        let mut found: Vec<Product> = products.into_iter().filter(fits).collect();
        match self.sort.as_deref() {
            Some("price") => found.sort_by_key(|it| it.cents),
            Some("price-desc") => found.sort_by_key(|it| std::cmp::Reverse(it.cents)),
            Some("name") => found.sort_by(|a, b| a.name.cmp(&b.name)),
            _ => {}
        }
        found
    }
}

/// One part of a list.
#[derive(Debug)]
pub(crate) struct Part<'p> {
    pub(crate) products: &'p [Product],
    pub(crate) page: usize,
    pub(crate) pages: usize,
}

/// The page of a list that was asked for, or, for scripts, the part `from`..`from + count`.
pub(crate) fn part<'p>(ask: &Ask, found: &'p [Product], size: usize) -> Part<'p> {
    let pages = found.len().div_ceil(size).max(1);
    let page = ask.page().min(pages);
    let from = ask
        .number("from_row")
        .unwrap_or((page - 1) * size)
        .min(found.len());
    let count = ask.number("rows").unwrap_or(size).min(found.len() - from);
    Part {
        products: found.get(from..from + count).unwrap_or_default(),
        page,
        pages,
    }
}

/// Links to the other pages of a list.
pub(crate) fn numbers(ask: &Ask, part: &Part<'_>, next: &str) -> String {
    let number = |page: usize| match page == part.page {
        true => format!("<span class=\"pagination__current\">{page}</span>"),
        false => format!(
            "<a href=\"{}\">{page}</a>",
            crate::html::escape(&ask.with("page", &page.to_string()))
        ),
    };
    let mut links: String = (1..=part.pages).map(number).collect();
    if part.page < part.pages {
        let address = ask.with("page", &(part.page + 1).to_string());
        links.push_str(&format!(
            "<a rel=\"next\" href=\"{}\">{next}</a>",
            crate::html::escape(&address)
        ));
    }
    links
}
