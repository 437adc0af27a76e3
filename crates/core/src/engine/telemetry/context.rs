//! Where a request belongs: `traceparent` and `tracestate` of W3C Trace Context, as they stand in `_meta` and in headers of HTTP.

use crate::json;

/// The characters of a `traceparent` of version 00.
const LENGTH: usize = 55;
/// The most characters of a `tracestate` that is kept: as many as every system must pass on.
const STATE: usize = 512;

/// One span of one trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TraceContext {
    /// The trace; never 0.
    pub trace: u128,
    /// The span; never 0.
    pub span: u64,
    /// Whether it is recorded.
    pub is_sampled: bool,
}

/// What systems for tracing add to a context; kept as it came.
pub type TraceState = Option<Box<str>>;

impl TraceContext {
    /// The context that `text` is. `None` where it is not well formed: the request goes on without a parent.
    pub fn parse(text: &str) -> Option<TraceContext> {
        let version = lower_hex(text.get(..2)?)?;
        let is_whole = match version {
            0xff => false,
            0 => text.len() == LENGTH,
            // A later version may add something behind.
            _ => text.len() == LENGTH || text.as_bytes().get(LENGTH) == Some(&b'-'),
        };
        let has_dashes = [2, 35, 52].into_iter().all(|at| text.as_bytes().get(at) == Some(&b'-'));
        if !is_whole || !has_dashes {
            return None;
        }
        let number = |from: usize, to: usize| lower_hex(text.get(from..to)?);
        let trace = u128::from(number(3, 19)?) << 64 | u128::from(number(19, 35)?);
        let span = number(36, 52)?;
        let is_sampled = number(53, LENGTH)? & 1 == 1;
        (trace != 0 && span != 0).then_some(TraceContext { trace, span, is_sampled })
    }

    /// The context in the `_meta` of a request, a JSON object, and its state.
    pub fn in_meta(meta: &str) -> Option<(TraceContext, TraceState)> {
        // Most have none, and a walk over the members takes ten times as long. A name may be written with escapes.
        if !meta.contains("traceparent") && !meta.contains('\\') {
            return None;
        }
        let [parent, state] = json::pick_single(meta, ["traceparent", "tracestate"])?;
        let context = TraceContext::parse(&json::string(parent?)?)?;
        let state = state.and_then(json::string).filter(|state| !state.is_empty() && state.len() <= STATE);
        Some((context, state.map(Into::into)))
    }

    /// Appends it as the member `"traceparent"` of a JSON object.
    pub fn push_member(&self, members: &mut String) {
        members.push_str("\"traceparent\":\"");
        self.push(members);
        members.push('"');
    }

    /// It as `traceparent` is written.
    pub fn text(&self) -> String {
        let mut text = String::with_capacity(LENGTH);
        self.push(&mut text);
        text
    }

    /// Appends it as `traceparent` is written.
    pub fn push(&self, out: &mut String) {
        out.push_str("00-");
        self.push_trace(out);
        out.push('-');
        push_hex(self.span, out);
        out.push_str(if self.is_sampled { "-01" } else { "-00" });
    }

    /// Appends the id of the trace.
    #[allow(clippy::cast_possible_truncation, reason = "each half is a number of its own")]
    pub fn push_trace(&self, out: &mut String) {
        push_hex((self.trace >> 64) as u64, out);
        push_hex(self.trace as u64, out);
    }
}

/// A number of at most sixteen lower-case hexadecimal digits; as strict as Trace Context is.
fn lower_hex(text: &str) -> Option<u64> {
    let mut number = 0;
    for byte in text.bytes() {
        let digit = match byte {
            b'0'..=b'9' => byte - b'0',
            b'a'..=b'f' => byte - b'a' + 10,
            _ => return None,
        };
        number = number << 4 | u64::from(digit);
    }
    Some(number)
}

