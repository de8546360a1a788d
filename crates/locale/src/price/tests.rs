use super::*;

fn amount(text: &str) -> Option<String> {
    parse(text, &PriceHints::default()).map(|it| it.amount)
}

fn check(cases: &[(&str, Option<&str>, Option<&str>)]) {
    for (text, amount, iso) in cases {
        let got = parse(text, &PriceHints::default());
        let got = (
            got.as_ref().map(|it| it.amount.as_str()),
            got.as_ref().and_then(|it| it.iso),
        );
        assert_eq!(got, (*amount, *iso), "{text}");
    }
}

#[test]
fn a_price_is_read_in_every_locale() {
    check(&[
        ("$1,299.00", Some("1299.00"), Some("USD")),
        ("1.299,00 €", Some("1299.00"), Some("EUR")),
        ("1.234,99 €", Some("1234.99"), Some("EUR")),
        ("1 299,00 zł", Some("1299.00"), Some("PLN")),
        ("1\u{a0}299,00\u{a0}zł", Some("1299.00"), Some("PLN")),
        ("149,99 zł", Some("149.99"), Some("PLN")),
        ("US$ 5", Some("5"), Some("USD")),
        ("£12", Some("12"), Some("GBP")),
        ("CHF 1'250.50", Some("1250.50"), Some("CHF")),
        ("Fr. 1’250.–", Some("1250"), Some("CHF")),
        ("₹1,23,456.00", Some("123456.00"), Some("INR")),
        ("Rs.500", Some("500"), Some("INR")),
        ("R$ 1.500,00", Some("1500.00"), Some("BRL")),
        ("12 990 руб.", Some("12990"), Some("RUB")),
        ("٣٥٠ ر.س", Some("350"), Some("SAR")),
        ("￥１，２００", Some("1200"), Some("JPY")),
        ("1200円(税込)", Some("1200"), Some("JPY")),
        ("1.800.000₫", Some("1800000"), Some("VND")),
        ("3.500 KWD", Some("3.500"), Some("KWD")),
        ("R8,499", Some("8499"), Some("ZAR")),
    ]);
}

#[test]
fn three_digits_behind_the_last_separator_are_thousands_unless_somebody_knows_better() {
    assert_eq!(amount("3.350"), Some("3350".into()));
    assert_eq!(amount("0.350"), Some("0.350".into()));
    assert_eq!(amount("1,234.567"), Some("1234.567".into()));
    let hints = PriceHints {
        decimal_separator: Some('.'),
        ..PriceHints::default()
    };
    assert_eq!(parse("3.350", &hints).map(|it| it.amount), Some("3.350".into()));
}

#[test]
fn a_range_gives_its_lower_end_and_tells_the_upper() {
    for text in ["12.50-15.00 €", "€12.50 – €15.00", "from 12.50 to 15.00 EUR"] {
        let got = parse(text, &PriceHints::default());
        let got = got
            .as_ref()
            .map(|it| (it.amount.as_str(), it.upper.as_deref(), it.iso));
        assert_eq!(got, Some(("12.50", Some("15.00"), Some("EUR"))), "{text}");
    }
}

#[test]
fn friday_before_a_day_is_no_currency() {
    let all = |text| {
        let found = find_all(text, &PriceHints::default());
        let pairs = found
            .iter()
            .map(|it| format!("{} {}", it.amount, it.iso.unwrap_or("-")));
        pairs.collect::<Vec<String>>().join(", ")
    };
    for (text, amounts) in [
        ("Fr. 4.4. Trio Alba 12 €", "12 EUR"),
        ("Fr. 11.4. Chor Nord frei", ""),
        ("Fr. 25.4.2025, 10 €", "10 EUR"),
        ("Fr. 7. März 2025 | 45 €", "45 EUR"),
        ("Fr. 28.02. – So. 2.03.2025: 80 €", "80 EUR"),
        ("Fr. 5.10. Herbstfest, Eintritt 3 €", "3 EUR"),
        ("Fr 4.–6. April, 20 €", "20 EUR"),
        // Francs
        ("Fr. 12.50", "12.50 CHF"),
        ("Fr. 4.40", "4.40 CHF"),
        ("Fr. 5.–", "5 CHF"),
        ("Fr. 50. Aktion im März", "50 CHF"),
        ("Das kostet Fr. 5.10. Der Versand ist frei.", "5.10 CHF"),
        ("Das kostet Fr. 12.50. 20 Stück", "12.50 CHF"),
        ("Fr. 10.– bis Fr. 20.–", "10 CHF, 20 CHF"),
    ] {
        assert_eq!(all(text), amounts, "{text}");
    }
    assert_eq!(amount("Fr. 21.02.2025"), None);
}

