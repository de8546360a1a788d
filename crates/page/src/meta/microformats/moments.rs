//! Moments of microformats that are put together from pieces: a date, a time and a zone.
//! <https://microformats.org/wiki/value-class-pattern#Date_and_time_parsing>

/// Joins the pieces of a moment; `known_date` is that of an earlier moment of the same item, for a time alone.
pub(super) fn join(pieces: &[String], known_date: Option<&str>) -> String {
    let (mut date, mut time, mut zone) = (None, None, None);
    for piece in pieces.iter().map(|piece| piece.trim()) {
        if is_zone(piece) {
            zone.get_or_insert_with(|| plain_zone(piece));
        } else if let Some(clock) = clock(piece) {
            time.get_or_insert(clock);
        } else if is_date(piece) {
            date.get_or_insert_with(|| piece.to_owned());
        } else if let Some((day, rest)) = piece.split_once(['T', ' ']).filter(|(day, _)| is_date(day)) {
            date.get_or_insert_with(|| day.to_owned());
            if let Some(clock) = clock(rest) {
                time.get_or_insert(clock);
            }
        }
    }
    let date = match (date, &time) {
        (None, Some(_)) => known_date.map(str::to_owned),
        (date, _) => date,
    };
    let (Some(date), Some(mut time)) = (date.clone(), time.clone()) else {
        return date.or(time).unwrap_or_else(|| pieces.concat());
    };
    if let Some(zone) = zone.filter(|_| !has_zone(&time)) {
        time.push_str(&zone);
    }
    format!("{date} {time}")
}

/// The day of a moment, when its text begins with one.
pub(super) fn day(moment: &str) -> Option<&str> {
    let day = moment.split(['T', ' ']).next()?;
    is_date(day).then_some(day)
}

/// `2009-06-26` or `2013-034`.
fn is_date(text: &str) -> bool {
    let shape: String = text
        .chars()
        .map(|c| if c.is_ascii_digit() { '0' } else { c })
        .collect();
    matches!(shape.as_str(), "0000-00-00" | "0000-000" | "0000-00")
}

fn is_zone(text: &str) -> bool {
    text == "Z"
        || (text.starts_with(['+', '-'])
            && text.len() <= 6
            && text.bytes().skip(1).all(|c| c.is_ascii_digit() || c == b':'))
}

fn has_zone(time: &str) -> bool {
    time.ends_with('Z') || time.contains(['+', '-'])
}

/// `-06:00` without its colon.
fn plain_zone(zone: &str) -> String {
    zone.replace(':', "")
}

/// A time of day in 24 hours: `7pm` is `19:00`, `07:00:00am` is `07:00:00`.
fn clock(text: &str) -> Option<String> {
    let (clock, zone) = match text.find(['Z', '+', '-']) {
        Some(at) => text.split_at_checked(at)?,
        None => (text, ""),
    };
    let lower = clock.to_ascii_lowercase().replace('.', "");
    let (digits, is_afternoon) = match (lower.strip_suffix("am"), lower.strip_suffix("pm")) {
        (Some(digits), _) => (digits, Some(false)),
        (_, Some(digits)) => (digits, Some(true)),
        _ => (lower.as_str(), None),
    };
    let parts: Vec<&str> = digits.trim().split(':').collect();
    let is_number = |part: &&str| (1..=2).contains(&part.len()) && part.bytes().all(|c| c.is_ascii_digit());
    if !parts.iter().all(is_number) || parts.len() > 3 || (parts.len() == 1 && is_afternoon.is_none()) {
        return None;
    }
    let hour: u8 = parts.first()?.parse().ok()?;
    let hour = match is_afternoon {
        Some(true) if hour < 12 => hour + 12,
        Some(false) if hour == 12 => 0,
        _ => hour,
    };
    let rest: String = parts.iter().skip(1).map(|part| format!(":{part:0>2}")).collect();
    let rest = if rest.is_empty() { ":00".to_owned() } else { rest };
    Some(format!("{hour:02}{rest}{}", plain_zone(zone)))
}

#[cfg(test)]
mod tests {
    #[test]
    fn pieces_become_one_moment() {
        let join = |pieces: &[&str], known: Option<&str>| {
            super::join(
                &pieces.iter().map(|piece| (*piece).to_owned()).collect::<Vec<_>>(),
                known,
            )
        };
        assert_eq!(join(&["2009-06-26", "7pm"], None), "2009-06-26 19:00");
        assert_eq!(join(&["2009-06-26", "12:30 a.m."], None), "2009-06-26 00:30");
        assert_eq!(
            join(&["2009-06-26", "19:00", "-06:00"], None),
            "2009-06-26 19:00-0600"
        );
        assert_eq!(
            join(&["22:00-06:00"], Some("2009-06-26")),
            "2009-06-26 22:00-0600"
        );
        assert_eq!(join(&["2009-06-26T19:00Z"], None), "2009-06-26 19:00Z");
        assert_eq!(join(&["soon"], None), "soon");
    }
}
