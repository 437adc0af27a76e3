//! docs/reference/configuration.json says what the definitions of a client say.

use super::keys::{ClientKeys, FeatureOptions, HttpKeys, QueueBounds};
use super::options::CallKeys;
use super::telemetry::TelemetryKeys;
use super::{auth, endpoint};
use crate::config::define::Definition;
use crate::config::documented::{compare, objects};
use serde_json::{Map, Value};

/// The keys of each object, by the object's name.
fn definitions() -> Map<String, Value> {
    type Client = (endpoint::ServerKeys, (endpoint::ProcessKeys, (HttpKeys, (auth::AuthKey, ClientKeys))));
    objects([
        ("client", Client::describe("")),
        ("queue", QueueBounds::describe("")),
        ("call", CallKeys::describe("")),
        ("feature_call", FeatureOptions::describe("")),
        ("telemetry", TelemetryKeys::describe("")),
    ])
}

#[test]
fn the_documents_have_every_defined_key_with_its_bounds_and_default() {
    compare(&definitions());
}
