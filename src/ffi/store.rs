//! Stores that several processes of one server share: made of functions of the program, opened by the scheme of a URL, and what they say.

use super::convert::{guard_error, guard_taking};
use super::guard::{guard_status, invalid, null};
use super::handles::{
    self, StoreCall, StoreHandle, mcp_server_t, mcp_store_call_t, mcp_store_t, mcp_store_watch_t,
};
use super::panics::of_program;
use super::pointer::{UserData, bytes, needed_text, size_and_version, text, whole, write};
use super::status::{
    MCP_CONFLICT, MCP_EMPTY, MCP_ERROR_AUTH, MCP_ERROR_INVALID_ARGUMENT, MCP_ERROR_TOO_LARGE,
    MCP_ERROR_TRANSPORT, MCP_OK, mcp_status_t, status_name,
};
use crate::engine::server::{Expected, Operation, StoreStatus};
use crate::engine::{Error, Status};
use crate::runtime::lock;
use crate::runtime::server::store::{Adapter, Call, Port, Watch, register};
use crate::sorted::SortedSet;
use std::collections::VecDeque;
use std::ffi::{CStr, CString, c_char, c_void};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The version of mcp_store_functions_t in this header.
pub const MCP_STORE_VERSION: u32 = 1;

/// The version that `put` of mcp_store_functions_t expects where any value, or none, may be there.
pub const MCP_STORE_ANY: u64 = u64::MAX;

/// The functions of a store: of an engine that several processes of one server share.
///
/// The library calls them on any thread, one at a time, and holds no lock meanwhile. They must not
/// wait: they begin the operation and return MCP_OK, and later, on any thread or before they return,
/// the store tells what it has found with mcp_store_found() or mcp_store_entry() and ends the
/// operation with mcp_store_done(). Another status than MCP_OK says that it was not begun, as
/// mcp_store_done() would. They may call every function that never waits, and must not unwind.
///
/// Each operation is atomic for one key. What a process wrote and was told is done, every process
/// reads. Keys, streams and channels are at most 200 bytes of ASCII and are three spaces of names
/// apart from one another; values, entries and messages are any bytes, at most 768 KiB, which the
/// library has sealed. What is given to a function is valid until it returns.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct mcp_store_functions_t {
    /// sizeof(mcp_store_functions_t). The library refuses a smaller struct. Of a larger one it uses
    /// the members that it knows.
    pub size: u32,
    /// MCP_STORE_VERSION.
    pub version: u32,
    /// Gives the value of a key: mcp_store_found() and MCP_OK, or MCP_EMPTY.
    pub get: Option<
        unsafe extern "C" fn(
            user: *mut c_void,
            call: *mut mcp_store_call_t,
            key: *const c_char,
        ) -> mcp_status_t,
    >,
    /// Puts a value, if what is expected is there: MCP_OK with the new version. Else MCP_CONFLICT,
    /// with mcp_store_found() where there is a value.
    ///
    /// value: NULL deletes, which is MCP_OK also where there is nothing.
    /// expected: the version that is there; 0 where there must be nothing; MCP_STORE_ANY. The
    ///   versions of a key never repeat, also after the key was deleted or its life was over.
    /// life_ms: how long the value stays, by the clock of the store; at least 1.
    pub put: Option<
        unsafe extern "C" fn(
            user: *mut c_void,
            call: *mut mcp_store_call_t,
            key: *const c_char,
            value: *const c_void,
            length: usize,
            expected: u64,
            life_ms: i64,
        ) -> mcp_status_t,
    >,
    /// Appends an entry to a stream: MCP_OK with its place as the version. The first place is 1.
    ///
    /// place: the place of the last entry and one; where that is another, MCP_CONFLICT with
    ///   mcp_store_found() for the last entry and its place, if there is one. 0: the next place.
    /// most: only so many of the newest entries stay.
    /// life_ms: how long the stream stays after its last entry.
    pub append: Option<
        unsafe extern "C" fn(
            user: *mut c_void,
            call: *mut mcp_store_call_t,
            stream: *const c_char,
            entry: *const c_void,
            length: usize,
            place: u64,
            most: u32,
            life_ms: i64,
        ) -> mcp_status_t,
    >,
    /// Reads entries in order: mcp_store_entry() for each and MCP_OK, also where none is after that
    /// place; MCP_EMPTY where there is no such stream.
    ///
    /// after: the place before the first one.
    /// most: at most so many entries. A store may give fewer, but at least one that is there.
    /// bytes: of at most so many bytes together, except that the first is given in any case.
    pub read: Option<
        unsafe extern "C" fn(
            user: *mut c_void,
            call: *mut mcp_store_call_t,
            stream: *const c_char,
            after: u64,
            most: u32,
            bytes: usize,
        ) -> mcp_status_t,
    >,
    /// Sends a message to every process that watches the channel. It may be lost where `missed` is
    /// told; it is not kept.
    pub publish: Option<
        unsafe extern "C" fn(
            user: *mut c_void,
            call: *mut mcp_store_call_t,
            channel: *const c_char,
            data: *const c_void,
            length: usize,
        ) -> mcp_status_t,
    >,
    /// From now on messages of the channel are told with mcp_store_event(). mcp_store_missed() says
    /// that the watch has begun, and later that messages may have been lost.
    pub watch: Option<
        unsafe extern "C" fn(
            user: *mut c_void,
            watch: *mut mcp_store_watch_t,
            channel: *const c_char,
        ) -> mcp_status_t,
    >,
    /// That ends, and `watch` is no longer a valid handle once the function has returned.
    pub unwatch: Option<unsafe extern "C" fn(user: *mut c_void, watch: *mut mcp_store_watch_t)>,
    /// The time of an operation is over ("store.timeout_ms"): its answer is no longer waited for.
    /// May be NULL. Comes on any thread, also while another function runs.
    pub forget: Option<unsafe extern "C" fn(user: *mut c_void, call: *mut mcp_store_call_t)>,
    /// Releases `user`. May be NULL. Called exactly once, after every other function has returned:
    /// by mcp_store_free(), when the server is freed, or by mcp_store_new() when that fails. It may
    /// run on a thread of the store that is in one of the functions below: a store that has threads
    /// waits here for those that it is not called on.
    pub destroy: Option<unsafe extern "C" fn(user: *mut c_void)>,
}

