//! The canonical text of a JSON value (RFC 8785): members in the order of their UTF-16 code units, numbers as ECMAScript writes doubles,
//! strings with the fewest escapes, no white space.

use crate::json::{self, Kind};

/// The canonical text of an object without one of its members; `None` if there is none: a number that no double holds, half of a
/// surrogate pair, a name that stands there twice, or more nesting than `depth`.
pub fn object_without(object: &str, left_out: &str, depth: usize) -> Option<String> {
    let mut out = String::with_capacity(object.len());
    push_object(object, Some(left_out), depth, &mut out)?;
    Some(out)
}

/// The canonical text of a value; `None` as for [`object_without`].
pub fn value(text: &str, depth: usize) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    push(text, depth, &mut out)?;
    Some(out)
}

/// Calls itself for each level, of which there are no more than `depth`.
fn push(text: &str, depth: usize, out: &mut String) -> Option<()> {
    match json::kind(text)? {
        Kind::Object => push_object(text, None, depth, out)?,
        Kind::Array => {
            let depth = depth.checked_sub(1)?;
            out.push('[');
            for (at, element) in json::elements(text).enumerate() {
                if at > 0 {
                    out.push(',');
                }
                push(element, depth, out)?;
            }
            out.push(']');
        }
        Kind::String => json::quote_into(&whole_string(text.trim())?, out),
        Kind::Number => push_number(text.trim(), out)?,
        Kind::True | Kind::False | Kind::Null => out.push_str(text.trim()),
    }
    Some(())
}

fn push_object(object: &str, left_out: Option<&str>, depth: usize, out: &mut String) -> Option<()> {
    let depth = depth.checked_sub(1)?;
    let mut members = Vec::new();
    for (name, value) in json::members(object) {
        let name = whole_string(&format!("\"{name}\""))?;
        if left_out != Some(name.as_str()) {
            members.push((name.encode_utf16().collect::<Vec<u16>>(), name, value));
        }
    }
    crate::sorted::order_by(&mut members, |one, other| one.0 < other.0);
    if members.windows(2).any(|pair| matches!(pair, [one, other] if one.0 == other.0)) {
        return None;
    }
    out.push('{');
    for (at, (_, name, value)) in members.iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        json::quote_into(name, out);
        out.push(':');
        push(value, depth, out)?;
    }
    out.push('}');
    Some(())
}

/// What a string spells, if it has no half of a surrogate pair.
fn whole_string(quoted: &str) -> Option<String> {
    // Our own reader takes a half, and makes U+FFFD of it.
    if quoted.contains('\\') {
        return serde_json::from_str(quoted).ok();
    }
    json::string(quoted).map(Into::into)
}

/// A number as ECMAScript writes the double nearest to it (ECMA-262, `Number::toString`).
fn push_number(text: &str, out: &mut String) -> Option<()> {
    let number = json::double(text.as_bytes()).filter(|number| number.is_finite())?;
    if number == 0.0 {
        out.push('0');
        return Some(());
    }
    if number < 0.0 {
        out.push('-');
    }
    // The fewest digits that read back as the same double, as `d.ddde±x`.
    let written = format!("{:e}", number.abs());
    let (mantissa, exponent) = written.split_once('e')?;
    let mut digits = mantissa.replace('.', "");
    if (number.fract() != 0.0 || number.abs() > 9_007_199_254_740_992.0)
        && let Some(even) = even_of_two(number.abs(), &digits, exponent)
    {
        digits = even;
    }
    let count = i32::try_from(digits.len()).ok()?;
    // The place of the point behind the first digit of the number.
    let point = exponent.parse::<i32>().ok()?.checked_add(1)?;
    let zeros = |count: i32| "0".repeat(usize::try_from(count).unwrap_or_default());
    if count <= point && point <= 21 {
        out.push_str(&digits);
        out.push_str(&zeros(point - count));
    } else if 0 < point && point <= 21 {
        let (whole, fraction) = digits.split_at_checked(usize::try_from(point).ok()?)?;
        out.push_str(whole);
        out.push('.');
        out.push_str(fraction);
    } else if -6 < point && point <= 0 {
        out.push_str("0.");
        out.push_str(&zeros(-point));
        out.push_str(&digits);
    } else {
        let (first, rest) = digits.split_at_checked(1)?;
        out.push_str(first);
        if !rest.is_empty() {
            out.push('.');
            out.push_str(rest);
        }
        let sign = if point > 0 { '+' } else { '-' };
        out.push('e');
        out.push(sign);
        out.push_str(&(point - 1).unsigned_abs().to_string());
    }
    Some(())
}

