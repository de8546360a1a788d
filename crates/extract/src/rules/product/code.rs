//! By which codes is the product known: SKU, GTIN, part number?

use std::sync::LazyLock;

use page::Page;
use regex::Regex;

use super::super::labels::Ranks;
use super::super::view::View;
use super::stock::describe;
use crate::provenance::{Found, Source};

/// Labels of the shop's own number, the plainest first.
#[rustfmt::skip]
const SKU: &[&str] = &[
    "sku", "sku #", "sku no", "sku number", "sku code", "product sku", "item sku", "sku id", "item no", "item no.",
    "item number", "item #", "item", "item code", "item id", "item model", "product code", "product number",
    "product no", "product #", "product id", "prod. code", "article number", "article no", "article", "article code",
    "art. no", "art no", "catalog number", "catalogue number", "cat. no", "cat no", "catalog #", "part number",
    "part #", "part no", "style", "style #", "style no", "style number", "style code", "model #", "asin",
    "stock code", "stock #", "stock number", "web id", "web code", "reference", "ref", "reference number", "code", "lot", "dpci",
    "tcin", "artikelnummer", "artikel-nr", "art.-nr", "art-nr", "art. nr", "art.nr", "artikelnr", "artikel nr",
    "bestellnummer", "bestell-nr", "best.-nr", "produktnummer", "produkt-nr", "produktcode", "artikel", "référence",
    "réf", "réf. produit", "code article", "code produit", "référence produit", "n° article", "article n°",
    "referencia", "ref. producto", "código", "código de producto", "código del producto", "código do produto", "cód",
    "cód. produto", "referência", "número de artículo", "sku do produto", "codice", "codice prodotto",
    "codice articolo", "cod. prodotto", "cod. articolo", "riferimento", "cod. art", "codice art", "productcode",
    "productnummer", "artikelcode", "bestelnummer", "kod produktu", "kod", "nr katalogowy", "numer katalogowy",
    "symbol", "indeks", "nr artykułu", "kód", "kód produktu", "kód zboží", "kód tovaru", "objednací kód",
    "katalogové číslo", "obj. číslo", "код товара", "артикул", "код", "код товару", "арт", "номенклатурный номер",
    "каталожен номер", "varenummer", "varenr", "vare nr", "produktnr", "artikelnummer", "art.nr", "tuotenumero",
    "tuotekoodi", "tuotenro", "ürün kodu", "stok kodu", "cikkszám", "termékkód", "cod produs", "cod", "šifra",
    "šifra izdelka", "šifra artikla", "šifra proizvoda", "šifra proizvoda", "tootekood", "kood", "prekės kodas",
    "kodas", "preces kods", "kods", "商品番号", "品番", "商品コード", "货号", "商品编号", "商品編號", "品號", "상품번호", "상품코드", "mã sản phẩm",
    "mã sp", "รหัสสินค้า", "מק\"ט", "מק״ט", "קוד מוצר", "رمز المنتج", "κωδικός", "κωδικός προϊόντος",
];

#[rustfmt::skip]
const GTIN: &[&str] = &[
    "ean", "gtin", "upc", "isbn", "isbn-13", "isbn13", "isbn 13", "ean code", "ean-code", "ean/upc", "barcode",
    "ean 13", "ean13", "ean-nummer", "gtin-13", "gtin/ean", "code-barres", "código de barras", "codice ean",
    "kod ean", "ean kód", "штрихкод", "штрих-код", "isbn-10", "jan", "asin/isbn",
];

#[rustfmt::skip]
const MPN: &[&str] = &[
    "mpn", "mfr part #", "mfr part number", "mfg part #", "mfg part number", "mfr #", "mfr. #", "mfg #",
    "mfr. part #", "manufacturer part number", "manufacturer's part number", "manufacturer part no",
    "manufacturer part #", "part number", "part no", "model number", "model no", "model #", "model",
    "item model number", "modell", "modellnummer", "herstellernummer", "hersteller-nr", "herstellerartikelnummer",
    "référence fabricant", "modèle", "numéro du modèle de l'article", "modelo", "número de modelo", "modello",
    "codice produttore", "kod producenta", "kód výrobce", "партномер", "модель", "manufacturer code", "mfr. no",
    "mfr code",
];

