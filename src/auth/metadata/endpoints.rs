//! Whose endpoints a metadata document names: a code or a secret of one server must not go to another.

use super::Server;
use crate::auth::client::DEVICE_CODE;
use crate::auth::failure::{Failure, LoginStep, shown};
use crate::auth::url_policy::Policy;
use crate::protocol::address::{Address, Origin};

const DEVICE_ENDPOINT: &str = "device_authorization_endpoint";

/// The endpoint that a person's login begins at, with its name in the metadata.
type Begins<'a> = (&'static str, Option<&'a Address>);

impl Server {
    /// Whether the code flow may use these endpoints. The issuer's own document names them, so that it decides where its codes and
    /// secrets go. But a hostile issuer that names the authorization or the registration endpoint of an honest server gets the code
    /// of that one at its own token endpoint (mix-up, RFC 9700, section 4.4). That is noticed where each answer names its server
    /// (RFC 9207), and permitted where the application itself names the issuer. The same holds for the codes of a device, whose answers
    /// name no server.
    pub(in crate::auth) fn check_endpoints(
        &self,
        named_by_application: bool,
        device: Option<&Address>,
    ) -> Result<(), Failure> {
        let begins = device.map_or(self.for_codes(), |url| (DEVICE_ENDPOINT, Some(url)));
        let Some(token) = self
            .token
            .as_ref()
            .map(Address::origin)
            .filter(|_| !named_by_application || self.issuer.fallback)
        else {
            return Ok(());
        };
        let own = Address::parse(&self.issuer.name).ok();
        match self.third_party(token, own.as_ref().map(Address::origin), begins) {
            None => Ok(()),
            Some(("authorization_endpoint", _)) if self.says_issuer => Ok(()),
            Some((kind, origin)) => Err(Failure::new(
                LoginStep::ServerMetadata,
                "endpoints",
                format!(
                    "the metadata of '{issuer}' names a '{kind}' at {origin} and the 'token_endpoint' at {token}: a code or a \
                     secret of the one would be sent to the other. If you trust '{issuer}' with that, put its name into \
                     'auth.issuer'; its operator can set 'authorization_response_iss_parameter_supported' (RFC 9207), or have \
                     the endpoint at the origin of the issuer or of the token endpoint",
                    issuer = shown(&self.issuer.name)
                ),
            )
            .values(&token.to_string(), &origin.to_string())),
        }
    }

    /// The endpoint, and its origin, that is neither at the origin of the token endpoint nor at the server's own. The one that
    /// registers clients comes first: nothing makes up for it.
    pub(super) fn third_party<'a>(
        &'a self,
        token: &Origin,
        own: Option<&Origin>,
        begins: Begins<'a>,
    ) -> Option<(&'static str, &'a Origin)> {
        let endpoints = [("registration_endpoint", self.registration.as_ref()), begins];
        let mut origins = endpoints.into_iter().filter_map(|(kind, url)| Some((kind, url?.origin())));
        origins.find(|(_, origin)| *origin != token && Some(*origin) != own)
    }

    /// Where the code flow begins.
    pub(super) fn for_codes(&self) -> Begins<'_> {
        ("authorization_endpoint", self.authorization.as_ref())
    }

    /// Whether a device may log in there.
    pub(in crate::auth) fn offers_device(&self) -> bool {
        self.device.is_some() && self.takes_device_codes()
    }

    fn takes_device_codes(&self) -> bool {
        self.grants.as_ref().is_none_or(|grants| grants.iter().any(|grant| grant == DEVICE_CODE))
    }

    /// Where a device gets its codes (RFC 8628, section 4). It is never guessed.
    pub(in crate::auth) fn device_endpoint(&self, policy: &Policy) -> Result<Address, Failure> {
        let failed = |check: &'static str, what: &str| {
            let message = format!(
                "'{}' logs no devices in: {what}. \"flow\":\"browser\" in 'auth' logs in with a browser that is sent back to the \
                 application",
                shown(&self.issuer.name)
            );
            Failure::new(LoginStep::ServerMetadata, check, message)
        };
        let Some(url) = &self.device else {
            return Err(failed(DEVICE_ENDPOINT, "its metadata has no 'device_authorization_endpoint'"));
        };
        if !self.takes_device_codes() {
            let listed = self.grants.clone().unwrap_or_default().join(", ");
            let what = format!("its 'grant_types_supported' lacks '{DEVICE_CODE}'");
            return Err(failed("grant_types_supported", &what).values(DEVICE_CODE, &listed));
        }
        policy.place(LoginStep::ServerMetadata, DEVICE_ENDPOINT, url)
    }
}
