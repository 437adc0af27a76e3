//! Registries of servers: what they send are texts of strangers, of a bounded size, and nothing of a server is started.
//!
//! The files:
//!
//! * `api`: `Registry`: requests, answers that are kept, errors
//! * `record`: `server.json`: its form, and what it asks for
//! * `search`: `search`
//! * `add`: `add` of a server of a registry
//! * `steering`: what a record may not choose besides its package
//! * `publish`: `publish`
//! * `login`: logins at a registry
//! * `download`: a file at a URL

mod add;
mod api;
mod download;
mod login;
mod publish;
mod record;
mod search;
mod steering;

pub use add::add;
pub use download::download;
pub use publish::publish;
pub use record::is_name;
pub use search::search;
