//! Registrations of clients whose login has not ended yet. They are kept as soon as they are made: the next login uses them again, and
//! registers no other. A server that has forgotten one tells only the browser, so that one which leads to no login is given up.

use crate::auth::client::Client;
use crate::auth::issuer::Issuer;

/// How many are kept for one MCP server.
pub(super) const MOST: usize = 4;
/// How many logins may begin with one and not end.
const MOST_USES: u64 = 3;

#[derive(Clone, Debug)]
pub(super) struct Registration {
    pub issuer: Issuer,
    pub client: Client,
    /// How many logins began with it.
    pub uses: u64,
}

/// All of one MCP server, the newest first.
#[derive(Clone, Debug, Default)]
pub(super) struct Registrations(pub Vec<Registration>);

impl Registrations {
    fn of<'a>(&'a self, issuer: &'a Issuer) -> impl Iterator<Item = &'a Registration> {
        self.0.iter().filter(move |own| own.issuer == *issuer)
    }

    pub fn clients<'a>(&'a self, issuer: &'a Issuer) -> impl Iterator<Item = &'a Client> {
        self.of(issuer).map(|own| &own.client)
    }

    /// Whether a client has led to no login too often.
    pub fn is_given_up(&self, issuer: &Issuer, client: &Client) -> bool {
        self.of(issuer).any(|own| own.client.id == client.id && own.uses >= MOST_USES)
    }

    /// A login begins with a client.
    pub fn begins(&mut self, issuer: &Issuer, client: &Client) {
        let uses = self.of(issuer).find(|own| own.client.id == client.id).map_or(0, |own| own.uses);
        self.ends(issuer, client);
        self.0.insert(0, Registration { issuer: issuer.clone(), client: client.clone(), uses: uses + 1 });
        self.0.truncate(MOST);
    }

    /// A login with this client has ended well: it is kept with that.
    pub fn ends(&mut self, issuer: &Issuer, client: &Client) {
        self.0.retain(|own| own.issuer != *issuer || own.client.id != client.id);
    }

    /// The server knows none of them any more.
    pub fn forget(&mut self, issuer: &Issuer) {
        self.0.retain(|own| own.issuer != *issuer);
    }
}
