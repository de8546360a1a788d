//! Retries: whether a request is sent again and after which wait; HTTP dates.

use std::time::{Duration, SystemTime};

use http::{HeaderMap, Method, StatusCode, header};

use crate::{Error, Limits};

/// The wait before the next try, or `None` when the outcome stands. `tries` counts those already made.
///
/// Only idempotent requests are tried again, those whose answer ended early once.
pub(crate) fn retry_delay(
    method: &Method,
    outcome: Result<(StatusCode, &HeaderMap), &Error>,
    tries: u32,
    limits: &Limits,
) -> Option<Duration> {
    let idempotent = matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS);
    if !idempotent || tries >= limits.attempts.max(1) {
        return None;
    }
    match outcome {
        Ok((status, headers)) => {
            let transient = TRANSIENT_STATUSES.contains(&status.as_u16());
            match retry_after(headers, SystemTime::now()) {
                _ if !transient => None,
                Some(wait) if wait > limits.retry_after => None,
                // A little more than asked, so that many clients do not come back at one instant.
                Some(wait) => Some(wait + jitter(Duration::from_millis(250))),
                None => Some(backoff(tries)),
            }
        }
        // One more try tells a broken line from a server that never sends the whole.
        Err(Error::Incomplete) if tries > 1 => None,
        Err(error) if error.is_transient() => Some(backoff(tries)),
        Err(_) => None,
    }
}

/// Statuses of failures that may pass; those from 520 on are Cloudflare's for an unreachable site.
const TRANSIENT_STATUSES: [u16; 12] = [408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524];

/// Half a second, doubled with each try, of which at least one half is waited.
fn backoff(tries: u32) -> Duration {
    let full = Duration::from_millis(500) * 2u32.saturating_pow(tries.saturating_sub(1).min(6));
    full / 2 + jitter(full / 2)
}

fn jitter(most: Duration) -> Duration {
    most.mul_f64(fastrand::f64())
}

/// The wait that a `Retry-After` header asks for, in seconds or as a date (RFC 9110, 10.2.3).
pub fn retry_after(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let value = headers.get(header::RETRY_AFTER)?.to_str().ok()?.trim();
    match value.parse::<u64>() {
        Ok(seconds) => Some(Duration::from_secs(seconds)),
        Err(_) => http_date(value).map(|at| at.duration_since(now).unwrap_or_default()),
    }
}

/// Parses a date as HTTP and cookies write it: `Sun, 06 Nov 1994 08:49:37 GMT`, also with dashes between
/// day, month and year and with a year of two digits (RFC 9110, 5.6.7; RFC 6265, 5.1.1).
pub(crate) fn http_date(text: &str) -> Option<SystemTime> {
    let (mut day, mut month, mut year, mut clock) = (None, None, None, None);
    for word in text
        .split(|c: char| c == ',' || c == '-' || c.is_whitespace())
        .filter(|word| !word.is_empty())
    {
        if word.contains(':') {
            clock = clock.or_else(|| read_clock(word));
        } else if let Ok(number) = word.parse::<i16>() {
            match day {
                None => day = Some(number),
                Some(_) => year = year.or(Some(number)),
            }
        } else if month.is_none() {
            month = read_month(word);
        }
    }
    let year = match year? {
        year @ 0..=69 => 2000 + year,
        year @ 70..=99 => 1900 + year,
        year => year,
    };
    let (hour, minute, second) = clock?;
    let at =
        jiff::civil::DateTime::new(year, month?, i8::try_from(day?).ok()?, hour, minute, second, 0).ok()?;
    let at = at.to_zoned(jiff::tz::TimeZone::UTC).ok()?;
    // A date before 1970 is as past as 1970 itself, and every system can hold that one.
    Some(SystemTime::UNIX_EPOCH + Duration::from_secs(u64::try_from(at.timestamp().as_second()).unwrap_or(0)))
}

fn read_clock(word: &str) -> Option<(i8, i8, i8)> {
    let mut parts = word.split(':').map(|part| part.parse::<i8>().ok());
    let (hour, minute, second) = (parts.next()??, parts.next()??, parts.next()??);
    Some((hour, minute, second.min(59)))
}

fn read_month(word: &str) -> Option<i8> {
    const MONTHS: [&str; 12] = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ];
    let head = word.get(..3)?.to_ascii_lowercase();
    MONTHS
        .iter()
        .position(|month| *month == head)
        .and_then(|at| i8::try_from(at + 1).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(value: &str) -> HeaderMap {
        HeaderMap::from_iter([(header::RETRY_AFTER, value.parse().unwrap())])
    }

    #[test]
    fn dates_are_read_in_every_form_in_use() {
        let at = Some(SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_777));
        for text in [
            "Sun, 06 Nov 1994 08:49:37 GMT",
            "Sunday, 06-Nov-94 08:49:37 GMT",
            "Sun, 06-Nov-1994 08:49:37 GMT",
            "6 November 1994 08:49:37",
        ] {
            assert_eq!(http_date(text), at, "{text}");
        }
        for text in [
            "",
            "tomorrow",
            "Sun, 32 Nov 1994 08:49:37 GMT",
            "06 Nov 1994",
            "0",
        ] {
            assert_eq!(http_date(text), None, "{text}");
        }
    }

    #[test]
    fn the_server_says_how_long_to_wait() {
        let now = http_date("Sun, 06 Nov 1994 08:49:30 GMT").unwrap();
        assert_eq!(retry_after(&asked("5"), now), Some(Duration::from_secs(5)));
        assert_eq!(
            retry_after(&asked("Sun, 06 Nov 1994 08:49:37 GMT"), now),
            Some(Duration::from_secs(7))
        );
        assert_eq!(
            retry_after(&asked("Sun, 06 Nov 1993 08:49:37 GMT"), now),
            Some(Duration::ZERO)
        );
        assert_eq!(retry_after(&asked("soon"), now), None);
    }

    #[test]
    fn only_what_can_safely_be_repeated_is_repeated() {
        let limits = Limits::default();
        let busy = || {
            Ok((
                StatusCode::SERVICE_UNAVAILABLE,
                &*Box::leak(Box::new(HeaderMap::new())),
            ))
        };
        assert!(retry_delay(&Method::GET, busy(), 1, &limits).is_some());
        assert!(retry_delay(&Method::POST, busy(), 1, &limits).is_none());
        assert!(retry_delay(&Method::GET, busy(), limits.attempts, &limits).is_none());
        let long = asked("86400");
        assert!(
            retry_delay(
                &Method::GET,
                Ok((StatusCode::TOO_MANY_REQUESTS, &long)),
                1,
                &limits
            )
            .is_none()
        );
        assert!(retry_delay(&Method::GET, Ok((StatusCode::NOT_FOUND, &long)), 1, &limits).is_none());
        assert!(retry_delay(&Method::GET, Err(&Error::Dns), 1, &limits).is_none());
        assert!(retry_delay(&Method::GET, Err(&Error::Connect("refused")), 1, &limits).is_some());
    }

    #[test]
    fn waits_grow_and_differ() {
        for tries in 1..5 {
            let full = Duration::from_millis(500) * 2u32.pow(tries - 1);
            assert!((0..50).all(|_| (full / 2..=full).contains(&backoff(tries))));
        }
    }
}
