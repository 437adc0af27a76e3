//! `cargo xtask bindings`: what the bindings for other languages take from `include/mcp.h`, from the keys of configurations, from the
//! method table and from the official schemas, written from these and never by hand. A test compares what is committed with what they say.
//!
//! A further binding adds templates, and a module that says how its language spells the types of a [`model::Model`].
//!
//! The files:
//!
//! * `constants`, `functions`: the numbers and the functions in the header
//! * `go_types`, `java_types`, `python_types`, `swift_types`, `typescript`: how each language spells the types of the model
//! * `json`: reads JSON
//! * `keys`: the types of configurations and options
//! * `methods`: the method table
//! * `model`: what types are made from
//! * `named`: what is written by hand has a function for each method
//! * `schema`: the types of the protocol
//! * `stage`: where the bindings find the library
//! * `templates`: fills in the templates of the files, which lie in a folder of the same name
//! * `types`: the types of the model as the templates see them

mod constants;
mod functions;
mod go_types;
mod java_types;
mod json;
mod keys;
mod methods;
mod model;
mod named;
mod python_types;
mod schema;
mod stage;
mod swift_types;
mod templates;
mod types;
mod typescript;

use serde_json::json;

use self::constants::Constants;
use self::methods::Method;
use crate::checkout::{Checkout, read, write as write_file};

pub use named::every_method as name_every_method;
pub use stage::{Staged, prefix, stage};

/// A file of a binding, below `bindings`, and its text.
struct Written {
    place: String,
    text: String,
}

fn files(checkout: &Checkout) -> Result<Vec<Written>, String> {
    let header = read(&checkout.header())?;
    let constants = Constants::of(&header)?;
    let protocol = schema::read_all(checkout)?;
    let keys = keys::read_all(checkout, &protocol.model)?;
    let methods = methods::read_all(checkout)?;
    let mut context =
        templates::of_header(&constants, &functions::of(&header)?, &functions::declarations(&header));
    context["methods"] = methods.iter().map(Method::seen).collect();
    context["errors"] = json!(protocol.errors);
    context["go"] = go_types::types(&keys, &protocol.model);
    context["java"] = java_types::types(&keys, &protocol.model);
    context["python"] = python_types::types(&keys, &protocol.model);
    context["swift"] = swift_types::types(&keys, &protocol.model);
    context["typescript"] = typescript::types(&keys, &protocol.model);
    templates::fill_in(checkout, &context)
}

/// `cargo xtask bindings`
pub fn write(checkout: &Checkout) -> Result<(), String> {
    for Written { place, text } in files(checkout)? {
        write_file(&checkout.root.join("bindings").join(&place), &text)?;
        println!("wrote bindings/{place}");
    }
    Ok(())
}

/// `cargo xtask bindings --check`: compares the committed files with new ones.
pub fn check(checkout: &Checkout) -> Result<(), String> {
    for Written { place, text } in files(checkout)? {
        if read(&checkout.root.join("bindings").join(&place))? != text {
            return Err(format!("bindings/{place} is out of date; run `cargo xtask bindings` and commit it"));
        }
    }
    Ok(())
}
