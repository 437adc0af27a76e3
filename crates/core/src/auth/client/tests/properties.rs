//! Any input in any order: nothing panics, every login ends, and a code goes nowhere unless every check held. Waiting calls.

use super::world::{Person, World, address, interactive};
use crate::auth::client::settings::{GrantKind, Redirect, Settings};
use crate::auth::client::store::StoreFault;
use crate::auth::http::{Answer, Fault, Query, Request};
use crate::auth::{Access, Authorizer, Challenges, Effect, Given, Refusal, Secret, StoreCommand, Timestamp};
use crate::testing::site::{AS, AS_DOCUMENT, MCP, PRM, Server, Site, answer, form};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

#[derive(Clone, Debug)]
enum Event {
    Access,
    Refused { status: u16, challenge: String, nonce: Option<String>, current: bool },
    Accepted,
    Answered { right: bool, status: u16, body: Vec<u8> },
    Faulted,
    Stored(Result<Option<String>, ()>),
    Saved(bool),
    Listening(bool),
    Complete { state: bool, iss: Option<String>, rest: String },
    Given(String),
    GiveUp,
    Forget,
    Pass(u64),
}

fn challenge() -> impl Strategy<Value = String> {
    prop_oneof![
        Just(format!("Bearer resource_metadata=\"{PRM}\"")),
        Just("DPoP error=\"use_dpop_nonce\"".to_owned()),
        Just("Bearer error=\"insufficient_scope\", scope=\"a\"".to_owned()),
        Just("Bearer error=\"insufficient_scope\", scope=\"b c\"".to_owned()),
        any::<String>(),
    ]
}

