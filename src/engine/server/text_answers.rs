//! Answers of tools that are one block of text. The library writes such a result itself, so that nothing of it has to be
//! checked, and writes it once.

use super::effect::{Effect, Now, Sent};
use super::requests::Request;
use super::results;
use super::router::Server;
use crate::json;
use crate::protocol::{Era, meta, method, write};

impl<H: Clone> Server<H> {
    /// Answers with one block of text.
    ///
    /// # Errors
    /// What the method or the tool promises and a text is not. Nothing was sent then.
    pub(super) fn respond_with_text(
        &mut self,
        now: Now,
        request: &Request<H>,
        text: &str,
    ) -> Result<(), String> {
        let is_promised = request.output.is_some() && self.settings.check_results;
        if is_promised || request.task.is_some() || request.method != method::TOOLS_CALL {
            return self.respond_with(now, request, &results::tool_text(text), None);
        }
        let is_modern = request.context.era() == Era::Modern;
        let info = Some(self.settings.info.as_str()).filter(|_| self.settings.name_in_results);
        let room = if is_modern { 80 + info.map_or(0, str::len) } else { 0 };
        let frame = write::text_result(request.id.text(), text, room, |out| {
            if !is_modern {
                return;
            }
            out.extend_from_slice(b",\"resultType\":\"complete\"");
            if let Some(info) = info {
                out.extend_from_slice(b",\"");
                out.extend_from_slice(meta::META.as_bytes());
                out.extend_from_slice(b"\":{\"");
                out.extend_from_slice(meta::SERVER_INFO.as_bytes());
                out.extend_from_slice(b"\":");
                json::one_line_into(info, out);
                out.push(b'}');
            }
        });
        self.counters.results += 1;
        let (to, frame) = (request.stream, frame.text);
        self.effects.push_back(Effect::Send { to, frame, sent: Sent::Answer(None) });
        Ok(())
    }
}
