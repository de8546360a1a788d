//! Every tool of the shop kind on every variant of the fixture site, on every engine: what passes and what is refused.

use demo::goods::{self, CATEGORIES, Language, Product};
use demo::{posts, stays};
use page::Page;
use page::dom::Selector;
use serde_json::{Map, Value, json};
use testkit::TestSite;
use tools::{Grant, Registry, ToolContext, ToolServices};
use url::Url;

/// What has to come of a call: what its output says, and what the page shows afterwards.
type Truth = fn(&Value, &Page) -> Result<(), String>;

/// One tool on one page.
pub(crate) struct Row {
    pub(crate) tool: &'static str,
    pub(crate) variant: &'static str,
    pub(crate) path: &'static str,
    parameters: Value,
    /// Whether the page works without scripts.
    plain: bool,
    truth: Truth,
}

fn row(
    tool: &'static str,
    variant: &'static str,
    path: &'static str,
    parameters: Value,
    plain: bool,
    truth: Truth,
) -> Row {
    Row {
        tool,
        variant,
        path,
        parameters,
        plain,
        truth,
    }
}

fn same<T: PartialEq + std::fmt::Debug>(got: T, wanted: T) -> Result<(), String> {
    if got == wanted {
        Ok(())
    } else {
        Err(format!("got {got:?}, wanted {wanted:?}"))
    }
}

fn texts(page: &Page, css: &str) -> Vec<String> {
    let selector = Selector::parse(css).unwrap();
    page.dom().select(&selector).map(|it| it.text()).collect()
}

fn sorted(mut names: Vec<String>) -> Vec<String> {
    names.sort();
    names
}

fn names(products: &[Product]) -> Vec<String> {
    sorted(products.iter().map(|it| it.name.clone()).collect())
}

/// The names in a list of the output.
fn told(data: &Value, list: &str, field: &str) -> Vec<String> {
    let items = data[list].as_array().cloned().unwrap_or_default();
    sorted(
        items
            .iter()
            .map(|it| it[field].as_str().unwrap_or_default().to_owned())
            .collect(),
    )
}

fn of(category: usize, language: Language, max: u64) -> Vec<String> {
    let products = goods::of_category(language, category);
    names(
        &products
            .into_iter()
            .filter(|it| it.cents <= max)
            .collect::<Vec<_>>(),
    )
}

/// The vacuum cleaners that the price filters of `/filters` list.
fn filtered(min: u64, max: u64) -> Vec<String> {
    let products = goods::of_category(Language::English, 0);
    names(
        &products
            .into_iter()
            .filter(|it| it.cents <= 40_000 && it.cents >= min && it.cents <= max)
            .collect::<Vec<_>>(),
    )
}

const SHOWN: &str = "li.product .product-title";

fn ceneo(data: &Value, _: &Page) -> Result<(), String> {
    let got = told(data, "products", "name");
    same(got, of(0, Language::Polish, 15_000))
}

fn amazon(data: &Value, _: &Page) -> Result<(), String> {
    let kettles = goods::of_category(Language::English, 2);
    let wanted: Vec<Product> = kettles
        .into_iter()
        .filter(|it| it.in_stock && it.cents <= 15_000 && it.id % 11 != 3)
        .collect();
    // The first page of results has 16 of the 25, and not all that could be bought.
    let got = told(data, "products", "name");
    let wanted = names(&wanted);
    match !got.is_empty() && got.iter().all(|it| wanted.contains(it)) {
        true => Ok(()),
        false => Err(format!("{got:?} are not all of {wanted:?}")),
    }
}

fn generic(data: &Value, _: &Page) -> Result<(), String> {
    let first: Vec<Product> = goods::all(Language::English).into_iter().take(10).collect();
    same(told(data, "products", "name"), names(&first))
}

fn one_product(data: &Value, _: &Page) -> Result<(), String> {
    let product = goods::all(Language::English).into_iter().nth(6).unwrap();
    same(
        (
            told(data, "products", "name"),
            data["products"][0]["price"].as_f64(),
        ),
        (vec![product.name], Some(product.cents as f64 / 100.0)),
    )
}

fn hn(data: &Value, _: &Page) -> Result<(), String> {
    let first: Vec<posts::DemoPost> = posts::all().into_iter().take(30).collect();
    let points: Vec<Option<u64>> = data["articles"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["points"].as_u64())
        .collect();
    same(points, first.iter().map(|it| it.points).collect())?;
    same(
        told(data, "articles", "title"),
        sorted(first.into_iter().map(|it| it.title).collect()),
    )
}

fn reddit(data: &Value, _: &Page) -> Result<(), String> {
    let first: Vec<posts::DemoPost> = posts::all().into_iter().take(25).filter(|it| !it.adult).collect();
    same(
        told(data, "articles", "title"),
        sorted(first.iter().map(|it| it.title.clone()).collect()),
    )?;
    let times: Vec<Option<u64>> = data["articles"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["created_utc"].as_u64())
        .collect();
    same(times, first.iter().map(|it| Some(it.at)).collect())
}

