//! `Retry-After`: how long a server wants to be left alone (RFC 9110, section 10.2.3), as seconds or as a date.

use std::time::{Duration, SystemTime};

/// The time that a value asks for. A date is read against the server's own `Date`, whose clock may differ from ours, or else
/// against `now`; one that has passed asks for nothing.
pub fn wait(value: &str, date: Option<&str>, now: SystemTime) -> Option<Duration> {
    let value = value.trim_ascii();
    if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(Duration::from_secs(value.parse().unwrap_or(u64::MAX)));
    }
    let until = httpdate::parse_http_date(value).ok()?;
    let since = date.and_then(|date| httpdate::parse_http_date(date.trim_ascii()).ok()).unwrap_or(now);
    Some(until.duration_since(since).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: u64) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)
    }

    /// The date of RFC 9110, section 5.6.7.
    const NOW: u64 = 784_111_777;

    #[test]
    fn a_time_to_wait_is_read_in_seconds() {
        assert_eq!(wait(" 120 ", None, at(NOW)), Some(Duration::from_secs(120)));
        assert_eq!(wait("99999999999999999999999", None, at(NOW)), Some(Duration::from_secs(u64::MAX)));
        for none in ["", "-1", "1.5", "soon", "Sun, 06 Nov 1994"] {
            assert_eq!(wait(none, None, at(NOW)), None, "{none:?}");
        }
    }

    #[test]
    fn a_time_to_wait_is_read_from_a_date_in_each_form() {
        for date in
            ["Sun, 06 Nov 1994 08:50:37 GMT", "Sunday, 06-Nov-94 08:50:37 GMT", "Sun Nov  6 08:50:37 1994"]
        {
            assert_eq!(wait(date, None, at(NOW)), Some(Duration::from_secs(60)), "{date}");
            // The server's clock counts and not ours.
            let said = Some("Sun, 06 Nov 1994 08:50:30 GMT");
            assert_eq!(wait(date, said, at(0)), Some(Duration::from_secs(7)), "{date}");
            assert_eq!(wait(date, None, at(NOW + 3600)), Some(Duration::ZERO), "{date}");
        }
    }
}
