//! The tables for Swift: structs with named values, since later libraries may have numbers that this one does not know.

use std::fmt::Write as _;

use super::constants::{Constant, Constants};

pub fn enums(numbers: &Constants) -> String {
    let mut text = "// Written from include/mcp.h by `cargo xtask bindings`; do not edit.\n".to_owned();
    let _ = writeln!(
        text,
        "\n/// The ABI that this package was written for.\nlet abiVersion: UInt32 = {}",
        numbers.abi
    );
    table(&mut text, "Status", "How something ended: 0 is success, negative is an error.", &numbers.statuses);
    table(&mut text, "MessageKind", "What a message is.", &numbers.kinds);
    table(&mut text, "ConnectionState", "The state of a connection.", &numbers.states);
    table(&mut text, "LogLevel", "How much the logger hears.", &numbers.levels);
    text
}

fn table(text: &mut String, name: &str, says: &str, numbers: &[Constant]) {
    let _ = writeln!(text, "\n/// {says}");
    let _ = writeln!(text, "public struct {name}: RawRepresentable, Hashable, Sendable {{");
    text.push_str("    public let rawValue: Int32\n\n");
    text.push_str("    public init(rawValue: Int32) {\n        self.rawValue = rawValue\n    }\n");
    for number in numbers {
        let case = name_of(&number.lower());
        let _ = write!(
            text,
            "\n    /// {}\n    public static let {case} = {name}(rawValue: {})\n",
            number.comment, number.value
        );
    }
    text.push_str("}\n");
}

/// Swift's own words among the names.
const KEYWORDS: [&str; 2] = ["internal", "protocol"];

fn name_of(name: &str) -> String {
    if KEYWORDS.contains(&name) { format!("`{name}`") } else { camel(name) }
}

/// `invalid_argument` as `invalidArgument`.
fn camel(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |text, word| {
        let mut letters = word.chars();
        let head = letters.next().map(|it| it.to_ascii_uppercase().to_string()).unwrap_or_default();
        text + &head + letters.as_str()
    })
}
