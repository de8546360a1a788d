//! The values of cells of a spreadsheet as they are shown: numbers, amounts of money, dates, percentages (ECMA-376, part 1, 18.8.30).

use super::xlsx_money::MoneyFormat;
use super::xml::Element;

/// How the number of a cell is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum NumberFormat {
    Plain,
    Money(MoneyFormat),
    Percent,
    /// A day, or a day and its time.
    Date,
    /// A time of a day alone.
    Time,
    /// A duration, as `[h]:mm`.
    Duration,
}

/// The formats of the cells of a workbook.
#[derive(Debug, Default)]
pub(super) struct CellFormats {
    /// By the number of the style.
    formats: Vec<NumberFormat>,
    /// Whether days are counted from 1904.
    pub(super) from_1904: bool,
}

impl CellFormats {
    /// Takes the formats from the root of a file of styles.
    pub(super) fn of(styles: Option<&Element<'_>>, from_1904: bool) -> CellFormats {
        let Some(styles) = styles else {
            return CellFormats {
                from_1904,
                ..CellFormats::default()
            };
        };
        let own: Vec<(usize, String)> = styles
            .first("numFmts")
            .into_iter()
            .flat_map(|formats| formats.all("numFmt"))
            .filter_map(|format| Some((format.number("numFmtId")?, format.attribute("formatCode")?)))
            .collect();
        let of_id = |id: usize| match own.iter().find(|(own, _)| *own == id) {
            Some((_, code)) => of_code(code),
            None => built_in(id),
        };
        let cells = styles
            .first("cellXfs")
            .into_iter()
            .flat_map(|cells| cells.all("xf"));
        let formats = cells.map(|cell| of_id(cell.number("numFmtId").unwrap_or(0)));
        CellFormats {
            formats: formats.collect(),
            from_1904,
        }
    }

    /// A number as a cell of a style shows it.
    pub(super) fn shown(&self, number: &str, style: Option<usize>) -> String {
        let format = style.and_then(|style| self.formats.get(style));
        let Ok(value) = number.trim().parse::<f64>() else {
            return number.trim().to_owned();
        };
        match format.unwrap_or(&NumberFormat::Plain) {
            NumberFormat::Plain => decimal(value, number),
            NumberFormat::Money(money) => money.shown(&decimal(value, number)),
            NumberFormat::Percent => format!("{}%", decimal(value * 100.0, number)),
            kind @ (NumberFormat::Date | NumberFormat::Time) => {
                let is_time = *kind == NumberFormat::Time;
                date(value, self.from_1904, is_time).unwrap_or_else(|| decimal(value, number))
            }
            NumberFormat::Duration => duration(value).unwrap_or_else(|| decimal(value, number)),
        }
    }
}

/// A text with its escapes, as `_x000D_`, read (ECMA-376, part 1, 22.9.2.19). Control characters are left out, but for line feeds.
pub(super) fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("_x") {
        let (before, escape) = rest.split_at(at);
        out.push_str(before);
        let digits = escape.get(2..6).filter(|_| escape.get(6..7) == Some("_"));
        let code = digits.filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
        match code.and_then(|digits| char::from_u32(u32::from_str_radix(digits, 16).ok()?)) {
            Some(character) => {
                if !character.is_control() || matches!(character, '\n' | '\t') {
                    out.push(character);
                }
                rest = escape.get(7..).unwrap_or_default();
            }
            None => {
                out.push_str("_x");
                rest = escape.get(2..).unwrap_or_default();
            }
        }
    }
    out.push_str(rest);
    out
}

/// The formats that every workbook has.
fn built_in(id: usize) -> NumberFormat {
    match id {
        9 | 10 => NumberFormat::Percent,
        18..=21 | 32 | 33 | 45 | 47 => NumberFormat::Time,
        14..=17 | 22 | 27..=31 | 34..=36 | 50..=58 => NumberFormat::Date,
        46 => NumberFormat::Duration,
        _ => NumberFormat::Plain,
    }
}

/// The format of a code, by the characters outside of quotes and brackets in its first section.
fn of_code(code: &str) -> NumberFormat {
    match kind_of_code(code) {
        NumberFormat::Plain => MoneyFormat::of_code(code).map_or(NumberFormat::Plain, NumberFormat::Money),
        kind => kind,
    }
}