/// What a store is told of a key or a stream, and a watch begins with.
type Named = unsafe extern "C" fn(*mut c_void, *mut mcp_store_call_t, *const c_char) -> mcp_status_t;

/// The program's functions as the port calls them.
struct Functions {
    table: mcp_store_functions_t,
    get: Named,
    /// The handle of the store, of operations that it has, of some that have ended, and of watches.
    known: Mutex<Known>,
    user: UserData,
}

#[derive(Default)]
struct Known {
    store: usize,
    open: SortedSet<usize>,
    ended: VecDeque<usize>,
}

/// Operations that have ended whose handles are still known, so that a second answer is counted and is no mistake.
const KEPT: usize = 1000;

impl Functions {
    fn accepted(status: mcp_status_t) -> Result<(), StoreStatus> {
        match status {
            MCP_OK => Ok(()),
            other => Err(store_status(other)),
        }
    }

    /// The rest of what is called with a call.
    fn call(&self, handle: *mut mcp_store_call_t, operation: &Operation) -> Option<mcp_status_t> {
        let user = self.user.get();
        let name = |name: &str| CString::new(name).ok();
        let life = |life: &Duration| i64::try_from(life.as_millis().max(1)).unwrap_or(i64::MAX);
        let table = &self.table;
        Some(match operation {
            Operation::Get { key } => {
                let key = name(key)?;
                // SAFETY: the contract says that the functions may be called with `user` until `destroy` is; what they get lives until
                // they return.
                of_program(|| unsafe { (self.get)(user, handle, key.as_ptr()) })
            }
            Operation::Put { key, value, expected, life: time } => {
                let (key, put) = (name(key)?, table.put?);
                let expected = match expected {
                    Expected::Any => MCP_STORE_ANY,
                    Expected::Absent => 0,
                    Expected::Version(version) => *version,
                };
                let (value, length) = match value {
                    Some(value) => (value.as_ptr().cast(), value.len()),
                    None => (std::ptr::null(), 0),
                };
                // SAFETY: as above.
                of_program(|| unsafe { put(user, handle, key.as_ptr(), value, length, expected, life(time)) })
            }
            Operation::Append { stream, entry, place, most, life: time } => {
                let (stream, append) = (name(stream)?, table.append?);
                let (data, length) = (entry.as_ptr().cast(), entry.len());
                // SAFETY: as above.
                of_program(|| unsafe {
                    append(user, handle, stream.as_ptr(), data, length, *place, *most, life(time))
                })
            }
            Operation::Read { stream, after, most, bytes } => {
                let (stream, read) = (name(stream)?, table.read?);
                // SAFETY: as above.
                of_program(|| unsafe { read(user, handle, stream.as_ptr(), *after, *most, *bytes) })
            }
            Operation::Publish { channel, data } => {
                let (channel, publish) = (name(channel)?, table.publish?);
                let (data, length) = (data.as_ptr().cast(), data.len());
                // SAFETY: as above.
                of_program(|| unsafe { publish(user, handle, channel.as_ptr(), data, length) })
            }
            // They are no calls.
            Operation::Watch { .. } | Operation::Unwatch { .. } => return None,
        })
    }
}

