//! The link of a client over a simulated network, driven by the simulation.

use super::shared::HttpShared;
use super::{Http, HttpRuntime};
use crate::transport::http::client::HttpClient;
use crate::transport::http::settings::HttpSettings;
use crate::transport::http::simulated::Network;
use std::sync::{Arc, Mutex};

impl Http {
    /// The link to what is behind a network.
    pub(crate) fn simulated(
        settings: HttpSettings,
        network: Arc<dyn Network>,
        runtime: &Arc<HttpRuntime>,
        #[cfg(feature = "auth")] auth: Option<super::authenticator::AuthConfig>,
    ) -> Http {
        let client = HttpClient::simulated(network, &settings).expect("a good URL");
        #[cfg(feature = "auth")]
        let auth = auth.map(|auth| super::Authenticator::new(auth, &settings, runtime));
        let shared = HttpShared::new(
            settings,
            #[cfg(feature = "auth")]
            auth,
        );
        shared.has(Arc::new(client));
        Http { runtime: Arc::clone(runtime), shared, opening: Mutex::new(None) }
    }

    /// What the server calls the session.
    pub(crate) fn session_name(&self) -> Option<String> {
        let link = self.link()?;
        // In 2024-11-05 the place of its messages names it.
        let named =
            link.target().address().target().split_once("session_id=").map(|(_, name)| name.to_owned());
        link.session().map(|session| session.as_str().to_owned()).or(named)
    }
}
