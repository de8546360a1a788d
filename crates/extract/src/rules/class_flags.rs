//! ClassFlags: the roles that class names and ids give to the elements of a shop page.
//!
//! Names are cut into words ("product-price__old", "priceOld"); each known word sets a flag. The flags of all elements are read
//! once for a page, so that asking for an element and its parents costs nothing.

use std::collections::HashMap;
use std::sync::LazyLock;

use foldhash::fast::RandomState;
use page::dom::{Dom, Node};

use super::vocabulary;

/// The element is a price.
pub(crate) const PRICE: u32 = 1;
/// It is the current or the main one.
pub(crate) const CURRENT: u32 = 1 << 1;
/// It is an earlier or recommended price.
pub(crate) const EARLIER: u32 = 1 << 2;
/// It is something beside the product: shipping, related products, financing.
pub(crate) const OTHER: u32 = 1 << 3;
/// It is the cents of a price, set smaller.
pub(crate) const CENTS: u32 = 1 << 4;
/// It is about ratings.
pub(crate) const RATED: u32 = 1 << 5;
/// It is a count.
pub(crate) const COUNT: u32 = 1 << 6;
/// It names the brand.
pub(crate) const BRAND: u32 = 1 << 7;
/// It is something to choose: a size, a colour, a store.
pub(crate) const CHOICE: u32 = 1 << 8;
/// It cannot be used.
pub(crate) const DISABLED: u32 = 1 << 9;
/// It is the product's picture or holds it.
pub(crate) const GALLERY: u32 = 1 << 10;
/// It is a small or decorating picture.
pub(crate) const TRIM: u32 = 1 << 11;
/// It lets the buyer choose the variant before buying.
pub(crate) const VARIANT: u32 = 1 << 12;
/// Only an old price is written so, even without the word for price.
pub(crate) const STRUCK: u32 = 1 << 13;
/// Its name calls it old, by a word that has other meanings, too: it is an old price only beside a [`NEW`] one.
pub(crate) const OLD: u32 = 1 << 15;
/// Its name calls it new.
pub(crate) const NEW: u32 = 1 << 16;
/// Its names call it one of comments, by the words of [`vocabulary`].
pub(crate) const COMMENTS: u32 = 1 << 14;

#[rustfmt::skip]
const FLAG_WORDS: &[(u32, &str)] = &[
    (PRICE, "price preis prix precio preco prezzo cena pris prijs hinta kaina fiyat tsena ár amount cost pricing"),
    (CURRENT, "current now sale special offer final actual selling our main new discounted reduced promo product detail pdp buybox primary akce vigente actuel actuelle ahora nueva nieuwe nieuw neuer aktuell aktueller nowa aktualna promocyjna nuovo attuale scontato nuvarande"),
    (EARLIER, "old was strike striked regular list rrp msrp before compare crossed original uvp retail previous through standard normal barre barred antes vecchio tachado suggested lowest recommended ancien ancienne barré anterior antigua antiguo oud oude voorheen alter alte altpreis streichpreis bisher vorher stara stary poprzednia przekreslona vecchia precedente barrato gammalt tidigare ordinarie"),
    (STRUCK, "old was strike through crossed regular ancien ancienne barré antes antigua antiguo tachado oude voorheen altpreis streichpreis bisher vorher stara stary przekreslona vecchio vecchia barrato gammalt tidigare ordinarie"),
    (OLD, "alt alte alter anterior poprzednia precedente oud avant prima före förr przed"),
    (NEW, "neu nieuw après ora nu po"),
    (OTHER, "shipping delivery saving savings discount save unit base install installment installments monthly month finance financing tax vat related recommend recommended recommendations similar upsell cross carousel slider swiper also recently minicart cart basket total subtotal filter facet range teaser tile recs rec sponsored bundle accessory accessories warranty coupon points header footer nav menu review reviews variant swatch option options lens versand frete parcela parcelas klarna affirm afterpay cashback rate rates per bought bestseller bestsellers card item items list listing grid suggestion suggestions history widget ads advert deal deals"),
    (CENTS, "cents cent fraction decimal decimals minor sup pence superscript"),
    (RATED, "rating ratings stars star bewertung review reviews score note"),
    (COUNT, "count counter number total amount reviews quantity"),
    (BRAND, "brand brands manufacturer marke marque marca merk marka vendor designer"),
    (CHOICE, "size sizes variant variants swatch swatches option options store stores tooltip modal popup"),
    (VARIANT, "swatch swatches size sizes talle variation variations"),
    (DISABLED, "disabled"),
    (GALLERY, "product gallery main zoom hero primary media"),
    (TRIM, "logo icon related recommend carousel thumb thumbnail avatar nav menu footer banner"),
];

