//! Tests of the JSON layer. `grammar`, `scanning`, `strings`, `lookups`, `cursor` and `writing` say by example what it does;
//! `long_strings` holds the fast ways through a string to a slow one at every boundary they have; `properties` holds
//! everything to `serde_json`, on text that `arbitrary` makes.

mod arbitrary;
mod decimal;
mod lookups;
mod nodes;
mod properties;
mod scanning;
mod strings;
mod writing;
