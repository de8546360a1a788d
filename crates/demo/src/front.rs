//! The front page: links to all pages.

use crate::ask::DemoResponse;

const SECTIONS: &[(&str, &[&str])] = &[
    (
        "Shops",
        &[
            "/ceneo/Promocje",
            "/ceneo/Odkurzacze",
            "/ceneo/Odkurzacze?view=boxes",
            "/ceneo/Odkurzacze?view=grid",
            "/ceneo-js/Promocje",
            "/amazon/s?k=kettle",
            "/amazon-js/s?k=kettle",
            "/shop/plain",
            "/shop/jsonld",
            "/shop/microdata",
            "/shop-js/plain",
        ],
    ),
    (
        "News",
        &[
            "/hn/news",
            "/hn/old",
            "/reddit/old/r/demo",
            "/reddit/new/r/demo",
            "/reddit/new-js/r/demo",
            "/reddit/r/demo.json",
        ],
    ),
    (
        "Price filters",
        &[
            "/filters/labels",
            "/filters/range",
            "/filters/links",
            "/filters/js",
            "/filters/slider",
        ],
    ),
    (
        "Search",
        &["/forms/search/plain", "/forms/search/label", "/forms/search/js"],
    ),
    (
        "Dates",
        &[
            "/forms/date/native",
            "/forms/date/iso",
            "/forms/date/european",
            "/forms/date/american",
            "/forms/date/links",
            "/forms/date/calendar",
        ],
    ),
    (
        "Dropdowns",
        &[
            "/forms/select/native",
            "/forms/select/list",
            "/forms/select/listbox",
            "/forms/select/combobox",
        ],
    ),
    (
        "Pagination",
        &[
            "/pages/next",
            "/pages/numbered",
            "/pages/param?page=1",
            "/pages/more",
            "/pages/next-js",
            "/pages/numbered-js",
            "/pages/more-js",
            "/pages/scroll-js",
        ],
    ),
    ("Categories", &["/tree/", "/tree/details", "/tree/js"]),
    ("Tables", &["/tables"]),
    ("Login", &["/account/login", "/account/theme"]),
];

/// `/`.
pub(crate) fn page() -> DemoResponse {
    let mut content = "<h1>Demo site</h1>".to_owned();
    for (name, addresses) in SECTIONS {
        content.push_str(&format!("<h2>{name}</h2><ul>"));
        for address in *addresses {
            content.push_str(&format!("<li><a href=\"{address}\">{address}</a></li>"));
        }
        content.push_str("</ul>");
    }
    DemoResponse::page("Demo site", &content)
}

/// Every address on the front page.
#[cfg(test)]
pub(crate) fn addresses() -> impl Iterator<Item = &'static str> {
    SECTIONS.iter().flat_map(|section| section.1.iter().copied())
}
