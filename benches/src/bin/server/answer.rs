//! What the server says. Each answer is a fixed head, the id of the request, and a fixed rest; only `echo`
//! copies 64 bytes more. The text of `big` is built at its first request and then kept, ready for the wire.

use crate::request::Keys;
use mcp_bench::text::{self, LEGACY_REVISION, MODERN_REVISION};

/// Which handshake the server speaks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Era {
    /// `initialize`.
    Legacy,
    /// `server/discover`, metadata in every request.
    Modern,
}

/// What is left to do after a frame was answered.
pub enum Reply {
    /// The whole answer is in the buffer, or none was needed.
    Done,
    /// The buffer ends with the head of a big answer: [`Answers::body`] and then this come after it.
    Body(&'static [u8]),
}

/// The answers of one era.
pub struct Answers {
    keys: Keys,
    era: Era,
    echo: &'static [u8],
    body: Vec<u8>,
    body_is: Option<(usize, bool)>,
}

const HEAD: &[u8] = b"{\"jsonrpc\":\"2.0\",\"id\":";
const TEXT_LEGACY: &[u8] = b",\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"";
const TEXT_MODERN: &[u8] =
    b",\"result\":{\"resultType\":\"complete\",\"content\":[{\"type\":\"text\",\"text\":\"";
const TAIL: &[u8] = b"\"}]}}\n";

const TOOLS: &str = r#"[{"name":"echo","description":"Gives the text back","inputSchema":{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}},{"name":"big","description":"Gives much text","inputSchema":{"type":"object","properties":{"bytes":{"type":"integer"},"escapes":{"type":"boolean"}},"required":["bytes"]}}]"#;
const SERVER: &str = r#"{"name":"mcp-bench-server","version":"1.0.0"}"#;

impl Answers {
    pub fn new(era: Era) -> Self {
        let echo = if era == Era::Legacy { TEXT_LEGACY } else { TEXT_MODERN };
        Self { keys: Keys::new(), era, echo, body: Vec::new(), body_is: None }
    }

    /// The text of the last big answer, escaped for JSON.
    pub fn body(&self) -> &[u8] {
        &self.body
    }

    /// Appends the answer to one frame.
    pub fn answer(&mut self, frame: &[u8], out: &mut Vec<u8>) -> Reply {
        // Notifications need no answer.
        let Some(id) = self.keys.id(frame) else { return Reply::Done };
        out.extend_from_slice(HEAD);
        out.extend_from_slice(id);
        match self.keys.method(frame) {
            // Some writers escape the slash.
            Some(b"tools/call" | br"tools\/call") => {
                if let Some(text) = self.keys.text(frame) {
                    out.extend_from_slice(self.echo);
                    out.extend_from_slice(text);
                    out.extend_from_slice(TAIL);
                    return Reply::Done;
                }
                if let Some(wanted) = self.keys.big(frame) {
                    if self.body_is != Some(wanted) {
                        self.body = text::escaped(&text::repeated(wanted.0, wanted.1)).into_bytes();
                        self.body_is = Some(wanted);
                    }
                    out.extend_from_slice(self.echo);
                    return Reply::Body(TAIL);
                }
                error(-32602, "unknown tool or arguments", out);
            }
            method => self.seldom(method.unwrap_or_default(), out),
        }
        Reply::Done
    }

    /// The answers that are asked for once in a connection's life.
    fn seldom(&self, method: &[u8], out: &mut Vec<u8>) {
        let complete = if self.era == Era::Modern {
            format!(
                r#""resultType":"complete","ttlMs":0,"cacheScope":"private","_meta":{{"io.modelcontextprotocol/serverInfo":{SERVER}}},"#
            )
        } else {
            String::new()
        };
        let result = match (method, self.era) {
            (b"initialize", Era::Legacy) => {
                format!(
                    r#""protocolVersion":"{LEGACY_REVISION}","capabilities":{{"tools":{{}}}},"serverInfo":{SERVER}"#
                )
            }
            (b"server/discover", Era::Modern) => {
                format!(
                    r#"{complete}"supportedVersions":["{MODERN_REVISION}"],"capabilities":{{"tools":{{}}}}"#
                )
            }
            (b"tools/list" | br"tools\/list", _) => format!(r#"{complete}"tools":{TOOLS}"#),
            (b"ping", Era::Legacy) => String::new(),
            _ => return error(-32601, "method not found", out),
        };
        out.extend_from_slice(format!(",\"result\":{{{result}}}}}\n").as_bytes());
    }
}

fn error(code: i32, message: &str, out: &mut Vec<u8>) {
    out.extend_from_slice(format!(",\"error\":{{\"code\":{code},\"message\":\"{message}\"}}}}\n").as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(era: Era, frame: &str) -> String {
        let mut out = Vec::new();
        Answers::new(era).answer(frame.as_bytes(), &mut out);
        String::from_utf8(out).expect("answers are text")
    }

    #[test]
    fn each_era_refuses_the_handshake_of_the_other() {
        let discover = r#"{"id":1,"method":"server/discover"}"#;
        let initialize = r#"{"id":1,"method":"initialize"}"#;
        assert!(answer(Era::Legacy, discover).contains("-32601"));
        assert!(answer(Era::Modern, initialize).contains("-32601"));
        assert!(answer(Era::Legacy, initialize).contains(LEGACY_REVISION));
        assert!(answer(Era::Modern, discover).contains(MODERN_REVISION));
    }

    #[test]
    fn echo_gives_back_the_text_with_the_id() {
        let frame =
            r#"{"params":{"arguments":{"text":"hello"},"name":"echo"},"method":"tools/call","id":"a"}"#;
        let escaped = frame.replace("tools/call", r"tools\/call");
        assert_eq!(answer(Era::Legacy, frame), answer(Era::Legacy, &escaped));
        assert_eq!(
            answer(Era::Legacy, frame),
            "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"hello\"}]}}\n"
        );
    }

    #[test]
    fn big_leaves_the_text_beside_the_head() {
        let mut answers = Answers::new(Era::Modern);
        let mut out = Vec::new();
        let reply = answers
            .answer(br#"{"id":1,"method":"tools/call","params":{"bytes":70000,"escapes":true}}"#, &mut out);
        assert!(matches!(reply, Reply::Body(TAIL)));
        assert!(answers.body().len() > 80000);
        assert!(out.ends_with(b"\"text\":\""));
    }
}
