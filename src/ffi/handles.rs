//! Handles of clients, queues and transports: numbers that look like pointers and are looked up, never followed.
//!
//! A handle that was freed, or never was one, is found out for certain and cannot crash the host; a number is never used
//! twice.

use super::guard::{forked, own_process};
use super::pointer::null;
use crate::client::{Client, Queue};
use crate::engine::{Error, Status};
use crate::transport::custom::Channel;
use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

/// One logical connection to one server.
#[derive(Debug)]
pub struct mcp_client_t {
    _private: [u8; 0],
}

/// Where messages for the application arrive.
#[derive(Debug)]
pub struct mcp_queue_t {
    _private: [u8; 0],
}

/// One connection of a transport of the application's own.
#[derive(Debug)]
pub struct mcp_transport_t {
    _private: [u8; 0],
}

/// The handles of one kind.
struct Handles<T> {
    live: RwLock<BTreeMap<usize, Arc<T>>>,
    mark: usize,
    name: &'static str,
}

static CLIENTS: Handles<Client> = Handles { live: RwLock::new(BTreeMap::new()), mark: 1, name: "client" };
static QUEUES: Handles<QueueHandle> = Handles { live: RwLock::new(BTreeMap::new()), mark: 2, name: "queue" };

static TRANSPORTS: Handles<Channel> =
    Handles { live: RwLock::new(BTreeMap::new()), mark: 3, name: "transport" };

/// A queue as a handle names it.
#[derive(Debug)]
pub(super) struct QueueHandle {
    pub(super) queue: Arc<Queue>,
}

impl<T> Handles<T> {
    fn add(&self, number: u64, value: Arc<T>) -> usize {
        own_process();
        let handle = self.handle(number);
        let mut live = self.live.write().unwrap_or_else(PoisonError::into_inner);
        live.insert(handle, value);
        handle
    }

    /// Distinct for each kind, aligned like no pointer, never zero.
    fn handle(&self, number: u64) -> usize {
        usize::try_from(number << 4).unwrap_or(0) | self.mark
    }

    fn get(&self, handle: usize) -> Result<Arc<T>, Error> {
        if handle == 0 {
            return Err(null(self.name));
        }
        if forked() {
            return Err(forked_error());
        }
        let live = self.live.read().unwrap_or_else(PoisonError::into_inner);
        live.get(&handle).map(Arc::clone).ok_or_else(|| self.dead())
    }

    fn remove(&self, handle: usize) -> Result<Arc<T>, Error> {
        let mut live = self.live.write().unwrap_or_else(PoisonError::into_inner);
        live.remove(&handle).ok_or_else(|| self.dead())
    }

    fn dead(&self) -> Error {
        let name = self.name;
        Error::new(Status::InvalidArgument, name, format!("{name} is no live handle: was it freed?"))
    }
}

pub(super) fn forked_error() -> Error {
    Error::new(
        Status::Forked,
        "handle",
        "the process forked since this handle was made; only the parent may use it. Make a client of your own, after exec",
    )
}

pub(super) fn add_client(client: Client) -> *mut mcp_client_t {
    let number = client.number();
    std::ptr::without_provenance_mut(CLIENTS.add(number, Arc::new(client)))
}

pub(super) fn client(handle: *const mcp_client_t) -> Result<Arc<Client>, Error> {
    CLIENTS.get(handle.addr())
}

pub(super) fn remove_client(handle: *const mcp_client_t) -> Result<Arc<Client>, Error> {
    CLIENTS.remove(handle.addr())
}

/// The handle that names the client with this number.
pub(super) fn client_handle(number: u64) -> *mut mcp_client_t {
    if number == 0 { std::ptr::null_mut() } else { std::ptr::without_provenance_mut(CLIENTS.handle(number)) }
}

pub(super) fn add_queue(number: u64, queue: Arc<Queue>) -> *mut mcp_queue_t {
    std::ptr::without_provenance_mut(QUEUES.add(number, Arc::new(QueueHandle { queue })))
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
    QUEUES.remove(handle.addr()).map(drop)
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