#[test]
fn the_first_of_two_servings_has_the_price() {
    assert_eq!(amount("£2.20 / pot £3.80"), Some("2.20".into()));
    assert_eq!(amount("2,20 € / 0,4 l 3,80 €"), Some("2.20".into()));
    assert_eq!(amount("2,20 € / kg 3,80 €"), Some("3.80".into()));
    assert_eq!(amount("2,20 € / 100 g 3,80 €"), Some("3.80".into()));
}

#[test]
fn the_price_of_a_set_is_not_that_of_its_parts() {
    assert_eq!(amount("Los: € 812,95. Nu als set: € 749,-"), Some("749".into()));
    assert_eq!(amount("Bought separately £30, as a set £24"), Some("24".into()));
}

#[test]
fn what_costs_nothing_is_zero() {
    for text in ["free", "Free!", "gratis", "kostenlos", "бесплатно", "無料"] {
        assert_eq!(amount(text), Some("0".into()), "{text}");
    }
    assert_eq!(amount("free shipping"), None);
}

#[test]
fn what_is_no_price_gives_none() {
    let cases = [
        "",
        "40% OFF",
        "-$5.00",
        "−20 €",
        "15.08.2017",
        "July, 2004",
        "25-09",
        "10:30",
        "#884",
        "1.2.3",
        "qty: 3 pieces",
        "Free Shipping on Orders $49+.",
        "no price",
        "%",
        "€",
        "3x",
    ];
    for text in cases {
        assert_eq!(amount(text), None, "{text}");
    }
}

#[test]
fn the_price_that_holds_now_is_taken_before_the_earlier_one() {
    assert_eq!(amount("Was $120.00 Now $60.00"), Some("60.00".into()));
    assert_eq!(amount("Statt 249,00 EUR nur 199,00 EUR"), Some("199.00".into()));
    assert_eq!(amount("You save $5.00 Price $20.00"), Some("20.00".into()));
    assert_eq!(
        amount("Was: $124.95 Now: $0.00"),
        Some("124.95".into()),
        "nothing is no offer"
    );
}

#[test]
fn a_part_is_told_from_the_whole() {
    let kind = |text| parse(text, &PriceHints::default()).map(|it| (it.amount, it.kind));
    // Letters with digits are the number of an article, and no count of parts.
    assert_eq!(
        kind("SKU: X59110 $59.00"),
        Some(("59.00".into(), PriceKind::Full))
    );
    // What shops of the European Union have to show beside a reduced price is not what it cost before.
    assert_eq!(
        kind("30-days best price: £166"),
        Some(("166".into(), PriceKind::Aside))
    );
    assert_eq!(
        kind("Najniższa cena z 30 dni: 166 zł"),
        Some(("166".into(), PriceKind::Aside))
    );
    assert_eq!(kind("$30.56/month"), Some(("30.56".into(), PriceKind::PerUnit)));
    assert_eq!(
        kind("até 3x de R$ 30,00"),
        Some(("30.00".into(), PriceKind::Installment))
    );
    assert_eq!(
        kind("Sampler, 4 × 60 g £13.00"),
        Some(("13.00".into(), PriceKind::Full))
    );
    assert_eq!(
        kind("R$ 60,00 até 2x de R$ 30,00"),
        Some(("60.00".into(), PriceKind::Full))
    );
}

