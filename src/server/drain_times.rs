//! How long a server that closes goes on: keys of its configuration.

use crate::config::define::settings;
use crate::config::fields::LONGEST_MS;
use crate::config::kinds::Size;

settings! {
    /// The times before a server closes.
    #[derive(Clone, Copy, Debug)]
    DrainTimes {
        /// how long, in milliseconds, `mcp_server_close` still serves while health says 503, over HTTP. A second call of `mcp_server_close`
        /// ends the wait
        notice_ms: usize = Size(0, LONGEST_MS), 0;
        /// what requests under way have then, while no client connects any more; those that are left are refused
        drain_ms: usize = Size(0, LONGEST_MS), 0;
    }
}