fn links(data: &Value, _: &Page) -> Result<(), String> {
    same(data["count"].as_u64(), Some(10))
}

fn tables(data: &Value, _: &Page) -> Result<(), String> {
    same(data["tables"].as_array().map(Vec::len), Some(4))?;
    same(
        &data["tables"][1]["rows"][1],
        &json!({"Region": "North", "Town": "Brod", "2024": "closed", "2025": "closed"}),
    )
}

fn ceneo_filtered(_: &Value, page: &Page) -> Result<(), String> {
    let shown = texts(page, ".js_clickHash .cat-prod-row__name");
    same(sorted(shown), of(0, Language::Polish, 15_000))
}

fn ceneo_filtered_in_place(_: &Value, page: &Page) -> Result<(), String> {
    // The list shows its first twelve rows and then as many of those that fit.
    let shown = sorted(texts(page, ".js_clickHash .cat-prod-row__name"));
    let wanted = of(0, Language::Polish, 15_000);
    same(
        (shown.len(), shown.iter().all(|it| wanted.contains(it))),
        (wanted.len().min(12), true),
    )
}

fn up_to_170(_: &Value, page: &Page) -> Result<(), String> {
    same(sorted(texts(page, SHOWN)), filtered(0, 17_000))
}

fn from_100_to_170(_: &Value, page: &Page) -> Result<(), String> {
    same(sorted(texts(page, SHOWN)), filtered(10_000, 17_000))
}

fn searched(_: &Value, page: &Page) -> Result<(), String> {
    let found: Vec<Product> = goods::all(Language::English)
        .into_iter()
        .filter(|it| it.id <= 40 && it.name.contains("Kettle"))
        .collect();
    same(sorted(texts(page, SHOWN)), names(&found))
}

fn rooms(_: &Value, page: &Page) -> Result<(), String> {
    let free = stays::free("2027-03-12", Some("2027-03-19"));
    same(
        texts(page, "li.stay"),
        free.iter().map(|it| it.name.to_owned()).collect(),
    )
}

fn by_price(_: &Value, page: &Page) -> Result<(), String> {
    let mut products = goods::of_category(Language::English, 2);
    products.truncate(10);
    products.sort_by_key(|it| it.cents);
    same(
        texts(page, SHOWN),
        products.into_iter().map(|it| it.name).collect(),
    )
}

fn five_pages(data: &Value, _: &Page) -> Result<(), String> {
    same(data["pages_visited"].as_u64(), Some(5))
}

fn whole_list(data: &Value, page: &Page) -> Result<(), String> {
    same(data["reached_end"].as_bool(), Some(true))?;
    let first: Vec<Product> = goods::all(Language::English).into_iter().take(40).collect();
    same(sorted(texts(page, SHOWN)), names(&first))
}

fn whole_ceneo(data: &Value, page: &Page) -> Result<(), String> {
    same(data["reached_end"].as_bool(), Some(true))?;
    same(
        sorted(texts(page, ".js_clickHash .cat-prod-row__name")),
        of(0, Language::Polish, u64::MAX),
    )
}

fn mops(_: &Value, page: &Page) -> Result<(), String> {
    assert_eq!(CATEGORIES[1].path[2], "Mops");
    same(sorted(texts(page, SHOWN)), of(1, Language::English, u64::MAX))
}

fn second_page(_: &Value, page: &Page) -> Result<(), String> {
    let second: Vec<Product> = goods::all(Language::English)
        .into_iter()
        .skip(8)
        .take(8)
        .collect();
    same(sorted(texts(page, SHOWN)), names(&second))
}

fn two_of_three(data: &Value, _: &Page) -> Result<(), String> {
    same(data["items"].as_array().map(Vec::len), Some(2))
}

