//! The catalog of the shops: made up, always the same, with prices on both sides of round limits.

/// One product.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Product {
    /// Its number, from 1.
    pub id: usize,
    /// Its name, in the language of the shop.
    pub name: String,
    /// Its brand.
    pub brand: &'static str,
    /// Price in hundredths of the shop's currency.
    pub cents: u64,
    /// An earlier, higher price, for some.
    pub before: Option<u64>,
    /// The leaf of the category tree, an index into [`CATEGORIES`].
    pub category: usize,
    /// Stars in tenths, 0 to 50.
    pub stars: u64,
    /// The number of reviews.
    pub reviews: u64,
    /// Whether it is in stock.
    pub in_stock: bool,
}

/// A leaf of the category tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Category {
    /// Its path in English.
    pub path: [&'static str; 3],
    /// Its name in Polish.
    pub polish: &'static str,
    /// The name of one product in English.
    pub thing: &'static str,
    /// The name of one product in Polish.
    pub rzecz: &'static str,
    /// Price of its cheapest products, in hundredths.
    base: u64,
}

/// The leaves of the category tree.
pub const CATEGORIES: [Category; 8] = [
    leaf(
        ["Home", "Cleaning", "Vacuum cleaners"],
        "Odkurzacze",
        "Vacuum cleaner",
        "Odkurzacz",
        3_900,
    ),
    leaf(["Home", "Cleaning", "Mops"], "Mopy", "Mop", "Mop", 1_950),
    leaf(
        ["Home", "Kitchen", "Kettles"],
        "Czajniki",
        "Kettle",
        "Czajnik",
        4_499,
    ),
    leaf(
        ["Home", "Kitchen", "Toasters"],
        "Tostery",
        "Toaster",
        "Toster",
        5_999,
    ),
    leaf(
        ["Electronics", "Audio", "Headphones"],
        "Sluchawki",
        "Headphones",
        "Słuchawki",
        2_999,
    ),
    leaf(
        ["Electronics", "Audio", "Speakers"],
        "Glosniki",
        "Speaker",
        "Głośnik",
        8_900,
    ),
    leaf(
        ["Electronics", "Light", "Desk lamps"],
        "Lampki",
        "Desk lamp",
        "Lampka biurkowa",
        3_490,
    ),
    leaf(
        ["Garden", "Tools", "Hoses"],
        "Weze",
        "Garden hose",
        "Wąż ogrodowy",
        2_590,
    ),
];

const fn leaf(
    path: [&'static str; 3],
    polish: &'static str,
    thing: &'static str,
    rzecz: &'static str,
    base: u64,
) -> Category {
    Category {
        path,
        polish,
        thing,
        rzecz,
        base,
    }
}

const BRANDS: [&str; 7] = [
    "Norvik", "Altura", "Brumel", "Zefira", "Kantora", "Lumeo", "Ostrana",
];
const SERIES: [&str; 9] = ["Mini", "Pro", "Eco", "Max", "Duo", "Air", "Plus", "Vita", "Terra"];

/// The language of product names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// English.
    English,
    /// Polish.
    Polish,
}

/// All products: 25 of each category, the categories mixed.
pub fn all(language: Language) -> Vec<Product> {
    (1..=CATEGORIES.len() * 25)
        .map(|id| product(id, language))
        .collect()
}

/// The products of one leaf.
pub fn of_category(language: Language, category: usize) -> Vec<Product> {
    all(language)
        .into_iter()
        .filter(|product| product.category == category)
        .collect()
}

fn product(id: usize, language: Language) -> Product {
    let category = (id - 1) % CATEGORIES.len();
    let nth = (id - 1) / CATEGORIES.len();
    let kind = CATEGORIES.get(category).copied().unwrap_or(CATEGORIES[0]);
    let brand = BRANDS.get(id * 5 % BRANDS.len()).copied().unwrap_or_default();
    let series = SERIES
        .get((id * 7 + nth) % SERIES.len())
        .copied()
        .unwrap_or_default();
    let word = match language {
        Language::English => kind.thing,
        Language::Polish => kind.rzecz,
    };
    // In every category three products lie at the limit itself and a cent beside it.
    let cents = match nth {
        4 => 14_999,
        11 => 15_000,
        17 => 15_001,
        23 => 129_900,
        _ => kind.base + (id as u64 * 7_919 % 240) * 100 + [0, 99, 50, 95][id % 4],
    };
    Product {
        id,
        name: format!("{word} {brand} {series} {}", 100 + id * 3),
        brand,
        cents,
        before: (id % 5 == 2).then_some(cents + cents / 4),
        category,
        stars: 28 + (id as u64 * 13) % 22,
        reviews: (id as u64 * 37) % 2_400,
        in_stock: id % 9 != 4,
    }
}