fn kind_of_code(code: &str) -> NumberFormat {
    let mut format = NumberFormat::Plain;
    let mut characters = code.chars();
    while let Some(character) = characters.next() {
        match character {
            ';' => break,
            '"' => while characters.next().is_some_and(|c| c != '"') {},
            '\\' | '_' | '*' => {
                characters.next();
            }
            '[' => {
                let inside: String = characters.by_ref().take_while(|c| *c != ']').collect();
                let unit = inside.to_ascii_lowercase();
                if !unit.is_empty() && ["h", "m", "s"].iter().any(|c| unit.replace(c, "").is_empty()) {
                    return NumberFormat::Duration;
                }
            }
            '%' => format = NumberFormat::Percent,
            'd' | 'D' | 'y' | 'Y' => return NumberFormat::Date,
            // `m` is a month, and minutes beside hours or seconds.
            'm' | 'M' if format != NumberFormat::Time => format = NumberFormat::Date,
            'h' | 'H' | 's' | 'S' => format = NumberFormat::Time,
            // "General" has letters of its own.
            'G' | 'g' => return NumberFormat::Plain,
            _ => {}
        }
    }
    format
}

/// A number with the 15 digits that a spreadsheet keeps; as written where it has too many.
fn decimal(value: f64, written: &str) -> String {
    if !value.is_finite() || value.abs() >= 1e15 {
        return written.trim().to_owned();
    }
    let rounded: f64 = format!("{value:.14e}").parse().unwrap_or(value);
    rounded.to_string()
}

/// A number of days as a date, a time of a day or both; 0 is midnight where the format is one of times alone. None outside of the
/// years 1900 to 9999.
fn date(value: f64, from_1904: bool, is_time: bool) -> Option<String> {
    if !(0.0..2_958_466.0).contains(&value) {
        return None;
    }
    let seconds = (value * 86_400.0).round();
    #[expect(clippy::cast_possible_truncation, reason = "checked above: less than 2^38")]
    let seconds = seconds as i64;
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    let time = format!("{:02}:{:02}:{:02}", second / 3600, second / 60 % 60, second % 60);
    if days == 0 && (second > 0 || is_time) {
        return Some(time);
    }
    // Days count from 1 on 1 January 1900, and there is a 29 February 1900 that never was.
    let since_epoch = match from_1904 {
        true => days - 24_107,
        false if days < 60 => days - 25_568,
        false => days - 25_569,
    };
    let (year, month, day) = civil(since_epoch);
    let day = format!("{year:04}-{month:02}-{day:02}");
    Some(if second == 0 { day } else { format!("{day} {time}") })
}

/// A number of days as hours, minutes and seconds.
fn duration(value: f64) -> Option<String> {
    if !(0.0..1e6).contains(&value) {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, reason = "checked above: less than 2^38")]
    let seconds = (value * 86_400.0).round() as i64;
    Some(format!(
        "{}:{:02}:{:02}",
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60
    ))
}

/// The date of a number of days since 1970-01-01 in the Gregorian calendar, by eras of 400 years from 1 March of year 0.
fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 {
        from_march + 3
    } else {
        from_march - 9
    };
    (era * 400 + year_of_era + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_of_texts_are_read() {
        for (written, text) in [
            ("one_x000D_\ntwo", "one\ntwo"),
            ("_x005F_x000D_", "_x000D_"),
            ("max_x_y _xZZZZ_ _x00", "max_x_y _xZZZZ_ _x00"),
            ("_xé_", "_xé_"),
        ] {
            assert_eq!(unescaped(written), text, "{written}");
        }
    }

    #[test]
    fn numbers_are_shown_as_a_spreadsheet_shows_them() {
        let formats = CellFormats {
            formats: [
                "General",
                "0.0%",
                "yyyy\\-mm\\-dd",
                "[h]:mm",
                "#,##0.00 \"days\"",
                "[Red]0",
                "h:mm AM/PM",
                "mm:ss",
                "hh:mm d.m.yyyy",
            ]
            .map(of_code)
            .to_vec(),
            from_1904: false,
        };
        for (number, style, shown) in [
            ("12.5", 0, "12.5"),
            ("0.30000000000000004", 0, "0.3"),
            ("1.0E-3", 0, "0.001"),
            ("12345678901234567890", 0, "12345678901234567890"),
            ("0.19", 1, "19%"),
            ("45292", 2, "2024-01-01"),
            ("45292.75", 2, "2024-01-01 18:00:00"),
            ("1", 2, "1900-01-01"),
            ("59", 2, "1900-02-28"),
            ("61", 2, "1900-03-01"),
            ("0.5", 2, "12:00:00"),
            ("-1", 2, "-1"),
            ("1.5", 3, "36:00:00"),
            ("7", 4, "7"),
            ("7", 5, "7"),
            ("0", 6, "00:00:00"),
            ("0.25", 6, "06:00:00"),
            ("45292", 6, "2024-01-01"),
            ("0", 7, "00:00:00"),
            ("45292.5", 8, "2024-01-01 12:00:00"),
            ("n/a", 0, "n/a"),
        ] {
            assert_eq!(
                formats.shown(number, Some(style)),
                shown,
                "{number} in style {style}"
            );
        }
        let from_1904 = CellFormats {
            formats: vec![NumberFormat::Date],
            from_1904: true,
        };
        assert_eq!(from_1904.shown("0", Some(0)), "1904-01-01");
    }
}