impl Adapter for Functions {
    fn begin(&self, call: &Arc<Call>) -> Result<(), StoreStatus> {
        let handle = handles::add_store_call(call);
        call.mark.store(handle.addr(), Ordering::Release);
        lock(&self.known).open.insert(handle.addr());
        self.call(handle, call.operation()).map_or(Err(StoreStatus::TooLarge), Functions::accepted)
    }

    fn watch(&self, watch: &Arc<Watch>) -> Result<(), StoreStatus> {
        let (Ok(channel), Some(begin)) = (CString::new(watch.whole_name()), self.table.watch) else {
            return Err(StoreStatus::TooLarge);
        };
        let handle = handles::add_store_watch(Arc::clone(watch));
        watch.mark.store(handle.addr(), Ordering::Release);
        lock(&self.known).open.insert(handle.addr());
        // SAFETY: as above.
        let begun = of_program(|| unsafe { begin(self.user.get(), handle, channel.as_ptr()) });
        Functions::accepted(begun).inspect_err(|_| {
            lock(&self.known).open.remove(&handle.addr());
            handles::remove_store_part(handle.addr());
        })
    }

    fn unwatch(&self, watch: &Arc<Watch>) {
        let handle = watch.mark.load(Ordering::Acquire);
        if let Some(end) = self.table.unwatch {
            // SAFETY: as above.
            of_program(|| unsafe { end(self.user.get(), std::ptr::without_provenance_mut(handle)) });
        }
        lock(&self.known).open.remove(&handle);
        handles::remove_store_part(handle);
    }

    fn ended(&self, call: &Arc<Call>, is_late: bool) {
        let handle = call.mark.load(Ordering::Acquire);
        if let (true, Some(forget)) = (is_late, self.table.forget) {
            // SAFETY: as above.
            of_program(|| unsafe { forget(self.user.get(), std::ptr::without_provenance_mut(handle)) });
        }
        let mut known = lock(&self.known);
        if known.open.remove(&handle) {
            known.ended.push_back(handle);
        }
        let forgotten = if known.ended.len() > KEPT { known.ended.pop_front() } else { None };
        drop(known);
        if let Some(handle) = forgotten {
            handles::remove_store_part(handle);
        }
    }
}

impl Drop for Functions {
    fn drop(&mut self) {
        let known = std::mem::take(&mut *lock(&self.known));
        for handle in known.open.iter().copied().chain(known.ended).chain([known.store]) {
            handles::remove_store_part(handle);
        }
        // Then `user`, which calls `destroy`.
    }
}

