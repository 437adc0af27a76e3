//! Values of JSON: when two are equal, the start of one for a mismatch, and the formats that count where a person filled in a form
//! (2026-07-28 `client/elicitation`): email, uri, date, date-time. Every other format only informs.

use serde_json::{Number, Value};

/// Whether two values are the same.
pub(super) fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => same_number(a, b),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(name, a)| b.get(name).is_some_and(|b| same(a, b)))
        }
        _ => a == b,
    }
}

fn same_number(a: &Number, b: &Number) -> bool {
    match (whole(a), whole(b)) {
        (Some(a), Some(b)) => a == b,
        // Beyond a float only the text says what it is.
        _ if a.as_f64().is_none() && b.as_f64().is_none() => a.to_string() == b.to_string(),
        _ => a.as_f64() == b.as_f64(),
    }
}

/// The nearest float; infinite where a build of `serde_json` keeps numbers that are beyond all of them.
pub(super) fn float_of(number: &Number) -> f64 {
    let beyond = || if number.to_string().starts_with('-') { f64::NEG_INFINITY } else { f64::INFINITY };
    number.as_f64().unwrap_or_else(beyond)
}

/// The number as a whole one, if it is: also when it is written with a fraction of zero.
pub(super) fn whole(number: &Number) -> Option<i128> {
    if let Some(number) = number.as_i64() {
        return Some(number.into());
    }
    if let Some(number) = number.as_u64() {
        return Some(number.into());
    }
    whole_float(number.as_f64()?)
}

/// A function of its own: where it is inlined the compiler may compute it before it knows that there is a float, which
/// Memcheck reports.
#[inline(never)]
#[expect(clippy::cast_possible_truncation, reason = "the range was looked at")]
fn whole_float(float: f64) -> Option<i128> {
    (float.fract() == 0.0 && float.abs() < 1e38).then_some(float as i128)
}

/// Text that two values have in common exactly if they are the same.
pub(super) fn canonical(value: &Value, out: &mut String) {
    match value {
        Value::Number(number) => match whole(number) {
            Some(whole) => out.push_str(&whole.to_string()),
            None => out.push_str(&number.to_string()),
        },
        Value::Array(items) => {
            out.push('[');
            for item in items {
                canonical(item, out);
                out.push(',');
            }
            out.push(']');
        }
        Value::Object(members) => {
            let mut names: Vec<&String> = members.keys().collect();
            crate::sorted::order(&mut names);
            out.push('{');
            for name in names {
                crate::json::quote_into(name, out);
                out.push(':');
                if let Some(value) = members.get(name) {
                    canonical(value, out);
                }
                out.push(',');
            }
            out.push('}');
        }
        other => out.push_str(&other.to_string()),
    }
}

/// How many characters are shown.
const CHARS: usize = 60;
/// Bytes enough for them, whatever they are.
const BYTES: usize = 4 * CHARS + 4;

/// The value as JSON, cut off where it gets long.
pub(super) fn shown(value: &Value) -> String {
    let mut text = String::new();
    write(value, &mut text);
    match text.char_indices().nth(CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

fn write(value: &Value, out: &mut String) {
    match value {
        Value::String(text) => quote(text, out),
        Value::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if out.len() > BYTES {
                    return;
                }
                if index > 0 {
                    out.push(',');
                }
                write(item, out);
            }
            out.push(']');
        }
        Value::Object(members) => {
            out.push('{');
            for (index, (name, member)) in members.iter().enumerate() {
                if out.len() > BYTES {
                    return;
                }
                if index > 0 {
                    out.push(',');
                }
                quote(name, out);
                out.push(':');
                write(member, out);
            }
            out.push('}');
        }
        other => out.push_str(&other.to_string()),
    }
}

fn quote(text: &str, out: &mut String) {
    let end = text.char_indices().nth(CHARS).map_or(text.len(), |(end, _)| end);
    crate::json::quote_into(&text[..end], out);
}

/// Whether `text` is of this format; `None` for a format that is not looked at.
pub(super) fn is_of_format(format: &str, text: &str) -> Option<bool> {
    match format {
        "email" => Some(is_email(text)),
        "uri" => Some(is_uri(text)),
        "date" => Some(is_date(text)),
        "date-time" => Some(is_date_time(text)),
        _ => None,
    }
}

