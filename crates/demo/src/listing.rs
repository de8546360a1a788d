//! Product lists: search, filters, order and pages.

use crate::ask::DemoRequest;
use crate::goods::Product;

/// The query of a list page.
#[derive(Debug, Clone, Default)]
pub(crate) struct ListQuery {
    /// Words that the name must contain.
    pub(crate) words: Option<String>,
    /// Lowest price, in hundredths.
    pub(crate) min: Option<u64>,
    /// Highest price, in hundredths.
    pub(crate) max: Option<u64>,
    /// `price`, `price-desc`, `name`; else the shop's own order.
    pub(crate) sort: Option<String>,
}

impl ListQuery {
    /// Reads the query by the names of a shop's fields.
    pub(crate) fn read(ask: &DemoRequest, words: &str, min: &str, max: &str) -> ListQuery {
        ListQuery {
            words: ask.get(words).map(str::to_lowercase),
            min: ask.cents(min),
            max: ask.cents(max),
            sort: ask.get("sort").map(str::to_owned),
        }
    }

    /// The matching products, in order.
    pub(crate) fn select(&self, products: Vec<Product>) -> Vec<Product> {
        let matches = |product: &Product| {
            let name = product.name.to_lowercase();
            self.min.is_none_or(|min| product.cents >= min)
                && self.max.is_none_or(|max| product.cents <= max)
                && self
                    .words
                    .as_ref()
                    .is_none_or(|words| words.split_whitespace().all(|word| name.contains(word)))
        };
        let mut selected: Vec<Product> = products.into_iter().filter(matches).collect();
        match self.sort.as_deref() {
            Some("price") => selected.sort_by_key(|product| product.cents),
            Some("price-desc") => selected.sort_by_key(|product| std::cmp::Reverse(product.cents)),
            Some("name") => selected.sort_by(|a, b| a.name.cmp(&b.name)),
            _ => {}
        }
        selected
    }
}

/// One page of a list.
#[derive(Debug)]
pub(crate) struct ListPage<'p> {
    pub(crate) products: &'p [Product],
    pub(crate) page: usize,
    pub(crate) pages: usize,
}

/// The requested page of a list, or, for scripts, `rows` products from `from_row` on.
pub(crate) fn page_of<'p>(ask: &DemoRequest, found: &'p [Product], size: usize) -> ListPage<'p> {
    let pages = found.len().div_ceil(size).max(1);
    let page = ask.page().min(pages);
    let from = ask
        .number("from_row")
        .unwrap_or((page - 1) * size)
        .min(found.len());
    let count = ask.number("rows").unwrap_or(size).min(found.len() - from);
    ListPage {
        products: found.get(from..from + count).unwrap_or_default(),
        page,
        pages,
    }
}

/// Links to the other pages of a list.
pub(crate) fn page_links(ask: &DemoRequest, part: &ListPage<'_>, next: &str) -> String {
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
