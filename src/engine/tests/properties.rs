//! Rules that hold whatever the order of things.
