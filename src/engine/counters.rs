//! What the engine counted, and how loud it talks.

use serde_json::{Map, Value};

/// How loud a log record is. The numbers are the ABI's; 0 listens to nothing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
#[repr(u8)]
pub enum Level {
    /// Something failed.
    Error = 1,
    /// Something is odd.
    Warn = 2,
    /// A change of state.
    Info = 3,
    /// Each request.
    Debug = 4,
    /// Each frame.
    Trace = 5,
}

impl Level {
    /// The level as it stands in a record.
    pub fn as_str(self) -> &'static str {
        match self {
            Level::Error => "error",
            Level::Warn => "warn",
            Level::Info => "info",
            Level::Debug => "debug",
            Level::Trace => "trace",
        }
    }
}

macro_rules! counters {
    ($($(#[doc = $doc:literal])+ $name:ident,)+) => {
        /// Counts since the client was made.
        #[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
        pub struct Counters {
            $($(#[doc = $doc])+ pub $name: u64,)+
        }

        impl Counters {
            /// The counts by name.
            pub fn to_map(self) -> Map<String, Value> {
                let mut map = Map::new();
                $(map.insert(stringify!($name).to_owned(), Value::from(self.$name));)+
                map
            }
        }
    };
}

counters! {
    /// Calls the application made.
    calls,
    /// Calls that ended with a result.
    results,
    /// Calls that ended with a JSON-RPC error.
    server_errors,
    /// Calls that ended for want of time.
    timeouts,
    /// Calls the application cancelled.
    cancelled,
    /// Calls that ended because the connection was lost.
    lost_calls,
    /// Calls sent again after the connection was lost.
    retries,
    /// Calls that became tasks, and those that watched one.
    tasks,
    /// Connections that became ready.
    connections,
    /// Attempts to connect that failed.
    failed_attempts,
    /// Notifications of the server.
    notifications,
    /// Progress of calls that had ended, were not sent or wanted none: the only notifications that are not handed on.
    ignored_progress,
    /// Requests of the server.
    server_requests,
    /// Requests of the server refused because nothing was enabled for them.
    refused_requests,
    /// Answers to calls that had ended already.
    late_answers,
    /// Answers to calls that were never made.
    unknown_answers,
    /// Frames that were no JSON at all.
    garbage_frames,
    /// Frames that broke a rule of the protocol.
    violations,
    /// Messages that are not written as they should be, and were taken all the same.
    tolerated,
    /// Frames over the bound.
    oversized_frames,
}