/// Every row of the table.
#[rustfmt::skip]
pub(crate) fn rows() -> Vec<Row> {
    let limit = || json!({"max_price": 150});
    let days = || json!({"start": "2027-03-12", "end": "2027-03-19", "submit": true});
    let filter = || json!({"max": 170});
    let sort = || json!({"field": "Sort by", "label": "Price: low to high", "submit": true});
    let all = || json!({"max_pages": 10});
    vec![
        row("extraction.products_ceneo", "rows", "/ceneo/Odkurzacze", limit(), true, ceneo),
        row("extraction.products_ceneo", "boxes", "/ceneo/Odkurzacze?view=boxes", limit(), true, ceneo),
        row("extraction.products_ceneo", "grid", "/ceneo/Odkurzacze?view=grid", limit(), true, ceneo),
        row("extraction.products_ceneo", "list built by scripts", "/ceneo-js/Odkurzacze?view=boxes", limit(), false, |data, _| { let (got, wanted) = (told(data, "products", "name"), of(0, Language::Polish, 15_000)); same((got.is_empty(), got.iter().all(|it| wanted.contains(it))), (false, true)) }),
        row("extraction.products_amazon", "search results", "/amazon/s?k=kettle", limit(), true, amazon),
        row("extraction.products_amazon", "list built by scripts", "/amazon-js/s?k=kettle", limit(), false, amazon),
        row("extraction.products_generic", "repeating blocks", "/shop/plain", json!({}), true, generic),
        row("extraction.products_generic", "JSON-LD", "/shop/jsonld", json!({}), true, generic),
        row("extraction.products_generic", "microdata", "/shop/microdata", json!({}), true, generic),
        row("extraction.products_generic", "product page", "/shop/item/7", json!({}), true, one_product),
        row("extraction.products_generic", "list built by scripts", "/shop-js/plain", json!({}), false, generic),
        row("extraction.articles_hn", "now", "/hn/news", json!({}), true, hn),
        row("extraction.articles_hn", "before 2022", "/hn/old", json!({}), true, hn),
        row("extraction.articles_reddit", "old pages", "/reddit/old/r/demo", json!({}), true, reddit),
        row("extraction.articles_reddit", "new pages", "/reddit/new/r/demo", json!({}), true, reddit),
        row("extraction.articles_reddit", "JSON", "/reddit/r/demo.json", json!({}), true, reddit),
        row("extraction.articles_reddit", "feed built by scripts", "/reddit/new-js/r/demo", json!({}), false, reddit),
        row("extraction.links_by_pattern", "address", "/shop/plain", json!({"pattern": "/shop/item/\\d+$"}), true, links),
        row("extraction.tables_to_json", "spans", "/tables", json!({}), true, tables),
        row("forms.price_filter", "Ceneo", "/ceneo/Odkurzacze", json!({"max": 150}), true, ceneo_filtered),
        row("forms.price_filter", "Ceneo, in place", "/ceneo-js/Odkurzacze", json!({"max": 150}), false, ceneo_filtered_in_place),
        row("forms.price_filter", "labels alone", "/filters/labels", filter(), true, up_to_170),
        row("forms.price_filter", "range fields", "/filters/range", json!({"max": 170, "min": 100}), true, from_100_to_170),
        row("forms.price_filter", "address", "/filters/links", filter(), true, up_to_170),
        row("forms.price_filter", "fields without a form", "/filters/js", json!({"max": 170, "min": 100}), false, from_100_to_170),
        row("forms.price_filter", "sliders", "/filters/slider", json!({"max": 170, "min": 100}), false, from_100_to_170),
        row("forms.search_query", "search field", "/forms/search/plain", json!({"query": "kettle"}), true, searched),
        row("forms.search_query", "label alone, post", "/forms/search/label", json!({"query": "kettle"}), true, searched),
        row("forms.search_query", "field without a form", "/forms/search/js", json!({"query": "kettle"}), false, searched),
        row("forms.date_picker", "native", "/forms/date/native", days(), true, rooms),
        row("forms.date_picker", "text, YYYY-MM-DD", "/forms/date/iso", days(), true, rooms),
        row("forms.date_picker", "text, DD.MM.YYYY", "/forms/date/european", days(), true, rooms),
        row("forms.date_picker", "text, MM/DD/YYYY", "/forms/date/american", days(), true, rooms),
        row("forms.date_picker", "calendar of links", "/forms/date/links", json!({"start": "2027-03-12", "end": "2027-03-19"}), true, rooms),
        row("forms.date_picker", "calendar widget", "/forms/date/calendar", days(), false, rooms),
        row("forms.dropdown_select", "select", "/forms/select/native", sort(), true, by_price),
        row("forms.dropdown_select", "select of several lines", "/forms/select/list", sort(), true, by_price),
        row("forms.dropdown_select", "listbox", "/forms/select/listbox", json!({"field": "Sort by", "label": "Price: low to high"}), false, by_price),
        row("forms.dropdown_select", "combobox", "/forms/select/combobox", json!({"field": "Sort by", "label": "Price: low to high"}), false, by_price),
        row("navigation.scroll_load", "page without scripts", "/ceneo/Odkurzacze", json!({"times": 6}), true, whole_ceneo),
        row("navigation.scroll_load", "endless list", "/pages/scroll-js", json!({"times": 10}), false, whole_list),
        row("navigation.scroll_load", "endless list of Ceneo", "/ceneo-js/Odkurzacze", json!({"times": 8}), false, whole_ceneo),
        row("navigation.pagination", "next link", "/pages/next", all(), true, five_pages),
        row("navigation.pagination", "numbers", "/pages/numbered", json!({"max_pages": 10, "strategy": "numbered"}), true, five_pages),
        row("navigation.pagination", "address", "/pages/param?page=1", all(), true, five_pages),
        row("navigation.pagination", "load more, link", "/pages/more", all(), true, five_pages),
        row("navigation.pagination", "next button", "/pages/next-js", all(), false, five_pages),
        row("navigation.pagination", "number buttons", "/pages/numbered-js", all(), false, five_pages),
        row("navigation.pagination", "load more, button", "/pages/more-js", all(), false, five_pages),
        row("navigation.category_select", "page by page", "/tree/", json!({"path": ["Home", "Cleaning", "Mops"]}), true, mops),
        row("navigation.category_select", "folded list", "/tree/details", json!({"path": ["Home", "Cleaning", "Mops"]}), true, mops),
        row("navigation.category_select", "tree widget", "/tree/js", json!({"path": ["Home", "Cleaning", "Mops"]}), false, mops),
        row("navigation.click_by_text", "link", "/pages/next", json!({"text": "Next"}), true, second_page),
        row("navigation.click_by_text", "button", "/pages/next-js", json!({"text": "Next page"}), false, second_page),
        row("validation.price_range_check", "no page", "", json!({"max": 150}), true, two_of_three),
        row("validation.url_format_check", "no page", "", json!({}), true, two_of_three),
        row("validation.required_fields", "no page", "", json!({"fields": ["name"]}), true, two_of_three),
    ]
}

