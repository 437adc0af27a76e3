//! Handles of clients, queues and transports: numbers in a table that look like pointers and are never dereferenced.
//!
//! The table detects every freed or invalid handle, so that it cannot crash the host. A number is never used twice, not even in
//! a child of `fork`, whose handles have higher numbers than those of its parent. Where a pointer has 32 bits, a handle comes back after
//! 2^28 others of its kind.

use super::errors::{forked_error, invalid, null};
use super::guard::know_stacks;
use super::status::{MCP_ERROR_FORKED, MCP_ERROR_INVALID_ARGUMENT, MCP_OK, mcp_status_t};
use super::wake_table::{MARK_BITS, WakeTable};
#[cfg(feature = "client")]
use crate::client::Interruption;
use crate::client::{Client, Queue, WakeState};
use crate::engine::{Error, Status};
#[cfg(feature = "server")]
use crate::server::Server;
#[cfg(all(feature = "server", feature = "http"))]
use crate::server::http::HostedExchange;
use crate::transport::custom::Channel;
use crate::transport::process::per_process::{PerProcess, kept_for_process};
use std::collections::BTreeMap;
#[cfg(all(feature = "server", feature = "http"))]
use std::sync::atomic::AtomicU64;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

/// The bits of a handle that say of which kind it is.
const MARK: usize = (1 << MARK_BITS) - 1;

/// A client: one logical connection to one server.
#[derive(Debug)]
pub struct mcp_client_t {
    _private: [u8; 0],
}

/// A server: what this program offers to clients.
#[cfg(feature = "server")]
#[derive(Debug)]
pub struct mcp_server_t {
    _private: [u8; 0],
}

/// A queue: messages for the application arrive here.
#[derive(Debug)]
pub struct mcp_queue_t {
    _private: [u8; 0],
}

/// One connection of a transport that the application implements.
#[derive(Debug)]
pub struct mcp_transport_t {
    _private: [u8; 0],
}

/// One request that the program's HTTP server has taken, and its answer.
#[cfg(all(feature = "server", feature = "http"))]
#[derive(Debug)]
pub struct mcp_exchange_t {
    _private: [u8; 0],
}

/// A message: a reply, a notification, a request of the server, progress, a change of state, and so
/// on.
///
/// A message is immutable and owns its memory: you may read it after its client is freed. What the
/// functions below return from it is valid until mcp_message_free(). The pointer is a number that
/// the library looks up; a function refuses a pointer that is no live message.
#[derive(Debug)]
pub struct mcp_message_t {
    _private: [u8; 0],
}

/// The handles of one kind.
struct Handles<T: Send + Sync + 'static> {
    live: &'static PerProcess<Live<T>>,
    kind: &'static Kind,
}

/// What handles of one kind have in common.
struct Kind {
    mark: usize,
    name: &'static str,
    /// The highest handle that was given out, also by the processes that this one was forked from.
    highest: AtomicUsize,
}

impl Kind {
    const fn new(mark: usize, name: &'static str) -> Kind {
        Kind { mark, name, highest: AtomicUsize::new(0) }
    }

    /// Whether a handle was made before the process was forked, if those up to `last` were.
    fn is_inherited(&self, handle: usize, last: usize) -> bool {
        handle != 0 && handle <= last && handle & MARK == self.mark
    }
}

/// The handles of this process.
struct Live<T> {
    /// Handles up to this one were made before the process was forked.
    inherited: usize,
    handles: RwLock<BTreeMap<usize, Arc<T>>>,
}

impl<T> Live<T> {
    fn after(kind: &Kind) -> Live<T> {
        Live { inherited: kind.highest.load(Ordering::SeqCst), handles: RwLock::default() }
    }
}

static CLIENT: Kind = Kind::new(1, "client");
static QUEUE: Kind = Kind::new(2, "queue");
static TRANSPORT: Kind = Kind::new(3, "transport");
// 4 marks messages.
#[cfg(feature = "server")]
static SERVER: Kind = Kind::new(5, "server");

#[cfg(all(feature = "server", feature = "http"))]
static EXCHANGE: Kind = Kind::new(6, "exchange");

