//! Which workloads there are, and how a run of each becomes one number that can be compared.

use std::time::Duration;

/// How a contender is driven and what its number means.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// As many calls as possible: calls per second.
    Calls,
    /// Few and big answers: MiB of text per second.
    Big,
    /// Milliseconds from starting the program to its first answer.
    Start,
    /// KiB of memory with one idle server and with many.
    Idle,
    /// KiB of memory of one server that waits for requests.
    IdleServer,
    /// Processor time of many clients that call once a second each.
    Many,
}

/// One workload.
#[derive(Clone, Copy)]
pub struct Workload {
    /// The name the contenders know.
    pub name: &'static str,
    /// How it is run.
    pub kind: Kind,
    /// What the ratio of each round is taken to.
    pub against: Against,
    /// How the server is spoken to.
    pub over: Over,
}

/// How the server is spoken to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Over {
    /// Its standard input and output; the contender starts it.
    Pipes,
    /// HTTP, answered in this form; the runner starts it.
    Http(&'static str),
    /// The contender is the server: the floor starts it and calls it.
    Served,
}

impl Against {
    const fn over(self, name: &'static str, kind: Kind, over: Over) -> Workload {
        Workload { name, kind, against: self, over }
    }
}

/// What a ratio is taken to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Against {
    /// The floor's number of the same round.
    Floor,
    /// The contender's own number in another workload, measured in the same round.
    Own(&'static str),
}

impl Workload {
    /// The workload with this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        ALL.iter().find(|workload| workload.name == name)
    }

    /// The unit of its number.
    pub fn unit(&self) -> &'static str {
        match self.kind {
            Kind::Calls => "calls/s",
            Kind::Big => "MiB/s",
            Kind::Start => "ms",
            Kind::Idle | Kind::IdleServer => "KiB",
            Kind::Many => "us/s",
        }
    }

    /// Memory does not depend on where a process runs, and clients that mostly wait need no processor of
    /// their own.
    pub fn placements(&self) -> &'static [Placement] {
        if self.is_idle() { &[Placement::Free] } else { &Placement::ALL }
    }

    /// Memory hardly varies, and watching idle clients takes long.
    pub fn rounds(&self, effort: &Effort) -> usize {
        if self.is_idle() { effort.rounds.min(3) } else { effort.rounds }
    }

    fn is_idle(&self) -> bool {
        matches!(self.kind, Kind::Idle | Kind::IdleServer | Kind::Many)
    }
}

/// All of them, in the order in which they are run and shown.
pub const ALL: [Workload; 22] = [
    Against::Floor.over("seq", Kind::Calls, Over::Pipes),
    Against::Floor.over("pipe", Kind::Calls, Over::Pipes),
    Against::Floor.over("http-seq", Kind::Calls, Over::Http("json")),
    Against::Floor.over("http-pipe", Kind::Calls, Over::Http("json")),
    Against::Floor.over("sse-seq", Kind::Calls, Over::Http("sse")),
    Against::Floor.over("sse-pipe", Kind::Calls, Over::Http("sse")),
    Against::Floor.over("http-parts-seq", Kind::Calls, Over::Http("json-parts")),
    Against::Floor.over("sse-bytes-seq", Kind::Calls, Over::Http("sse-bytes")),
    Against::Floor.over("big", Kind::Big, Over::Pipes),
    Against::Floor.over("big-escapes", Kind::Big, Over::Pipes),
    Against::Floor.over("start", Kind::Start, Over::Pipes),
    Against::Own("seq").over("threads", Kind::Calls, Over::Pipes),
    Against::Floor.over("rss", Kind::Idle, Over::Pipes),
    Against::Floor.over("many", Kind::Many, Over::Pipes),
    Against::Floor.over("http-many", Kind::Many, Over::Http("json")),
    Against::Floor.over("serve-seq", Kind::Calls, Over::Served),
    Against::Floor.over("serve-pipe", Kind::Calls, Over::Served),
    Against::Floor.over("serve-socket", Kind::Calls, Over::Served),
    Against::Floor.over("serve-sessions", Kind::Calls, Over::Served),
    Against::Floor.over("serve-rss", Kind::IdleServer, Over::Served),
    Against::Own("seq").over("in-process", Kind::Calls, Over::Pipes),
    Against::Own("seq").over("in-process-threads", Kind::Calls, Over::Pipes),
];

/// Which handshake the server speaks.
pub const ERAS: [&str; 2] = [LEGACY, "modern"];

/// The handshake of revisions before 2026-07-28.
pub const LEGACY: &str = "legacy";

/// Where client and server run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Placement {
    /// Both on the same processor: what is compared is the work done.
    OneCpu,
    /// As the scheduler likes: life, and noisy.
    Free,
}

impl Placement {
    pub const ALL: [Self; 2] = [Self::OneCpu, Self::Free];

    pub fn name(self) -> &'static str {
        match self {
            Self::OneCpu => "one-cpu",
            Self::Free => "free",
        }
    }
}

/// How much is done.
#[derive(Clone, Copy)]
pub struct Effort {
    pub rounds: usize,
    /// How long a measured section of calls should last; how many calls that takes is found out per
    /// contender.
    pub section: Duration,
    /// Starts of the program in one round.
    pub starts: usize,
    pub idle_clients: u32,
    pub many_clients: u32,
    pub many_seconds: u32,
    /// Bytes of text in one big answer.
    pub big: u64,
    /// How long idle clients are watched for wake-ups.
    pub watch: Duration,
}

impl Effort {
    pub const FULL: Self = Self {
        rounds: 9,
        section: Duration::from_millis(500),
        starts: 20,
        idle_clients: 50,
        many_clients: 1000,
        many_seconds: 5,
        big: BIG,
        watch: Duration::from_secs(3),
    };

    pub const QUICK: Self = Self {
        rounds: 3,
        section: Duration::from_millis(150),
        starts: 5,
        idle_clients: 20,
        many_clients: 100,
        many_seconds: 2,
        big: BIG,
        watch: Duration::from_secs(1),
    };
}

const BIG: u64 = 10 << 20;