static SKUS: LazyLock<Ranks> = LazyLock::new(|| Ranks::new(SKU));
static GTINS: LazyLock<Ranks> = LazyLock::new(|| Ranks::new(GTIN));
static MPNS: LazyLock<Ranks> = LazyLock::new(|| Ranks::new(MPN));

/// The shop's own number as the page shows it.
pub fn sku(view: &View<'_>) -> Option<Found<String>> {
    labelled(view, &SKUS, &|value| token(value)).or_else(|| inline(view))
}

/// A trade item number as the page shows it; its check digit holds.
pub fn gtin(view: &View<'_>) -> Option<Found<String>> {
    labelled(view, &GTINS, &|value| {
        let digits: String = value
            .split([',', ';', ' '])
            .next()?
            .chars()
            .filter(char::is_ascii_digit)
            .collect();
        is_gtin(&digits).then_some(digits)
    })
}

/// The maker's part number as the page shows it.
pub fn mpn(view: &View<'_>) -> Option<Found<String>> {
    labelled(view, &MPNS, &|value| {
        (value.split_whitespace().count() <= 3 && value.len() <= 40).then(|| value.to_owned())
    })
}

fn labelled(view: &View<'_>, ranks: &Ranks, read: &dyn Fn(&str) -> Option<String>) -> Option<Found<String>> {
    let mut best: Option<(usize, Found<String>)> = None;
    for pair in &view.pairs {
        // "Buy.com SKU", "Acme Item #": a shop's name in front changes nothing.
        let named = || ranks.get(pair.key.split_once(' ')?.1).filter(|rank| *rank < 4);
        let rank = ranks.get(&pair.key).or_else(named);
        let Some(rank) = rank else { continue };
        if best.as_ref().is_some_and(|(least, _)| *least <= rank) {
            continue;
        }
        if let Some(value) = read(&pair.value) {
            best = Some((
                rank,
                Found::new(value, Source::selector(describe(view.dom().node(pair.node)))),
            ));
        }
    }
    best.map(|(_, found)| found)
}

/// A code: one token with a digit in it; what follows it is explanation.
fn token(value: &str) -> Option<String> {
    let value = value.trim_start_matches(['#', ':', ' ']).trim();
    let first = value
        .split([' ', '\u{a0}', '|', ',', ';', '(', ')'])
        .find(|it| !it.is_empty())?;
    let first = first.trim_matches(|c: char| !c.is_alphanumeric());
    let fits = first.chars().any(|c| c.is_ascii_digit())
        && (2..=40).contains(&first.chars().count())
        && first
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '/' | '+' | '#'));
    fits.then(|| first.to_owned())
}

static INLINE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let labels = r"sku|item\s?(?:no|number|code|#)|product\s?(?:code|no|number|id)|art(?:icle|ikel)?[.\s-]*(?:nr|no|number|nummer)|bestell-?\s?(?:nr|nummer)|style\s?(?:no|#|number)|cat(?:alog)?[.\s]*(?:no|number)|артикул|код товара|код|kód|réf(?:érence)?|ref|cod(?:ice)?|symbol|varenr|tuotenro|šifra";
    Regex::new(&format!(
        r"(?i)(?:^|[\s(|])(?:{labels})[.:#\s№°]*\s*([A-Za-z0-9][A-Za-z0-9._/-]{{2,39}})(?:$|[\s,;|)\]])"
    ))
    .ok()
});

/// A number behind its label on one line, without a colon ("Item No. AT3484").
fn inline(view: &View<'_>) -> Option<Found<String>> {
    let regex = INLINE.as_ref()?;
    let from = view.heading.as_ref().map_or(0, |heading| heading.line.saturating_sub(3));
    let lines = view.lines.iter().skip(from).take(120);
    for line in lines {
        let text = view.lines.line_text(line);
        if text.len() > 160 || !text.contains(|c: char| c.is_ascii_digit()) {
            continue;
        }
        if let Some(code) = regex
            .captures(text)
            .and_then(|captures| captures.get(1))
            .and_then(|group| token(group.as_str()))
        {
            return Some(Found::new(
                code,
                Source::selector(describe(view.dom().node(line.block))),
            ));
        }
    }
    None
}