static FLAGS_BY_WORD: LazyLock<HashMap<&'static str, u32, RandomState>> = LazyLock::new(|| {
    let mut flags_by_word = HashMap::default();
    for (flag, words) in FLAG_WORDS {
        for word in words.split(' ') {
            *flags_by_word.entry(word).or_insert(0) |= flag;
        }
    }
    flags_by_word
});

/// The marks of every element of a page.
#[derive(Debug)]
pub(crate) struct ClassFlags(Vec<u32>);

impl ClassFlags {
    /// Reads the names of every element.
    pub(crate) fn of(dom: &Dom) -> ClassFlags {
        let mut read = NameReader::new();
        let flags = dom.nodes().map(|node| {
            if node.is_element() {
                read.flags_of_element(node)
            } else {
                0
            }
        });
        ClassFlags(flags.collect())
    }

    /// The marks of an element.
    pub(crate) fn get(&self, node: Node<'_>) -> u32 {
        self.0.get(node.id().index()).copied().unwrap_or(0)
    }

    /// Whether an element has one of the marks.
    pub(crate) fn has(&self, node: Node<'_>, flags: u32) -> bool {
        self.get(node) & flags != 0
    }
}

/// Reads the names of elements; those that come again are read once.
struct NameReader<'d> {
    known: HashMap<&'d str, u32, RandomState>,
    word: String,
    /// The bit of names of comments in the vocabulary.
    comment: u64,
}

impl<'d> NameReader<'d> {
    fn new() -> NameReader<'d> {
        NameReader {
            known: HashMap::default(),
            word: String::new(),
            comment: vocabulary::class_bit("comment"),
        }
    }

    fn flags_of_element(&mut self, node: Node<'d>) -> u32 {
        let mut flags = 0;
        for (name, value) in node.attrs() {
            if matches!(name, "class" | "id" | "itemprop" | "data-testid") {
                let (word, comment) = (&mut self.word, self.comment);
                let known = self.known.entry(value).or_insert_with(|| {
                    let is_of_comments = vocabulary::class_bits(value) & comment != 0;
                    flags_of_names(value, word) | if is_of_comments { COMMENTS } else { 0 }
                });
                // Only class and id name what an element is for.
                let told = match name {
                    "class" | "id" => u32::MAX,
                    _ => !COMMENTS,
                };
                flags |= *known & told;
            }
        }
        flags
    }
}

/// The marks of the words of a class attribute; a word ends where letters end or a new capital starts.
fn flags_of_names(names: &str, word: &mut String) -> u32 {
    let mut flags = 0;
    let (mut after_lowercase, mut is_beside) = (false, false);
    word.clear();
    let mut close = |word: &mut String, ends_name: bool| {
        if word.len() > 1 && !is_beside {
            flags |= FLAGS_BY_WORD.get(word.as_str()).copied().unwrap_or(0);
        }
        // "price with-list-price" is the price beside that of the list.
        is_beside = !ends_name && (is_beside || word == "with");
        word.clear();
    };
    for c in names.chars().take(400) {
        let letter = c.is_alphabetic();
        if !letter || (after_lowercase && c.is_uppercase()) {
            close(word, c.is_whitespace());
        }
        if letter {
            if c.is_ascii() {
                word.push(c.to_ascii_lowercase())
            } else {
                word.extend(c.to_lowercase())
            }
        }
        after_lowercase = c.is_lowercase();
    }
    close(word, true);
    flags
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_in_every_way_to_write_a_name() {
        for name in [
            "product-price",
            "productPrice",
            "price",
            "x__price--large",
            "c1 price c2",
            "PRICE",
        ] {
            assert_ne!(flags_of_names(name, &mut String::new()) & PRICE, 0, "{name}");
        }
        for name in [
            "ancien",
            "antes",
            "oude-prijs",
            "streichpreis",
            "stara-cena",
            "vecchio",
            "tidigare",
        ] {
            let flags = flags_of_names(name, &mut String::new());
            assert_ne!(flags & STRUCK, 0, "{name}");
        }
        let beside = flags_of_names("detail-price with-list-price", &mut String::new());
        assert_eq!(beside & (PRICE | EARLIER), PRICE);
        for name in ["", "priceless", "enterprise", "p"] {
            assert_eq!(flags_of_names(name, &mut String::new()) & PRICE, 0, "{name}");
        }
    }
}
