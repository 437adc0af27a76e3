//! What speaks HTTP with the clients of a listener, as the server sees it.

use crate::runtime::http::HttpRuntime;
use crate::shares::Holder;
use crate::transport::socket::SocketAddress;
use rustix::fd::OwnedFd;
use std::fmt::Debug;
use std::sync::Arc;

/// The connections of one URL.
pub(crate) trait HttpFront: Debug + Send + Sync {
    /// Where clients find it, at an address of a listener.
    fn url(&self, address: &SocketAddress) -> String;

    /// What drives it, where a thread that serves may.
    fn runtime(&self) -> Option<Arc<HttpRuntime>>;

    /// A client has connected over TCP. `false` if there are as many as there may be and none gives way: it is sent away.
    fn connected(&self, fd: OwnedFd, from: Holder) -> bool;

    /// How many connections there are.
    fn count(&self) -> usize;

    /// Ends a connection, so that there is a descriptor for one of `newcomer`. `false` if none gives way.
    fn give_way(&self, newcomer: &Holder) -> bool;

    /// No client can connect any more: the sessions end.
    fn end_sessions(&self, why: &str);

    /// Connections end as soon as what was asked on them is answered.
    fn drain(&self);

    /// Whether all of them have ended.
    fn is_drained(&self) -> bool;
}