#[test]
fn a_number_beside_a_currency_is_believed_before_a_bare_one() {
    assert_eq!(amount("Pack of 12 for $7.99"), Some("7.99".into()));
    assert_eq!(amount("50 - $2.00 100 - $2.75"), Some("2.00".into()));
    assert_eq!(amount("35€ 99"), Some("35.99".into()));
    assert_eq!(amount("Sleeps 2 €90"), Some("90".into()));
    assert_eq!(amount("Floor 3 €90.50 a night"), Some("90.50".into()));
    assert_eq!(amount("35 €99"), Some("35.99".into()));
    assert_eq!(amount("Prix : 25 €99"), Some("25.99".into()));
    assert_eq!(amount("1 299 €00 TTC"), Some("1299".into()));
    assert_eq!(amount("1,299 .00 $"), Some("1299.00".into()));
}

#[test]
fn the_currency_is_told_as_written() {
    let currency = |text, hint| {
        let hints = PriceHints {
            currency_hint: Some(hint),
            ..PriceHints::default()
        };
        read(text, &hints).currency.map(str::to_owned)
    };
    assert_eq!(currency("£5", "USD"), Some("£".into()));
    assert_eq!(currency("5", "Price: € 7"), Some("€".into()));
    assert_eq!(currency("5", "SKU:"), None);
    assert_eq!(currency("", "Kč"), Some("Kč".into()));
    assert_eq!(currency("$1,190.00 AUD", ""), Some("AUD".into()));
    assert_eq!(currency("NZD $100", ""), Some("NZD".into()));
    assert_eq!(currency("HAIR GEL 5", ""), None);
}

#[test]
fn a_shared_sign_follows_the_country() {
    assert_eq!(iso("$", None), Some("USD"));
    assert_eq!(iso("$", Some("CA")), Some("CAD"));
    assert_eq!(iso("kr.", Some("dk")), Some("DKK"));
    assert_eq!(iso("¥", Some("cn")), Some("CNY"));
    assert_eq!(iso("bananas", None), None);
}

#[test]
fn all_prices_of_a_text_are_found_in_order() {
    let text = "10% off 12 pieces: $ 5.00, then €6,50 each";
    let all: Vec<_> = find_all(text, &PriceHints::default())
        .into_iter()
        .map(|it| it.amount)
        .collect();
    assert_eq!(all, ["5.00", "6.50"]);
}

#[test]
fn words_scale_an_amount() {
    check(&[
        ("2.5 lakh", Some("250000"), None),
        ("₹3 crore", Some("30000000"), Some("INR")),
        ("₹2.5 Cr", Some("25000000"), Some("INR")),
        ("1.5M", Some("1500000"), None),
        ("$1.5M", Some("1500000"), Some("USD")),
        ("1e3", Some("1000"), None),
        ("1.0E+2", Some("100"), None),
        ("1,2 mln zł", Some("1200000"), Some("PLN")),
        ("20 tys.", Some("20000"), None),
        ("20 tys. zł", Some("20000"), Some("PLN")),
        ("3万円", Some("30000"), Some("JPY")),
        ("4万4800円", Some("44800"), Some("JPY")),
        ("1億2000万円", Some("120000000"), Some("JPY")),
        ("1万2,800円", Some("12800"), Some("JPY")),
        ("1億5,000万円", Some("150000000"), Some("JPY")),
        ("3만5,000원", Some("35000"), Some("KRW")),
        ("2万5,000元", Some("25000"), Some("CNY")),
        ("1억 5000만원", Some("150000000"), Some("KRW")),
    ]);
    assert_eq!(amount("$5 magnets"), Some("5".into()));
    assert_eq!(amount("$5 M size"), Some("5".into()));
}

#[test]
fn small_coins_belong_to_their_whole_units() {
    check(&[
        ("12 zł 99 gr", Some("12.99"), Some("PLN")),
        ("5 € 5 ct", Some("5.05"), Some("EUR")),
        ("£3 50p", Some("3.50"), Some("GBP")),
        ("1.299:-", Some("1299"), Some("SEK")),
    ]);
    assert_eq!(amount("12 zł 99 kg"), Some("12".into()));
}