/// The status of an operation; of one that is not known it is not known what has become of it.
fn store_status(status: mcp_status_t) -> StoreStatus {
    match status {
        MCP_OK => StoreStatus::Done,
        MCP_EMPTY => StoreStatus::Empty,
        MCP_CONFLICT => StoreStatus::Conflict,
        MCP_ERROR_TRANSPORT => StoreStatus::PerhapsDone,
        MCP_ERROR_TOO_LARGE => StoreStatus::TooLarge,
        MCP_ERROR_AUTH => StoreStatus::Refused,
        _ => StoreStatus::Unavailable,
    }
}

/// Takes the functions. `destroy` is called whatever comes: every version has it in its place.
fn take(functions: *const mcp_store_functions_t, user: *mut c_void) -> Result<Functions, Error> {
    if functions.is_null() {
        return Err(null("functions"));
    }
    let (size, version) = size_and_version(functions);
    let user = UserData::new(user, whole(functions).destroy);
    if version != MCP_STORE_VERSION {
        let what = format!(
            "has a struct that is not of this version: its version is {version}, and this library knows {MCP_STORE_VERSION}; set it to \
             MCP_STORE_VERSION"
        );
        if version > MCP_STORE_VERSION {
            return Err(Error::new(Status::Unsupported, "store_new", format!("functions {what}")));
        }
        return Err(invalid("functions", what));
    }
    let least = size_of::<mcp_store_functions_t>();
    if usize::try_from(size).is_ok_and(|size| size < least) {
        let what = format_args!(
            "has a struct that is too small: its size is {size}, and version {version} has {least} bytes; set it to sizeof"
        );
        return Err(invalid("functions", what));
    }
    let table = whole(functions);
    let is_whole = table.put.is_some()
        && table.append.is_some()
        && table.read.is_some()
        && table.publish.is_some()
        && table.watch.is_some()
        && table.unwatch.is_some();
    match table.get {
        Some(get) if is_whole => Ok(Functions { table, get, known: Mutex::default(), user }),
        _ => Err(invalid("functions", "has NULL for a function other than forget and destroy")),
    }
}

/// Creates a store of functions of the program. Give it to one server with mcp_server_set_store(),
/// or give it to the library where it opens a URL: see mcp_store_register().
///
/// Each process of the server does the same with its own connection to the engine.
///
/// functions: the functions of the store; copied.
/// user: passed to each function; may be NULL.
/// out: receives the store. Until a server has it, free it with mcp_store_free().
/// error_json: receives the error object on failure; may be NULL.
///
/// Returns MCP_OK, MCP_ERROR_INVALID_ARGUMENT, MCP_ERROR_UNSUPPORTED (`version` is newer than the
///   library), MCP_ERROR_FORKED, MCP_ERROR_INTERNAL. Of a table that is too small or of another
///   version no other function than `destroy` is called.
///
/// Threads: any thread.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn mcp_store_new(
    functions: *const mcp_store_functions_t,
    user: *mut c_void,
    out: *mut *mut mcp_store_t,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_taking(
        out,
        error_json,
        || take(functions, user),
        |functions| {
            if out.is_null() {
                return Err(null("out"));
            }
            let mut handle = std::ptr::null_mut();
            let port = Port::with(|port| {
                handle = handles::add_store(StoreHandle::new(port));
                lock(&functions.known).store = handle.addr();
                Box::new(functions)
            });
            handles::store(handle)?.give(port);
            write(out, handle);
            Ok(())
        },
    )
}

/// Frees a store that no server has: `destroy` is called before this function returns, unless one of
/// the functions of the store runs on another thread, which then calls it.
///
/// store: the store; may be NULL.
///
/// Returns MCP_OK, or MCP_ERROR_INVALID_ARGUMENT for an invalid handle and for a store that belongs
///   to a server. In a child of fork() it frees nothing and returns MCP_ERROR_FORKED.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_store_free(store: *mut mcp_store_t) -> mcp_status_t {
    guard_status(|| {
        if store.is_null() {
            return MCP_OK;
        }
        match handles::store(store).and_then(|store| store.take()) {
            Ok(port) => {
                drop(port);
                MCP_OK
            }
            Err(error) => error.status as i32,
        }
    })
}

