//! Whose endpoints a metadata document names: a code or a secret of one server must not go to another.

use super::Server;
use crate::auth::failure::{Failure, LoginStep, shown};
use crate::protocol::address::{Address, Origin};

impl Server {
    /// Whether the code flow may use these endpoints. The issuer's own document names them, so that it decides where its codes and
    /// secrets go. But a hostile issuer that names the authorization or the registration endpoint of an honest server gets the code
    /// of that one at its own token endpoint (mix-up, RFC 9700, section 4.4). That is noticed where each answer names its server
    /// (RFC 9207), and permitted where the application itself names the issuer.
    pub(in crate::auth) fn check_endpoints(&self, named_by_application: bool) -> Result<(), Failure> {
        let Some(token) = self.token.as_ref().map(Address::origin).filter(|_| !named_by_application) else {
            return Ok(());
        };
        let own = Address::parse(&self.issuer.name).ok();
        match self.third_party(token, own.as_ref().map(Address::origin)) {
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
    pub(super) fn third_party(
        &self,
        token: &Origin,
        own: Option<&Origin>,
    ) -> Option<(&'static str, &Origin)> {
        let endpoints =
            [("registration_endpoint", &self.registration), ("authorization_endpoint", &self.authorization)];
        let mut origins =
            endpoints.into_iter().filter_map(|(kind, url)| Some((kind, url.as_ref()?.origin())));
        origins.find(|(_, origin)| *origin != token && Some(*origin) != own)
    }
}
