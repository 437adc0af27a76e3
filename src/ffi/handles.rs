//! The tables of handles: of clients, servers, queues and transports, and of messages, which are many and short-lived.

// Slots stay for ever: a handle may be looked up long after what it named is gone.
#![allow(clippy::disallowed_methods)]

use super::guard::{forked_error, invalid, know_stacks, null};
use super::status::{MCP_ERROR_FORKED, MCP_ERROR_INVALID_ARGUMENT, MCP_OK, mcp_status_t};
use super::wake_table::{MARK_BITS, WakeTable};
#[cfg(feature = "client")]
use crate::client::Interruption;
use crate::client::{Client, Queue, WakeState};
#[cfg(feature = "store")]
use crate::engine::server::StoreStatus;
use crate::engine::{Error, Status};
#[cfg(feature = "store")]
use crate::runtime::lock;
#[cfg(feature = "store")]
use crate::runtime::server::store::{Call, Port, Watch};
#[cfg(feature = "server")]
use crate::server::Server;
#[cfg(all(feature = "server", feature = "http"))]
use crate::server::http::HostedExchange;
use crate::sorted::SortedMap;
use crate::transport::custom::Channel;
use crate::transport::process::per_process::{PerProcess, kept_for_process};
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
#[cfg(feature = "store")]
use std::sync::{Mutex, Weak};

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

/// A store that several processes of one server share.
#[cfg(feature = "store")]
#[derive(Debug)]
pub struct mcp_store_t {
    _private: [u8; 0],
}

/// One operation of a store, from the function that begins it to mcp_store_done().
#[cfg(feature = "store")]
#[derive(Debug)]
pub struct mcp_store_call_t {
    _private: [u8; 0],
}

/// A channel of a store that is watched, until `unwatch`.
#[cfg(feature = "store")]
#[derive(Debug)]
pub struct mcp_store_watch_t {
    _private: [u8; 0],
}

/// A message: a reply, a notification, a request of the server, progress, a change of state, and so
/// on.
///
/// A message is immutable and owns its memory: you may read it after its client is freed. What the
/// functions below return from it is valid until mcp_message_free(). The pointer is a number that
/// the library looks up; a function refuses a pointer that is not a live message.
#[derive(Debug)]
pub struct mcp_message_t {
    _private: [u8; 0],
}

/// The handles of one kind.
struct Handles<T: Send + Sync + 'static> {
    live: PerProcess<Live<T>>,
    kind: Kind,
}

/// What handles of one kind have in common.
struct Kind {
    mark: usize,
    name: &'static str,
    /// The highest handle that was given out, also by the processes that this one was forked from.
    highest: AtomicUsize,
}

impl Kind {
    /// Whether a handle was made before the process was forked, if those up to `last` were.
    fn is_inherited(&self, handle: usize, last: usize) -> bool {
        handle != 0 && handle <= last && handle & MARK == self.mark
    }
}

/// The handles of this process.
struct Live<T> {
    /// Handles up to this one were made before the process was forked.
    inherited: usize,
    handles: RwLock<SortedMap<usize, Arc<T>>>,
}

impl<T> Live<T> {
    fn after(kind: &Kind) -> Live<T> {
        Live { inherited: kind.highest.load(Ordering::SeqCst), handles: RwLock::default() }
    }
}

/// Marks a client's own queue: the rest of the handle is that of the client.
#[cfg(feature = "client")]
const OWN_OF_CLIENT: usize = 7;
/// Marks a server's own queue.
#[cfg(feature = "server")]
const OWN_OF_SERVER: usize = 8;

/// Beside the tables of queues and clients, whose locks a signal handler could not take.
static WAKES: PerProcess<WakeTable<WakeState>> =
    PerProcess::new(|| WakeTable::after(QUEUES.kind.highest.load(Ordering::SeqCst)));
#[cfg(feature = "server")]
static SERVER_WAKES: PerProcess<WakeTable<OnQueue<WakeState>>> =
    PerProcess::new(|| WakeTable::after(SERVERS.kind.highest.load(Ordering::SeqCst)));
#[cfg(feature = "client")]
static INTERRUPTIONS: PerProcess<WakeTable<OnQueue<Interruption>>> =
    PerProcess::new(|| WakeTable::after(CLIENTS.kind.highest.load(Ordering::SeqCst)));

