//! Features: tools, resources, prompts, completion, logging, roots, each meaning the same on every revision. What differs
//! on the wire is the engine's business; here a request becomes a call, and what a result needs is done to it.

mod request;

pub use request::Request;

use super::connection::Ticket;
use super::{Client, Message, config};
use crate::engine::{CallOptions, Error, Feature, Status};
use crate::json;
use crate::protocol::feature;

/// What a program may say of one call of a feature, beside what it may say of every call.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct FeatureOptions {
    /// Read the page of a list at this cursor, and no other.
    pub(crate) cursor: Option<String>,
    /// Read only one page of a list.
    pub(crate) one_page: bool,
}

/// A request with everything that a call needs.
struct Prepared {
    method: &'static str,
    params: Option<String>,
    options: CallOptions,
}

impl Client {
    /// Asks, and waits for the one outcome.
    pub fn request(&self, request: &Request<'_>, options: Option<&str>) -> Message {
        let outcome = self.prepare(request, options).and_then(|prepared| {
            self.wait_for_call(prepared.method, prepared.params.as_deref(), &prepared.options)
        });
        outcome.unwrap_or_else(|error| Message::failure(self.number(), &error))
    }

    /// Asks and returns at once; the outcome arrives on the queue with `tag`. Gives the call's number.
    ///
    /// # Errors
    /// The call was not made: those of [`Client::start`], and `UNSUPPORTED` for what the server does not have.
    pub fn start_request(
        &self,
        request: &Request<'_>,
        options: Option<&str>,
        tag: u64,
    ) -> Result<u64, Error> {
        let prepared = self.prepare(request, options)?;
        self.room_for_outcome(prepared.method)?;
        let Prepared { method, params, options } = prepared;
        let call = self.begin(method, params.as_deref(), &options, Ticket::Started(tag), tag, None)?;
        Ok(call.0)
    }

    fn prepare(&self, request: &Request<'_>, options: Option<&str>) -> Result<Prepared, Error> {
        let method = request.method();
        let (mut options, more) = match options {
            None => Default::default(),
            Some(text) => config::options::parse_feature(text).map_err(|error| error.of(method))?,
        };
        let mut params = request.params(self.json_depth)?;
        let lists = feature::listed(method).is_some();
        if !lists && (more.one_page || more.cursor.is_some()) {
            let message = "the options cursor and one_page are for lists";
            return Err(Error::new(Status::InvalidArgument, method, message));
        }
        options.feature = match lists && !more.one_page && more.cursor.is_none() {
            true => Feature::AllPages,
            false => Feature::Plain,
        };
        if let Some(cursor) = more.cursor {
            params = Some(format!("{{\"cursor\":{}}}", json::quote(&cursor)));
        }
        Ok(Prepared { method, params, options })
    }

    /// Sets the roots that servers are told, and tells those that can be told of a change.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for what is no list of roots, `UNSUPPORTED` when the client has not declared roots.
    pub fn set_roots(&self, roots: &str) -> Result<(), Error> {
        let roots = config::parse_roots(roots)?;
        let mut core = self.connection.core();
        core.engine.set_roots(roots)?;
        self.connection.settle(core, None);
        Ok(())
    }
}