fn event() -> impl Strategy<Value = Event> {
    let body = prop_oneof![
        Just(br#"{"access_token":"t","token_type":"DPoP","expires_in":60,"refresh_token":"r"}"#.to_vec()),
        Just(br#"{"error":"invalid_client"}"#.to_vec()),
        Just(br#"{"error":"use_dpop_nonce"}"#.to_vec()),
        Just(b"{}".to_vec()),
        proptest::collection::vec(any::<u8>(), 0..60),
    ];
    let iss = prop_oneof![
        Just(None),
        Just(Some(AS.to_owned())),
        Just(Some("https://evil.example".to_owned())),
        Just(Some(format!("{AS}/"))),
    ];
    prop_oneof![
        3 => Just(Event::Access),
        3 => (prop_oneof![Just(401), Just(403), any::<u16>()], challenge(), any::<Option<String>>(), any::<bool>())
            .prop_map(|(status, challenge, nonce, current)| Event::Refused { status, challenge, nonce, current }),
        1 => Just(Event::Accepted),
        8 => (Just(true), Just(200), Just(Vec::new()))
            .prop_map(|(right, status, body)| Event::Answered { right, status, body }),
        2 => (Just(false), prop_oneof![Just(200), Just(302), Just(400), Just(404), any::<u16>()], body)
            .prop_map(|(right, status, body)| Event::Answered { right, status, body }),
        1 => Just(Event::Faulted),
        3 => prop_oneof![3 => Just(Ok(None)), 1 => Just(Err(())), 1 => any::<String>().prop_map(|text| Ok(Some(text)))]
            .prop_map(Event::Stored),
        2 => any::<bool>().prop_map(Event::Saved),
        2 => any::<bool>().prop_map(Event::Listening),
        3 => (any::<bool>(), iss, prop_oneof![Just("code=c".to_owned()), Just("error=e".to_owned()), "[a-z=&%]{0,12}"])
            .prop_map(|(state, iss, rest)| Event::Complete { state, iss, rest }),
        1 => any::<String>().prop_map(Event::Given),
        1 => Just(Event::GiveUp),
        1 => Just(Event::Forget),
        1 => prop_oneof![Just(1), Just(61), Just(301), any::<u32>().prop_map(u64::from)].prop_map(Event::Pass),
    ]
}

/// What is under way, as a driver knows it, and what must hold.
struct Driver {
    auth: Authorizer,
    now: Timestamp,
    pending: Option<Request>,
    wants: Option<&'static str>,
    state: Option<String>,
    /// How often the code may go out: not before the prompt was answered with everything right, then once, and once more
    /// for each nonce.
    earned: u32,
    locked: bool,
    requests: u32,
    advertised: bool,
}

impl Driver {
    fn new(settings: Settings, advertised: bool) -> Driver {
        Driver {
            auth: Authorizer::new(settings, &address(MCP)),
            now: Timestamp { at: Instant::now(), unix: 1_800_000_000 },
            pending: None,
            wants: None,
            state: None,
            earned: 0,
            locked: false,
            requests: 0,
            advertised,
        }
    }

    fn right(&self, request: &Request) -> Answer {
        let mut server = Server::new(AS).document();
        server["authorization_response_iss_parameter_supported"] = self.advertised.into();
        let documents = [
            (PRM, json!({ "resource": MCP, "authorization_servers": [AS] })),
            (AS_DOCUMENT, server),
            ("https://as.example/register", json!({ "client_id": "me" })),
            (
                "https://as.example/token",
                json!({ "access_token": "t", "token_type": "Bearer", "expires_in": 60, "refresh_token": "r" }),
            ),
        ];
        let url = request.url.to_string();
        let found = documents.iter().find(|(own, _)| *own == url);
        found.map_or(answer(404, &Value::Null), |(_, document)| answer(200, document))
    }

    fn play(&mut self, event: Event) {
        match event {
            Event::Access => drop(self.auth.access("POST", &address(MCP), self.now)),
            Event::Refused { status, challenge, nonce, current } => {
                let challenges = Challenges::parse([challenge.as_str()]);
                let generation = u64::from(current);
                let nonce = nonce.as_deref();
                let operation = "tools/call x";
                let refusal =
                    Refusal { status, challenges, nonce, peer: None, generation, operation, refusals: 1 };
                let _ = self.auth.refused(&refusal, self.now);
            }
            Event::Accepted => self.auth.accepted(1, "tools/call x", None),
            Event::Answered { right, status, body } => {
                let Some(request) = self.pending.take() else {
                    self.auth.answered(u64::MAX, Ok(Answer::default()), self.now);
                    return;
                };
                let headers =
                    vec![("DPoP-Nonce".to_owned(), "n".to_owned()), ("location".to_owned(), "/x".to_owned())];
                let answer = if right { self.right(&request) } else { Answer { status, headers, body } };
                self.auth.answered(request.id, Ok(answer), self.now);
            }
            Event::Faulted => {
                if let Some(request) = self.pending.take() {
                    self.auth.answered(request.id, Err(Fault::TimedOut), self.now);
                }
            }
            Event::Stored(content) => {
                let waited = matches!(self.wants, Some("load" | "lock"));
                let locks = self.wants == Some("lock");
                if waited {
                    self.wants = None;
                    let content = content
                        .map(|text| text.map(Secret::new))
                        .map_err(|()| StoreFault::Failed("x".into()));
                    let got = content.is_ok();
                    let taken = self.auth.stored(locks, content, self.now);
                    self.locked = locks && got && taken;
                }
            }
            Event::Saved(good) => {
                if self.wants == Some("save") {
                    self.wants = None;
                    let result = if good { Ok(()) } else { Err(StoreFault::Failed("x".into())) };
                    self.auth.saved(result, self.now);
                }
            }
            Event::Listening(good) => {
                self.auth.listening(if good { Ok(4711) } else { Err("taken".into()) }, self.now);
            }
            Event::Complete { state, iss, rest } => {
                let own = if state { self.state.clone().unwrap_or_default() } else { "guess".to_owned() };
                let said = iss.as_ref().map(|iss| format!("&iss={iss}")).unwrap_or_default();
                let good = state
                    && self.state.is_some()
                    && rest == "code=c"
                    && match &iss {
                        Some(iss) => iss == AS,
                        None => !self.advertised,
                    };
                self.earned = if good { 3 } else { self.earned };
                let result = self.auth.complete(&format!("?{rest}&state={own}{said}"), self.now);
                assert!(good || result.is_err());
                if state {
                    self.state = None;
                }
            }
            Event::Given(text) => {
                let _ = self.auth.given(&Given { text: Secret::new(text), lasts: None }, self.now);
            }
            Event::GiveUp => self.auth.give_up("enough", self.now),
            Event::Forget => self.auth.forget(self.now),
            Event::Pass(seconds) => {
                self.now.at += Duration::from_secs(seconds);
                self.now.unix += seconds;
                self.auth.tick(self.now);
            }
        }
    }

    /// Looks at everything that comes out.
    fn check(&mut self) {
        for _ in 0..100 {
            let Some(effect) = self.auth.effect() else { return };
            match effect {
                Effect::Http(request) => {
                    self.requests += 1;
                    assert!(self.requests <= 32, "one login, so many requests");
                    if form(&request).contains_key("code") {
                        assert!(self.earned > 0, "a code went out that was not checked");
                        self.earned -= 1;
                    }
                    self.pending = Some(request);
                }
                Effect::Store(command) => match command {
                    StoreCommand::Load => self.wants = Some("load"),
                    StoreCommand::Lock => {
                        assert!(!self.locked);
                        self.wants = Some("lock");
                    }
                    StoreCommand::Save(_) => {
                        // The lock goes with it.
                        assert!(std::mem::take(&mut self.locked));
                        self.wants = Some("save");
                    }
                    StoreCommand::Unlock => assert!(std::mem::take(&mut self.locked)),
                },
                Effect::Prompt(prompt) => {
                    assert!(prompt.url.expose().starts_with("https://as.example/authorize?"));
                    let query = Query::parse(prompt.url.expose().split_once('?').expect("a query").1);
                    self.state = query.one("state").expect("once").map(|state| state.expose().to_owned());
                    self.earned = 0;
                }
                Effect::Ready | Effect::Failed(_) | Effect::Forgotten(_) => {
                    self.requests = 0;
                    self.state = None;
                    self.earned = 0;
                }
                Effect::Listen(_) | Effect::Ask(_) | Effect::Withdraw | Effect::Warning(_) => {}
            }
        }
        panic!("it never ends");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn no_order_of_events_breaks_a_login(
        events in proptest::collection::vec(event(), 0..120),
        advertised in any::<bool>(),
        listens in any::<bool>(),
    ) {
        let settings = if listens {
            Settings { grant: GrantKind::Interactive { redirect: Redirect::default() }, ..Settings::default() }
        } else {
            interactive()
        };
        let mut driver = Driver::new(settings, advertised);
        for event in events {
            driver.play(event);
            driver.check();
        }
        // Whatever was under way comes to an end in its time, when the time is told as it was asked for: the person's part, and
        // behind it a logout that waited for tokens, which has a limit of its own.
        let begun = driver.now.at;
        while let Some(deadline) = driver.auth.deadline() {
            let (patience, limit) = (Settings::default().patience, Settings::default().limit);
            prop_assert!(deadline <= begun + patience + limit, "it goes on for {:?}", deadline - begun);
            driver.now.at = driver.now.at.max(deadline);
            driver.play(Event::Pass(0));
            driver.check();
        }
    }
}

fn access(world: &mut World) -> Access {
    world.auth.access("POST", &address(MCP), world.now)
}

#[test]
fn a_login_under_way_holds_back_only_what_the_server_refused() {
    let mut world = World::new(Site::new(), interactive());
    world.holds = Some(PRM.to_owned());
    assert_eq!(world.call("tools/call closed").expect_err("no metadata").check, "pending");
    assert_eq!(access(&mut world), Access::Open, "another tool may want no token");
    assert_eq!(world.call("tools/call closed").expect_err("refused, too").check, "pending");
    assert_eq!(world.documents().len(), 1, "one login for both");
    world.release();
    world.call("tools/call closed").expect("with its token");
    // A login that is there is renewed before anything goes out.
    world.pass(3595);
    world.holds = Some("https://as.example".to_owned());
    assert_eq!(access(&mut world), Access::Wait);
}

#[test]
fn a_login_for_which_no_call_waits_ends_and_the_next_call_begins_another() {
    let mut world = World::new(Site::new(), interactive());
    world.holds = Some(PRM.to_owned());
    world.call("tools/call").expect_err("no metadata");
    assert!(world.auth.nobody_waits(world.now));
    world.pump();
    assert_eq!(world.failures.last().map(|failure| failure.check), Some("time"));
    assert!(!world.auth.nobody_waits(world.now), "it has ended");
    assert!(world.auth.deadline().is_none());
    assert_eq!(access(&mut world), Access::Open, "what ended so is not remembered");
    world.release();
    assert!(world.prompts.is_empty(), "the late answer changes nothing");
    world.call("tools/call").expect("another login");
    assert_eq!(world.prompts.len(), 1);
}

#[test]
fn what_is_good_once_is_awaited_although_no_call_waits() {
    let mut world = World::new(Site::new(), interactive());
    world.holds = Some("https://as.example/token".to_owned());
    world.call("tools/call").expect_err("no token yet");
    assert!(!world.auth.nobody_waits(world.now), "the code of the person is on its way");
    world.release();
    world.call("tools/call").expect("with the token");
    assert_eq!(world.prompts.len(), 1);
    let mut world = World::new(Site::new(), interactive());
    world.person = Person::Ignores;
    world.call("tools/call").expect_err("the person has not logged in");
    assert!(!world.auth.nobody_waits(world.now), "a person may take longer than a call");
}