static CLIENTS: Handles<Client> = Handles::new(1, "client", || Live::after(&CLIENTS.kind));
static QUEUES: Handles<QueueHandle> = Handles::new(2, "queue", || Live::after(&QUEUES.kind));
static TRANSPORTS: Handles<Channel> = Handles::new(3, "transport", || Live::after(&TRANSPORTS.kind));
// 4 marks messages, 7 and 8 own queues.
#[cfg(feature = "server")]
static SERVERS: Handles<Server> = Handles::new(5, "server", || Live::after(&SERVERS.kind));
#[cfg(all(feature = "server", feature = "http"))]
static EXCHANGES: Handles<HostedExchange> = Handles::new(6, "exchange", || Live::after(&EXCHANGES.kind));
#[cfg(feature = "store")]
static STORES: Handles<StoreHandle> = Handles::new(9, "store", || Live::after(&STORES.kind));
#[cfg(feature = "store")]
static STORE_CALLS: Handles<StoreCall> = Handles::new(10, "call", || Live::after(&STORE_CALLS.kind));
#[cfg(feature = "store")]
static STORE_WATCHES: Handles<Watch> = Handles::new(11, "watch", || Live::after(&STORE_WATCHES.kind));

/// What ends the waits on a client or a server, and the handle of the queue that it delivers to.
struct OnQueue<T> {
    waits: Arc<T>,
    queue: usize,
}

impl<T> OnQueue<T> {
    fn new(waits: &Arc<T>, handle: usize, shared: *const mcp_queue_t, own: usize) -> Arc<OnQueue<T>> {
        let queue = if shared.is_null() { handle & !MARK | own } else { shared.addr() };
        Arc::new(OnQueue { waits: Arc::clone(waits), queue })
    }
}

/// A queue as a handle names it.
#[derive(Debug)]
pub(super) struct QueueHandle {
    pub(super) queue: Arc<Queue>,
}

/// A queue that the program made, or that of a client or server alone.
pub(super) enum AnyQueue {
    Made(Arc<QueueHandle>),
    #[cfg(feature = "client")]
    OfClient(Arc<Client>),
    #[cfg(feature = "server")]
    OfServer(Arc<Server>),
}

/// The handle of the client or server whose own queue this one names.
#[cfg(any(feature = "client", feature = "server"))]
fn owner(queue: usize, kind: &Kind) -> usize {
    queue & !MARK | kind.mark
}

