//! Where a server serves: the standard streams of the process, or a socket.

use super::endpoint_keys::StreamKeys;
#[cfg(feature = "http")]
use super::endpoint_keys::UrlKeys;
use super::unbound::unbound;
use crate::config::define::Definition as _;
use crate::config::fields::{Fields, parse_object, wrong};
use crate::engine::{Error, Status};
use crate::runtime::server::{Ends, Serving};
use crate::transport::socket::SocketAddress;
use crate::transport::socket::listen::Listener;
use crate::transport::standard_streams::StandardStreams;
use std::sync::Arc;

#[cfg(feature = "http")]
use super::http::{HttpSettings, UrlEndpoint};

/// Serves at an endpoint: `{"stdio":true}`, `{"url":"http://HOST:PORT/PATH"}`, or `{"socket":"unix:PATH"}` or
/// `{"socket":"tcp:HOST:PORT"}`; a Unix socket with `"same_user":true` takes no client of another user. Gives where.
pub(super) fn serve(
    serving: &Arc<Serving>,
    #[cfg(feature = "http")] http: &HttpSettings,
    text: &str,
) -> Result<String, Error> {
    let object = parse_object(text, "endpoint")?;
    let mut fields = Fields::new("", &object);
    let StreamKeys { stdio, protect, socket, beyond_loopback, same_user } = StreamKeys::read(&mut fields)?;
    #[cfg(feature = "http")]
    let url = UrlEndpoint::of(UrlKeys::read(&mut fields)?)?;
    fields.finish()?;
    serving.may_serve()?;
    #[cfg(feature = "http")]
    if let Some(url) = url {
        if stdio == Some(true) || socket.is_some() {
            return Err(wrong("url", "an endpoint has one of \"stdio\", \"url\" and \"socket\""));
        }
        let (url, sse) = url.serve(serving, http, beyond_loopback)?;
        let mut bound = serde_json::json!({ "url": url });
        if let Some(sse) = sse {
            bound["sse"] = sse.into();
        }
        return Ok(bound.to_string());
    }
    match (stdio, socket) {
        (Some(true), None) => {
            let taken = StandardStreams::take(protect)
                .map_err(|refused| Error::new(Status::Unavailable, "server_serve", refused.message))?;
            serving.add_stream(Ends {
                input: taken.input,
                output: taken.output,
                streams: Some(taken.streams),
            })?;
            Ok("{\"stdio\":true}".to_owned())
        }
        (None | Some(false), Some(address)) => {
            let address = SocketAddress::parse_to_listen(&address).map_err(|why| wrong("socket", why))?;
            if same_user && matches!(address, SocketAddress::Tcp { .. }) {
                return Err(wrong(
                    "same_user",
                    "the system knows the user of a client over a Unix socket only",
                ));
            }
            let mut listener = Listener::bind(&address, beyond_loopback).map_err(unbound)?;
            if same_user {
                listener.only_this_user();
            }
            let bound = serde_json::json!({ "socket": listener.address().to_string() }).to_string();
            let beside_it = listener.beside(&address);
            serving.add_listener(listener)?;
            if let Some(other) = beside_it {
                // Without it clients find the first.
                let _listens = serving.add_listener(other);
            }
            Ok(bound)
        }
        _ => Err(wrong("stdio", "an endpoint is {\"stdio\":true}, or has a \"url\" or a \"socket\"")),
    }
}