static LIVE_CLIENTS: PerProcess<Live<Client>> = PerProcess::new(|| Live::after(&CLIENT));
static LIVE_QUEUES: PerProcess<Live<QueueHandle>> = PerProcess::new(|| Live::after(&QUEUE));
#[cfg(feature = "server")]
static LIVE_SERVERS: PerProcess<Live<Server>> = PerProcess::new(|| Live::after(&SERVER));
#[cfg(all(feature = "server", feature = "http"))]
static LIVE_EXCHANGES: PerProcess<Live<HostedExchange>> = PerProcess::new(|| Live::after(&EXCHANGE));
static LIVE_TRANSPORTS: PerProcess<Live<Channel>> = PerProcess::new(|| Live::after(&TRANSPORT));

/// Beside the tables of queues and clients, whose locks a signal handler could not take.
static WAKES: PerProcess<WakeTable<WakeState>> =
    PerProcess::new(|| WakeTable::after(QUEUE.highest.load(Ordering::SeqCst)));
#[cfg(feature = "server")]
static SERVER_WAKES: PerProcess<WakeTable<WakeState>> =
    PerProcess::new(|| WakeTable::after(SERVER.highest.load(Ordering::SeqCst)));
#[cfg(feature = "client")]
static INTERRUPTIONS: PerProcess<WakeTable<Interruption>> =
    PerProcess::new(|| WakeTable::after(CLIENT.highest.load(Ordering::SeqCst)));

static CLIENTS: Handles<Client> = Handles { live: &LIVE_CLIENTS, kind: &CLIENT };
static QUEUES: Handles<QueueHandle> = Handles { live: &LIVE_QUEUES, kind: &QUEUE };
#[cfg(feature = "server")]
static SERVERS: Handles<Server> = Handles { live: &LIVE_SERVERS, kind: &SERVER };
#[cfg(all(feature = "server", feature = "http"))]
static EXCHANGES: Handles<HostedExchange> = Handles { live: &LIVE_EXCHANGES, kind: &EXCHANGE };
static TRANSPORTS: Handles<Channel> = Handles { live: &LIVE_TRANSPORTS, kind: &TRANSPORT };

/// A queue as a handle names it.
#[derive(Debug)]
pub(super) struct QueueHandle {
    pub(super) queue: Arc<Queue>,
}

impl<T: Send + Sync + 'static> Handles<T> {
    fn add(&self, number: u64, value: Arc<T>) -> usize {
        self.add_under(|_| self.handle(number), value)
    }

    /// The same under the next number whose handle is not live: with 32 bits a program comes to those that it has already.
    #[cfg(all(feature = "server", feature = "http"))]
    fn add_next(&self, next: &AtomicU64, value: Arc<T>) -> usize {
        let choose = |live: &BTreeMap<usize, Arc<T>>| loop {
            let handle = self.handle(next.fetch_add(1, Ordering::Relaxed));
            if !live.contains_key(&handle) {
                return handle;
            }
        };
        self.add_under(choose, value)
    }

    fn add_under(&self, choose: impl FnOnce(&BTreeMap<usize, Arc<T>>) -> usize, value: Arc<T>) -> usize {
        know_stacks();
        let live = self.live.get();
        let mut handles = live.handles.write().unwrap_or_else(PoisonError::into_inner);
        let handle = choose(&handles);
        // The first leaf of the table stays when the last handle is removed.
        kept_for_process(|| handles.insert(handle, value));
        drop(handles);
        // After the table of this process is there: it must not count its own handles as inherited.
        self.kind.highest.fetch_max(handle, Ordering::SeqCst);
        handle
    }

    /// Distinct for each kind, aligned like no pointer, never zero. It has as many low bits of the number as there is room for.
    fn handle(&self, number: u64) -> usize {
        usize::try_from(number << MARK_BITS & usize::MAX as u64).unwrap_or(0) | self.kind.mark
    }

    fn get(&self, handle: usize) -> Result<Arc<T>, Error> {
        if handle == 0 {
            return Err(null(self.kind.name));
        }
        let live = self.live.get();
        let handles = live.handles.read().unwrap_or_else(PoisonError::into_inner);
        handles.get(&handle).map(Arc::clone).ok_or_else(|| self.dead(live, handle))
    }

    fn remove(&self, handle: usize) -> Result<Arc<T>, Error> {
        let live = self.live.get();
        let mut handles = live.handles.write().unwrap_or_else(PoisonError::into_inner);
        handles.remove(&handle).ok_or_else(|| self.dead(live, handle))
    }

    fn dead(&self, live: &Live<T>, handle: usize) -> Error {
        let name = self.kind.name;
        if self.kind.is_inherited(handle, live.inherited) {
            return forked_error();
        }
        invalid(name, "is no live handle: was it freed?")
    }
}

