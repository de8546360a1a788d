//! The newest day that a page names, which tells in which year it was served.
//!
//! A day without a year ("Jan 04") is of the year in which the page was served. That is this year for a page that is read now, and
//! another one for a page that was stored.

use jiff::civil::{Date, date};

locale::patterns! {
    /// A day from the greatest unit to the least, as in `2022-01-17`, `/2022/01/17/` and `20220117`.
    static DAY = r"(?:19|20)[0-9]{2}[-/]?(?:0[1-9]|1[0-2])[-/]?(?:0[1-9]|[12][0-9]|3[01])";
    /// A year behind a mark of copyright, or a span of years.
    static COPYRIGHT = r"(?i)(?:©|&copy;|\(c\)|copyright)[^<0-9]{0,24}(?:(?:19|20)[0-9]{2}\s?[-–]\s?)?(?:19|20)[0-9]{2}";
}

/// The newest day up to `today` that the source of a page names; the last day of a year for a copyright of that year. None for a
/// page that names none.
pub(super) fn newest_day(html: &str, today: Date) -> Option<Date> {
    let days = DAY.find_iter(html).filter_map(|found| {
        let is_digit = |at: Option<&u8>| at.is_some_and(u8::is_ascii_digit);
        let bytes = html.as_bytes();
        let before = found.start().checked_sub(1).and_then(|at| bytes.get(at));
        if is_digit(before) || is_digit(bytes.get(found.end())) {
            return None;
        }
        let digits: String = found.as_str().chars().filter(char::is_ascii_digit).collect();
        let part = |from: usize, to: usize| digits.get(from..to)?.parse::<i16>().ok();
        let (month, day) = (i8::try_from(part(4, 6)?).ok()?, i8::try_from(part(6, 8)?).ok()?);
        Date::new(part(0, 4)?, month, day).ok()
    });
    let years = COPYRIGHT.find_iter(html).filter_map(|found| {
        let year = found.as_str().get(found.len() - 4..)?.parse().ok()?;
        Some(date(year, 12, 31).min(today)).filter(|_| year <= today.year())
    });
    days.chain(years).filter(|day| *day <= today).max()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_copyrights_tell_the_year() {
        let today = date(2026, 6, 1);
        let newest = |html: &str| newest_day(html, today).map(|day| day.to_string());
        assert_eq!(
            newest("<a href=/news-2022-01-17-16.html>x</a>").as_deref(),
            Some("2022-01-17")
        );
        assert_eq!(
            newest("<a href=/20190619/k1.html>x</a> 120190701").as_deref(),
            Some("2019-06-19")
        );
        assert_eq!(newest("&copy; 2015-2022 A firm").as_deref(), Some("2022-12-31"));
        assert_eq!(
            newest("© 2026 A firm; until 2030-01-01").as_deref(),
            Some("2026-06-01")
        );
        assert_eq!(newest("Jan 04"), None);
    }
}
