//! Words that scale a number: `thousand`, `mln`, `Mrd`.

/// The power of ten that a word behind a number stands for, in the languages of many pages: 3 for `thousand`. Case does
/// not matter, except that a single letter counts only as `k`, `K`, `M` and `B`.
///
/// ```
/// use locale::units::power_of_ten;
///
/// assert_eq!(power_of_ten("Millionen"), Some(6));
/// assert_eq!(power_of_ten("k"), Some(3));
/// assert_eq!(power_of_ten("m"), None);
/// assert_eq!(power_of_ten("kettles"), None);
/// ```
pub fn power_of_ten(word: &str) -> Option<i32> {
    match word {
        "k" | "K" => return Some(3),
        "M" => return Some(6),
        "B" => return Some(9),
        _ => {}
    }
    match word.to_lowercase().as_str() {
        "千" | "천" => Some(3),
        "thousand" | "tausend" | "tsd" | "tuhat" | "tuhatta" | "tys" | "tysiąc" | "tysiące" | "tysięcy"
        | "mille" | "tis" | "tisíc" | "tusen" | "tusind" | "тыс" | "тысяч" | "тис" | "тисяч" | "ribu"
        | "rb" | "nghìn" | "ngàn" => Some(3),
        "万" | "萬" | "만" => Some(4),
        "lakh" | "lakhs" | "lac" | "lacs" | "लाख" => Some(5),
        "million" | "millions" | "milioane" | "mln" | "mio" | "millionen" | "mn" | "milion" | "miliony"
        | "milionów" | "milionu" | "milionů" | "millón" | "millones" | "milhão" | "milhões" | "milione"
        | "milioni" | "miljoen" | "miljoner" | "millioner" | "miljoonaa" | "milyon" | "млн" | "миллион"
        | "миллионов" | "мільйонів" | "juta" | "jt" | "triệu" => Some(6),
        "crore" | "crores" | "करोड" | "करोड़" => Some(7),
        "億" | "亿" | "억" => Some(8),
        "billion" | "billions" | "bn" | "mld" | "mrd" | "milliard" | "milliards" | "milliarden"
        | "miliard" | "miliardy" | "miliardów" | "milyar" | "млрд" | "miljard" | "miljarder"
        | "milliarder" | "bilhão" | "bilhões" | "miliarde" | "tỷ" => Some(9),
        // The long scale.
        "billionen" | "billones" | "billón" | "biljoen" => Some(12),
        "trillion" | "trillions" | "tn" => Some(12),
        _ => None,
    }
}

/// The power of ten of a word that scales an amount of money and means something else behind other numbers: "R$ 350 mil", "50 bin
/// TL", "$1.5MM", where `mil` may be a unit, `bin` a thing, and `mi` a mile.
///
/// ```
/// use locale::units::power_of_ten_of_money;
///
/// assert_eq!(power_of_ten_of_money("mil"), Some(3));
/// assert_eq!(power_of_ten_of_money("MM"), Some(6));
/// assert_eq!(power_of_ten_of_money("mm"), None);
/// ```
pub fn power_of_ten_of_money(word: &str) -> Option<i32> {
    match word {
        "MM" => Some(6),
        "mil" | "bin" | "mii" => Some(3),
        "mi" | "mill" => Some(6),
        "bi" => Some(9),
        _ => None,
    }
}

/// Whether a word behind a number means hundredths.
///
/// ```
/// assert!(locale::units::is_percent("%") && locale::units::is_percent("Prozent"));
/// ```
pub fn is_percent(word: &str) -> bool {
    let lower = word.to_lowercase();
    matches!(
        lower.as_str(),
        "%" | "％" | "percent" | "per cent" | "pct" | "prozent" | "procent" | "proc"
    )
}
