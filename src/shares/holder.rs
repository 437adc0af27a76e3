//! Who holds something.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr};

/// Who holds something of what clients share, as well as a server knows.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Holder {
    /// The program, which attached a client or gave its descriptors.
    Program,
    /// Who a token speaks for.
    Principal(Box<str>),
    /// An address; of IPv6 the network of 64 bits, all of whose addresses one client may have.
    Address(IpAddr),
    /// A process of this machine.
    Process(u32),
    /// The processes of a user of this machine beyond the first ones.
    User(u32),
    /// A session of which nothing else is known.
    Session(u64),
    /// Not known: a client behind the HTTP server of a program, or one that the system says nothing of.
    #[default]
    Unknown,
}

impl Holder {
    /// The client at an address.
    pub fn at(address: IpAddr) -> Holder {
        Holder::Address(match address.to_canonical() {
            IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX))),
            address @ IpAddr::V4(_) => address,
        })
    }
}

/// Its kind, which no name can imitate, and who of that kind it is.
impl fmt::Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Holder::Program => f.write_str("program"),
            Holder::Principal(name) => write!(f, "principal {name}"),
            Holder::Address(address) => write!(f, "address {address}"),
            Holder::Process(number) => write!(f, "process {number}"),
            Holder::User(number) => write!(f, "user {number}"),
            Holder::Session(number) => write!(f, "session {number}"),
            Holder::Unknown => f.write_str("unknown"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Holder;

    #[test]
    fn the_addresses_that_one_client_has_are_one_holder() {
        let at = |text: &str| Holder::at(text.parse().expect("an address"));
        assert_eq!(at("2001:db8::1"), at("2001:db8::ffff:0:1"));
        assert_ne!(at("2001:db8::1"), at("2001:db8:0:1::1"));
        assert_eq!(at("::ffff:127.0.0.1"), at("127.0.0.1"));
        assert_ne!(at("127.0.0.1"), at("127.0.0.2"));
    }
}