/// The number in the page's address: a parameter that names it, else the last part that looks like one.
pub fn in_url(page: &Page) -> Option<Found<String>> {
    let url = page.url()?;
    let found = |code: String| Some(Found::new(code, Source::Url));
    for (key, value) in url.query_pairs() {
        let key = key.to_ascii_lowercase();
        let named = matches!(
            key.as_str(),
            "sku"
                | "skuid"
                | "itemid"
                | "item_id"
                | "productid"
                | "product_id"
                | "pid"
                | "articleid"
                | "item"
                | "prod_id"
                | "variant"
                | "goods_id"
        );
        if named && let Some(code) = token(&value) {
            return found(code);
        }
    }
    let segments: Vec<&str> = url.path_segments()?.filter(|it| !it.is_empty()).collect();
    for pair in segments.windows(2) {
        if let [key, value] = pair
            && matches!(
                key.to_ascii_lowercase().as_str(),
                "dp" | "itm"
                    | "products_id"
                    | "product"
                    | "item"
                    | "prod"
                    | "p"
                    | "id"
                    | "gp"
                    | "pd"
                    | "ip"
                    | "sku"
            )
        {
            let code = percent(value).split(['_', '?']).next().map(str::to_owned)?;
            let code = code.split('.').next().unwrap_or_default().to_owned();
            let digits = code.chars().filter(char::is_ascii_digit).count();
            if digits >= 2 && code.len() >= 4 && code.len() <= 20 && !code.contains('-') {
                return found(code);
            }
        }
    }
    let last = percent(segments.last()?);
    let stem = last
        .rsplit_once('.')
        .filter(|(_, ext)| ext.len() <= 5 && ext.chars().all(char::is_alphanumeric))
        .map_or(last.as_str(), |(stem, _)| stem);
    // "...-114768289", "...-p400138908", "...-x3410048", "94037710_vintage-bag", "NI_AT3484-623".
    let upper = stem.chars().all(|c| !c.is_lowercase()) && stem.len() >= 5;
    if upper && stem.chars().any(|c| c.is_ascii_digit()) {
        return token(stem).and_then(found);
    }
    let parts: Vec<&str> = stem.split(['-', '_']).collect();
    for part in parts.iter().rev().chain(parts.first()) {
        let bare = part
            .strip_prefix(['p', 'x', 'P', 'X', 's', 'i', 'a'])
            .filter(|it| it.len() >= 5)
            .unwrap_or(part);
        if bare.len() >= 5 && bare.bytes().all(|b| b.is_ascii_digit()) {
            return found(bare.to_owned());
        }
    }
    None
}

fn percent(text: &str) -> String {
    percent_decode(text).unwrap_or_else(|| text.to_owned())
}

fn percent_decode(text: &str) -> Option<String> {
    let mut out = Vec::with_capacity(text.len());
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let hex = (*byte == b'%')
            .then(|| text.get(at + 1..at + 3))
            .flatten()
            .and_then(|hex| u8::from_str_radix(hex, 16).ok());
        out.push(hex.unwrap_or(*byte));
        at += if hex.is_some() { 3 } else { 1 };
    }
    String::from_utf8(out).ok()
}

/// Whether the digits are a GTIN-8, -12, -13 or -14 by length and check digit (GS1 General Specifications, 7.9).
pub fn is_gtin(digits: &str) -> bool {
    if !matches!(digits.len(), 8 | 12 | 13 | 14) || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return false;
    }
    let sum: u32 = digits
        .bytes()
        .rev()
        .enumerate()
        .map(|(at, b)| u32::from(b - b'0') * if at % 2 == 1 { 3 } else { 1 })
        .sum();
    sum.is_multiple_of(10)
}