/// A local part and a host, as people write them. Quoted local parts and the like are taken for mistakes.
fn is_email(text: &str) -> bool {
    let Some((local, host)) = text.rsplit_once('@') else { return false };
    let plain = |c: char| !c.is_whitespace() && !c.is_control() && !"\"(),:;<>@[\\]".contains(c);
    let dotted = |part: &str| !part.is_empty() && part.split('.').all(|piece| !piece.is_empty());
    local.len() <= 64
        && dotted(local)
        && local.chars().all(plain)
        && host.len() <= 255
        && dotted(host)
        && host.chars().all(|c| c.is_alphanumeric() || c == '.' || c == '-')
        && host.split('.').all(|label| !label.starts_with('-') && !label.ends_with('-'))
}

/// RFC 3986, absolute: a scheme, and after it nothing that a URI may not hold unescaped.
fn is_uri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    let escapes = |rest: &str| {
        rest.match_indices('%').all(|(at, _)| {
            rest.get(at + 1..at + 3).is_some_and(|pair| pair.bytes().all(|b| b.is_ascii_hexdigit()))
        })
    };
    scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.bytes().all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b))
        && !rest.is_empty()
        && rest.bytes().all(|b| b.is_ascii_graphic() && !b"\"<>\\^`{|}".contains(&b))
        && escapes(rest)
}

fn digits(text: &str, count: usize) -> Option<u32> {
    (text.len() == count && text.bytes().all(|b| b.is_ascii_digit())).then(|| text.parse().ok()).flatten()
}

/// RFC 3339 `full-date`.
fn is_date(text: &str) -> bool {
    let mut parts = text.split('-');
    let (Some(year), Some(month), Some(day), None) = (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return false;
    };
    let (Some(year), Some(month), Some(day)) = (digits(year, 4), digits(month, 2), digits(day, 2)) else {
        return false;
    };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => return false,
    };
    (1..=days).contains(&day)
}

/// RFC 3339 `date-time`.
fn is_date_time(text: &str) -> bool {
    let Some((date, time)) = text.split_once(['T', 't']) else { return false };
    let zone_at = time.find(['Z', 'z', '+', '-']).unwrap_or(time.len());
    let (clock, zone) = time.split_at(zone_at);
    let (clock, fraction) = clock.split_once('.').map_or((clock, None), |(clock, f)| (clock, Some(f)));
    let mut parts = clock.split(':');
    let mut part =
        |most: u32| parts.next().and_then(|part| digits(part, 2)).is_some_and(|number| number <= most);
    // A leap second is a second.
    let clock_is_right = part(23) && part(59) && part(60) && parts.next().is_none();
    let fraction_is_right =
        fraction.is_none_or(|fraction| !fraction.is_empty() && fraction.bytes().all(|b| b.is_ascii_digit()));
    let zone_is_right = zone.eq_ignore_ascii_case("z")
        || zone.strip_prefix(['+', '-']).and_then(|zone| zone.split_once(':')).is_some_and(
            |(hours, minutes)| {
                digits(hours, 2).is_some_and(|hours| hours <= 23)
                    && digits(minutes, 2).is_some_and(|m| m <= 59)
            },
        );
    is_date(date) && clock_is_right && fraction_is_right && zone_is_right
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_format_takes_what_is_right_and_nothing_else() {
        for (format, right, wrong) in [
            (
                "email",
                &["a@b", "a.b+c@x-y.example"][..],
                &["a", "@b", "a@", "a b@c", "a@b..c", "a@-b", "a@@b"][..],
            ),
            (
                "uri",
                &["https://a/b?c=d#e", "urn:x", "mailto:a@b"][..],
                &["a", "://a", "https://a b", "x:%zz", "x:"][..],
            ),
            (
                "date",
                &["2024-02-29", "2025-12-31"][..],
                &["2025-02-29", "2025-13-01", "25-01-01", "2025-1-1"][..],
            ),
            (
                "date-time",
                &["2025-01-01T00:00:00Z", "2025-01-01t23:59:60.5+01:30"][..],
                &["2025-01-01", "2025-01-01T24:00:00Z", "2025-01-01T00:00:00", "2025-01-01T00:00:00.Z"][..],
            ),
        ] {
            for text in right {
                assert_eq!(is_of_format(format, text), Some(true), "{format} {text}");
            }
            for text in wrong {
                assert_eq!(is_of_format(format, text), Some(false), "{format} {text}");
            }
        }
        assert_eq!(is_of_format("color", "red"), None);
    }
}