/// The digits that end in an even one, where a double is exactly in the middle between these and those below them: ECMAScript takes the
/// even ones, and the standard library those above.
fn even_of_two(number: f64, digits: &str, exponent: &str) -> Option<String> {
    /// No double has more digits, written out.
    const ALL: usize = 767;
    let exact = format!("{number:.ALL$e}");
    let (mantissa, _) = exact.split_once('e')?;
    let all = mantissa.replace('.', "");
    let below = all.trim_end_matches('0').strip_suffix('5').filter(|below| below.len() == digits.len())?;
    let is_even = below.bytes().last().is_some_and(|last| last % 2 == 0);
    let (first, rest) = below.split_at_checked(1)?;
    let reads_back = format!("{first}.{rest}e{exponent}").parse() == Ok(number);
    (is_even && reads_back).then(|| below.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 8785, appendix B.
    #[test]
    fn numbers_are_written_as_the_samples_of_the_rfc() {
        for (bits, text) in [
            (0x0000_0000_0000_0000_u64, "0"),
            (0x8000_0000_0000_0000, "0"),
            (0x0000_0000_0000_0001, "5e-324"),
            (0x8000_0000_0000_0001, "-5e-324"),
            (0x7fef_ffff_ffff_ffff, "1.7976931348623157e+308"),
            (0xffef_ffff_ffff_ffff, "-1.7976931348623157e+308"),
            (0x4340_0000_0000_0000, "9007199254740992"),
            (0xc340_0000_0000_0000, "-9007199254740992"),
            (0x4430_0000_0000_0000, "295147905179352830000"),
            (0x44b5_2d02_c7e1_4af5, "9.999999999999997e+22"),
            (0x44b5_2d02_c7e1_4af6, "1e+23"),
            (0x44b5_2d02_c7e1_4af7, "1.0000000000000001e+23"),
            (0x444b_1ae4_d6e2_ef4e, "999999999999999700000"),
            (0x444b_1ae4_d6e2_ef4f, "999999999999999900000"),
            (0x444b_1ae4_d6e2_ef50, "1e+21"),
            (0x3eb0_c6f7_a0b5_ed8c, "9.999999999999997e-7"),
            (0x3eb0_c6f7_a0b5_ed8d, "0.000001"),
            (0x41b3_de43_5555_5553, "333333333.3333332"),
            (0x41b3_de43_5555_5554, "333333333.33333325"),
            (0x41b3_de43_5555_5555, "333333333.3333333"),
            (0x41b3_de43_5555_5556, "333333333.3333334"),
            (0x41b3_de43_5555_5557, "333333333.33333343"),
            (0xbecb_f647_612f_3696, "-0.0000033333333333333333"),
            (0x4314_3ff3_c1cb_0959, "1424953923781206.2"),
        ] {
            // Seventeen digits name each double.
            let written = format!("{:.16e}", f64::from_bits(bits));
            assert_eq!(value(&written, 1).as_deref(), Some(text), "{written}");
            assert_eq!(value(text, 1).as_deref(), Some(text), "it is canonical already");
        }
    }

    /// RFC 8785, sections 3.2.2 to 3.2.4.
    #[test]
    fn the_example_of_the_rfc_is_written_as_there() {
        let written = r#"{
            "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
            "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
            "literals": [null, true, false]
        }"#;
        let canonical = "{\"literals\":[null,true,false],\
            \"numbers\":[333333333.3333333,1e+30,4.5,0.002,1e-27],\
            \"string\":\"\u{20ac}$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}";
        assert_eq!(value(written, 4).as_deref(), Some(canonical));
    }

    /// RFC 8785, section 3.2.3: by UTF-16 code units, which is not the order of the characters.
    #[test]
    fn members_are_sorted_as_the_example_of_the_rfc() {
        let written = r#"{
            "\u20ac": "Euro Sign",
            "\r": "Carriage Return",
            "\ufb33": "Hebrew Letter Dalet With Dagesh",
            "1": "One",
            "\ud83d\ude00": "Emoji: Grinning Face",
            "\u0080": "Control",
            "\u00f6": "Latin Small Letter O With Diaeresis"
        }"#;
        let canonical = value(written, 4).expect("it has one");
        let order = ["Carriage Return", "One", "Control", "Latin", "Euro Sign", "Emoji", "Hebrew"];
        let places: Vec<_> = order.iter().map(|text| canonical.find(text)).collect();
        assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{canonical}");
        assert!(canonical.starts_with("{\"\\r\":"), "{canonical}");
    }

    #[test]
    fn what_has_no_canonical_text_has_none() {
        for text in
            ["1e999", "-1e999", r#""\ud800""#, r#"{"\ud800":1}"#, r#"{"a":1,"\u0061":2}"#, "[[[[1]]]]"]
        {
            assert_eq!(value(text, 3), None, "{text}");
        }
        assert_eq!(value("[[[1]]]", 3).as_deref(), Some("[[[1]]]"));
    }

    #[test]
    fn one_member_is_left_out_of_the_object_and_of_nothing_in_it() {
        let tool = r#"{"name":"a","_meta":{"x":1},"inputSchema":{"_meta":2},"\u005fmeta":3}"#;
        assert_eq!(
            object_without(tool, "_meta", 4).as_deref(),
            Some(r#"{"inputSchema":{"_meta":2},"name":"a"}"#)
        );
    }
}