/// Appends sixteen hexadecimal digits: eight at a time, as each request that goes out has 48 of them.
pub fn push_hex(number: u64, out: &mut String) {
    for half in [number >> 32, number & 0xffff_ffff] {
        let mut spread = half;
        spread = (spread << 16 | spread) & 0x0000_ffff_0000_ffff;
        spread = (spread << 8 | spread) & 0x00ff_00ff_00ff_00ff;
        spread = (spread << 4 | spread) & 0x0f0f_0f0f_0f0f_0f0f;
        // 1 in each byte that is a letter.
        let letters = ((spread + 0x0606_0606_0606_0606) >> 4) & 0x0101_0101_0101_0101;
        let digits = spread + 0x3030_3030_3030_3030 + letters * 0x27;
        out.push_str(json::utf8(&digits.to_be_bytes()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
    const SPAN: &str = "00f067aa0ba902b7";

    #[test]
    fn a_context_is_read_as_trace_context_says() {
        let whole = TraceContext {
            trace: 0x4bf9_2f35_77b3_4da6_a3ce_929d_0e0e_4736,
            span: 0x00f0_67aa_0ba9_02b7,
            is_sampled: true,
        };
        for (text, expected) in [
            (format!("00-{TRACE}-{SPAN}-01"), Some(whole)),
            (format!("00-{TRACE}-{SPAN}-00"), Some(TraceContext { is_sampled: false, ..whole })),
            // Other flags mean nothing here.
            (format!("00-{TRACE}-{SPAN}-03"), Some(whole)),
            (format!("cc-{TRACE}-{SPAN}-01"), Some(whole)),
            (format!("cc-{TRACE}-{SPAN}-01-more"), Some(whole)),
            (format!("cc-{TRACE}-{SPAN}-01more"), None),
            (format!("ff-{TRACE}-{SPAN}-01"), None),
            (format!("00-{TRACE}-{SPAN}-01-more"), None),
            (format!("00-{}-{SPAN}-01", TRACE.to_uppercase()), None),
            (format!("00-{TRACE}-{SPAN}-0A"), None),
            (format!("00-{}-{SPAN}-01", "0".repeat(32)), None),
            (format!("00-{TRACE}-{}-01", "0".repeat(16)), None),
            (format!("00-{TRACE}-{SPAN}-1"), None),
            (format!("00-{TRACE}+{SPAN}-01"), None),
            (format!("00-+{}-{SPAN}-01", &TRACE[1..]), None),
            (format!("0-{TRACE}-{SPAN}-01"), None),
            (format!(" 00-{TRACE}-{SPAN}-01"), None),
            (format!("00-{TRACE}-{SPAN}"), None),
            (format!("00-{SPAN}-{TRACE}-01"), None),
            ("é".repeat(40), None),
            (String::new(), None),
        ] {
            assert_eq!(TraceContext::parse(&text), expected, "{text}");
        }
    }

    #[test]
    fn a_name_that_is_written_with_escapes_is_found() {
        for name in ["traceparent", r"tr\u0061ceparent"] {
            let meta = format!(r#"{{"a":{{"b":1}},"{name}":"00-{TRACE}-{SPAN}-01"}}"#);
            assert!(TraceContext::in_meta(&meta).is_some_and(|(context, _)| context.is_sampled), "{meta}");
        }
        assert_eq!(TraceContext::in_meta(r#"{"a":{"traceparent":"00"}}"#), None);
    }

    #[test]
    fn a_context_is_written_as_it_is_read() {
        for (trace, span) in
            [(1, 1), (u128::MAX, u64::MAX), (0x0123_4567_89ab_cdef << 64, 0xfedc_ba98_7654_3210)]
        {
            for is_sampled in [false, true] {
                let context = TraceContext { trace, span, is_sampled };
                let mut written = String::from("{");
                context.push_member(&mut written);
                written.push('}');
                let expected = format!("00-{trace:032x}-{span:016x}-0{}", u8::from(is_sampled));
                assert_eq!(written, format!("{{\"traceparent\":\"{expected}\"}}"));
                assert_eq!(TraceContext::in_meta(&written), Some((context, None)));
            }
        }
    }

    #[test]
    fn the_state_goes_with_a_context_that_is_well_formed_only() {
        let parent = format!("00-{TRACE}-{SPAN}-01");
        let state_of = |meta: &str| TraceContext::in_meta(meta).map(|(_, state)| state);
        let with = |state: &str| format!("{{\"traceparent\":\"{parent}\",\"tracestate\":{state}}}");
        assert_eq!(state_of(&with("\"a=1,b=2\"")), Some(Some("a=1,b=2".into())));
        for absent in
            ["\"\"".to_owned(), "7".to_owned(), "null".to_owned(), format!("\"{}\"", "x".repeat(513))]
        {
            assert_eq!(state_of(&with(&absent)), Some(None), "{absent}");
        }
        for wrong in
            [r#"{"tracestate":"a=1"}"#, r#"{"traceparent":7,"tracestate":"a=1"}"#, "{}", "[]", "7", ""]
        {
            assert_eq!(state_of(wrong), None, "{wrong}");
        }
    }
}