/// Has the processes of a server keep in a store what they share. Call it before mcp_server_serve(),
/// in every process, with the same "request_state.keys" and "name" or "store.space" in their
/// configurations; "store.timeout_ms" is the time that each operation has. The server frees the
/// store.
///
/// server: the server; its configuration has no "store.url".
/// store: the store. Its handle stays valid for the functions below until `destroy` is called.
/// error_json: receives the error object on failure; may be NULL.
///
/// Returns MCP_OK; MCP_ERROR_INVALID_ARGUMENT, also when the configuration has no keys, the server
///   has a store, or another server has this one, and then the store is the program's as before;
///   MCP_ERROR_FORKED; MCP_ERROR_INTERNAL.
///
/// Threads: any thread; never waits.
///
/// Example:
///
///     mcp_store_t *store = NULL;
///     mcp_store_functions_t mine = {.size = sizeof mine, .version = MCP_STORE_VERSION};
///     // mine.get = ..., and so on for each function
///     if (mcp_store_new(&mine, app, &store, &error) == MCP_OK
///         && mcp_server_set_store(server, store, &error) != MCP_OK)
///         mcp_store_free(store);
#[unsafe(no_mangle)]
pub extern "C" fn mcp_server_set_store(
    server: *mut mcp_server_t,
    store: *mut mcp_store_t,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_error(error_json, || {
        let (server, store) = (handles::server(server)?, handles::store(store)?);
        let port = store.take()?;
        server.set_store(Arc::clone(&port)).inspect_err(|_| store.give(port))
    })
}

/// Why a store could not be opened, where it says nothing.
const WHY: usize = 512;

/// Has the library open the URLs of one scheme with a function of the program: those that a
/// configuration has in "store.url". The libraries libmcp-store-... call it for theirs.
///
/// scheme: what is before the colon of the URL, such as "postgres": at most 32 small letters,
///   digits, "+", "-" and ".". It replaces what was registered for the same scheme.
/// open: called with `user` and the URL whenever a server is made whose configuration has such a
///   URL. It must not wait: it makes a store with mcp_store_new(), writes it to `out` and returns
///   MCP_OK; the store connects by itself. Or it returns another status, and writes to `why` what is
///   wrong with the URL, at most `room` bytes with a NUL at the end. NULL removes the scheme.
/// user: passed to `open` and `destroy`; may be NULL.
/// destroy: called exactly once with `user`, after the last call of `open`, also when the function
///   fails; may be NULL.
/// error_json: receives the error object on failure; may be NULL.
///
/// Returns MCP_OK, MCP_ERROR_INVALID_ARGUMENT, MCP_ERROR_INTERNAL.
///
/// Threads: any thread. A child of fork() begins without schemes.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_store_register(
    scheme: *const c_char,
    open: Option<
        unsafe extern "C" fn(
            user: *mut c_void,
            url: *const c_char,
            out: *mut *mut mcp_store_t,
            why: *mut c_char,
            room: usize,
        ) -> mcp_status_t,
    >,
    user: *mut c_void,
    destroy: Option<unsafe extern "C" fn(user: *mut c_void)>,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_taking(
        (),
        error_json,
        || Ok(UserData::new(user, destroy)),
        |user| {
            let scheme = needed_text(scheme, "scheme")?;
            let Some(open) = open else { return register(scheme, None) };
            let opener = move |url: &str| -> Result<Arc<Port>, Error> {
                let failed = |status: Status, what: String| Error::new(status, "server_new", what);
                let Ok(url) = CString::new(url) else {
                    let what = "config key 'store.url': it has a NUL".to_owned();
                    return Err(failed(Status::InvalidArgument, what));
                };
                let (mut handle, mut why) = (std::ptr::null_mut(), [0_u8; WHY]);
                // SAFETY: the contract says that `open` may be called with `user` until `destroy` is; `why` has room for so many bytes.
                let status = of_program(|| unsafe {
                    open(user.get(), url.as_ptr(), &raw mut handle, why.as_mut_ptr().cast(), WHY)
                });
                if status == MCP_OK {
                    return handles::store(handle)?.take();
                }
                let said = CStr::from_bytes_until_nul(&why).map(CStr::to_string_lossy).unwrap_or_default();
                let name = status_name(status).to_string_lossy();
                let said = if said.is_empty() { name } else { said };
                let is_wrong = status == MCP_ERROR_INVALID_ARGUMENT;
                let status = if is_wrong { Status::InvalidArgument } else { Status::Unavailable };
                Err(failed(status, format!("config key 'store.url': {said}")))
            };
            register(scheme, Some(Arc::new(opener)))
        },
    )
}

