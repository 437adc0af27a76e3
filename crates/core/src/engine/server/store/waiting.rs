//! What answers of a store are for.

use crate::engine::server::effect::{SessionId, Stream};
use crate::engine::server::session::context::RequestContext;
use crate::engine::server::tasks::record::StoredTask;
use crate::engine::server::tasks::table::TaskId;
use crate::sorted::SortedSet;
use std::time::Instant;

/// What an answer of the store is for.
#[derive(Debug)]
pub enum Waiting {
    /// Nothing depends on it.
    Nothing,
    /// This process is there.
    Lease {
        /// When it was said.
        sent: Instant,
    },
    /// Other processes are to be told of changes.
    Changes,
    /// A channel is to be watched.
    Watch(Box<str>),
    /// A task.
    Task(TaskStep),
    /// Other processes, and tasks of those that are gone.
    Sweep(SweepStep),
}

/// What an answer of the store is for.
#[derive(Debug)]
pub enum SweepStep {
    /// This process is in the list.
    Join,
    /// A task of this process can be found by others.
    Note,
    /// The list of processes.
    Others,
    /// Whether a process is there.
    Alive(Box<str>),
    /// Tasks of the process that is gone.
    Tasks,
    /// Others need not look at them.
    Over,
}

/// What an answer of the store is for.
#[derive(Debug)]
pub enum TaskStep {
    /// The task that begins is in the list of its session (core form): its record is written now.
    Enter { key: Box<str>, wait: TaskId, answer: Box<(RequestContext, String)> },
    /// The record of a task that begins: its client gets the name now.
    Start { key: Box<str>, wait: TaskId, answer: Box<(RequestContext, String)> },
    /// The record of a task that this process works on; whether it says that the task is over.
    Write { key: Box<str>, ends: bool },
    /// A part of what it came to.
    Part { key: Box<str> },
    /// A look at it.
    Look { key: Box<str> },
    /// A request about a task.
    Asked(Box<AskedTask>, AskStep),
}

/// How far a request is.
#[derive(Debug)]
pub enum AskStep {
    /// The record is read.
    Read,
    /// Whether the process that works on the task is there.
    Alive(Box<StoredTask>, u64),
    /// It is not, and that is written.
    Lost(Box<StoredTask>),
    /// It is not, and this process works on the task from now on.
    Begin(Box<StoredTask>),
    /// The names of the tasks of a session are read.
    Names,
    /// What it came to is read, of which this is there, up to this part.
    Parts(Box<StoredTask>, u64, Vec<u8>, u64),
    /// What the client wants is written.
    Write(Box<StoredTask>),
}

/// What is wanted of a task.
#[derive(Debug)]
pub enum TaskWish {
    Get,
    Cancel,
    /// Core form: what it came to, as soon as it is over.
    Result,
    /// Core form: a page of the tasks of a session, of which these are still to be read, these were, and the place after which more follow.
    List {
        left: Vec<Box<str>>,
        page: Vec<String>,
        next: Option<u64>,
    },
    /// Answers of the client, by their keys.
    Update(Vec<(Box<str>, Box<str>)>),
    /// To listen to several tasks, of which these are to be looked for, and these are known.
    Listen {
        params: Box<str>,
        left: Vec<Box<str>>,
        known: SortedSet<Box<str>>,
    },
    /// To tell the streams of this process.
    Tell,
    /// That it is not left alone: its process is gone.
    Sweep,
}

/// A request about a task, or a look for the streams that listen to it.
#[derive(Debug)]
pub struct AskedTask {
    pub wish: TaskWish,
    pub from: Stream,
    /// Under which it waits.
    pub wait: TaskId,
    pub context: Option<RequestContext>,
    /// The method, for rules about scopes.
    pub method: &'static str,
    /// Its name, where that is known.
    pub task: Box<str>,
    /// The key of its record.
    pub key: Box<str>,
    pub tries: u8,
    /// The number of the last write for it.
    pub written: Option<u64>,
    /// It is not done: there is no room for it here.
    pub is_left: bool,
}

impl AskedTask {
    /// A look at a task for which no client waits.
    pub fn unasked(wish: TaskWish, task: Box<str>, key: Box<str>) -> AskedTask {
        AskedTask {
            wish,
            from: Stream { session: SessionId(0), number: 0 },
            wait: TaskId::of_store(0),
            context: None,
            method: "",
            task,
            key,
            tries: 0,
            written: None,
            is_left: false,
        }
    }
}
