//! Values, documents and builders at random: live ones, those of what was freed, and numbers that are made up.

use crate::Input;
use mcp::ffi::*;
use std::ffi::{CStr, c_char};
use std::ptr;

/// What there was, and the value that a program is at.
#[derive(Default)]
pub struct Values {
    documents: Vec<*mut mcp_document_t>,
    builders: Vec<*mut mcp_builder_t>,
    at: Option<mcp_value_t>,
}

/// Something at random of what there was, or NULL.
fn pick<T>(handles: &[*mut T], input: &mut Input<'_>) -> *mut T {
    handles.get(input.below(8)).copied().unwrap_or(ptr::null_mut())
}

/// What a function lends: all of it is UTF-8 if the value is not made up.
fn lent(text: *const c_char, length: usize, made_up: bool) {
    if !text.is_null() {
        // SAFETY: so much of it is lent.
        let bytes = unsafe { std::slice::from_raw_parts(text.cast::<u8>(), length) };
        assert!(made_up || std::str::from_utf8(bytes).is_ok());
    }
}

impl Values {
    pub fn step(
        &mut self,
        input: &mut Input<'_>,
        message: *const mcp_message_t,
        one: *const c_char,
        two: *const c_char,
    ) {
        match input.below(4) {
            0 => self.read(input, message, one),
            1 => self.begin(input, one),
            _ => self.write(input, one, two),
        }
    }

    fn begin(&mut self, input: &mut Input<'_>, text: *const c_char) {
        if input.bool() {
            let mut out = ptr::null_mut();
            // SAFETY: it ends with a NUL.
            let length = if text.is_null() { 7 } else { unsafe { CStr::from_ptr(text) }.count_bytes() };
            if mcp_document_new(text, length, &raw mut out, ptr::null_mut()) == MCP_OK {
                self.documents.push(out);
                self.at = Some(mcp_document_value(out));
            }
        } else if self.builders.len() < 4 {
            self.builders.push(mcp_builder_new());
        }
        if input.byte() < 20 {
            mcp_document_free(pick(&self.documents, input));
            mcp_builder_free(pick(&self.builders, input));
        }
    }

    fn read(&mut self, input: &mut Input<'_>, message: *const mcp_message_t, name: *const c_char) {
        let value = match self.at {
            Some(value) if input.byte() < 200 => value,
            _ => mcp_message_value(message),
        };
        let made_up = input.byte() < 16;
        let value = if made_up {
            // SAFETY: any numbers will do, and there are four; the owner stays, or hardly anything would be found.
            unsafe {
                let mut numbers: [usize; 4] = std::mem::transmute(value);
                numbers[1 + input.below(3)] = usize::try_from(input.number()).unwrap_or(3);
                std::mem::transmute::<[usize; 4], mcp_value_t>(numbers)
            }
        } else {
            value
        };
        let (mut length, mut integer, mut double, mut boolean) = (0, 0, 0.0, false);
        let json = mcp_value_json(value, &raw mut length);
        lent(json, length, made_up);
        lent(mcp_value_view(value, &raw mut length), length, made_up);
        let text = mcp_value_string(value, &raw mut length);
        lent(text, length, made_up);
        // SAFETY: a text ends with a NUL.
        assert!(text.is_null() || unsafe { *text.add(length) } == 0);
        let _ = (mcp_value_int64(value, &raw mut integer), mcp_value_double(value, &raw mut double));
        let _ = (mcp_value_bool(value, &raw mut boolean), mcp_value_is(value, name), mcp_value_type(value));
        let index = input.below(5);
        let next = match input.below(5) {
            0 => mcp_value_get(value, name),
            1 => mcp_value_at(value, index),
            2 => mcp_value_next(value),
            3 => mcp_value_key(value),
            _ => mcp_value_first(value),
        };
        // Made-up positions may be inside of a value, where something begins and nothing ends.
        let is_empty = mcp_value_type(mcp_value_first(value)) == MCP_JSON_ABSENT;
        assert!(made_up || is_empty == (mcp_value_size(value) == 0));
        self.at = (!made_up).then_some(next);
    }

    fn write(&mut self, input: &mut Input<'_>, one: *const c_char, two: *const c_char) {
        let builder = pick(&self.builders, input);
        // SAFETY: it ends with a NUL.
        let length = if one.is_null() { 3 } else { unsafe { CStr::from_ptr(one) }.count_bytes() };
        match input.below(18) {
            0 | 1 => mcp_builder_begin_object(builder),
            2 | 3 | 5 => mcp_builder_end(builder),
            4 => mcp_builder_begin_array(builder),
            6 => mcp_builder_key(builder, one),
            7 => mcp_builder_key_view(builder, one, length),
            8 => mcp_builder_string(builder, two),
            9 => mcp_builder_string_view(builder, one, length),
            10 => mcp_builder_int64(builder, input.number().cast_signed()),
            11 => mcp_builder_double(builder, f64::from_bits(input.number())),
            12 => mcp_builder_json(builder, two),
            13 => self.at.into_iter().for_each(|value| mcp_builder_value(builder, value)),
            14 => mcp_builder_bool(builder, input.bool()),
            15 => mcp_builder_null(builder),
            _ => Self::finish(builder),
        }
    }

    fn finish(builder: *mut mcp_builder_t) {
        let (mut lent, mut length, mut error) = (ptr::null(), 0, ptr::null_mut());
        let status = mcp_builder_finish(builder, &raw mut lent, &raw mut length, &raw mut error);
        assert_eq!(status == MCP_OK, error.is_null());
        if status == MCP_OK {
            // SAFETY: it ends with a NUL.
            let text = unsafe { CStr::from_ptr(lent) }.to_bytes();
            assert_eq!(text.len(), length);
            assert!(mcp::json::scan_value(text, 1000).is_ok(), "{}", text.escape_ascii());
        }
        mcp_string_free(error);
    }

    /// Frees everything; what was freed before is refused.
    pub fn end(&mut self) {
        for document in self.documents.drain(..) {
            mcp_document_free(document);
            assert_eq!(mcp_document_free(document), MCP_ERROR_INVALID_ARGUMENT);
        }
        for builder in self.builders.drain(..) {
            mcp_builder_free(builder);
            assert_eq!(mcp_builder_free(builder), MCP_ERROR_INVALID_ARGUMENT);
        }
        self.at = None;
    }
}