/// The store tells that it can be asked, when it has connected and again after each
/// mcp_store_lost(). Before the first time no operation is begun.
///
/// store: the store, also inside the function that creates it.
/// generation: a text of at most 200 bytes that changes whenever what was acknowledged may have been
///   lost: another engine, one that was emptied, restored or restarted without its data. What was
///   made for another generation is refused.
/// flags: 0.
///
/// Returns MCP_OK; MCP_ERROR_INVALID_ARGUMENT; MCP_ERROR_FORKED.
///
/// Threads: any thread.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_store_ready(
    store: *mut mcp_store_t,
    generation: *const c_char,
    flags: u32,
) -> mcp_status_t {
    guard_store(store, |port| {
        let generation = needed_text(generation, "generation")?;
        if flags != 0 {
            return Err(invalid("flags", "is not 0"));
        }
        if port.ready(generation) { Ok(MCP_OK) } else { Err(invalid("generation", "has not 1 to 200 bytes")) }
    })
}

/// The store tells that it cannot be asked until the next mcp_store_ready(), or why it cannot be
/// asked yet. What needs it is refused meanwhile; what has been begun is still to be ended.
///
/// store: the store.
/// why: a text for the log; NULL if unknown. It must have no password.
///
/// Returns MCP_OK; MCP_ERROR_INVALID_ARGUMENT; MCP_ERROR_FORKED.
///
/// Threads: any thread.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_store_lost(store: *mut mcp_store_t, why: *const c_char) -> mcp_status_t {
    guard_store(store, |port| {
        port.lost(text(why, "why")?.unwrap_or("it said no reason"));
        Ok(MCP_OK)
    })
}

/// The store gives the value of a key: before the end of `get`, and of `put` and `append` with
/// MCP_CONFLICT.
///
/// call: the operation.
/// value: the value; copied.
/// version: its version, or the place of the entry.
///
/// Returns MCP_OK; MCP_EMPTY when the operation has ended; MCP_ERROR_INVALID_ARGUMENT;
///   MCP_ERROR_FORKED.
///
/// Threads: any thread, also inside the function that began the operation.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_store_found(
    call: *mut mcp_store_call_t,
    value: *const c_void,
    length: usize,
    version: u64,
) -> mcp_status_t {
    guard_call(call, |call| {
        let value = given(value, length, "value")?;
        Ok(if call.call().is_some_and(|call| call.found(value, version)) { MCP_OK } else { MCP_EMPTY })
    })
}

/// The store gives the next entry of a stream, before the end of `read`.
///
/// call: the operation.
/// place: the place of the entry, higher than that of the one before.
/// entry: the entry; copied. What is beyond what was asked for is left out.
///
/// Returns MCP_OK; MCP_EMPTY when the operation has ended or reads nothing;
///   MCP_ERROR_INVALID_ARGUMENT; MCP_ERROR_FORKED.
///
/// Threads: any thread, also inside the function that began the operation.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_store_entry(
    call: *mut mcp_store_call_t,
    place: u64,
    entry: *const c_void,
    length: usize,
) -> mcp_status_t {
    guard_call(call, |call| {
        let entry = given(entry, length, "entry")?;
        Ok(if call.call().is_some_and(|call| call.entry(place, entry)) { MCP_OK } else { MCP_EMPTY })
    })
}

