//! Numbers as integers and doubles, against the standard library.

use super::super::{NotInteger, double, whole};
use proptest::prelude::*;

fn same(text: &str) {
    let expected: f64 = text.parse().unwrap();
    let found = double(text.as_bytes()).unwrap();
    assert_eq!(found.to_bits(), expected.to_bits(), "{text} is {expected:e}, not {found:e}");
}

#[test]
fn doubles_at_their_limits_are_the_nearest_ones() {
    for text in [
        "0",
        "-0",
        "0e99999999999999999999",
        "-0.000",
        "1",
        "-1.5",
        "0.1",
        "1e22",
        "1e23",
        "123456789012345e22",
        "8.98846567431158e307",
        "1.7976931348623157e308",
        "1.7976931348623158e308",
        "1.7976931348623159e308",
        "1e309",
        "-1e400",
        "1e999999999999999999999",
        "1e-999999999999999999999",
        "4.9e-324",
        "2.5e-324",
        "2.4e-324",
        "2.4703282292062327208299439634110764e-324",
        "2.4703282292062328e-324",
        "2.2250738585072014e-308",
        "2.2250738585072011e-308",
        "2.225073858507201e-308",
        "9007199254740993",
        "9007199254740992.999",
        "9007199254740993.00000000000000000000000000000000000000000000000000000000000001",
        "18446744073709551616",
        "9223372036854775807",
        "5e-324",
        "7.2057594037927933e16",
        "0.000000000000000000000000000001e30",
        "100000000000000016777215",
        "100000000000000016777216",
        "100000000000000016777217",
    ] {
        same(text);
    }
}

#[test]
fn the_middle_between_two_doubles_goes_to_the_even_one_however_many_digits_say_so() {
    // Between the two smallest doubles and zero; the digits of 2^-1075 end after 752 digits.
    let middle = format!("{:.1075}", f64::from_bits(1)).replace("0.", "");
    let halved: String = {
        let mut carry = 0;
        let half = |digit: char| {
            let value = carry * 10 + digit.to_digit(10).unwrap();
            carry = value % 2;
            char::from_digit(value / 2, 10).unwrap()
        };
        middle.chars().map(half).collect()
    };
    assert!(halved.ends_with('5'));
    for tail in ["", "0", "1", &"0".repeat(900), &format!("{}1", "0".repeat(900))] {
        same(&format!("0.{halved}{tail}"));
        same(&format!("{}{tail}e-{}", halved.trim_start_matches('0'), halved.len() + tail.len()));
    }
    let lower = halved.strip_suffix('5').unwrap();
    same(&format!("0.{lower}4{}", "9".repeat(900)));
}

#[test]
fn what_is_no_number_is_neither() {
    for text in
        ["", "-", "+1", "01", "1.", ".5", "1e", "0x10", "inf", "NaN", "1 ", "\"1\"", "null", "--1", "1e+"]
    {
        assert_eq!(
            (double(text.as_bytes()), whole(text.as_bytes())),
            (None, Err(NotInteger::Fraction)),
            "{text}"
        );
    }
}

#[test]
fn integers_are_exact_however_they_are_written() {
    let range = Err(NotInteger::Range);
    let fraction = Err(NotInteger::Fraction);
    for (text, expected) in [
        ("0", Ok(0)),
        ("-0", Ok(0)),
        ("0.00e5", Ok(0)),
        ("0e-99999999999999999999", Ok(0)),
        ("7.0", Ok(7)),
        ("1.5e1", Ok(15)),
        ("150e-1", Ok(15)),
        ("-0.0012e4", Ok(-12)),
        ("1e18", Ok(1_000_000_000_000_000_000)),
        ("9223372036854775807", Ok(i64::MAX)),
        ("-9223372036854775808", Ok(i64::MIN)),
        ("922337203685477580.7e1", Ok(i64::MAX)),
        ("9223372036854775808", range),
        ("-9223372036854775809", range),
        ("1e19", range),
        ("1e99999999999999999999", range),
        ("0.5", fraction),
        ("15e-1", fraction),
        ("1e-99999999999999999999", fraction),
        ("9223372036854775807.5", fraction),
        ("99999999999999999999.5", fraction),
    ] {
        assert_eq!(whole(text.as_bytes()), expected, "{text}");
    }
}

proptest! {
    #[test]
    fn doubles_are_those_of_the_standard_library(digits in "-?(0|[1-9][0-9]{0,40})(\\.[0-9]{1,40})?", power in -400..400) {
        same(&digits);
        same(&format!("{digits}e{power}"));
    }

    #[test]
    fn what_a_double_prints_is_that_double(bits in any::<u64>(), cut in 1_usize..20) {
        let number = f64::from_bits(bits);
        prop_assume!(number.is_finite());
        same(&format!("{number:e}"));
        same(&format!("{number:.cut$e}"));
        // As many digits as the middle to the next one needs.
        same(&format!("{number}"));
        same(&format!("{number:.800e}"));
    }

    #[test]
    fn integers_survive_every_notation(number in any::<i64>(), power in 0_usize..25) {
        prop_assert_eq!(whole(number.to_string().as_bytes()), Ok(number));
        let zeros = "0".repeat(power);
        prop_assert_eq!(whole(format!("{number}{zeros}e-{power}").as_bytes()), Ok(number));
        let behind = format!("{number}.{zeros}0");
        prop_assert_eq!(whole(behind.as_bytes()), Ok(number));
    }
}
