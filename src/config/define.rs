//! The definition of a configuration object: type, bound, default and documentation of each key stand once. Reading comes from it, and
//! so does docs/reference/configuration.json (`cargo xtask config`).

use super::fields::Fields;
use crate::engine::Error;

/// A type of value: how it is read, and which Rust type it becomes. `kinds.rs` has the common ones.
pub(crate) trait Kind {
    /// What the key is read as.
    type Value;

    /// The value of `key`; `None` if it is absent.
    fn read(&self, fields: &mut Fields<'_>, key: &'static str) -> Result<Option<Self::Value>, Error>;

    /// Replaces the default in `slot` by the value of `key`, if there is one. One function for all keys of a kind, and no result: with
    /// the code of an early return for each key, the definitions of a client weighed 12 KiB more (the library without features).
    #[inline(never)]
    fn put(&self, fields: &mut Fields<'_>, key: &'static str, slot: &mut Self::Value) {
        match self.read(fields, key) {
            Ok(Some(value)) => *slot = value,
            Ok(None) => {}
            Err(error) => fields.fail(error),
        }
    }

    /// Its type, bounds and unit, as JSON members.
    #[cfg(test)]
    fn describe(&self) -> serde_json::Value;

    /// A default as the configuration would write it; `null` if it has no such form.
    #[cfg(test)]
    fn shown(&self, _value: &Self::Value) -> serde_json::Value {
        serde_json::Value::Null
    }

    /// The keys of the object that this key has, whose names begin with `at`.
    #[cfg(test)]
    fn members(&self, _at: &str) -> Vec<serde_json::Value> {
        Vec::new()
    }
}

/// An object that `settings!` defines.
pub(crate) trait Definition: Default {
    /// The names of its keys.
    const KEYS: &'static [&'static str];

    /// Reads the keys; those of other definitions may stand beside them.
    fn read(fields: &mut Fields<'_>) -> Result<Self, Error>;

    /// Each key with its type, bounds, default and documentation. Their names begin with `at`.
    #[cfg(test)]
    fn describe(at: &str) -> Vec<serde_json::Value>;
}

/// Two definitions whose keys are members of one object.
impl<A: Definition, B: Definition> Definition for (A, B) {
    const KEYS: &'static [&'static str] = A::KEYS;

    fn read(fields: &mut Fields<'_>) -> Result<(A, B), Error> {
        Ok((A::read(fields)?, B::read(fields)?))
    }

    #[cfg(test)]
    fn describe(at: &str) -> Vec<serde_json::Value> {
        [A::describe(at), B::describe(at)].concat()
    }
}

/// The key that an identifier stands for: `r#type` is `type`.
pub(crate) const fn key_of(identifier: &'static str) -> &'static str {
    match identifier.as_bytes() {
        [b'r', b'#', rest @ ..] => match std::str::from_utf8(rest) {
            Ok(key) => key,
            Err(_) => identifier,
        },
        _ => identifier,
    }
}

/// Defines a configuration object: for each key its documentation, the Rust type it becomes, its kind and its default, and what the
/// pages say in place of a default that has no form of its own.
macro_rules! settings {
    ($(#[$about:meta])* $name:ident {
        $($(#[doc = $meaning:literal])+ $key:ident: $value:ty = $kind:expr, $default:expr $(, $shown:literal)?;)+
    }) => {
        $(#[$about])*
        #[allow(clippy::struct_field_names, reason = "the fields are the keys, whose unit is in the name")]
        pub(crate) struct $name { $($(#[doc = $meaning])+ pub(crate) $key: $value,)+ }

        impl Default for $name {
            fn default() -> $name {
                $name { $($key: $default,)+ }
            }
        }

        impl crate::config::define::Definition for $name {
            const KEYS: &'static [&'static str] =
                &[$(crate::config::define::key_of(stringify!($key)),)+];

            fn read(
                fields: &mut crate::config::fields::Fields<'_>,
            ) -> Result<$name, crate::engine::Error> {
                let mut keys = $name::default();
                $(crate::config::define::Kind::put(
                    &$kind,
                    fields,
                    const { crate::config::define::key_of(stringify!($key)) },
                    &mut keys.$key,
                );)+
                fields.outcome()?;
                Ok(keys)
            }

            #[cfg(test)]
            fn describe(at: &str) -> Vec<serde_json::Value> {
                let mut keys = Vec::new();
                $({
                    let name = format!("{at}{}", crate::config::define::key_of(stringify!($key)));
                    let mut key = crate::config::define::Kind::describe(&$kind);
                    if key["unit"].is_null()
                        && key["type"] == "integer"
                        && let Some(unit) = crate::config::documented::unit(&name)
                    {
                        key["unit"] = unit.into();
                    }
                    key["default"] = crate::config::define::Kind::shown(&$kind, &$default);
                    $(key["default_text"] = $shown.into();)?
                    key["description"] = concat!($($meaning),+).trim().into();
                    let members = crate::config::define::Kind::members(&$kind, &format!("{name}."));
                    key["key"] = name.into();
                    keys.push(key);
                    keys.extend(members);
                })+
                keys
            }
        }
    };
}
pub(crate) use settings;