/// The store ends an operation, once. A second end, and one that comes after `forget`, is dropped
/// and counted ("late" of "store" in mcp_server_info()).
///
/// call: the operation; no longer valid afterwards.
/// status: MCP_OK, MCP_EMPTY or MCP_CONFLICT; MCP_ERROR_UNAVAILABLE: it is not done;
///   MCP_ERROR_TRANSPORT: it is perhaps done; MCP_ERROR_TOO_LARGE; MCP_ERROR_AUTH: the engine does
///   not let this process do it. Any other status counts as MCP_ERROR_UNAVAILABLE.
/// version: of `put` the version that is there now, of `append` the place; else 0.
/// unix_ms: the clock of the store when it was done, in milliseconds since 1970; 0 if unknown.
///
/// Returns MCP_OK; MCP_EMPTY when it was dropped; MCP_ERROR_INVALID_ARGUMENT, also for one that has
///   ended a thousand others ago; MCP_ERROR_FORKED.
///
/// Threads: any thread, also inside the function that began the operation. What waits for the
///   outcome may go on inside this function.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_store_done(
    call: *mut mcp_store_call_t,
    status: mcp_status_t,
    version: u64,
    unix_ms: i64,
) -> mcp_status_t {
    guard_call(call, |call| {
        let time = u64::try_from(unix_ms).unwrap_or(0);
        let is_taken = call.end(store_status(status), version, time);
        Ok(if is_taken { MCP_OK } else { MCP_EMPTY })
    })
}

/// The store gives a message of a channel that is watched, in the order in which the messages came.
///
/// watch: the watch.
/// data: the message; copied. What no process of the server has sealed is dropped.
///
/// Returns MCP_OK; MCP_ERROR_INVALID_ARGUMENT; MCP_ERROR_FORKED.
///
/// Threads: any thread.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_store_event(
    watch: *mut mcp_store_watch_t,
    data: *const c_void,
    length: usize,
) -> mcp_status_t {
    guard_watch(watch, |watch| {
        watch.event(given(data, length, "data")?);
        Ok(MCP_OK)
    })
}

/// The store tells that a watch has begun, and that from now on nothing is missed; later, that
/// messages may have been lost, as after a lost connection.
///
/// watch: the watch.
///
/// Returns MCP_OK; MCP_ERROR_INVALID_ARGUMENT; MCP_ERROR_FORKED.
///
/// Threads: any thread.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_store_missed(watch: *mut mcp_store_watch_t) -> mcp_status_t {
    guard_watch(watch, |watch| {
        watch.missed();
        Ok(MCP_OK)
    })
}

/// What a store gives: bytes, perhaps none.
fn given<'a>(pointer: *const c_void, length: usize, name: &str) -> Result<&'a [u8], Error> {
    match bytes(pointer.cast(), length) {
        Some(bytes) => Ok(bytes),
        None if length == 0 => Ok(&[]),
        None => Err(null(name)),
    }
}

fn status_of(result: Result<mcp_status_t, Error>) -> mcp_status_t {
    result.unwrap_or_else(|error| error.status as i32)
}

fn guard_store(
    store: *const mcp_store_t,
    work: impl FnOnce(&Port) -> Result<mcp_status_t, Error>,
) -> mcp_status_t {
    guard_status(|| status_of(handles::store(store).and_then(|store| work(&*store.port()?))))
}

fn guard_call(
    call: *const mcp_store_call_t,
    work: impl FnOnce(&StoreCall) -> Result<mcp_status_t, Error>,
) -> mcp_status_t {
    guard_status(|| status_of(handles::store_call(call).and_then(|call| work(&call))))
}

fn guard_watch(
    watch: *const mcp_store_watch_t,
    work: impl FnOnce(&Watch) -> Result<mcp_status_t, Error>,
) -> mcp_status_t {
    guard_status(|| status_of(handles::store_watch(watch).and_then(|watch| work(&watch))))
}