#[test]
fn the_country_of_a_dollar_may_stand_behind_the_sign() {
    check(&[
        ("10 $ CAD", Some("10"), Some("CAD")),
        ("10 $CA", Some("10"), Some("CAD")),
        ("1 299,00 $ US", Some("1299.00"), Some("USD")),
        ("10 $ ca. 5 kg", Some("10"), Some("USD")),
    ]);
    let all: Vec<_> = find_all("10 $ CAD 12.50", &PriceHints::default())
        .into_iter()
        .map(|price| price.amount)
        .collect();
    assert_eq!(all, ["10", "12.50"]);
}

#[test]
fn what_is_known_of_the_separators_is_believed() {
    let with = |text: &str, decimal: Option<char>, group: Option<char>| {
        let hints = PriceHints {
            decimal_separator: decimal,
            digit_group_separator: group,
            ..PriceHints::default()
        };
        parse(text, &hints).map(|price| price.amount)
    };
    assert_eq!(with("3.350", None, Some(',')), Some("3.350".into()));
    // A number that cannot be written so is read as if nothing were known: no digit of it is dropped.
    assert_eq!(with("1.234,5", Some('.'), None), Some("1234.5".into()));
    assert_eq!(with("1,234.50", Some(','), None), Some("1234.50".into()));
    assert_eq!(with("1.234.567,8", Some('.'), None), Some("1234567.8".into()));
    assert_eq!(with("12,5 €", Some('.'), None), Some("12.5".into()));
    assert_eq!(with("1.234,50", Some(','), None), Some("1234.50".into()));
    assert_eq!(with("1,299", None, Some('.')), Some("1.299".into()));
    assert_eq!(with("12·99", Some('·'), None), Some("12.99".into()));
    assert_eq!(with("12 99", Some(' '), None), Some("12.99".into()));
    assert_eq!(with("1_299,50", None, Some('_')), Some("1299.50".into()));
    assert_eq!(with("1’299.50", Some('.'), Some('’')), Some("1299.50".into()));
}

#[test]
fn a_hard_space_holds_a_number_together() {
    check(&[
        ("R1\u{a0}299,00", Some("1299.00"), Some("ZAR")),
        ("E1\u{202f}299\u{202f}567,00", Some("1299567.00"), Some("SZL")),
        ("$1, 299.00", Some("1299.00"), Some("USD")),
    ]);
}

#[test]
fn a_code_that_is_a_word_opens_a_price_but_no_sentence() {
    check(&[
        ("TRY 1,299.00", Some("1299.00"), Some("TRY")),
        ("Price: MAD 500", Some("500"), Some("MAD")),
        ("GEL\u{a0}12.50", Some("12.50"), Some("GEL")),
        ("HAIR GEL 5", Some("5"), None),
    ]);
    assert_eq!(find_all("TOP 10", &PriceHints::default()), []);
}

#[test]
fn names_and_measures_are_no_prices() {
    assert_eq!(amount("S/4HANA"), None);
    for text in ["Migrate to S/4HANA now", "2 L", "5 pounds", "10 M"] {
        assert_eq!(find_all(text, &PriceHints::default()), [], "{text}");
    }
    assert_eq!(
        amount("1.00000000000000000000 USD"),
        Some("1.00000000000000000000".into())
    );
}

