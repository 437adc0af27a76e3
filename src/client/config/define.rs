//! The definition of a configuration object: type, bound, default and documentation of each key stand once. Reading comes from it, and
//! tests compare the tables of docs/configuration.md with it and write docs/configuration.json.

use super::fields::{Fields, saturating_u32, size};
use crate::engine::Error;
use std::time::Duration;

/// A type of value: how it is read, and which Rust type it becomes.
pub(super) trait Kind {
    /// What the key is read as.
    type Value;

    /// The value of `key`; `None` if it is absent.
    fn read(&self, fields: &mut Fields<'_>, key: &'static str) -> Result<Option<Self::Value>, Error>;

    /// Its type, bounds and unit, as JSON members.
    #[cfg(test)]
    fn describe(&self) -> serde_json::Value;

    /// A default as the configuration would write it.
    #[cfg(test)]
    fn shown(&self, value: &Self::Value) -> serde_json::Value;
}

/// A whole number, or a number of bytes.
pub(super) struct Size(pub(super) u64, pub(super) u64);
/// A whole number of attempts.
pub(super) struct Count(pub(super) u32, pub(super) u32);
/// A time in milliseconds.
pub(super) struct Millis;
/// True or false.
pub(super) struct Flag;
/// A number from 0 to 1.
pub(super) struct Share;
/// One of several words, and what each means.
pub(super) struct Choice<T: 'static>(pub(super) &'static [(&'static str, T)]);
/// A key whose absence means something of its own.
pub(super) struct Optional<K>(pub(super) K);

impl Kind for Size {
    type Value = usize;

    fn read(&self, fields: &mut Fields<'_>, key: &'static str) -> Result<Option<usize>, Error> {
        Ok(fields.integer(key, self.0, self.1)?.map(size))
    }

    #[cfg(test)]
    fn describe(&self) -> serde_json::Value {
        serde_json::json!({"type": "integer", "minimum": self.0, "maximum": self.1})
    }

    #[cfg(test)]
    fn shown(&self, value: &usize) -> serde_json::Value {
        (*value).into()
    }
}

impl Kind for Count {
    type Value = u32;

    fn read(&self, fields: &mut Fields<'_>, key: &'static str) -> Result<Option<u32>, Error> {
        Ok(fields.integer(key, self.0.into(), self.1.into())?.map(saturating_u32))
    }

    #[cfg(test)]
    fn describe(&self) -> serde_json::Value {
        serde_json::json!({"type": "integer", "minimum": self.0, "maximum": self.1})
    }

    #[cfg(test)]
    fn shown(&self, value: &u32) -> serde_json::Value {
        (*value).into()
    }
}

impl Kind for Millis {
    type Value = Duration;

    fn read(&self, fields: &mut Fields<'_>, key: &'static str) -> Result<Option<Duration>, Error> {
        fields.millis(key)
    }

    #[cfg(test)]
    fn describe(&self) -> serde_json::Value {
        serde_json::json!({"type": "integer", "minimum": 1, "maximum": super::fields::LONGEST_MS, "unit": "ms"})
    }

    #[cfg(test)]
    fn shown(&self, value: &Duration) -> serde_json::Value {
        u64::try_from(value.as_millis()).unwrap_or(u64::MAX).into()
    }
}

impl Kind for Flag {
    type Value = bool;

    fn read(&self, fields: &mut Fields<'_>, key: &'static str) -> Result<Option<bool>, Error> {
        fields.boolean(key)
    }

    #[cfg(test)]
    fn describe(&self) -> serde_json::Value {
        serde_json::json!({"type": "boolean"})
    }

    #[cfg(test)]
    fn shown(&self, value: &bool) -> serde_json::Value {
        (*value).into()
    }
}

impl Kind for Share {
    type Value = f64;

    fn read(&self, fields: &mut Fields<'_>, key: &'static str) -> Result<Option<f64>, Error> {
        fields.share(key)
    }

    #[cfg(test)]
    fn describe(&self) -> serde_json::Value {
        serde_json::json!({"type": "number", "minimum": 0, "maximum": 1})
    }

    #[cfg(test)]
    fn shown(&self, value: &f64) -> serde_json::Value {
        (*value).into()
    }
}

impl<T: Copy + PartialEq> Kind for Choice<T> {
    type Value = T;

    fn read(&self, fields: &mut Fields<'_>, key: &'static str) -> Result<Option<T>, Error> {
        let words: Vec<&'static str> = self.0.iter().map(|(word, _)| *word).collect();
        let chosen = fields.choice(key, &words)?;
        Ok(self.0.iter().find(|(word, _)| chosen == Some(*word)).map(|(_, meaning)| *meaning))
    }

    #[cfg(test)]
    fn describe(&self) -> serde_json::Value {
        let words: Vec<&str> = self.0.iter().map(|(word, _)| *word).collect();
        serde_json::json!({"type": "string", "enum": words})
    }

    #[cfg(test)]
    fn shown(&self, value: &T) -> serde_json::Value {
        self.0.iter().find(|(_, meaning)| meaning == value).map(|(word, _)| *word).into()
    }
}

impl<K: Kind> Kind for Optional<K> {
    type Value = Option<K::Value>;

    fn read(&self, fields: &mut Fields<'_>, key: &'static str) -> Result<Option<Self::Value>, Error> {
        Ok(self.0.read(fields, key)?.map(Some))
    }

    #[cfg(test)]
    fn describe(&self) -> serde_json::Value {
        self.0.describe()
    }

    #[cfg(test)]
    fn shown(&self, value: &Self::Value) -> serde_json::Value {
        value.as_ref().map_or(serde_json::Value::Null, |value| self.0.shown(value))
    }
}

/// Defines a configuration object: for each key its documentation, the Rust type it becomes, its kind and its default.
macro_rules! settings {
    ($(#[$about:meta])* $name:ident at $path:literal {
        $($(#[doc = $meaning:literal])+ $key:ident: $value:ty = $kind:expr, $default:expr;)+
    }) => {
        $(#[$about])*
        #[derive(Clone, Debug)]
        #[allow(clippy::struct_field_names, reason = "the fields are the keys, whose unit is in the name")]
        pub(super) struct $name { $($(#[doc = $meaning])+ pub(super) $key: $value,)+ }

        impl $name {
            /// Reads the keys; those of other objects may stand beside them.
            pub(super) fn read(fields: &mut Fields<'_>) -> Result<$name, Error> {
                Ok($name { $($key: define::Kind::read(&$kind, fields, stringify!($key))?.unwrap_or($default),)+ })
            }

            /// Each key with its type, bounds, default and documentation.
            #[cfg(test)]
            pub(super) fn describe() -> Vec<serde_json::Value> {
                vec![$({
                    let mut key = define::Kind::describe(&$kind);
                    key["key"] = concat!($path, stringify!($key)).into();
                    key["default"] = define::Kind::shown(&$kind, &$default);
                    key["description"] = concat!($($meaning),+).trim().into();
                    key
                },)+]
            }
        }
    };
}
pub(super) use settings;
