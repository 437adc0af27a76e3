//! What the handles of messages, documents and builders name.

use super::guard::invalid;
use crate::client::Message;
use crate::engine::{Error, Status};
use crate::json::{Builder, MAX_DEPTH, Misuse, Node, Part, scan_value};
use std::sync::Mutex;

/// The most that a document or a text of a builder may nest.
const DEPTH: usize = 1000;
const _: () = assert!(DEPTH <= MAX_DEPTH);
/// The most bytes that a text of a builder may have.
const LENGTH: usize = 1 << 30;

/// What a handle names.
#[derive(Debug)]
pub(super) enum Content {
    Message(Message),
    Document(Document),
    Builder(Mutex<Build>),
    #[cfg(feature = "client")]
    App(Box<Mutex<crate::apps::View>>),
}

/// A checked text.
#[derive(Debug)]
pub(super) struct Document {
    pub(super) text: Box<[u8]>,
    pub(super) root: Node,
}

impl Document {
    /// Checks a text and copies it.
    pub(super) fn new(text: &[u8]) -> Result<Document, Error> {
        let value = scan_value(text, DEPTH).map_err(|error| {
            let offset = error.offset;
            invalid("json", format_args!("cannot be read: {error}")).with("offset", offset)
        })?;
        let mut copy = Vec::new();
        copy.try_reserve_exact(text.len()).map_err(|_| no_memory("document"))?;
        copy.extend_from_slice(text);
        Ok(Document { text: copy.into_boxed_slice(), root: Node { name: 0, span: value.span } })
    }
}

/// The error when the system refuses memory.
pub(super) fn no_memory(operation: &str) -> Error {
    Error::new(Status::NoMemory, operation, "the system refuses the memory that it needs")
}

/// A builder, with the first mistake that was made with it.
#[derive(Debug)]
pub(super) struct Build {
    builder: Builder,
    /// How many functions were called since the text was begun.
    calls: u64,
    /// The first mistake: the function, and the number of its call.
    mistake: Option<(Misuse, &'static str, u64)>,
}

impl Build {
    pub(super) fn new() -> Build {
        Build { builder: Builder::new(DEPTH, LENGTH), calls: 0, mistake: None }
    }

    /// Does what `function` is for, unless there was a mistake before.
    pub(super) fn add(&mut self, function: &'static str, part: Result<Part<'_>, Misuse>) {
        self.calls += 1;
        if self.mistake.is_none()
            && let Err(misuse) = part.and_then(|part| self.builder.add(part))
        {
            self.mistake = Some((misuse, function, self.calls));
        }
    }

    /// The finished text and a NUL.
    pub(super) fn finish(&mut self) -> Result<&str, Error> {
        match &self.mistake {
            None => self.builder.text_with_nul().map_err(|misuse| {
                Error::new(
                    status_of(&misuse),
                    "builder",
                    format!("finishing the text of a builder: {misuse}"),
                )
            }),
            Some((misuse, function, call)) => {
                let message = format!("building JSON: call {call} of the builder, {function}(): {misuse}");
                Err(Error::new(status_of(misuse), "builder", message)
                    .with("function", *function)
                    .with("call", *call))
            }
        }
    }
}

fn status_of(misuse: &Misuse) -> Status {
    match misuse {
        Misuse::NoMemory => Status::NoMemory,
        Misuse::Length(_) | Misuse::Depth(_) => Status::TooLarge,
        _ => Status::InvalidArgument,
    }
}
