//! Clients made from configuration: of a program, an address, a transport of the host's, a server of the same process.

use super::config::Config;
use super::{Client, features};
#[cfg(all(feature = "client", feature = "server"))]
use crate::engine::Status;
use crate::engine::{Error, Event};
use crate::runtime::background;
use crate::runtime::connection::{Connection, Made};
use crate::runtime::link::Link;
use crate::runtime::link::custom::Custom;
#[cfg(all(feature = "client", feature = "server"))]
use crate::runtime::queue::Overflow;
use crate::runtime::queue::Queue;
use crate::transport::custom::Transport;
use crate::transport::process::per_process::generation;
use std::sync::Arc;
use std::sync::atomic::AtomicPtr;

impl Client {
    /// Makes a client from JSON configuration, with a queue of its own or on one shared with others. Starts nothing yet.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT`, naming the key that is wrong; `INTERNAL` when the process has no descriptor or thread left.
    pub fn new(config: &str, shared: Option<Arc<Queue>>) -> Result<Client, Error> {
        Client::make(Config::parse(config)?, shared, None)
    }

    fn make(
        config: Config,
        shared: Option<Arc<Queue>>,
        custom: Option<Arc<Custom>>,
    ) -> Result<Client, Error> {
        let runtime = background::acquire()?;
        let link = match custom {
            Some(custom) => Ok(Link::Custom(custom)),
            None => Link::new(
                &config.transport.endpoint,
                &runtime,
                #[cfg(feature = "auth")]
                config.auth,
            ),
        };
        let link = link.inspect_err(|_| background::release())?;
        let owns_queue = shared.is_none();
        let queue = shared.unwrap_or_else(|| Queue::new(config.queue));
        let json_depth = config.settings.json_depth;
        queue.add_client();
        let features = Arc::new(features::State::new(
            config.features,
            #[cfg(feature = "auth")]
            link.authenticator().cloned(),
        ));
        let observer = {
            let features = Arc::clone(&features);
            Box::new(move |event: &Event| features.heard(event))
        };
        let connection = Connection::new(Made {
            client: crate::runtime::next_number(),
            name: config.name,
            settings: config.settings,
            transport: config.transport,
            queue,
            owns_queue,
            runtime,
            observer,
            link,
        });
        let user = AtomicPtr::default();
        Ok(Client { process: generation(), connection, features, json_depth, user })
    }

    /// Makes a client that speaks over a transport of the host's. Opens nothing yet. The transport is dropped with the
    /// client, or when it cannot be made.
    ///
    /// # Errors
    /// As [`Client::new`]; the configuration must not say where a server is.
    pub fn with_transport(
        config: &str,
        shared: Option<Arc<Queue>>,
        transport: Box<dyn Transport>,
    ) -> Result<Client, Error> {
        Client::over(Config::parse_custom(config)?, shared, transport)
    }

    /// Makes a client of a server in the same process, which `transport` leads to.
    ///
    /// # Errors
    /// As [`Client::with_transport`]; its queue must not be one that holds up servers when it is full: that holds up reading, and
    /// nothing is read here.
    #[cfg(all(feature = "client", feature = "server"))]
    pub(crate) fn in_process(
        config: &str,
        shared: Option<Arc<Queue>>,
        transport: Box<dyn Transport>,
    ) -> Result<Client, Error> {
        let config = Config::parse_custom(config)?;
        let limits = shared.as_ref().map_or(config.queue, |queue| queue.limits());
        if limits.overflow == Overflow::Block {
            let what = "limits.overflow is \"block\", which cannot hold up a server of the same process: \
                        use \"drop_oldest\" or \"drop_newest\"";
            return Err(Error::new(Status::InvalidArgument, "client_new", what));
        }
        Client::over(config, shared, transport)
    }

    fn over(
        config: Config,
        shared: Option<Arc<Queue>>,
        transport: Box<dyn Transport>,
    ) -> Result<Client, Error> {
        let custom = Custom::new(transport, config.transport.outgoing_bytes);
        Client::make(config, shared, Some(Arc::new(custom)))
    }
}
