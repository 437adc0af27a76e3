//! What the library itself tells the application.

use super::text::own;
use super::{Kind, Message};
use crate::json;

impl Message {
    /// A line of the server's standard error.
    pub(crate) fn log(client: u64, line: &str) -> Message {
        let mut text = String::from("{\"source\":\"stderr\",\"line\":");
        json::quote_into(line, &mut text);
        text.push('}');
        Message::new(Kind::Stderr, client, own(text))
    }

    /// Messages were lost.
    pub(crate) fn lost(count: u64) -> Message {
        Message::new(Kind::Lost, 0, own(format!("{{\"count\":{count}}}")))
    }

    /// Which client it belongs to; 0 if it is a server of this process.
    pub fn client_only(&self) -> u64 {
        #[cfg(feature = "server")]
        if self.is_of_server {
            return 0;
        }
        self.client
    }
}