proptest::proptest! {
    /// Whatever the text, the amount is a plain decimal and nothing panics.
    #[test]
    fn an_amount_is_always_a_plain_decimal(text in "[ -~€£¥₹zł.,'’ \u{a0}٠-٩０-９рубKč%-]{0,40}") {
        let hints = PriceHints { currency_hint: Some(&text), ..PriceHints::default() };
        if let Some(price) = read(&text, &hints).price {
            let (whole, cents) = price.amount.split_once('.').unwrap_or((&price.amount, "0"));
            proptest::prop_assert!(!whole.is_empty() && whole.bytes().all(|b| b.is_ascii_digit()));
            proptest::prop_assert!(!cents.is_empty() && cents.bytes().all(|b| b.is_ascii_digit()));
        }
    }

    /// A written amount is read back, in each of the usual ways to write it.
    #[test]
    fn an_amount_is_read_back_as_written(units in 0u32..10_000_000, cents in 0u8..100) {
        let digits = units.to_string();
        let mut groups: Vec<&str> = digits.as_bytes().rchunks(3).rev().filter_map(|it| std::str::from_utf8(it).ok()).collect();
        if groups.is_empty() { groups.push("0"); }
        for (group, point, unit) in [(",", ".", "USD"), (".", ",", "EUR"), (" ", ",", "PLN"), ("'", ".", "CHF"), ("", ".", "GBP")] {
            let text = format!("{}{point}{cents:02} {unit}", groups.join(group));
            proptest::prop_assert_eq!(amount(&text), Some(format!("{units}.{cents:02}")), "{}", text);
        }
    }

    /// An amount in the notation of a locale (facts of CLDR: separators, sizes of groups, digits, where the sign stands) is
    /// read back, with its currency.
    #[test]
    fn an_amount_in_the_notation_of_a_locale_is_read_back(units in 0u64..1_000_000_000, cents in 0u8..100, at in 0usize..NOTATIONS.len()) {
        let (pattern, group, point, zero, iso) = NOTATIONS[at];
        let digits = units.to_string();
        let mut parts: Vec<String> = Vec::new();
        let mut rest = digits.as_str();
        while rest.len() > 3 {
            // Behind the first three digits India groups by two.
            let size = if iso == "INR" && !parts.is_empty() { 2 } else { 3 };
            if rest.len() <= size { break; }
            let (head, tail) = rest.split_at(rest.len() - size);
            parts.insert(0, tail.to_owned());
            rest = head;
        }
        parts.insert(0, rest.to_owned());
        let number = format!("{}{point}{cents:02}", parts.join(group));
        let number: String = number.chars().map(|c| match c.to_digit(10) {
            Some(value) => char::from_u32(zero as u32 + value).unwrap(),
            None => c,
        }).collect();
        let text = pattern.replace('#', &number);
        let got = parse(&text, &PriceHints::default());
        let got = got.as_ref().map(|price| (price.amount.clone(), price.iso));
        proptest::prop_assert_eq!(got, Some((format!("{units}.{cents:02}"), Some(iso))), "{}", text);
    }
}

/// Notations of CLDR: pattern with `#` for the number, group separator, decimal separator, the digit zero, ISO code.
const NOTATIONS: [(&str, &str, &str, char, &str); 16] = [
    ("$#", ",", ".", '0', "USD"),
    ("#\u{a0}€", ".", ",", '0', "EUR"),
    ("#\u{a0}€", "\u{202f}", ",", '0', "EUR"),
    ("#\u{a0}zł", "\u{a0}", ",", '0', "PLN"),
    ("CHF\u{a0}#", "’", ".", '0', "CHF"),
    ("R$\u{a0}#", ".", ",", '0', "BRL"),
    ("R\u{a0}#", "\u{a0}", ",", '0', "ZAR"),
    ("R#", "\u{a0}", ",", '0', "ZAR"),
    ("₹#", ",", ".", '0', "INR"),
    ("₹#", ",", ".", '०', "INR"),
    ("#\u{a0}₽", "\u{a0}", ",", '0', "RUB"),
    ("\u{200f}#\u{a0}ر.س.\u{200f}", "٬", "٫", '٠', "SAR"),
    ("#\u{a0}kr.", ".", ",", '0', "SEK"),
    ("₺#", ".", ",", '0', "TRY"),
    ("GEL\u{a0}#", ",", ".", '0', "GEL"),
    ("₪#", ",", ".", '0', "ILS"),
];

#[test]
fn a_price_of_a_unit_is_known_by_the_words_before_it() {
    let kinds = |text: &str| -> Vec<PriceKind> {
        find_all(text, &PriceHints::default())
            .into_iter()
            .map(|price| price.kind)
            .collect()
    };
    for text in [
        "1 kg = 19,95 €",
        "(100 g: 1,20 €)",
        "Grundpreis 4,98 €",
        "Jfr pris 200 kr/kg",
    ] {
        assert_eq!(kinds(text), [PriceKind::PerUnit], "{text}");
    }
    assert_eq!(kinds("Butter 250 g 2,29 €"), [PriceKind::Full]);
}

