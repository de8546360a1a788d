//! Which currency does a text name, as written and by its ISO 4217 code?
//!
//! Codes and minor units are those of ISO 4217 list one (current) and list three (withdrawn); symbols and local names are
//! those of the Unicode CLDR and of price tags as shops write them.

use std::sync::LazyLock;

use smallvec::SmallVec;

use super::number::char_at;

/// How sure a form of writing is when it stands alone in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Sureness {
    /// An ordinary word: believed only behind a number ("5 GEL", not "HAIR GEL 5").
    Behind,
    /// A letter or a word that means other things too: believed only beside a number.
    Weak,
    /// Means money wherever it stands.
    Sure,
}

/// A currency found in a text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Match {
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// ISO 4217 code; the most used one where several currencies share the sign.
    pub(crate) iso: &'static str,
    pub(crate) sureness: Sureness,
}

/// One row: ISO code, forms that are money wherever they stand, forms that need a number beside them.
type Row = (&'static str, &'static [&'static str], &'static [&'static str]);

/// Symbols, abbreviations and names. Case is ignored except in forms of one letter; `*` ends a stem ("рублей" is written "руб").
#[rustfmt::skip]
const FORMS: &[Row] = &[
    ("USD", &["$", "US$", "US $", "U.S.$", "USD$", "US-$", "U$S", "U$D", "U$", "＄", "﹩"], &["dollars", "dollar", "usdollar", "доллар", "долл.", "долл", "dólares", "dolares", "dólar"]),
    ("CAD", &["C$", "CA$", "CA $", "CAD$", "CAN$", "Can$", "CDN$", "Cdn$", "C $"], &[]),
    ("AUD", &["A$", "AU$", "AU $", "AUS$", "A $"], &[]),
    ("NZD", &["NZ$", "NZ $", "$NZ"], &[]),
    ("HKD", &["HK$", "HK $"], &["港币", "港元"]),
    ("SGD", &["S$", "SG$", "S $"], &[]),
    ("TWD", &["NT$", "NT $", "NTD$", "TW$", "新台幣", "新臺幣"], &["NT", "NTD", "圓"]),
    ("MXN", &["MX$", "MX $", "MXN$", "Mex$", "Mex.$", "Mx$"], &[]),
    ("BRL", &["R$", "R $", "BR$"], &["reais", "real"]),
    ("ARS", &["AR$", "ARS$", "$a"], &[]),
    ("CLP", &["CLP$", "CL$"], &[]),
    ("COP", &["COL$", "COP$", "CO$"], &[]),
    ("UYU", &["$U", "UY$", "UYU$"], &[]),
    ("BOB", &["$b", "Bs.-"], &["Bs", "Bs."]),
    ("CUC", &["CUC$"], &[]),
    ("CUP", &["$MN", "CUP$", "₱MN"], &[]),
    ("DOP", &["RD$"], &[]),
    ("JMD", &["J$", "JA$"], &[]),
    ("BBD", &["BDS$", "Bds$", "BBD$"], &[]),
    ("BZD", &["BZ$"], &[]),
    ("BMD", &["BD$"], &[]),
    ("BND", &["B$", "BN$"], &[]),
    ("KYD", &["CI$", "KY$"], &[]),
    ("XCD", &["EC$"], &[]),
    ("FJD", &["FJ$", "F$"], &[]),
    ("GYD", &["G$", "GY$"], &[]),
    ("LRD", &["L$", "LD$"], &[]),
    ("NAD", &["N$", "NA$"], &[]),
    ("SBD", &["SI$"], &[]),
    ("SRD", &["Sr$", "SR$"], &[]),
    ("TTD", &["TT$"], &[]),
    ("ZWL", &["Z$", "ZW$"], &[]),
    ("NIO", &["C$N"], &["córdobas", "cordobas"]),
    ("PAB", &["B/.", "B/"], &["balboas", "balboa"]),
    ("PEN", &["S/.", "S/"], &["soles", "nuevos soles"]),
    ("TOP", &["T$"], &["paʻanga", "pa'anga"]),
    ("WST", &["WS$"], &["tala"]),
    ("EUR", &["€", "euros", "euro", "ЕВРО", "евро", "ευρώ"], &["eur.", "evro", "evra"]),
    ("GBP", &["£", "￡", "₤", "UK£"], &["pounds", "pound", "quid"]),
    ("EGP", &["E£", "£E", "ج.م.", "ج.م", "جنيه", "جنية"], &["LE", "L.E.", "L.E"]),
    ("LBP", &["ل.ل.", "ل.ل", "£L"], &["LL"]),
    ("SYP", &["ل.س.", "ل.س", "£S"], &["LS"]),
    ("SDG", &["ج.س."], &[]),
    ("SHP", &[], &[]),
    ("JPY", &["¥", "￥", "円", "JP¥", "日元", "日圆"], &["yen"]),
    ("CNY", &["CN¥", "RMB¥", "元", "人民币", "人民幣", "RMB", "圆"], &["yuan", "块"]),
    ("KRW", &["₩", "￦", "원"], &["won"]),
    ("KPW", &["조선원"], &[]),
    ("INR", &["₹", "Rs.", "Rs", "INR.", "रु.", "रु", "र", "₨"], &["Re", "Re.", "rupees", "rupee", "/-"]),
    ("PKR", &["PKRs", "روپے"], &[]),
    ("LKR", &["රු.", "රු", "SLRs", "SLRs.", "ரூ"], &[]),
    ("NPR", &["NRs", "NRs.", "रू", "रू."], &[]),
    ("MUR", &["MURs"], &[]),
    ("SCR", &["SRs", "SRe"], &[]),
    ("MVR", &["Rf.", "MRf", "ރ."], &["Rf"]),
    ("BDT", &["৳", "টাকা"], &["Tk", "Tk.", "taka"]),
    ("BTN", &["Nu."], &["Nu"]),
    ("AFN", &["؋"], &["Af", "Afs"]),
    ("RUB", &["₽", "руб.", "руб*", "Rub.", "rubles", "roubles", "rbl."], &["р.", "р", "Р", "Р.", "p.", "rub", "Rbl", "R₽"]),
    ("BYN", &["бел. руб.", "Br.", "BYR"], &["Br", "б.р."]),
    ("UAH", &["₴", "грн.", "грн", "гривень", "гривен", "hrn.", "uah."], &["hrn", "грв"]),
    ("KZT", &["₸", "тенге", "тңг", "KZT₸", "тг."], &["тг", "tg", "tenge", "т"]),
    ("KGS", &["сом", "сомов"], &["с", "som"]),
    ("UZS", &["сум", "сўм", "so'm", "so‘m", "soʻm", "soʼm", "so’m"], &["sum", "so`m", "soum"]),
    ("TJS", &["смн", "смн.", "сомони"], &["SM", "somoni"]),
    ("TMT", &["манат"], &["T"]),
    ("AZN", &["₼", "ман.", "AZN.", "manat"], &["man.", "ман"]),
    ("GEL", &["₾", "ლარი", "ლ"], &["lari", "лари"]),
    ("AMD", &["֏", "դր.", "դր", "драм", "դրամ"], &["dram", "др."]),
    ("MNT", &["₮", "төг", "төгрөг", "тугрик"], &["tög", "tugrik"]),
    ("BGN", &["лв.", "лв", "лева"], &["lv.", "lv", "leva", "лев"]),
    ("RSD", &["РСД", "динара", "RSD."], &["din.", "din", "дин.", "дин", "dinara", "ДИН"]),
    ("MKD", &["денари", "ден.", "ден"], &["den.", "den", "denari"]),
    ("BAM", &["КМ"], &["KM"]),
    ("HRK", &["kuna", "kune"], &["kn", "kn."]),
    ("PLN", &["zł", "zł.", "złotych", "złote", "złoty", "zl."], &["zl", "zlotych", "zloty"]),
    ("CZK", &["Kč", "Kčs", "CZK.", "korun"], &["Kc", "kc.", ",-Kč"]),
    ("SKK", &[], &["Sk"]),
    ("HUF", &["Ft", "Ft.", "forint"], &[]),
    ("RON", &["lei", "leu", "lei."], &[]),
    ("MDL", &["лей", "леев", "лея"], &[]),
    ("ALL", &["Lekë", "Lek", "lekë"], &["Leke", "L"]),
    ("TRY", &["₺", "TL", "TRY.", "YTL"], &["lira", "liras", "lirası"]),
    ("ILS", &["₪", "ש\"ח", "ש״ח", "שח", "שקל", "שקלים"], &["NIS", "shekel", "shekels"]),
    ("SEK", &["SEK.", "kronor"], &["kr", "kr.", ":-"]),
    ("DKK", &["DKK.", "kroner"], &["dkr", "dkr."]),
    ("NOK", &["NOK."], &["nkr"]),
    ("ISK", &["ISK.", "krónur"], &["íkr", "Ikr"]),
    ("CHF", &["Fr.", "SFr.", "SFr", "Sfr.", "CHF.", "₣", "Franken"], &["Fr", "franc", "francs", "F.", "frs", "frs."]),
    ("DEM", &["Deutsche Mark"], &["DM"]),
    ("XOF", &["FCFA", "F CFA", "CFA"], &["F"]),
    ("XAF", &["XAF.", "F.CFA"], &[]),
    ("XPF", &["CFPF", "F CFP", "CFP", "XPF."], &[]),
    ("DJF", &["Fdj"], &[]),
    ("GNF", &["FG", "GFr", "F.G.", "GFr."], &[]),
    ("KMF", &[], &["CF"]),
    ("CDF", &["CDF."], &["FC"]),
    ("RWF", &["RF", "R₣", "FRw", "Frw", "RWF."], &[]),
    ("BIF", &["FBu", "Fbu", "FBU."], &[]),
    ("MGA", &["Ariary"], &["Ar", "Fmg"]),
    ("NGN", &["₦", "naira"], &[]),
    ("GHS", &["GH₵", "₵", "GH¢", "GHȻ", "GHc", "cedis", "cedi"], &["GHC"]),
    ("KES", &["KSh", "KShs", "Ksh.", "Kshs.", "Sh.so.", "KES."], &["Sh", "Shs", "Sh."]),
    ("UGX", &["USh", "UShs", "USh.", "UGX."], &[]),
    ("TZS", &["TSh", "TShs", "TSh.", "Tshs.", "TSHS"], &[]),
    ("SOS", &["So.Sh.", "Sh.So."], &["S"]),
    ("ETB", &["ብር", "ETB."], &["birr"]),
    ("ERN", &["ናቕፋ", "ናቅፋ", "Nfk"], &["Nkf", "nakfa"]),
    ("ZAR", &["ZAR."], &["R", "rand"]),
    ("BWP", &["pula"], &["P"]),
    ("ZMW", &["ZK", "ZMK", "ZMW."], &["K", "kwacha"]),
    ("MWK", &["MK", "MWK."], &[]),
    ("MZN", &["MTn", "MZN.", "meticais"], &["MT", "Mt"]),
    ("AOA", &["Kz", "AKz", "AOA.", "kwanza", "kwanzas"], &["kwz"]),
    ("SZL", &["lilangeni", "emalangeni"], &["E"]),
    ("LSL", &["maloti", "loti"], &["M"]),
    ("GMD", &["dalasi"], &["D"]),
    ("SLL", &["SLL.", "SLe"], &["Le", "Le."]),
    ("CVE", &["Esc", "CV$"], &["escudos"]),
    ("STN", &["Db"], &["dobra", "dobras"]),
    ("MRU", &["UM", "أوقية", "MRU."], &["ouguiya"]),
    ("MAD", &["د.م.", "د.م", "درهم مغربي", "MAD."], &["Dh", "DH", "dhs", "DH.", "Dhs."]),
    ("DZD", &["د.ج.", "د.ج", "دج", "دينار جزائري", "DZD."], &["DA"]),
    ("TND", &["د.ت.", "د.ت", "دينار تونسي", "TND."], &["DT", "TD"]),
    ("LYD", &["ل.د.", "ل.د", "د.ل.", "د.ل", "دينار ليبي"], &["LD"]),
    ("AED", &["د.إ.", "د.إ", "درهم إماراتي", "درهم", "AED.", "دراهم"], &["dirham", "dirhams", "Dhs"]),
    ("SAR", &["ر.س.", "ر.س", "ريال سعودي", "﷼", "SAR.", "ريال", "SR.", "\u{20C1}"], &["SR", "riyal", "riyals"]),
    ("QAR", &["ر.ق.", "ر.ق", "ريال قطري", "QAR."], &["QR"]),
    ("OMR", &["ر.ع.", "ر.ع", "ريال عماني", "OMR."], &["RO", "R.O."]),
    ("YER", &["ر.ي.", "ر.ي", "ريال يمني", "YER."], &["YRI"]),
    ("IRR", &["ریال", "تومان", "تومن", "IRR."], &["toman", "tomans", "rial", "rials"]),
    ("IQD", &["ع.د.", "ع.د", "د.ع.", "د.ع", "دينار عراقي", "IQD."], &["ID"]),
    ("JOD", &["د.أ.", "د.أ", "د.ا.", "د.ا", "دينار أردني"], &["JD", "JDs"]),
    ("KWD", &["د.ك.", "د.ك", "دينار كويتي", "دك", "K.D.", "KD.", "دينار", "د."], &["KD"]),
    ("BHD", &[".د.ب", "د.ب.", "د.ب", "دينار بحريني", "B.D."], &["BD"]),
    ("THB", &["฿", "บาท", "THB."], &["baht", "Bt", "B"]),
    ("VND", &["₫", "đ", "VNĐ", "đồng", "VND."], &["dong"]),
    ("LAK", &["₭", "₭N", "ກີບ"], &["kip"]),
    ("KHR", &["៛", "រៀល"], &["riel", "riels"]),
    ("MMK", &["ကျပ်", "Kyats", "Kyat"], &["Ks"]),
    ("IDR", &["Rp", "Rp.", "rupiah", "IDR."], &[]),
    ("MYR", &["RM", "ringgit", "MYR."], &[]),
    ("PHP", &["₱", "Php.", "pesos", "Php"], &["peso"]),
    ("PGK", &["kina"], &[]),
    ("VUV", &["vatu"], &["VT", "Vt"]),
    ("MOP", &["MOP$", "澳門元"], &["P."]),
    ("CRC", &["₡", "colones"], &["colón"]),
    ("SVC", &["SVC."], &[]),
    ("GTQ", &["quetzales", "quetzal"], &["Q", "Q."]),
    ("HNL", &["lempiras", "lempira"], &["Lps", "L."]),
    ("HTG", &["gourdes", "gourde"], &["G", "Gde", "HTG."]),
    ("PYG", &["₲", "guaraníes", "guaranies", "PYG."], &["Gs", "Gs.", "₲s"]),
    ("VES", &["Bs.S.", "Bs.S", "Bs.D.", "Bs.F.", "Bs.F", "BsF", "BsS", "VEF"], &["bolívares"]),
    ("AWG", &["Afl.", "Afl"], &[]),
    ("ANG", &["ƒ", "NAƒ", "NAf.", "NAf", "fl."], &["fl"]),
    ("GIP", &["GI£"], &[]), ("FKP", &["FK£"], &[]), ("IMP", &["IM£"], &[]), ("JEP", &["JE£"], &[]),
    ("BTC", &["₿", "Ƀ", "BTC."], &["bitcoin", "bitcoins"]),
    ("ETH", &["Ξ"], &[]),
    ("XTS", &["¤", "₶", "¢", "￠"], &["livres"]),
    ("ITL", &[], &["ITL."]), ("ESP", &["₧", "pesetas", "Pts"], &["pta", "ptas"]), ("GRD", &["₯"], &[]), ("ECS", &["₠"], &[]),
    ("SPL", &[], &["SPL"]), ("TVD", &[], &["TV$"]), ("SSP", &[], &[]), ("LTL", &["Lt."], &["Lt"]), ("LVL", &["Ls."], &["Ls"]), ("EEK", &[], &["EEK."]), ("SLE", &[], &["Sl"]),
];

/// Codes of ISO 4217 lists one and three as shops still print them, and a few in common use without being listed there.
#[rustfmt::skip]
const CODES: &[&str] = &[
    "AED", "AFN", "AMD", "ANG", "AOA", "ARS", "AUD", "AWG", "AZN", "BAM", "BBD", "BDT", "BGN", "BHD", "BIF", "BMD",
    "BND", "BRL", "BSD", "BTN", "BWP", "BYN", "BYR", "BZD", "CAD", "CDF", "CHF", "CLF", "CLP", "CNH", "CNY", "CRC",
    "CUC", "CVE", "CZK", "DEM", "DJF", "DKK", "DOP", "DZD", "EEK", "EGP", "ERN", "ESP", "ETB", "ETH", "EUR", "FJD",
    "FKP", "FRF", "GBP", "GGP", "GHS", "GIP", "GMD", "GNF", "GRD", "GTQ", "GYD", "HKD", "HNL", "HRK", "HTG", "HUF",
    "IDR", "IEP", "IMP", "INR", "IQD", "IRR", "ISK", "ITL", "JEP", "JMD", "JOD", "JPY", "KES", "KGS", "KHR", "KMF",
    "KPW", "KRW", "KWD", "KYD", "KZT", "LBP", "LKR", "LRD", "LSL", "LTL", "LVL", "LYD", "MDL", "MGA", "MKD", "MMK",
    "MNT", "MRU", "MUR", "MVR", "MWK", "MXN", "MYR", "MZN", "NAD", "NGN", "NIO", "NLG", "NOK", "NPR", "NZD", "OMR",
    "PAB", "PGK", "PHP", "PKR", "PLN", "PYG", "QAR", "RSD", "RUB", "RUR", "RWF", "SBD", "SCR", "SDG", "SEK", "SGD",
    "SHP", "SIT", "SKK", "SLL", "SLE", "SRD", "SSP", "STD", "STN", "SVC", "SYP", "SZL", "THB", "TJS", "TMT", "TND",
    "TTD", "TWD", "TZS", "UAH", "UGX", "USD", "UYU", "UZS", "VED", "VEF", "VES", "VND", "VUV", "XAF", "XCD", "XOF",
    "XPF", "ZAR", "ZMK", "ZMW", "ZWD", "ZWL", "BTC", "USDT", "USDC",
];

/// Codes that are words or names of other things too: believed only behind a number.
#[rustfmt::skip]
const WORDLIKE_CODES: &[&str] = &[
    "ALL", "BOB", "COP", "CUP", "FIM", "GEL", "ILS", "LAK", "MAD", "MOP", "MRO", "PEN", "RON", "SAR", "SOS", "TOP",
    "TRY", "WST", "YER",
];

/// Currencies whose smallest coin is a thousandth (ISO 4217, minor unit 3).
const THREE_MINOR_DIGITS: &[&str] = &["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"];

/// Countries (two-letter codes, also top-level domains) whose dollar, crown, pound, rupee, peso or yen is not the most used one.
#[rustfmt::skip]
const BY_COUNTRY: &[(&str, &[(&str, &str)])] = &[
    ("$", &[("au", "AUD"), ("ca", "CAD"), ("nz", "NZD"), ("sg", "SGD"), ("hk", "HKD"), ("tw", "TWD"), ("mx", "MXN"), ("ar", "ARS"),
        ("cl", "CLP"), ("co", "COP"), ("uy", "UYU"), ("br", "BRL"), ("do", "DOP"), ("jm", "JMD"), ("tt", "TTD"), ("bb", "BBD"), ("fj", "FJD"),
        ("na", "NAD"), ("bs", "BSD"), ("bm", "BMD"), ("ky", "KYD"), ("bn", "BND"), ("cu", "CUP")]),
    ("£", &[("eg", "EGP"), ("lb", "LBP"), ("sy", "SYP"), ("gi", "GIP"), ("fk", "FKP")]),
    ("¥", &[("cn", "CNY")]),
    ("￥", &[("cn", "CNY")]),
    ("元", &[("tw", "TWD"), ("hk", "HKD"), ("mo", "MOP")]),
    ("kr", &[("no", "NOK"), ("dk", "DKK"), ("is", "ISK"), ("fo", "DKK"), ("gl", "DKK")]),
    ("rs", &[("pk", "PKR"), ("lk", "LKR"), ("np", "NPR"), ("mu", "MUR")]),
    ("lei", &[("md", "MDL")]),
    ("fr", &[("fr", "EUR")]),
    ("pesos", &[("mx", "MXN"), ("ar", "ARS"), ("cl", "CLP"), ("co", "COP"), ("uy", "UYU"), ("do", "DOP")]),
    ("din", &[("ba", "BAM")]),
];

/// The ISO code of a written form in a country ("$" in Canada is CAD); nothing when the form is unknown.
pub(crate) fn code(form: &str, country: Option<&str>) -> Option<&'static str> {
    let trimmed = form.trim();
    let bare = trimmed.trim_end_matches('.').to_lowercase();
    let here = BY_COUNTRY
        .iter()
        .find(|(sign, _)| *sign == bare)
        .and_then(|(_, by)| {
            let country = country?;
            by.iter()
                .find(|(at, _)| at.eq_ignore_ascii_case(country))
                .map(|(_, iso)| *iso)
        });
    here.or_else(|| {
        match_at(trimmed, 0)
            .filter(|it| it.end == trimmed.len())
            .map(|it| it.iso)
    })
}

/// Whether the currency counts in thousandths.
pub(crate) fn has_three_minor_digits(iso: &str) -> bool {
    THREE_MINOR_DIGITS.contains(&iso)
}

/// A form ready for comparing.
struct Form {
    /// Lower case, except forms of one letter.
    folded: Box<str>,
    iso: &'static str,
    sureness: Sureness,
    /// Compared with case.
    exact: bool,
    /// Letters of the first and last character make word boundaries matter there.
    opens_word: bool,
    closes_word: bool,
}

/// All forms by their first character, longest first.
struct Table {
    ascii: Vec<Vec<Form>>,
    rest: std::collections::HashMap<char, Vec<Form>>,
}

static TABLE: LazyLock<Table> = LazyLock::new(build);

fn build() -> Table {
    let mut table = Table {
        ascii: (0..128).map(|_| Vec::new()).collect(),
        rest: std::collections::HashMap::new(),
    };
    for (iso, sure, weak) in FORMS {
        for form in *sure {
            add(&mut table, form, iso, Sureness::Sure);
        }
        for form in *weak {
            add(&mut table, form, iso, Sureness::Weak);
        }
    }
    for code in CODES {
        add(&mut table, code, code, Sureness::Sure);
    }
    for code in WORDLIKE_CODES {
        add(&mut table, code, code, Sureness::Behind);
    }
    let lists = table.ascii.iter_mut().chain(table.rest.values_mut());
    for list in lists {
        list.sort_by_key(|form| {
            (
                std::cmp::Reverse(form.folded.len()),
                std::cmp::Reverse(form.sureness),
            )
        });
    }
    table
}

fn add(table: &mut Table, text: &'static str, iso: &'static str, sureness: Sureness) {
    let stem = text.strip_suffix('*');
    let text = stem.unwrap_or(text);
    let exact = text.chars().count() == 1;
    let folded: Box<str> = if exact { text.into() } else { fold_all(text).into() };
    let (Some(first), Some(last)) = (folded.chars().next(), folded.chars().next_back()) else {
        return;
    };
    let closes_word = has_boundaries(last) && stem.is_none();
    let form = Form {
        folded,
        iso,
        sureness,
        exact,
        opens_word: has_boundaries(first),
        closes_word,
    };
    match table.ascii.get_mut(first as usize) {
        Some(list) => list.push(form),
        None => table.rest.entry(first).or_default().push(form),
    }
}

fn fold_all(text: &str) -> String {
    text.chars().map(fold).collect()
}

/// Lower case of one character, for comparing only.
fn fold(c: char) -> char {
    if c.is_ascii() {
        c.to_ascii_lowercase()
    } else {
        c.to_lowercase().next().unwrap_or(c)
    }
}

/// Letters of scripts that separate words by blanks and write prices apart from words.
fn has_boundaries(c: char) -> bool {
    c.is_alphabetic() && (u32::from(c) < 0x0590 || ('\u{10A0}'..='\u{139F}').contains(&c))
}

/// The longest currency that starts at byte `at`, if one does.
fn match_at(text: &str, at: usize) -> Option<Match> {
    let first = char_at(text, at)?;
    let folded = fold(first);
    let mut best: Option<(&Form, usize)> = None;
    for key in [folded, first] {
        let list = match TABLE.ascii.get(key as usize) {
            Some(list) => Some(list),
            None => TABLE.rest.get(&key),
        };
        for form in list.into_iter().flatten() {
            if best.is_some_and(|(it, _)| it.folded.len() >= form.folded.len()) {
                break;
            }
            if let Some(end) = fits(text, at, form) {
                best = Some((form, end));
                break;
            }
        }
        if folded == first {
            break;
        }
    }
    best.map(|(form, end)| Match {
        start: at,
        end,
        iso: form.iso,
        sureness: form.sureness,
    })
}

/// Where `form` ends when it stands at `at` between word boundaries.
fn fits(text: &str, at: usize, form: &Form) -> Option<usize> {
    let rest = text.get(at..)?;
    let end = if form.exact {
        rest.starts_with(&*form.folded).then_some(form.folded.len())?
    } else {
        let mut len = 0;
        let mut have = rest.chars();
        for want in form.folded.chars() {
            let c = have.next()?;
            // A blank inside a form may be any blank.
            let same = fold(c) == want || (want == ' ' && c.is_whitespace());
            if !same {
                return None;
            }
            len += c.len_utf8();
        }
        len
    };
    if form.opens_word && super::number::char_before(text, at).is_some_and(has_boundaries) {
        return None;
    }
    if form.closes_word && char_at(text, at + end).is_some_and(has_boundaries) {
        return None;
    }
    Some(at + end)
}

/// All currencies named in `text`, in order, at most 32.
pub(crate) fn scan(text: &str) -> SmallVec<[Match; 4]> {
    let mut found: SmallVec<[Match; 4]> = SmallVec::new();
    let mut at = 0;
    let mut inside = false;
    while let Some(c) = char_at(text, at) {
        // Within a word no form can start.
        let letter = has_boundaries(c);
        let skip = c.is_ascii_digit() || c == ' ' || c == ',' || (inside && letter);
        inside = letter;
        match (!skip).then(|| match_at(text, at)).flatten() {
            Some(hit) => {
                at = hit.end.max(at + c.len_utf8());
                inside = false;
                found.push(hit);
                if found.len() == 32 {
                    break;
                }
            }
            None => at += c.len_utf8(),
        }
    }
    found
}
