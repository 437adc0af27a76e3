//! What the tasks of a client share, whatever connections come and go.

use super::link::HttpLink;
use super::runtime::HttpRuntime;
use super::transport_guard::TransportGuard;
use crate::engine::{Error, Shape, Status};
use crate::runtime::lock;
use crate::transport::http::client::HttpClient;
use crate::transport::http::settings::HttpSettings;
use std::sync::{Arc, Mutex, Weak};

/// What the tasks of a client share.
#[derive(Debug)]
pub(super) struct HttpShared {
    pub(super) settings: HttpSettings,
    /// Made with the first connection: it reads certificates.
    client: Mutex<Option<Arc<HttpClient>>>,
    /// The transport that is open.
    pub(super) link: Mutex<Option<Arc<HttpLink>>>,
    /// Authorization, where the configuration has it.
    #[cfg(feature = "auth")]
    pub(super) authenticator: Option<Arc<super::authenticator::Authenticator>>,
}

impl HttpShared {
    pub(super) fn new(
        settings: HttpSettings,
        #[cfg(feature = "auth")] authenticator: Option<Arc<super::authenticator::Authenticator>>,
    ) -> Arc<HttpShared> {
        Arc::new(HttpShared {
            settings,
            client: Mutex::new(None),
            link: Mutex::new(None),
            #[cfg(feature = "auth")]
            authenticator,
        })
    }

    /// The transport of a generation, not yet open.
    pub(super) fn make_link(
        &self,
        guard: TransportGuard,
        shape: Shape,
        runtime: Weak<HttpRuntime>,
    ) -> Result<HttpLink, Error> {
        HttpLink::new(
            self.client()?,
            &self.settings,
            guard,
            shape,
            runtime,
            #[cfg(feature = "auth")]
            self.authenticator.clone(),
        )
    }

    /// It has this client from now on.
    #[cfg(test)]
    pub(super) fn has(&self, made: Arc<HttpClient>) {
        *lock(&self.client) = Some(made);
    }

    fn client(&self) -> Result<Arc<HttpClient>, Error> {
        let mut client = lock(&self.client);
        if let Some(client) = &*client {
            return Ok(Arc::clone(client));
        }
        let made = HttpClient::new(&self.settings)
            .map_err(|why| Error::new(Status::InvalidArgument, "connect", why))?;
        let made = Arc::new(made);
        *client = Some(Arc::clone(&made));
        Ok(made)
    }
}