#[test]
fn a_saving_the_shipping_and_the_price_of_members_stand_aside() {
    let kind = |text| parse(text, &PriceHints::default()).map(|price| price.kind);
    for text in [
        "Save $20.00",
        "$5 off",
        "Shipping: $4.95",
        "Members: $36.00",
        "wpisowe 49 zł",
        "Aufnahmegebühr: 20 €",
        "Joining fee £15",
        "Parking £7.50",
    ] {
        assert_eq!(kind(text), Some(PriceKind::Aside), "{text}");
    }
    assert_eq!(kind("Save more: only $36.00"), Some(PriceKind::Full));
}

#[test]
fn names_feet_and_files_hold_no_money() {
    for text in [
        "Mower KR161",
        "Masks KN95",
        "Bolt DIN 912",
        "RE 4410",
        "6ft (1.8m) long",
        "58 ft",
        "heute um 12:19 Uhr",
        "Mindestdauer 2 Std.",
        "at 3,000 ft.",
        "example.org/careers1.php",
    ] {
        assert_eq!(find_all(text, &PriceHints::default()), [], "{text}");
    }
    let read = |text: &str| {
        find_all(text, &PriceHints::default())
            .first()
            .map(|price| (price.amount.clone(), price.iso))
    };
    assert_eq!(read("kr 161"), Some(("161".to_owned(), Some("SEK"))));
    assert_eq!(read("12 990 Ft"), Some(("12990".to_owned(), Some("HUF"))));
    // A sign that touches the next number is that of the next amount.
    assert_eq!(read("Guitar 2 £198"), Some(("198".to_owned(), Some("GBP"))));
    assert_eq!(
        read("Black/White 1. $245.00"),
        Some(("245.00".to_owned(), Some("USD")))
    );
}

#[test]
fn codes_in_small_letters_are_words_and_versions_are_no_amounts() {
    for text in [
        "seit dem 21. August 2021",
        "PHP 8.2 released",
        "CVE-2021-44228",
        "rub 2 tbsp of salt in",
        "30 Sek.",
        "mur 20",
    ] {
        let found = find_all(text, &PriceHints::default());
        assert!(found.is_empty(), "{text}: {found:?}");
    }
    for (text, amount) in [
        ("PHP 1,299", "1299"),
        ("PHP 99.50", "99.50"),
        ("120 eur", "120"),
        ("200 rub", "200"),
        ("CVE 2021.50", "2021.50"),
        ("299 SEK", "299"),
    ] {
        let found = find_all(text, &PriceHints::default());
        assert_eq!(
            found.first().map(|price| price.amount.as_str()),
            Some(amount),
            "{text}"
        );
    }
}

#[test]
fn a_letter_scales_an_amount_beside_its_currency() {
    check(&[
        ("£1m", Some("1000000"), Some("GBP")),
        ("$12.5m", Some("12500000"), Some("USD")),
        ("120k€", Some("120000"), Some("EUR")),
        ("1,2M€", Some("1200000"), Some("EUR")),
        ("50k EUR", Some("50000"), Some("EUR")),
        ("1,2 M€", Some("1200000"), Some("EUR")),
        ("299 k€", Some("299000"), Some("EUR")),
        ("12 M €", Some("12"), Some("LSL")),
    ]);
    // Metres: behind a blank, without a currency before, or squared.
    for text in ["£5 m", "£5m²", "HDMI 2 £5"] {
        assert_eq!(amount(text), Some("5".into()), "{text}");
    }
    assert_eq!(amount("12 € 5m cable"), Some("12".into()));
    assert_eq!(amount("5m"), Some("5".into()));
}

#[test]
fn the_word_of_the_upper_end_scales_both_ends_of_a_range() {
    let range = |text| {
        let price = parse(text, &PriceHints::default())?;
        Some((price.amount, price.upper?))
    };
    let expect = |low: &str, high: &str| Some((low.to_owned(), high.to_owned()));
    assert_eq!(range("€70–90k"), expect("70000", "90000"));
    assert_eq!(range("$1-2 million"), expect("1000000", "2000000"));
    assert_eq!(range("£1m–£2m"), expect("1000000", "2000000"));
    assert_eq!(range("3～5万円"), expect("30000", "50000"));
    // The lower end is the larger number as written.
    assert_eq!(range("€500–1k"), expect("500", "1000"));
}

