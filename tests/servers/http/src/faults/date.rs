//! Dates as HTTP writes them, in each of its three forms (RFC 9110, section 5.6.7).

use std::time::{Duration, SystemTime, UNIX_EPOCH};

const DAYS: [&str; 7] = ["Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday", "Wednesday"];
const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// The date so many seconds from now; none for a form that is not a date.
pub fn after(seconds: u64, form: &str) -> Option<String> {
    written(SystemTime::now() + Duration::from_secs(seconds), form)
}

fn written(at: SystemTime, form: &str) -> Option<String> {
    let seconds = at.duration_since(UNIX_EPOCH).ok()?.as_secs();
    let (days, clock) = (seconds / 86_400, seconds % 86_400);
    let (hour, minute, second) = (clock / 3600, clock / 60 % 60, clock % 60);
    // The first of January 1970 was a Thursday.
    let name = DAYS[usize::try_from(days % 7).ok()?];
    let mut year = 1970;
    let mut left = days;
    while left >= days_of(year) {
        left -= days_of(year);
        year += 1;
    }
    let mut month = 0;
    while left >= days_in(year, month) {
        left -= days_in(year, month);
        month += 1;
    }
    let (day, named) = (left + 1, MONTHS[month]);
    let short = &name[..3];
    let time = format!("{hour:02}:{minute:02}:{second:02}");
    match form {
        "imf" => Some(format!("{short}, {day:02} {named} {year} {time} GMT")),
        "rfc850" => Some(format!("{name}, {day:02}-{named}-{:02} {time} GMT", year % 100)),
        "asctime" => Some(format!("{short} {named} {day:2} {time} {year}")),
        _ => None,
    }
}

fn is_leap(year: u64) -> bool {
    year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400)
}

fn days_of(year: u64) -> u64 {
    if is_leap(year) { 366 } else { 365 }
}

fn days_in(year: u64, month: usize) -> u64 {
    match month {
        1 if is_leap(year) => 29,
        1 => 28,
        3 | 5 | 8 | 10 => 30,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::written;
    use std::time::{Duration, UNIX_EPOCH};

    #[test]
    fn the_examples_of_rfc_9110_are_written_as_there() {
        let at = UNIX_EPOCH + Duration::from_secs(784_111_777);
        assert_eq!(written(at, "imf").as_deref(), Some("Sun, 06 Nov 1994 08:49:37 GMT"));
        assert_eq!(written(at, "rfc850").as_deref(), Some("Sunday, 06-Nov-94 08:49:37 GMT"));
        assert_eq!(written(at, "asctime").as_deref(), Some("Sun Nov  6 08:49:37 1994"));
        assert_eq!(written(at, "seconds"), None);
    }

    #[test]
    fn leap_days_are_days() {
        let at = UNIX_EPOCH + Duration::from_secs(951_782_400);
        assert_eq!(written(at, "imf").as_deref(), Some("Tue, 29 Feb 2000 00:00:00 GMT"));
    }
}
