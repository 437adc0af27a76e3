//! Random JSON: values, the same value written in many ways, and text with damage.

use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Map, Value};

/// Names that tests look for, so that random objects often have them.
pub const NAMES: [&str; 8] = ["id", "method", "params", "_meta", "a/b", "gr\u{f6}\u{df}e", "q\"~\\", ""];

fn name() -> impl Strategy<Value = String> {
    prop_oneof![3 => select(NAMES.as_slice()).prop_map(str::to_owned), 1 => any::<String>()]
}

fn object_of(value: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    proptest::collection::vec((name(), value), 0..6)
        .prop_map(|members| Value::Object(members.into_iter().collect::<Map<_, _>>()))
}

/// Any value.
pub fn value() -> impl Strategy<Value = Value> {
    let text = prop_oneof![any::<String>(), "[a-z \"\\\\\n\u{1}é文😀]{0,150}"];
    let scalar = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        text.prop_map(Value::from),
    ];
    scalar.prop_recursive(5, 40, 6, |value| {
        let array = proptest::collection::vec(value.clone(), 0..6).prop_map(Value::from);
        prop_oneof![array, object_of(value)]
    })
}

/// Any object.
pub fn object() -> impl Strategy<Value = Value> {
    object_of(value())
}

/// `value` written with random white space and escapes.
pub fn written(value: impl Strategy<Value = Value>) -> impl Strategy<Value = String> {
    (value, proptest::collection::vec(any::<u8>(), 1..64)).prop_map(|(value, choices)| {
        let mut writer = Writer { out: String::new(), choices, turn: 0 };
        writer.space();
        writer.value(&value);
        writer.space();
        writer.out
    })
}

struct Writer {
    out: String,
    choices: Vec<u8>,
    turn: usize,
}

impl Writer {
    fn choose(&mut self) -> u8 {
        self.turn += 1;
        self.choices[self.turn % self.choices.len()].wrapping_add(self.turn.to_le_bytes()[0])
    }

    fn space(&mut self) {
        let choice = usize::from(self.choose() % 7);
        self.out.push_str(["", "", "", " ", "\n", "\r\n\t", "  "][choice]);
    }

    fn token(&mut self, token: char) {
        self.space();
        self.out.push(token);
        self.space();
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::String(text) => self.string(text),
            Value::Array(elements) => {
                self.token('[');
                for (index, element) in elements.iter().enumerate() {
                    if index > 0 {
                        self.token(',');
                    }
                    self.value(element);
                }
                self.token(']');
            }
            Value::Object(members) => {
                self.token('{');
                for (index, (name, value)) in members.iter().enumerate() {
                    if index > 0 {
                        self.token(',');
                    }
                    self.string(name);
                    self.token(':');
                    self.value(value);
                }
                self.token('}');
            }
            scalar => self.out.push_str(&scalar.to_string()),
        }
    }

    fn string(&mut self, text: &str) {
        self.out.push('"');
        for c in text.chars() {
            let escaped = match c {
                _ if self.choose().is_multiple_of(8) => None,
                '\n' => Some("\\n".to_owned()),
                '/' => Some("\\/".to_owned()),
                '"' | '\\' => Some(format!("\\{c}")),
                '\0'..='\u{1f}' => None,
                _ => Some(c.to_string()),
            };
            match escaped {
                Some(escaped) => self.out.push_str(&escaped),
                None => {
                    for unit in c.encode_utf16(&mut [0; 2]) {
                        let upper = self.choose().is_multiple_of(2);
                        let digits = if upper { format!("{unit:04X}") } else { format!("{unit:04x}") };
                        self.out.extend(["\\u", &digits]);
                    }
                }
            }
        }
        self.out.push('"');
    }
}

/// Text made of JSON with a few bytes replaced, inserted or taken out.
pub fn damaged(text: impl Strategy<Value = String>) -> impl Strategy<Value = Vec<u8>> {
    let byte = prop_oneof![
        4 => select(b"{}[]:,\"\\ \n\t0123456789-+.eEutfn/\x00\x1f".as_slice()),
        1 => any::<u8>(),
    ];
    let change = (any::<Index>(), 0..3u8, byte);
    (text, proptest::collection::vec(change, 1..4)).prop_map(|(text, changes)| {
        let mut text = text.into_bytes();
        for (place, change, byte) in changes {
            let place = place.index(text.len() + 1);
            match change {
                0 => text.insert(place, byte),
                1 if place < text.len() => text[place] = byte,
                _ if place < text.len() => drop(text.remove(place)),
                _ => {}
            }
        }
        text
    })
}

/// Bytes that look a little like JSON.
pub fn soup() -> impl Strategy<Value = Vec<u8>> {
    let token = prop_oneof![
        20 => select(vec!["{", "}", "[", "]", ":", ",", "\"\"", "\"a\"", "0", "-1.5e3", "true", "false", "null", " ", "{\"a\":", "\\", "\"", "\\u0000"])
            .prop_map(|token| token.as_bytes().to_vec()),
        1 => proptest::collection::vec(any::<u8>(), 1..4),
    ];
    proptest::collection::vec(token, 0..12).prop_map(|tokens| tokens.concat())
}