#[test]
fn cents_may_stand_apart_from_their_whole_units() {
    check(&[
        ("19⁹⁹ €", Some("19.99"), Some("EUR")),
        ("€19⁹⁹", Some("19.99"), Some("EUR")),
        ("19 99 €", Some("19.99"), Some("EUR")),
        ("1 299 00 zł", Some("1299.00"), Some("PLN")),
        ("$19 99", Some("19.99"), Some("USD")),
        ("5 Euro 50", Some("5.50"), Some("EUR")),
        ("12 zł 50", Some("12.50"), Some("PLN")),
        ("50p", Some("0.50"), Some("GBP")),
        ("5 pence", Some("0.05"), Some("GBP")),
        ("50 groszy", Some("0.50"), Some("PLN")),
    ]);
    // A footnote, a number of pieces, a name before the price, the coins of many currencies.
    check(&[
        ("19¹ €", Some("19"), Some("EUR")),
        ("5 EUR 50", Some("5"), Some("EUR")),
        ("Galaxy 22 99 €", Some("99"), Some("EUR")),
        ("3 50 pieces €", Some("3"), Some("EUR")),
        ("5 Euro 50 each", Some("5"), Some("EUR")),
        ("3P", Some("3"), Some("BWP")),
    ]);
}

#[test]
fn two_amounts_are_not_one() {
    let all = |text| -> Vec<String> {
        let found = find_all(text, &PriceHints::default());
        found.into_iter().map(|price| price.amount).collect()
    };
    assert_eq!(all("CA$ 13, €70"), ["13", "70"]);
    assert_eq!(all("Bar stool £60£45"), ["60", "45"]);
    let read = |text| parse(text, &PriceHints::default()).map(|price| (price.amount, price.iso, price.kind));
    for text in ["US$ 10 / CA$ 13", "US$ 10/CA$ 13"] {
        assert_eq!(
            read(text),
            Some(("10".into(), Some("USD"), PriceKind::Full)),
            "{text}"
        );
    }
    assert_eq!(
        read("0,99 €/100 g"),
        Some(("0.99".into(), Some("EUR"), PriceKind::PerUnit))
    );
}

#[test]
fn a_small_letter_before_a_dollar_sign_is_a_word_of_the_text() {
    check(&[
        ("a $5 fee", Some("5"), Some("USD")),
        ("it's $40", Some("40"), Some("USD")),
        ("R $ 50", Some("50"), Some("BRL")),
        ("Approximately C $19.38", Some("19.38"), Some("CAD")),
    ]);
}

#[test]
fn a_comma_and_a_blank_part_two_numbers_where_each_says_what_it_is() {
    let amounts = |text: &str| -> Vec<String> {
        let found = find_all(text, &PriceHints::default());
        found.into_iter().map(|price| price.amount).collect()
    };
    assert_eq!(amounts("It costs $12, 50 pieces are left."), ["12"]);
    assert_eq!(amounts("¥500, 99 zł"), ["500", "99"]);
    assert_eq!(amounts("Was £5, 10 sold."), ["5"]);
    // The blank of a typesetting.
    assert_eq!(amounts("19, 99 €"), ["19.99"]);
    assert_eq!(amounts("R$ 10, 90"), ["10.90"]);
    assert_eq!(amounts("€ 19, 99 inkl. MwSt."), ["19.99"]);
    assert_eq!(amounts("R$ 10, 90 à vista"), ["10.90"]);
    assert_eq!(amounts("EUR 19, 99 netto"), ["19.99"]);
    assert_eq!(amounts("€ 19, 99 EUR"), ["19.99"]);
}

#[test]
fn a_sum_before_a_number_is_no_currency() {
    check(&[
        ("Sum 1", Some("1"), None),
        ("120 000 sum", Some("120000"), Some("UZS")),
        ("120 000 so'm", Some("120000"), Some("UZS")),
    ]);
}