#[cfg(feature = "client")]
pub(super) fn add_client(client: Client) -> *mut mcp_client_t {
    let number = client.number();
    // Before the handle exists: the table must not count it as inherited.
    INTERRUPTIONS.get().add(CLIENTS.handle(number), Arc::clone(client.interruption()));
    std::ptr::without_provenance_mut(CLIENTS.add(number, Arc::new(client)))
}

#[cfg(feature = "client")]
pub(super) fn client(handle: *const mcp_client_t) -> Result<Arc<Client>, Error> {
    CLIENTS.get(handle.addr())
}

#[cfg(feature = "client")]
pub(super) fn remove_client(handle: *const mcp_client_t) -> Result<Arc<Client>, Error> {
    let client = CLIENTS.remove(handle.addr())?;
    INTERRUPTIONS.get().remove(handle.addr());
    Ok(client)
}

#[cfg(feature = "server")]
pub(super) fn add_server(server: Server) -> *mut mcp_server_t {
    let number = server.number();
    // Before the handle exists: the table must not count it as inherited.
    SERVER_WAKES.get().add(SERVERS.handle(number), Arc::clone(server.wake_state()));
    std::ptr::without_provenance_mut(SERVERS.add(number, Arc::new(server)))
}

#[cfg(feature = "server")]
pub(super) fn server(handle: *const mcp_server_t) -> Result<Arc<Server>, Error> {
    SERVERS.get(handle.addr())
}

#[cfg(feature = "server")]
pub(super) fn remove_server(handle: *const mcp_server_t) -> Result<Arc<Server>, Error> {
    let server = SERVERS.remove(handle.addr())?;
    SERVER_WAKES.get().remove(handle.addr());
    Ok(server)
}

/// Ends a wait on the queue of a server. Async-signal-safe.
#[cfg(feature = "server")]
pub(super) fn wake_server(handle: *const mcp_server_t) -> mcp_status_t {
    in_handler(&SERVER_WAKES, &SERVER, handle.addr(), woken)
}

#[cfg(all(feature = "server", feature = "http"))]
pub(super) fn add_exchange(exchange: Arc<HostedExchange>) -> *mut mcp_exchange_t {
    // Of their own: a server has far more of them than a program has clients.
    static NEXT: AtomicU64 = AtomicU64::new(1);
    std::ptr::without_provenance_mut(EXCHANGES.add_next(&NEXT, exchange))
}

#[cfg(all(feature = "server", feature = "http"))]
pub(super) fn exchange(handle: *const mcp_exchange_t) -> Result<Arc<HostedExchange>, Error> {
    EXCHANGES.get(handle.addr())
}

#[cfg(all(feature = "server", feature = "http"))]
pub(super) fn remove_exchange(handle: *const mcp_exchange_t) -> Result<Arc<HostedExchange>, Error> {
    EXCHANGES.remove(handle.addr())
}

/// The handle that names the client with this number.
pub(super) fn client_handle(number: u64) -> *mut mcp_client_t {
    if number == 0 { std::ptr::null_mut() } else { std::ptr::without_provenance_mut(CLIENTS.handle(number)) }
}

/// The handle that names the server with this number.
#[cfg(feature = "server")]
pub(super) fn server_handle(number: u64) -> *mut mcp_server_t {
    if number == 0 { std::ptr::null_mut() } else { std::ptr::without_provenance_mut(SERVERS.handle(number)) }
}

pub(super) fn add_queue(number: u64, queue: Arc<Queue>) -> *mut mcp_queue_t {
    // Before the handle exists: the table must not count it as inherited.
    WAKES.get().add(QUEUES.handle(number), Arc::clone(queue.wake_state()));
    std::ptr::without_provenance_mut(QUEUES.add(number, Arc::new(QueueHandle { queue })))
}

