//! The dated revisions of the protocol, and what differs between them, as data.

use std::fmt;

/// The two ways of speaking MCP.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Era {
    /// An `initialize` handshake opens the connection (2025-11-25 and older).
    Legacy,
    /// No handshake; every request carries its own metadata (2026-07-28 and newer).
    Modern,
}

impl Era {
    /// The era's name as it stands in `mcp_client_info`.
    pub fn as_str(self) -> &'static str {
        match self {
            Era::Legacy => "legacy",
            Era::Modern => "modern",
        }
    }
}

/// A dated protocol version.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Revision {
    /// 2024-11-05: the first; HTTP+SSE transport.
    V2024_11_05,
    /// 2025-03-26: Streamable HTTP, batches, audio, the `completions` capability.
    V2025_03_26,
    /// 2025-06-18: no batches, elicitation, structured results, the version header.
    V2025_06_18,
    /// 2025-11-25: URL elicitation, tools in sampling, experimental tasks.
    V2025_11_25,
    /// 2026-07-28: stateless, per-request metadata, multi-round-trip requests, extensions.
    V2026_07_28,
}

/// What one revision has that another has not. Every field is a fact of that revision's specification.
#[derive(Clone, Copy, Debug)]
pub struct Differences {
    /// A frame may be a JSON array of messages (2025-03-26; tolerated from 2024-11-05, which is silent).
    pub batches: bool,
    /// The server may send requests of its own (all of the legacy era).
    pub server_requests: bool,
    /// Client capability `elicitation` exists.
    pub elicitation: bool,
    /// `elicitation.form` and `elicitation.url`, `sampling.tools` and `sampling.context` exist.
    pub capability_modes: bool,
    /// Client capability `tasks` (the experimental core form) exists.
    pub core_tasks: bool,
    /// `roots.listChanged` and its notification exist.
    pub roots_list_changed: bool,
    /// Client capability `extensions` exists.
    pub extensions: bool,
    /// Results carry `resultType`.
    pub result_type: bool,
}

impl Revision {
    /// Every revision, oldest first.
    pub const ALL: [Revision; 5] = [
        Revision::V2024_11_05,
        Revision::V2025_03_26,
        Revision::V2025_06_18,
        Revision::V2025_11_25,
        Revision::V2026_07_28,
    ];
    /// The newest revision of the legacy era: what `initialize` asks for unless the application pinned another.
    pub const LATEST_LEGACY: Revision = Revision::V2025_11_25;
    /// The newest revision of the modern era.
    #[cfg(any(test, feature = "testing", fuzzing))]
    pub const LATEST_MODERN: Revision = Revision::V2026_07_28;

    /// The revision as it is written on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Revision::V2024_11_05 => "2024-11-05",
            Revision::V2025_03_26 => "2025-03-26",
            Revision::V2025_06_18 => "2025-06-18",
            Revision::V2025_11_25 => "2025-11-25",
            Revision::V2026_07_28 => "2026-07-28",
        }
    }

    /// The revision written as `text`, if it is one we speak.
    pub fn parse(text: &str) -> Option<Revision> {
        Revision::ALL.into_iter().find(|revision| revision.as_str() == text)
    }

    /// Which era the revision belongs to.
    pub fn era(self) -> Era {
        if self >= Revision::V2026_07_28 { Era::Modern } else { Era::Legacy }
    }

    /// What this revision has.
    pub fn differences(self) -> Differences {
        Differences {
            batches: self <= Revision::V2025_03_26,
            server_requests: self.era() == Era::Legacy,
            elicitation: self >= Revision::V2025_06_18,
            capability_modes: self >= Revision::V2025_11_25,
            core_tasks: self == Revision::V2025_11_25,
            roots_list_changed: self.era() == Era::Legacy,
            extensions: self.era() == Era::Modern,
            result_type: self.era() == Era::Modern,
        }
    }
}

impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_revision_reads_back_from_its_name() {
        for revision in Revision::ALL {
            assert_eq!(Revision::parse(revision.as_str()), Some(revision));
        }
        assert_eq!(Revision::parse("2025-06-17"), None);
    }

    #[test]
    fn the_newest_of_each_era_belong_to_their_era() {
        assert_eq!(Revision::LATEST_LEGACY.era(), Era::Legacy);
        assert_eq!(Revision::LATEST_MODERN.era(), Era::Modern);
        assert!(
            Revision::ALL.iter().filter(|r| r.era() == Era::Legacy).all(|r| *r <= Revision::LATEST_LEGACY)
        );
    }

    #[test]
    fn batches_are_gone_from_2025_06_18_on() {
        assert!(Revision::V2025_03_26.differences().batches);
        assert!(!Revision::V2025_06_18.differences().batches);
    }
}
