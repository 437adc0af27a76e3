//! Every time that a configuration may set.

use crate::config::define::settings;
use crate::config::kinds::{Count, Flag, Millis, MillisByMethod, Optional, Share};
use crate::engine::{Reconnect, TaskSettings, Timeouts};
use std::collections::HashMap;
use std::time::Duration;

settings! {
    /// The times of a connection and its calls.
    Times {
        /// one call
        call_ms: Duration = Millis, Timeouts::default().call;
        /// one call of that method, instead of `call_ms`. For `server/discover` and `initialize` it goes before the
        /// two keys below
        methods: HashMap<String, Duration> = MillisByMethod(|_| Ok(())), HashMap::new();
        /// the answer to `initialize`
        initialize_ms: Duration = Millis, Timeouts::default().initialize;
        /// the answer to `server/discover`; after that the library sends `initialize`, where `protocol` permits
        /// the legacy era. An answer that arrives while `initialize` waits still counts
        probe_ms: Duration = Millis, Timeouts::default().probe;
        /// the time in which the process of a server must begin to read or to write; the two timeouts below
        /// start then
        start_ms: Duration = Millis, Duration::from_secs(30);
        /// the most that a call may take, however much progress is reported; at least the call's own time
        max_total_ms: Duration = Millis, Timeouts::default().max_total;
        /// progress restarts the timeout of a call. Servers report progress only for calls with the option
        /// `progress`
        reset_on_progress: bool = Flag, Timeouts::default().reset_on_progress;
        /// how long a connection of the legacy era waits for the stream of the server's own messages before it
        /// is ready without; as long again for the answers to what is restored on a new session
        listen_ms: Duration = Millis, Timeouts::default().listen;
        /// making a connection: name look-up, proxy and TLS. The addresses of a name are tried in turn, each with its
        /// share of that time. With HTTP+SSE also the wait for the first event
        connect_ms: Duration = Millis, Duration::from_secs(10);
        /// how long the server may take to exit, or to close its side of a socket, after the client has closed its own.
        /// Then a process gets SIGTERM
        exit_ms: Duration = Millis, Duration::from_secs(1);
        /// how long it may take after SIGTERM, before SIGKILL
        term_ms: Duration = Millis, Duration::from_millis(500);
        /// what `mcp_client_free`, and `mcp_client_close` with -1, allow for all of it. The first step gets at
        /// most half of it, the second at most what is left then; for a killed process to be gone they wait up
        /// to 500 ms more
        close_ms: Duration = Millis, Duration::from_secs(2);
    }
}

impl Times {
    /// The times of calls and of the handshake.
    pub(super) fn calls(self) -> Timeouts {
        Timeouts {
            call: self.call_ms,
            initialize: self.initialize_ms,
            probe: self.probe_ms,
            start: Some(self.start_ms),
            max_total: self.max_total_ms,
            reset_on_progress: self.reset_on_progress,
            listen: self.listen_ms,
            methods: self.methods,
        }
    }
}

settings! {
    /// How a lost connection is made again.
    Reconnecting {
        /// the first wait; each further one is twice as long
        initial_ms: Duration = Millis, Reconnect::default().initial;
        /// the longest wait; not less than `initial_ms`
        max_ms: Duration = Millis, Reconnect::default().max;
        /// each wait is longer or shorter by up to this share of it
        jitter: f64 = Share, Reconnect::default().jitter;
        /// attempts in a row to connect again before the client closes, without a bound if absent; the first
        /// start does not count
        max_attempts: Option<u32> = Optional(Count(0, u32::MAX)), None;
        /// how long a connection must stay ready before the waits and the number of attempts start again
        stable_ms: Duration = Millis, Reconnect::default().stable;
        /// attempts in a row to take a broken stream up again that bring nothing new. What the server says with
        /// `retry:` is the least wait; otherwise the waits grow from 1 s to 30 s
        stream_attempts: u32 = Count(0, 1_000_000), 5;
    }
}

settings! {
    /// How calls that become tasks are followed.
    TaskTimes {
        /// how often a task is asked for whose server does not say
        poll_ms: Duration = Millis, TaskSettings::default().poll;
        /// the least such time, whatever the server says
        poll_min_ms: Duration = Millis, TaskSettings::default().poll_min;
        /// the longest such time, whatever the server says; not less than `poll_min_ms`
        poll_max_ms: Duration = Millis, TaskSettings::default().poll_max;
        /// 2025-11-25: how long the server is asked to keep a task
        ttl_ms: Option<Duration> = Optional(Millis), None;
        /// the most that a call may take that has become a task, unless it has the option `max_total_ms`
        life_ms: Duration = Millis, TaskSettings::default().life;
    }
}
