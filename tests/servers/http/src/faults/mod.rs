//! What can happen to one HTTP exchange instead of its right answer. A fault is named in a behaviour (`on-call=503`) or
//! in a call of the tool `fault`, so that each can meet each kind of request.

mod content;
mod date;
mod endings;
mod endless;
mod events;
mod framing;
mod http2;

use crate::connection::{After, Exchange};

/// One kind of fault.
pub struct Kind {
    pub name: &'static str,
    /// For `--help`: what follows the name.
    pub argument: &'static str,
    pub about: &'static str,
    run: fn(&mut Exchange, &str) -> After,
}

const fn k(
    name: &'static str,
    argument: &'static str,
    about: &'static str,
    run: fn(&mut Exchange, &str) -> After,
) -> Kind {
    Kind { name, argument, about, run }
}

/// Groups as `--help` shows them. Those of the last two are right: a client must take them.
pub const GROUPS: &[(&str, &[Kind])] = &[
    ("another status or content", content::KINDS),
    ("no answer, or half of one", endings::KINDS),
    ("no end", endless::KINDS),
    ("of HTTP/2 (--tls)", http2::KINDS),
    ("HTTP, written in odd ways (right unless it says otherwise)", framing::KINDS),
    ("the answer as an event stream, written in odd ways (right unless it says otherwise)", events::KINDS),
];

/// A fault with its argument.
#[derive(Clone)]
pub struct Fault {
    kind: &'static Kind,
    argument: String,
}

impl Fault {
    /// `NAME`, `NAME:ARGUMENT`, or a status.
    pub fn read(text: &str) -> Result<Self, String> {
        let (name, argument) = text.split_once(':').unwrap_or((text, ""));
        let by_name =
            |name: &str| GROUPS.iter().flat_map(|(_, group)| group.iter()).find(|it| it.name == name);
        if name.parse::<u16>().is_ok_and(|status| (100..1000).contains(&status)) {
            let kind = by_name("status").ok_or("no status")?;
            return Ok(Self { kind, argument: text.to_owned() });
        }
        let kind = by_name(name).ok_or_else(|| format!("no such fault: {text}"))?;
        Ok(Self { kind, argument: argument.to_owned() })
    }

    pub fn commit(&self, exchange: &mut Exchange) -> After {
        (self.kind.run)(exchange, &self.argument)
    }
}

/// The number in an argument, or another.
fn number(argument: &str, default: u64) -> u64 {
    argument.parse().unwrap_or(default)
}