/// How one call ended: `pass`, or the refusal's advice. Anything else is a fault.
pub(crate) async fn outcome(services: &ToolServices, site: &TestSite, row: &Row) -> Result<String, String> {
    let mut context = ToolContext::new(services.clone(), Grant::default());
    if row.path.is_empty() {
        let products = json!([
            {"name": "a", "price": 10, "url": "https://a.test/"},
            {"name": "b", "price": "149,99 zł", "url": "https://a.test/b"},
            {"name": "", "price": 151, "url": "nowhere"}
        ]);
        context.input = Map::from_iter([("products".to_owned(), products)]);
    } else {
        let url = Url::parse(&site.url(row.path)).unwrap();
        context
            .goto(&url)
            .await
            .map_err(|error| format!("the page did not open: {error}"))?;
    }
    let parameters = row.parameters.as_object().unwrap();
    match Registry::builtin().run(row.tool, parameters, &mut context).await {
        Ok(outcome) => {
            let page = match row.path.is_empty() {
                true => Page::new("", None).into(),
                false => context.page().await.map_err(|error| error.to_string())?,
            };
            (row.truth)(&outcome.data, &page).map(|()| "pass".to_owned())
        }
        Err(error) if error.to_string().contains("chromium") => Ok("refused, names chromium".to_owned()),
        Err(error) => Err(format!("{}: {error}", error.code())),
    }
}

/// Runs every row on an engine; `plain` says whether the engine runs no scripts.
pub(crate) async fn all(services: &ToolServices, site: &TestSite, plain: bool) -> Vec<String> {
    let mut outcomes = Vec::new();
    let mut faults = Vec::new();
    for row in rows() {
        let wanted = if row.plain || !plain {
            "pass"
        } else {
            "refused, names chromium"
        };
        let got = outcome(services, site, &row).await;
        if got.as_deref() != Ok(wanted) {
            faults.push(format!(
                "{} ({}): {got:?}, wanted {wanted:?}",
                row.tool, row.variant
            ));
        }
        outcomes.push(got.unwrap_or_else(|_| "fails".to_owned()));
    }
    assert!(
        faults.is_empty(),
        "{} faults:\n{}",
        faults.len(),
        faults.join("\n")
    );
    outcomes
}

/// The table of the documentation, between its two marks.
const BEGIN: &str = "<!-- variants: written by BLESS=1 cargo test -p tools variants -->\n";
const END: &str = "<!-- end of variants -->";

/// Compares the table in `docs/tools.md` with what came out, or writes it when asked to.
pub(crate) fn compare(columns: &[(&str, Vec<String>)]) {
    let mut table = String::from("| tool | variant |");
    table.extend(columns.iter().map(|it| format!(" {} |", it.0)));
    table.push_str("\n|---|---|");
    table.push_str(&"---|".repeat(columns.len()));
    for (at, row) in rows().iter().enumerate() {
        table.push_str(&format!("\n| `{}` | {} |", row.tool, row.variant));
        table.extend(columns.iter().map(|it| format!(" {} |", it.1[at])));
    }
    table.push('\n');
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/tools.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = text.split_once(BEGIN).unwrap();
    let (told, after) = rest.split_once(END).unwrap();
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, format!("{before}{BEGIN}{table}{END}{after}")).unwrap();
    } else {
        assert_eq!(
            told, table,
            "the table in docs/tools.md says something else; write it with BLESS=1"
        );
    }
}