#[test]
fn free_delivery_beside_a_price_is_no_minimum() {
    for text in [
        "Free UK delivery £19.99",
        "Delivery from Monday. Kettle £19.99",
        "Order now! Free returns. £19.99",
    ] {
        assert_eq!(amount(text).as_deref(), Some("19.99"), "{text}");
    }
    assert_eq!(
        amount("ab Lager, Versand heute 19,99 €").as_deref(),
        Some("19.99")
    );
    for text in ["Free delivery! £19.99", "Free UK delivery £19.99"] {
        let kind = parse(text, &PriceHints::default()).map(|price| price.kind);
        assert_eq!(kind, Some(PriceKind::Full), "{text}");
    }
    assert_eq!(amount("Wysyłka gratis! 199,00 zł").as_deref(), Some("199.00"));
    assert_eq!(amount("Dostawa od jutra 199 zł").as_deref(), Some("199"));
    for text in [
        "Free delivery over £50",
        "Free shipping on orders of at least $50",
        "Versand gratis ab 50 €",
        "Kostenloser Versand ab einem Bestellwert von 50 €",
        "Free delivery, min. order £20",
        "Darmowa dostawa od 199 zł",
    ] {
        assert_eq!(amount(text), None, "{text}");
    }
}

#[test]
fn words_of_many_languages_scale_an_amount_of_money() {
    check(&[
        ("R$ 350 mil", Some("350000"), Some("BRL")),
        ("R$ 1,2 mi", Some("1200000"), Some("BRL")),
        ("US$ 3 mil millones", Some("3000000000"), Some("USD")),
        ("250 Tsd. €", Some("250000"), Some("EUR")),
        ("50 bin TL", Some("50000"), Some("TRY")),
        ("kr 2,5 mill", Some("2500000"), Some("SEK")),
        ("€ 2 bilhões", Some("2000000000"), Some("EUR")),
        ("1,2 Billionen Euro", Some("1200000000000"), Some("EUR")),
        ("$1.5MM", Some("1500000"), Some("USD")),
        ("$500 K", Some("500000"), Some("USD")),
        ("25.000 IQD", Some("25000"), Some("IQD")),
    ]);
    // A mile, a thing, a word of two meanings.
    for text in ["5 mi", "5 bin bags", "$5 mil"] {
        assert_eq!(amount(text).as_deref(), Some("5"), "{text}");
    }
}

#[test]
fn a_word_of_saving_behind_a_percentage_is_that_of_the_percentage() {
    for text in [
        "50% off: $20 (was $40)",
        "50% off $20 was $40",
        "SALE 20% off $20 $25",
    ] {
        assert_eq!(amount(text).as_deref(), Some("20"), "{text}");
    }
    assert_eq!(
        amount("20% Rabatt: 79,99 € statt 99,99 €").as_deref(),
        Some("79.99")
    );
    assert_eq!(amount("Save $5 Price $20").as_deref(), Some("20"));
}

#[test]
fn a_colon_with_a_dash_is_no_minus() {
    check(&[
        ("Price:-₹499", Some("499"), Some("INR")),
        ("Rs:-499", Some("499"), Some("INR")),
        ("Price :- Rs.499", Some("499"), Some("INR")),
        ("Balance: -₹499", None, None),
        ("₹-499", None, None),
    ]);
}

#[test]
fn digits_behind_a_sign_and_a_blank_are_cents_only_at_the_end() {
    check(&[
        ("45€ 12 (reviews)", Some("45"), Some("EUR")),
        ("120€ 24 - 36 Raten", Some("120"), Some("EUR")),
        ("89 € 50 - 60 cm", Some("89"), Some("EUR")),
        ("70\u{2028}55 €", Some("55"), Some("EUR")),
        ("70 €\u{2028}55", Some("70"), Some("EUR")),
        ("35€ 99", Some("35.99"), Some("EUR")),
    ]);
}

#[test]
fn the_lower_end_of_a_range_may_have_a_mark_for_no_cents() {
    for text in ["ab 5,- bis 9,- €", "zwischen 5 und 9 Euro", "between €5 and €9"] {
        let price = parse(text, &PriceHints::default());
        let range = price
            .as_ref()
            .map(|price| (price.amount.as_str(), price.upper.as_deref()));
        assert_eq!(range, Some(("5", Some("9"))), "{text}");
    }
    assert_eq!(amount("Size 10 und 20 Euro").as_deref(), Some("20"));
}