impl<T: Send + Sync + 'static> Handles<T> {
    /// The handles of a kind: its mark and its name. `first` makes those of a process.
    const fn new(mark: usize, name: &'static str, first: fn() -> Live<T>) -> Handles<T> {
        Handles { live: PerProcess::new(first), kind: Kind { mark, name, highest: AtomicUsize::new(0) } }
    }

    fn add(&'static self, number: u64, value: Arc<T>) -> usize {
        self.add_under(|_| self.handle(number), value)
    }

    /// The same under the next number whose handle is not live: with 32 bits a program comes to those that it has already.
    #[cfg(any(feature = "store", all(feature = "server", feature = "http")))]
    fn add_next(&'static self, next: &AtomicU64, value: Arc<T>) -> usize {
        let choose = |live: &SortedMap<usize, Arc<T>>| loop {
            let handle = self.handle(next.fetch_add(1, Ordering::Relaxed));
            if !live.contains_key(&handle) {
                return handle;
            }
        };
        self.add_under(choose, value)
    }

    fn add_under(
        &'static self,
        choose: impl FnOnce(&SortedMap<usize, Arc<T>>) -> usize,
        value: Arc<T>,
    ) -> usize {
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

    fn get(&'static self, handle: usize) -> Result<Arc<T>, Error> {
        if handle == 0 {
            return Err(null(self.kind.name));
        }
        let live = self.live.get();
        let handles = live.handles.read().unwrap_or_else(PoisonError::into_inner);
        handles.get(&handle).map(Arc::clone).ok_or_else(|| self.dead(live, handle))
    }

    fn remove(&'static self, handle: usize) -> Result<Arc<T>, Error> {
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
pub(super) fn add_client(client: Client, shared: *const mcp_queue_t) -> *mut mcp_client_t {
    let number = client.number();
    let handle = CLIENTS.handle(number);
    // Before the handle exists: the table must not count it as inherited.
    INTERRUPTIONS.get().add(handle, OnQueue::new(client.interruption(), handle, shared, OWN_OF_CLIENT));
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
pub(super) fn add_server(server: Server, shared: *const mcp_queue_t) -> *mut mcp_server_t {
    let number = server.number();
    let handle = SERVERS.handle(number);
    // Before the handle exists: the table must not count it as inherited.
    SERVER_WAKES.get().add(handle, OnQueue::new(server.wake_state(), handle, shared, OWN_OF_SERVER));
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
    in_handler(&SERVER_WAKES, &SERVERS.kind, handle.addr(), |server| woken(&server.waits))
}

/// The handle of the queue to which a server delivers; NULL if it is not live. Async-signal-safe.
#[cfg(feature = "server")]
pub(super) fn queue_of_server(handle: *const mcp_server_t) -> *mut mcp_queue_t {
    queue_of(&SERVER_WAKES, handle.addr())
}

/// The handle of the queue to which a client delivers; NULL if it is not live. Async-signal-safe.
#[cfg(feature = "client")]
pub(super) fn queue_of_client(handle: *const mcp_client_t) -> *mut mcp_queue_t {
    queue_of(&INTERRUPTIONS, handle.addr())
}

#[cfg(any(feature = "client", feature = "server"))]
fn queue_of<T: Send + Sync>(
    table: &'static PerProcess<WakeTable<OnQueue<T>>>,
    handle: usize,
) -> *mut mcp_queue_t {
    let queue = table.existing().and_then(|table| table.use_value(handle, |entry| entry.queue));
    std::ptr::without_provenance_mut(queue.unwrap_or(0))
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

#[cfg(feature = "store")]
static NEXT_OF_STORES: AtomicU64 = AtomicU64::new(1);

#[cfg(feature = "store")]
pub(super) fn add_store(store: StoreHandle) -> *mut mcp_store_t {
    std::ptr::without_provenance_mut(STORES.add_next(&NEXT_OF_STORES, Arc::new(store)))
}

#[cfg(feature = "store")]
pub(super) fn store(handle: *const mcp_store_t) -> Result<Arc<StoreHandle>, Error> {
    STORES.get(handle.addr())
}

#[cfg(feature = "store")]
pub(super) fn add_store_call(call: &Arc<Call>) -> *mut mcp_store_call_t {
    let call = StoreCall { call: Arc::downgrade(call), port: Weak::clone(call.port()) };
    std::ptr::without_provenance_mut(STORE_CALLS.add_next(&NEXT_OF_STORES, Arc::new(call)))
}

#[cfg(feature = "store")]
pub(super) fn store_call(handle: *const mcp_store_call_t) -> Result<Arc<StoreCall>, Error> {
    STORE_CALLS.get(handle.addr())
}

#[cfg(feature = "store")]
pub(super) fn add_store_watch(watch: Arc<Watch>) -> *mut mcp_store_watch_t {
    std::ptr::without_provenance_mut(STORE_WATCHES.add_next(&NEXT_OF_STORES, watch))
}

#[cfg(feature = "store")]
pub(super) fn store_watch(handle: *const mcp_store_watch_t) -> Result<Arc<Watch>, Error> {
    STORE_WATCHES.get(handle.addr())
}

/// Takes the handle of a store, an operation or a watch out of its table, if it is there. What it named is given back, so that it is
/// dropped without the lock of the table.
#[cfg(feature = "store")]
pub(super) fn remove_store_part(handle: usize) {
    match handle & MARK {
        mark if mark == STORES.kind.mark => drop(STORES.remove(handle)),
        mark if mark == STORE_CALLS.kind.mark => drop(STORE_CALLS.remove(handle)),
        mark if mark == STORE_WATCHES.kind.mark => drop(STORE_WATCHES.remove(handle)),
        _ => {}
    }
}

/// A store as a handle names it. Until a server has it, it is the program's.
#[cfg(feature = "store")]
pub(super) struct StoreHandle {
    port: Weak<Port>,
    own: Mutex<Option<Arc<Port>>>,
}

#[cfg(feature = "store")]
impl StoreHandle {
    pub(super) fn new(port: &Weak<Port>) -> StoreHandle {
        StoreHandle { port: Weak::clone(port), own: Mutex::default() }
    }

    /// Makes it the program's.
    pub(super) fn give(&self, port: Arc<Port>) {
        *lock(&self.own) = Some(port);
    }

    /// Takes it from the program.
    pub(super) fn take(&self) -> Result<Arc<Port>, Error> {
        lock(&self.own).take().ok_or_else(|| invalid("store", "belongs to a server already, which frees it"))
    }

    pub(super) fn port(&self) -> Result<Arc<Port>, Error> {
        self.port.upgrade().ok_or_else(|| invalid("store", "is no live handle: was it freed?"))
    }
}

/// An operation as a handle names it. The port has the operation, with its value, until it ends.
#[cfg(feature = "store")]
pub(super) struct StoreCall {
    call: Weak<Call>,
    port: Weak<Port>,
}

#[cfg(feature = "store")]
impl StoreCall {
    /// The operation, unless it has ended.
    pub(super) fn call(&self) -> Option<Arc<Call>> {
        self.call.upgrade()
    }

    /// Ends it. `false` when it has ended already, which is counted.
    pub(super) fn end(&self, status: StoreStatus, version: u64, unix_ms: u64) -> bool {
        if let Some(call) = self.call() {
            return call.done(status, version, unix_ms);
        }
        if let Some(port) = self.port.upgrade() {
            port.count_late();
        }
        false
    }
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
    match handle.addr() & MARK {
        #[cfg(feature = "client")]
        OWN_OF_CLIENT => {
            let client = std::ptr::without_provenance(owner(handle.addr(), &CLIENTS.kind));
            return interrupt_client(client, |waits| {
                if waits.end_poll() { MCP_OK } else { MCP_ERROR_INVALID_ARGUMENT }
            });
        }
        #[cfg(feature = "server")]
        OWN_OF_SERVER => {
            return wake_server(std::ptr::without_provenance(owner(handle.addr(), &SERVERS.kind)));
        }
        _ => {}
    }
    in_handler(&WAKES, &QUEUES.kind, handle.addr(), woken)
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
    in_handler(&INTERRUPTIONS, &CLIENTS.kind, handle.addr(), |client| end(&client.waits))
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

/// A queue that the program made, to which several may deliver.
pub(super) fn queue(handle: *const mcp_queue_t) -> Result<Arc<QueueHandle>, Error> {
    match any_queue(handle)? {
        AnyQueue::Made(queue) => Ok(queue),
        #[cfg(feature = "client")]
        AnyQueue::OfClient(_) => Err(own("client")),
        #[cfg(feature = "server")]
        AnyQueue::OfServer(_) => Err(own("server")),
    }
}

#[cfg(any(feature = "client", feature = "server"))]
fn own(whose: &str) -> Error {
    invalid(
        "queue",
        format_args!(
            "is a {whose}'s own, which nothing else uses and that {whose} frees: make one with mcp_queue_new()"
        ),
    )
}

/// A queue of either kind.
pub(super) fn any_queue(handle: *const mcp_queue_t) -> Result<AnyQueue, Error> {
    #[cfg(any(feature = "client", feature = "server"))]
    let dead = |error: Error| match error.status {
        Status::Forked => error,
        _ => invalid(QUEUES.kind.name, "is no live handle: was its owner freed?"),
    };
    match handle.addr() & MARK {
        #[cfg(feature = "client")]
        OWN_OF_CLIENT => {
            CLIENTS.get(owner(handle.addr(), &CLIENTS.kind)).map(AnyQueue::OfClient).map_err(dead)
        }
        #[cfg(feature = "server")]
        OWN_OF_SERVER => {
            SERVERS.get(owner(handle.addr(), &SERVERS.kind)).map(AnyQueue::OfServer).map_err(dead)
        }
        _ => QUEUES.get(handle.addr()).map(AnyQueue::Made),
    }
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

/// The bits that name the slot; those above count its uses, and begin again at zero when they are used up.
const INDEX_BITS: u32 = if usize::BITS >= 64 { 24 } else { 18 };
const INDEX_MASK: usize = (1 << INDEX_BITS) - 1;
/// Slots are made so many at a time. The table of chunks is memory that is not there before it is used.
const CHUNK_BITS: u32 = 8;
const CHUNK: usize = 1 << CHUNK_BITS;
const CHUNKS: usize = 1 << (INDEX_BITS - CHUNK_BITS);

struct Slot<T> {
    /// The handle that is live here, or zero.
    handle: AtomicUsize,
    value: AtomicPtr<T>,
    uses: AtomicUsize,
    /// The next free slot and one, while this one is free.
    next: AtomicU32,
}

/// The table of messages: values of one kind, which `KIND` marks, by their handles. A handle has the number of a slot and the number of
/// uses of that slot, so that the table detects a handle that was freed, has another type, or is invalid.
///
/// There is no lock: a look-up is two loads and a comparison, and the free slots are a stack of numbers. The table is therefore
/// consistent at every moment of a `fork`, and a child can continue to read the messages of its parent.
///
/// All zero at first, so that it takes no room in the library's file.
pub(super) struct Slots<T, const KIND: usize> {
    chunks: [AtomicPtr<Slot<T>>; CHUNKS],
    /// The first free slot and one, below; above, a count that keeps a slow thread from taking a slot that came back.
    free: AtomicU64,
    /// Slots that were in use at least once.
    begun: AtomicU32,
}

const HALF: u32 = 32;

impl<T: Send + Sync, const KIND: usize> Slots<T, KIND> {
    #[allow(clippy::large_stack_arrays, reason = "made at compile time: only tests have one on a stack")]
    pub(super) const fn new() -> Self {
        Slots {
            chunks: [const { AtomicPtr::new(ptr::null_mut()) }; CHUNKS],
            free: AtomicU64::new(0),
            begun: AtomicU32::new(0),
        }
    }

    /// Gives a value a handle. `None` when no slot can be had.
    pub(super) fn add(&self, value: *mut T) -> Option<usize> {
        let index = self.pop().or_else(|| self.begin())?;
        let slot = self.slot(index)?;
        let uses = slot.uses.load(Ordering::Relaxed);
        let handle = uses << (MARK_BITS + INDEX_BITS) | index << MARK_BITS | KIND;
        slot.value.store(value, Ordering::Relaxed);
        slot.handle.store(handle, Ordering::Release);
        Some(handle)
    }

    /// What a handle names; null if it is not live.
    #[inline]
    pub(super) fn get(&self, handle: usize) -> *mut T {
        match self.live(handle) {
            Some(slot) => slot.value.load(Ordering::Relaxed),
            None => ptr::null_mut(),
        }
    }

    /// Takes a value back; null if its handle is not live. Of several threads one gets it.
    pub(super) fn remove(&self, handle: usize) -> *mut T {
        let Some(slot) = self.live(handle) else { return ptr::null_mut() };
        let value = slot.value.load(Ordering::Relaxed);
        if slot.handle.compare_exchange(handle, 0, Ordering::AcqRel, Ordering::Relaxed).is_err() {
            return ptr::null_mut();
        }
        slot.uses.fetch_add(1, Ordering::Relaxed);
        self.push(handle >> MARK_BITS & INDEX_MASK, slot);
        value
    }

    #[inline]
    fn live(&self, handle: usize) -> Option<&Slot<T>> {
        if handle & MARK != KIND {
            return None;
        }
        let slot = self.slot(handle >> MARK_BITS & INDEX_MASK)?;
        (slot.handle.load(Ordering::Acquire) == handle).then_some(slot)
    }

    #[inline]
    fn slot(&self, index: usize) -> Option<&Slot<T>> {
        let chunk = self.chunks.get(index >> CHUNK_BITS)?.load(Ordering::Acquire);
        if chunk.is_null() {
            return None;
        }
        // SAFETY: a chunk is never freed once it is here, and has `CHUNK` slots.
        Some(unsafe { &*chunk.add(index & (CHUNK - 1)) })
    }

    /// A slot that never was in use.
    #[cold]
    fn begin(&self) -> Option<usize> {
        let most = u32::try_from(INDEX_MASK).unwrap_or(u32::MAX);
        let more = |begun| if begun < most { Some(begun + 1) } else { None };
        let begun = self.begun.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).ok()?;
        let index = usize::try_from(begun).ok()?;
        let known = self.chunks.get(index >> CHUNK_BITS)?;
        if known.load(Ordering::Acquire).is_null() {
            let mut slots: Vec<Slot<T>> = Vec::new();
            // Without memory the slot is lost, and another thread may still make the chunk for those behind it.
            kept_for_process(|| slots.try_reserve_exact(CHUNK)).ok()?;
            slots.resize_with(CHUNK, || Slot {
                handle: AtomicUsize::new(0),
                value: AtomicPtr::new(ptr::null_mut()),
                // So that no small number is a handle.
                uses: AtomicUsize::new(1),
                next: AtomicU32::new(0),
            });
            let fresh = Box::into_raw(slots.into_boxed_slice());
            let installed = known.compare_exchange(
                ptr::null_mut(),
                fresh.cast::<Slot<T>>(),
                Ordering::AcqRel,
                Ordering::Acquire,
            );
            if installed.is_err() {
                // SAFETY: it came from a box just now, and no other thread has seen it.
                drop(unsafe { Box::from_raw(fresh) });
            }
        }
        Some(index)
    }

    fn pop(&self) -> Option<usize> {
        let mut free = self.free.load(Ordering::Acquire);
        loop {
            let index = usize::try_from(free & u64::from(u32::MAX)).ok()?.checked_sub(1)?;
            let next = self.slot(index)?.next.load(Ordering::Relaxed);
            let then = count(free) | u64::from(next);
            match self.free.compare_exchange_weak(free, then, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => return Some(index),
                Err(now) => free = now,
            }
        }
    }

    fn push(&self, index: usize, slot: &Slot<T>) {
        let Ok(index) = u32::try_from(index) else { return };
        let mut free = self.free.load(Ordering::Relaxed);
        loop {
            slot.next.store(u32::try_from(free & u64::from(u32::MAX)).unwrap_or(0), Ordering::Relaxed);
            let then = count(free) | u64::from(index + 1);
            match self.free.compare_exchange_weak(free, then, Ordering::AcqRel, Ordering::Relaxed) {
                Ok(_) => return,
                Err(now) => free = now,
            }
        }
    }
}

/// The next value of the count that stands above a free slot.
fn count(free: u64) -> u64 {
    (free >> HALF).wrapping_add(1) << HALF
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    static HANDLES: Handles<u32> = Handles::new(7, "test", || Live::after(&HANDLES.kind));
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

    fn boxed(value: usize) -> *mut usize {
        Box::into_raw(Box::new(value))
    }

    fn unboxed(value: *mut usize) -> usize {
        assert!(!value.is_null());
        // SAFETY: it came from `boxed`, and the table gives it back once.
        *unsafe { Box::from_raw(value) }
    }

    #[test]
    fn a_handle_names_its_value_until_it_is_removed_and_never_again() {
        let slots = Slots::<usize, 4>::new();
        let handles: Vec<usize> = (0..1000).map(|n| slots.add(boxed(n)).expect("a slot")).collect();
        for (n, handle) in handles.iter().enumerate() {
            // SAFETY: it is live.
            assert_eq!(unsafe { *slots.get(*handle) }, n);
        }
        for (n, handle) in handles.iter().enumerate() {
            assert_eq!(unboxed(slots.remove(*handle)), n);
            assert!(slots.remove(*handle).is_null());
        }
        let again: Vec<usize> = (0..1000).map(|n| slots.add(boxed(n)).expect("a slot")).collect();
        assert_eq!(slots.begun.load(Ordering::Relaxed), 1000, "slots are used again");
        for handle in handles {
            assert!(slots.get(handle).is_null(), "a handle that was freed names nothing");
        }
        for handle in again {
            unboxed(slots.remove(handle));
        }
    }

    #[test]
    fn what_is_no_handle_names_nothing() {
        let slots = Slots::<usize, 4>::new();
        let handle = slots.add(boxed(1)).expect("a slot");
        for other in [0, 4, 8, 1, usize::MAX, handle + 16, handle - 4, handle | 1 << (usize::BITS - 1)] {
            assert_eq!(slots.get(other).is_null(), other != handle, "{other:#x}");
        }
        assert_eq!(unboxed(slots.remove(handle)), 1);
    }

    #[test]
    fn many_threads_each_get_back_what_they_gave() {
        let slots = Arc::new(Slots::<usize, 4>::new());
        let threads: Vec<_> = (0..8)
            .map(|thread| {
                let slots = Arc::clone(&slots);
                std::thread::spawn(move || {
                    for round in 0..2000 {
                        let mine: Vec<(usize, usize)> = (0..round % 7)
                            .map(|n| thread * 1_000_000 + round * 10 + n)
                            .map(|value| (slots.add(boxed(value)).expect("a slot"), value))
                            .collect();
                        for (handle, value) in mine {
                            assert_eq!(unboxed(slots.remove(handle)), value);
                        }
                    }
                })
            })
            .collect();
        for thread in threads {
            thread.join().expect("no panic");
        }
        assert!(slots.begun.load(Ordering::Relaxed) <= 8 * 7);
    }
}
