//! Answers at the wrong time: late, after the cancellation, in reverse, or never, because the process is dead.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use super::{Tool, t};
use crate::script::Death;
use crate::session::{Call, Session};
use crate::{message, posix};

pub const TOOLS: &[Tool] = &[
    t("hang", "{}", "Never answers.", |_, _| {}),
    t("late", "{ms}", "Answers after ms.", late),
    t(
        "late_after_cancel",
        "{}",
        "Answers only when notifications/cancelled for it comes.",
        late_after_cancel,
    ),
    t(
        "crash",
        "{after_ms?, code?, signal?, answer?}",
        "Dies in the call; answer: true answers first.",
        crash,
    ),
    t("hold", "{n}", "Answers at once; the next n answers are kept and sent in reverse order.", hold),
    t("pause_reading", "{ms}", "Answers, and then reads no stdin for ms.", pause_reading),
    t("stdout_close", "{}", "Closes stdout instead of an answer, and lives on.", stdout_close),
];

fn late(session: &Arc<Session>, call: &Call) {
    let call = call.clone();
    let wait = call.milliseconds("ms").unwrap_or_default();
    session.later(wait, move |session| session.answer(&call, message::text("late")));
}

fn late_after_cancel(session: &Arc<Session>, call: &Call) {
    session.memory().wait_for_cancel.push(call.clone());
}

/// The second half of `late_after_cancel`.
pub fn cancelled(session: &Session, id: &Value) {
    let mut memory = session.memory();
    let waiting = memory.wait_for_cancel.iter().position(|call| call.id == *id);
    let call = waiting.map(|place| memory.wait_for_cancel.remove(place));
    drop(memory);
    if let Some(call) = call {
        session.answer(&call, message::text("answered after its cancellation"));
    }
}

fn crash(session: &Arc<Session>, call: &Call) {
    let small = |name| call.number(name).and_then(|number| i32::try_from(number).ok());
    let death = small("signal").map_or(Death::Exit(small("code").unwrap_or(1)), Death::Signal);
    if call.flag("answer") == Some(true) {
        session.answer(call, message::text("about to die"));
    }
    match call.milliseconds("after_ms") {
        Some(wait) if wait > Duration::ZERO => session.later(wait, move |_| death.die()),
        _ => death.die(),
    }
}

fn hold(session: &Arc<Session>, call: &Call) {
    let wanted = call.size("n").unwrap_or(0);
    session.answer(call, message::text(format!("holding {wanted}")));
    session.memory().hold = wanted;
}

fn pause_reading(session: &Arc<Session>, call: &Call) {
    session.memory().pause = call.milliseconds("ms");
    session.answer(call, message::text("reading pauses"));
}

fn stdout_close(_: &Arc<Session>, _: &Call) {
    posix::close_stdout();
}