/// Ends a wait on a queue. Async-signal-safe.
pub(super) fn wake_queue(handle: *const mcp_queue_t) -> mcp_status_t {
    in_handler(&WAKES, &QUEUE, handle.addr(), woken)
}

fn woken(queue: &WakeState) -> mcp_status_t {
    queue.wake();
    MCP_OK
}

/// Ends the waits of a client's threads. Async-signal-safe as long as `end` is.
#[cfg(feature = "client")]
pub(super) fn interrupt_client(
    handle: *const mcp_client_t,
    end: impl FnOnce(&Interruption) -> mcp_status_t,
) -> mcp_status_t {
    in_handler(&INTERRUPTIONS, &CLIENT, handle.addr(), end)
}

fn in_handler<T: Send + Sync>(
    table: &'static PerProcess<WakeTable<T>>,
    kind: &Kind,
    handle: usize,
    with: impl FnOnce(&T) -> mcp_status_t,
) -> mcp_status_t {
    let inherited = match table.existing() {
        Some(table) => match table.use_value(handle, with) {
            Some(status) => return status,
            None => table.inherited,
        },
        // This process has made none.
        None => kind.highest.load(Ordering::SeqCst),
    };
    if kind.is_inherited(handle, inherited) { MCP_ERROR_FORKED } else { MCP_ERROR_INVALID_ARGUMENT }
}

pub(super) fn queue(handle: *const mcp_queue_t) -> Result<Arc<QueueHandle>, Error> {
    QUEUES.get(handle.addr())
}

/// Takes a queue out of the table, unless clients still deliver to it.
pub(super) fn remove_unused_queue(handle: *const mcp_queue_t) -> Result<(), Error> {
    let queue = queue(handle)?;
    if queue.queue.clients() > 0 {
        return Err(Error::new(
            Status::InvalidArgument,
            "queue_free",
            "clients still use the queue: free them first",
        ));
    }
    QUEUES.remove(handle.addr())?;
    WAKES.get().remove(handle.addr());
    Ok(())
}

pub(super) fn add_transport(channel: &Channel) -> *mut mcp_transport_t {
    std::ptr::without_provenance_mut(TRANSPORTS.add(channel.number(), Arc::new(channel.clone())))
}

/// The handle that names a channel, live or not.
pub(super) fn transport_handle(channel: &Channel) -> *mut mcp_transport_t {
    std::ptr::without_provenance_mut(TRANSPORTS.handle(channel.number()))
}

pub(super) fn transport(handle: *const mcp_transport_t) -> Result<Arc<Channel>, Error> {
    TRANSPORTS.get(handle.addr())
}

pub(super) fn remove_transport(handle: *const mcp_transport_t) {
    // It may be gone already: both sides can end a connection.
    let _gone_already = TRANSPORTS.remove(handle.addr());
}

#[cfg(test)]
mod tests {
    use super::*;

    static KIND: Kind = Kind::new(7, "test");
    static LIVE: PerProcess<Live<u32>> = PerProcess::new(|| Live::after(&KIND));
    static HANDLES: Handles<u32> = Handles { live: &LIVE, kind: &KIND };
    /// As many numbers as there are handles.
    const ALL: u64 = 1 << (usize::BITS - MARK_BITS);

    /// With 32 bits every exchange had the same handle, once a process had had 2^28 of them.
    #[test]
    fn numbers_beyond_a_pointer_have_handles_of_their_own() {
        let handles = [0, 1, 2].map(|more| HANDLES.handle(ALL - 1 + more));
        assert_eq!(handles, [usize::MAX << MARK_BITS | 7, 7, 1 << MARK_BITS | 7]);
    }

    #[cfg(all(feature = "server", feature = "http"))]
    #[test]
    fn a_handle_that_comes_back_is_left_to_what_has_it() {
        let next = AtomicU64::new(1);
        let first = HANDLES.add_next(&next, Arc::new(1));
        next.store(ALL + 1, Ordering::Relaxed);
        let second = HANDLES.add_next(&next, Arc::new(2));
        assert_eq!(second, first + (1 << MARK_BITS));
        for (handle, value) in [(first, 1), (second, 2)] {
            assert_eq!(HANDLES.remove(handle).ok().as_deref(), Some(&value));
        }
    }
}
