//! The headers of one call, which repeat arguments of its tool (`protocol/header_parameters` says which).

#[cfg(test)]
mod tests;

use crate::json;
use crate::json::Kind;
pub use crate::protocol::header_parameters::{Parameter, read};
use crate::transport::http::header::{Header, MCP_PARAM_PREFIX, encoded};
use std::borrow::Cow;
use std::fmt;

/// Why a call cannot be sent: the value of a parameter has no form as a header.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsendable {
    /// The names that lead to the value, with dots between them.
    pub parameter: String,
    /// What the value is.
    pub kind: Kind,
}

impl fmt::Display for Unsendable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Unsendable { parameter, kind } = self;
        match kind {
            Kind::Number => write!(
                f,
                "the argument '{parameter}' goes into an HTTP header too and must be a whole number of at most 2^53-1"
            ),
            _ => write!(
                f,
                "the argument '{parameter}' goes into an HTTP header too and must be a string, a whole number, true, \
                 false or null; it is {kind}"
            ),
        }
    }
}

/// The headers of a `tools/call` with these `params`.
///
/// # Errors
/// The argument that no header can carry.
pub fn headers(parameters: &[Parameter], params: &str) -> Result<Vec<Header>, Unsendable> {
    let Some(arguments) = json::member(params, "arguments") else { return Ok(Vec::new()) };
    let mut headers = Vec::new();
    for parameter in parameters {
        let found = parameter.path.iter().try_fold(arguments, |value, name| json::member(value, name));
        let Some(value) = found else { continue };
        if let Some(value) = written(value).map_err(|kind| unsendable(parameter, kind))? {
            let name = format!("{MCP_PARAM_PREFIX}{}", parameter.name.to_ascii_lowercase());
            headers.push(Header { name: Cow::Owned(name), value: Cow::Owned(value) });
        }
    }
    Ok(headers)
}

/// The value of a header, by the kind of the value it is made of: what the schema wants there is for the server to
/// judge. `None` for null, which has no header.
fn written(value: &str) -> Result<Option<String>, Kind> {
    match json::kind(value) {
        None | Some(Kind::Null) => Ok(None),
        Some(Kind::True) => Ok(Some("true".to_owned())),
        Some(Kind::False) => Ok(Some("false".to_owned())),
        Some(Kind::String) => Ok(json::string(value).map(|text| encoded(&text).into_owned())),
        Some(Kind::Number) => match whole(value) {
            Some(number) => Ok(Some(number.to_string())),
            None => Err(Kind::Number),
        },
        Some(kind @ (Kind::Array | Kind::Object)) => Err(kind),
    }
}

fn unsendable(parameter: &Parameter, kind: Kind) -> Unsendable {
    Unsendable { parameter: parameter.path.join("."), kind }
}

/// The largest integer that every reader of JSON can hold exactly: 2^53 - 1.
const LARGEST: i64 = (1 << 53) - 1;
/// How many digits that has.
const DIGITS: i64 = 16;

/// The value of a JSON number if it is whole and within ±(2^53 - 1). Never goes through floating point.
pub(crate) fn whole(number: &str) -> Option<i64> {
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
