//! Whole numbers, however JSON writes them: `5`, `5.0` and `50e-1` are the same integer to a JSON Schema.

/// The largest integer that every reader of JSON can hold exactly: 2^53 - 1.
const LARGEST: i64 = (1 << 53) - 1;
/// How many digits that has.
const DIGITS: i64 = 16;

/// The value of a JSON number if it is whole and within ±(2^53 - 1). Never goes through floating point.
pub(super) fn whole(number: &str) -> Option<i64> {
    let number = number.trim_ascii();
    let (negative, number) = number.strip_prefix('-').map_or((false, number), |rest| (true, rest));
    let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let (before, after) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = format!("{before}{after}");
    let digits = all.trim_start_matches('0');
    let leading = all.len() - digits.len();
    let digits = digits.trim_end_matches('0');
    if digits.is_empty() {
        return Some(0);
    }
    // Where the decimal point is, counted from the first digit that is not zero.
    let point = i64::try_from(before.len()).ok()? - i64::try_from(leading).ok()?;
    let point = point.checked_add(exponent.parse().ok()?)?;
    let given = i64::try_from(digits.len()).ok()?;
    if given > point || point > DIGITS {
        return None;
    }
    let zeros = u32::try_from(point - given).ok()?;
    let value = digits.parse::<i64>().ok()?.checked_mul(10i64.checked_pow(zeros)?)?;
    (value <= LARGEST).then_some(if negative { -value } else { value })
}

#[cfg(test)]
mod tests {
    use super::whole;

    #[test]
    fn whole_numbers_are_read_in_every_form() {
        for (text, value) in [
            ("0", 0),
            ("-0", 0),
            ("0.000", 0),
            ("0e99999999999999999999", 0),
            ("42", 42),
            ("-7", -7),
            ("42.0", 42),
            ("4.2e1", 42),
            ("4200E-2", 42),
            ("0.042e+3", 42),
            ("1e15", 1_000_000_000_000_000),
            ("9007199254740991", 9_007_199_254_740_991),
            ("-9007199254740991.0", -9_007_199_254_740_991),
        ] {
            assert_eq!(whole(text), Some(value), "{text}");
        }
    }

    #[test]
    fn fractions_and_numbers_out_of_range_are_none() {
        for text in [
            "0.5",
            "42.1",
            "1e-1",
            "9007199254740992",
            "-9007199254740992",
            "9007199254740991.4",
            "1e16",
            "1e400",
            "1e99999999999999999999",
            "1e-99999999999999999999",
            "123456789012345678901234567890",
        ] {
            assert_eq!(whole(text), None, "{text}");
        }
    }
}
