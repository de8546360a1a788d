//! Which words around a number say what kind of amount it is?

use std::sync::LazyLock;

use crate::phrases::Phrases;

/// It costs nothing.
#[rustfmt::skip]
pub(super) const FREE: &[&str] = &[
    "free", "gratis", "gratuit", "gratuite", "gratuito", "gratuita", "grátis", "kostenlos", "kostenfrei", "umsonst",
    "darmo", "bezpłatnie", "bezpłatny", "za darmo", "zdarma", "zadarmo", "ingyenes", "ingyen", "ilmainen",
    "бесплатно", "безкоштовно", "безплатно", "besplatno", "ücretsiz", "bedava", "kosteloos", "miễn phí", "無料", "免费",
    "免費", "무료", "مجانا", "مجاني", "חינם", "δωρεάν", "nemokamai", "bezmaksas", "tasuta", "ฟรี",
];

/// It is about sending the goods: the amount is a fee or a threshold.
#[rustfmt::skip]
pub(super) const SHIPPING: &[&str] = &[
    "shipping", "delivery", "postage", "p&p", "versand", "lieferung", "versandkosten", "livraison", "envío", "envio",
    "frete", "spedizione", "verzending", "frakt", "dostawa", "wysyłka", "doprava", "доставка", "доставки", "kargo",
    "returns",
];

/// A minimum has to be reached.
#[rustfmt::skip]
const THRESHOLD: &[&str] = &[
    "orders", "order", "over", "above", "from", "spend", "ab", "über", "dès", "a partir", "desde", "od", "от",
    "свыше", "powyżej", "nad", "oltre", "vanaf", "boven", "on purchases",
];

/// An earlier or recommended price.
#[rustfmt::skip]
const EARLIER: &[&str] = &[
    "was", "old price", "regular", "regular price", "reg", "list price", "list", "rrp", "msrp", "srp", "retail",
    "retail price", "compare at", "originally", "original price", "before", "statt", "uvp", "ehemals", "vorher",
    "bisher", "alter preis", "prix conseillé", "au lieu de", "ancien prix", "avant", "antes", "de:",
    "precio anterior", "pvp", "prima", "anziché", "invece di", "listino", "van", "adviesprijs", "było",
    "cena regularna", "stara cena", "zamiast", "původně", "původní cena", "před slevou", "běžná cena", "pôvodná cena",
    "было", "старая цена", "вместо", "стара ціна", "førpris", "ord", "ordinarie", "tidligere", "ennen", "eski fiyat",
    "定价", "原价", "原價", "市场价", "通常価格", "定価",
];

/// The price that holds now.
#[rustfmt::skip]
const CURRENT: &[&str] = &[
    "now", "sale", "only", "today", "special price", "special", "our price", "your price", "offer", "jetzt", "nur",
    "maintenant", "ahora", "agora", "por:", "adesso", "ora", "nu", "teraz", "nyní", "akce", "сейчас", "теперь",
    "новая цена", "зараз", "nå", "nyt", "现价", "特价",
];

/// What is saved, not what is paid.
#[rustfmt::skip]
const SAVING: &[&str] = &[
    "save", "you save", "saving", "savings", "discount", "sie sparen", "sparen", "ersparnis", "rabatt", "économisez",
    "remise", "ahorra", "ahorras", "descuento", "economize", "desconto", "risparmi", "sconto", "bespaar", "korting",
    "oszczędzasz", "rabat", "ušetříte", "sleva", "скидка", "экономия", "вы экономите", "знижка", "coupon", "cashback",
    "off",
];

/// A count of pieces, not money.
#[rustfmt::skip]
const QUANTITY: &[&str] = &[
    "qty", "quantity", "min order", "min. order", "minimum order", "moq", "мин. заказ", "минимальный заказ",
    "мин.заказ", "количество", "menge", "mindestmenge", "quantité", "cantidad", "quantidade", "quantità", "ilość",
    "množství", "in stock",
];

/// One part of a payment plan.
#[rustfmt::skip]
const PARTIAL: &[&str] = &[
    "x", "x de", "payments of", "installments of", "interest-free", "monthly", "mtl.", "monatlich", "raten", "rate",
    "par mois", "mensualités", "cuotas de", "parcelas de", "al mese", "rat po", "рассрочка", "в месяц",
];

/// Words between the ends of a range.
#[rustfmt::skip]
const RANGE: &[&str] = &[
    "-", "–", "—", "~", "～", "to", "bis", "à", "a", "до", "till", "až", "do", "til", "tot", "hasta", "até", "a la",
    "〜",
];

/// English month names and their abbreviations that are no other word.
#[rustfmt::skip]
const MONTHS: &[&str] = &[
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec",
];

/// What the words in front of a number say about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Label {
    None,
    Earlier,
    Current,
    Saving,
    Partial,
    Shipping,
}

static LABELS: LazyLock<[(Phrases, Label); 5]> = LazyLock::new(|| {
    [
        (Phrases::new(&[EARLIER]), Label::Earlier),
        (Phrases::new(&[CURRENT]), Label::Current),
        (Phrases::new(&[SAVING]), Label::Saving),
        (Phrases::new(&[PARTIAL]), Label::Partial),
        (Phrases::new(&[SHIPPING]), Label::Shipping),
    ]
});
static SENDING: LazyLock<Phrases> = LazyLock::new(|| Phrases::new(&[SHIPPING]));
static MINIMUM: LazyLock<Phrases> = LazyLock::new(|| Phrases::new(&[THRESHOLD, FREE]));
static COUNTS: LazyLock<Phrases> = LazyLock::new(|| Phrases::new(&[QUANTITY]));
static DATES: LazyLock<Phrases> = LazyLock::new(|| Phrases::new(&[MONTHS]));
static NOTHING: LazyLock<Phrases> = LazyLock::new(|| Phrases::new(&[FREE]));

/// Reads the lower-case text in front of a number: the word nearest to the number decides.
pub(crate) fn label(before: &str) -> Label {
    let mut best = (0, Label::None);
    for (phrases, label) in LABELS.iter() {
        if let Some(end) = phrases.last_end(before)
            && end > best.0
        {
            best = (end, *label);
        }
    }
    best.1
}

/// Whether the lower-case text speaks of a minimum that makes sending free.
pub(super) fn is_threshold(before: &str) -> bool {
    SENDING.any(before) && MINIMUM.any(before)
}

/// Whether a count is announced right before the number.
pub(super) fn is_quantity(before: &str) -> bool {
    COUNTS.any(before)
}

/// Whether a month is named, so that a bare number may be its day or year.
pub(super) fn names_month(lower: &str) -> bool {
    DATES.any(lower)
}

/// Whether the text says that it costs nothing (and not only the delivery).
pub(super) fn is_free(lower: &str) -> bool {
    NOTHING.any(lower) && !SENDING.any(lower)
}

/// Whether what stands between two numbers joins them to a range.
pub(super) fn joins_range(between: &str) -> bool {
    RANGE.contains(&between.trim().to_lowercase().as_str())
}

/// Whether what follows a price makes it the price of one unit or of one month.
pub(super) fn is_per_unit(after: &str) -> bool {
    let rest = after.trim_start();
    let word = rest.strip_prefix('/').map(str::trim_start);
    if word.is_some_and(|rest| rest.starts_with(char::is_alphanumeric)) {
        return true;
    }
    let lower: String = rest.chars().take(12).flat_map(char::to_lowercase).collect();
    [
        "per ", "pro ", "je ", "par ", "por ", "al ", "za ", "за ", "w/", "pr. ",
    ]
    .iter()
    .any(|it| lower.starts_with(it))
}
