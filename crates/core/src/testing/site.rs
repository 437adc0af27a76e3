//! The servers: one MCP server, and authorization servers that check what they are sent.

use crate::auth::http::{Answer, Method, Query, Request};
use crate::auth::jose::{self, base64, claims, from_base64url};
use ring::signature::{ECDSA_P256_SHA256_FIXED, UnparsedPublicKey, VerificationAlgorithm};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, HashMap, HashSet};

pub const MCP: &str = "https://mcp.example/mcp";
pub const PRM: &str = "https://mcp.example/.well-known/oauth-protected-resource/mcp";
pub const AS: &str = "https://as.example";
pub const AS_DOCUMENT: &str = "https://as.example/.well-known/oauth-authorization-server";

/// What a token is good for.
#[derive(Clone, Debug)]
pub struct Issued {
    pub issuer: String,
    pub scope: String,
    pub client: String,
    pub resource: Option<String>,
    /// Whether a proof came with the request for it.
    pub bound: bool,
}

/// A code that waits to be redeemed.
#[derive(Clone, Debug)]
pub struct Code {
    pub query: HashMap<String, String>,
    pub issuer: String,
}

/// How an authorization server answers in the browser.
#[derive(Clone, Debug)]
pub enum Iss {
    Absent,
    Is(String),
    Twice,
}

/// An authorization server.
#[derive(Clone, Debug)]
pub struct Server {
    pub issuer: String,
    /// Where its endpoints are.
    pub base: String,
    pub iss: Iss,
    /// The one way to authenticate that its token endpoint takes.
    pub method: Option<String>,
    /// What it answers to others.
    pub unproven: Answer,
    /// Ids and secrets it knows.
    pub clients: HashMap<String, Option<String>>,
    pub refreshes: HashMap<String, Issued>,
    pub rotates: bool,
    pub expires_in: Option<u64>,
    pub nonce: Option<String>,
    /// What the next requests to the token endpoint are answered with instead.
    pub token_faults: Vec<Answer>,
    pub register_faults: Vec<Answer>,
    pub device_faults: Vec<Answer>,
    pub revoke_faults: Vec<Answer>,
}

impl Server {
    pub fn new(issuer: &str) -> Server {
        Server {
            issuer: issuer.to_owned(),
            base: issuer.trim_end_matches('/').to_owned(),
            iss: Iss::Absent,
            method: None,
            unproven: error(401, "invalid_client"),
            clients: HashMap::new(),
            refreshes: HashMap::new(),
            rotates: true,
            expires_in: Some(3600),
            nonce: None,
            token_faults: Vec::new(),
            register_faults: Vec::new(),
            device_faults: Vec::new(),
            revoke_faults: Vec::new(),
        }
    }

    /// Its metadata, with everything that a good one has.
    pub fn document(&self) -> Value {
        json!({
            "issuer": self.issuer,
            "authorization_endpoint": format!("{}/authorize", self.base),
            "token_endpoint": format!("{}/token", self.base),
            "registration_endpoint": format!("{}/register", self.base),
            "response_types_supported": ["code"],
            "code_challenge_methods_supported": ["S256"],
        })
    }
}

/// All servers of a test.
pub struct Site {
    pub documents: BTreeMap<String, Value>,
    /// Other answers to a GET.
    pub answers: BTreeMap<String, Answer>,
    pub servers: Vec<Server>,
    pub codes: HashMap<String, Code>,
    /// Codes of devices that wait, and whether the person has entered the code that belongs to each.
    pub devices: HashMap<String, (Code, bool)>,
    pub tokens: HashMap<String, Issued>,
    pub revoked: HashSet<String>,
    /// `WWW-Authenticate` of a 401.
    pub challenge: String,
    /// Which scope an operation needs.
    pub needs: HashMap<String, String>,
    /// Whether the MCP server does not say which scope a token lacks.
    pub hides_scopes: bool,
    /// A scope that no token gets, whatever is asked for.
    pub withholds: Option<String>,
    /// `tools/call` needs another scope each time.
    pub moving_scope: Option<u32>,
    /// Whether the MCP server refuses every token.
    pub refuses_all: bool,
    pub takes_dpop: bool,
    pub resource_nonce: Option<String>,
    /// What else a device gets.
    pub device_members: Map<String, Value>,
    /// Ids of proofs that were used, which is once.
    pub proofs: HashSet<String>,
    counter: u32,
}

pub fn answer(status: u16, body: &Value) -> Answer {
    let headers = vec![("content-type".to_owned(), "application/json".to_owned())];
    Answer { status, headers, body: body.to_string().into_bytes() }
}

pub fn error(status: u16, code: &str) -> Answer {
    answer(status, &json!({ "error": code, "error_description": format!("it is {code}") }))
}

fn pairs(text: &str) -> HashMap<String, String> {
    let query = Query::parse(text);
    text.split('&')
        .filter_map(|pair| pair.split('=').next())
        .map(|name| {
            let value = query.one(name).expect("each parameter once").map(|value| value.expose().to_owned());
            (name.to_owned(), value.unwrap_or_default())
        })
        .collect()
}

/// The form of a request.
pub fn form(request: &Request) -> HashMap<String, String> {
    request.body.as_ref().map(|body| pairs(body.expose())).unwrap_or_default()
}

pub fn header(request: &Request, name: &str) -> Option<String> {
    request.headers.iter().find(|(own, _)| *own == name).map(|(_, value)| value.expose().to_owned())
}

impl Site {
    /// One MCP server, one authorization server, all documents where they belong.
    pub fn new() -> Site {
        let server = Server::new(AS);
        let mut site = Site {
            documents: BTreeMap::new(),
            answers: BTreeMap::new(),
            servers: Vec::new(),
            codes: HashMap::new(),
            devices: HashMap::new(),
            tokens: HashMap::new(),
            revoked: HashSet::new(),
            challenge: format!("Bearer resource_metadata=\"{PRM}\""),
            needs: HashMap::new(),
            hides_scopes: false,
            withholds: None,
            moving_scope: None,
            refuses_all: false,
            takes_dpop: false,
            resource_nonce: None,
            device_members: Map::new(),
            proofs: HashSet::new(),
            counter: 0,
        };
        site.documents.insert(PRM.to_owned(), json!({ "resource": MCP, "authorization_servers": [AS] }));
        site.documents.insert(AS_DOCUMENT.to_owned(), server.document());
        site.servers.push(server);
        site
    }

    pub fn server(&mut self) -> &mut Server {
        &mut self.servers[0]
    }

    /// Changes members of a document; `null` takes one out.
    pub fn change(&mut self, url: &str, members: &Value) {
        let document = self.documents.get_mut(url).and_then(Value::as_object_mut).expect("a document");
        for (name, value) in members.as_object().expect("members") {
            if value.is_null() {
                document.remove(name);
            } else {
                document.insert(name.clone(), value.clone());
            }
        }
    }

    fn number(&mut self) -> u32 {
        self.counter += 1;
        self.counter
    }

    /// Answers a request of the login.
    pub fn answer(&mut self, request: &Request) -> Answer {
        let url = request.url.to_string();
        if request.method == Method::Get {
            assert!(request.body.is_none() && header(request, "authorization").is_none());
            if let Some(answer) = self.answers.get(&url) {
                return answer.clone();
            }
            return match self.documents.get(&url) {
                Some(document) => answer(200, document),
                None => Answer { status: 404, ..Answer::default() },
            };
        }
        let Some(at) = self.servers.iter().position(|server| url.starts_with(&format!("{}/", server.base)))
        else {
            return Answer { status: 404, ..Answer::default() };
        };
        let mut server = self.servers[at].clone();
        let reply = match url.strip_prefix(&server.base) {
            Some("/register") => self.register(&mut server, request),
            Some("/token") => self.token(&mut server, request),
            Some("/device") => self.device(&mut server, request),
            Some("/revoke") if !server.revoke_faults.is_empty() => server.revoke_faults.remove(0),
            Some("/revoke") => {
                // Whether it knows the token or not (RFC 7009, section 2.2).
                server.refreshes.remove(&form(request)["token"]);
                answer(200, &Value::Null)
            }
            _ => Answer { status: 404, ..Answer::default() },
        };
        self.servers[at] = server;
        reply
    }

    fn register(&mut self, server: &mut Server, request: &Request) -> Answer {
        if !server.register_faults.is_empty() {
            return server.register_faults.remove(0);
        }
        let body: Map<String, Value> =
            serde_json::from_str(request.body.as_ref().expect("a body").expose()).expect("an object");
        let id = format!("client-{}", self.number());
        let method = server.method.clone().unwrap_or_else(|| "none".to_owned());
        let secret = (method != "none").then(|| format!("secret of {id}"));
        let mut reply = body.clone();
        reply.insert("client_id".to_owned(), id.as_str().into());
        reply.insert("token_endpoint_auth_method".to_owned(), method.into());
        if let Some(secret) = &secret {
            reply.insert("client_secret".to_owned(), secret.as_str().into());
        }
        server.clients.insert(id, secret);
        answer(201, &Value::Object(reply))
    }

    /// What a browser gets for the URL it opens: where it is sent back to.
    pub fn authorize(&mut self, url: &str) -> String {
        let (place, query) = url.split_once('?').expect("a query");
        let query = pairs(query);
        let server = self.servers.iter().find(|server| place == format!("{}/authorize", server.base));
        let server = server.expect("an authorization endpoint").clone();
        assert_eq!(query["response_type"], "code");
        assert_eq!(query["code_challenge_method"], "S256");
        assert_eq!(query["code_challenge"].len(), 43);
        assert!(query["state"].len() >= 32);
        let code = format!("code-{}", self.number());
        let (redirect_uri, state) = (query["redirect_uri"].clone(), query["state"].clone());
        self.codes.insert(code.clone(), Code { query, issuer: server.issuer.clone() });
        let iss = match server.iss {
            Iss::Absent => String::new(),
            Iss::Is(iss) => format!("&iss={}", crate::auth::http::encode(&iss)),
            Iss::Twice => format!("&iss={0}&iss={0}", crate::auth::http::encode(&server.issuer)),
        };
        format!("{redirect_uri}?code={code}&state={state}{iss}")
    }

    /// What a device gets to show.
    fn device(&mut self, server: &mut Server, request: &Request) -> Answer {
        if !server.device_faults.is_empty() {
            return server.device_faults.remove(0);
        }
        let form = form(request);
        let client = match authenticate(server, request, &form) {
            Ok(client) => client,
            Err(answer) => return answer,
        };
        let code = format!("device-{}", self.number());
        let query = HashMap::from([("client_id".to_owned(), client)]).into_iter().chain(form).collect();
        self.devices.insert(code.clone(), (Code { query, issuer: server.issuer.clone() }, false));
        let mut reply = json!({
            "device_code": code,
            "user_code": "WDJB-MJHT",
            "verification_uri": "https://as.example/enter",
            "expires_in": 200,
        });
        reply.as_object_mut().expect("an object").extend(self.device_members.clone());
        answer(200, &reply)
    }

    fn token(&mut self, server: &mut Server, request: &Request) -> Answer {
        if !server.token_faults.is_empty() {
            return server.token_faults.remove(0);
        }
        let form = form(request);
        assert_eq!(header(request, "content-type").as_deref(), Some("application/x-www-form-urlencoded"));
        let bound = match self.proof(request, server.nonce.as_deref()) {
            Ok(bound) => bound,
            Err(answer) => return answer,
        };
        let client = match authenticate(server, request, &form) {
            Ok(client) => client,
            Err(answer) => return answer,
        };
        let get = |name: &str| form.get(name).cloned();
        let mut issued = Issued {
            issuer: server.issuer.clone(),
            scope: get("scope").unwrap_or_default(),
            client: client.clone(),
            resource: get("resource"),
            bound,
        };
        match form.get("grant_type").map(String::as_str) {
            Some("authorization_code") => {
                let Some(code) = get("code").and_then(|code| self.codes.remove(&code)) else {
                    return error(400, "invalid_grant");
                };
                let verifier = get("code_verifier").unwrap_or_default();
                let same = code.query["code_challenge"] == jose::sha256(&verifier)
                    && get("redirect_uri").as_ref() == code.query.get("redirect_uri")
                    && code.query["client_id"] == client
                    && code.issuer == server.issuer;
                if !same {
                    return error(400, "invalid_grant");
                }
                let asked = code.query.get("scope").map(String::as_str).unwrap_or_default();
                let granted = asked.split(' ').filter(|word| Some(*word) != self.withholds.as_deref());
                issued.scope = granted.collect::<Vec<_>>().join(" ");
                assert_eq!(
                    code.query.get("resource"),
                    form.get("resource"),
                    "the same resource in both requests"
                );
            }
            Some("urn:ietf:params:oauth:grant-type:device_code") => {
                let code = get("device_code").unwrap_or_default();
                let Some((Code { query, issuer }, is_entered)) = self.devices.get(&code).cloned() else {
                    return error(400, "invalid_grant");
                };
                assert_eq!((&issuer, &query["client_id"]), (&server.issuer, &client));
                assert_eq!(query.get("resource"), form.get("resource"), "the same resource in both requests");
                if !is_entered {
                    return error(400, "authorization_pending");
                }
                self.devices.remove(&code);
                issued.scope = query.get("scope").cloned().unwrap_or_default();
            }
            Some("refresh_token") => {
                let token = get("refresh_token").unwrap_or_default();
                let Some(known) = server.refreshes.get(&token).cloned() else {
                    return error(400, "invalid_grant");
                };
                assert_eq!((&known.client, &known.issuer), (&client, &server.issuer));
                assert_eq!(known.resource, get("resource"), "the resource that it was issued for");
                if server.rotates {
                    server.refreshes.remove(&token);
                }
                issued.scope = known.scope;
            }
            Some("client_credentials") => {}
            Some("urn:ietf:params:oauth:grant-type:jwt-bearer") => {
                if get("assertion").is_none_or(|assertion| assertion.starts_with("wrong")) {
                    return error(400, "invalid_grant");
                }
            }
            Some("urn:ietf:params:oauth:grant-type:token-exchange") => {
                let kind = "urn:ietf:params:oauth:token-type:id-jag";
                assert_eq!(form["requested_token_type"], kind);
                return answer(
                    200,
                    &json!({ "access_token": "id-jag", "issued_token_type": kind, "token_type": "N_A" }),
                );
            }
            other => panic!("an unknown grant: {other:?}"),
        }
        let token = format!("token-{}", self.number());
        let refresh = format!("refresh-{}", self.number());
        let mut reply = json!({
            "access_token": token,
            "token_type": if bound { "DPoP" } else { "Bearer" },
        });
        if let Some(seconds) = server.expires_in {
            reply["expires_in"] = seconds.into();
        }
        if form["grant_type"] != "refresh_token" || server.rotates {
            reply["refresh_token"] = refresh.as_str().into();
            server.refreshes.insert(refresh, issued.clone());
        }
        self.tokens.insert(token, issued);
        answer(200, &reply)
    }

    /// Whether a good proof came; each is good once.
    fn proof(&mut self, request: &Request, nonce: Option<&str>) -> Result<bool, Answer> {
        let Some(proof) = header(request, "dpop") else { return Ok(false) };
        let (head, claims) = verify_with_own_key(&proof);
        assert_eq!((head["typ"].as_str(), claims["htm"].as_str()), (Some("dpop+jwt"), Some("POST")));
        assert_eq!(claims["htu"], request.url.to_string().as_str());
        assert!(!claims.contains_key("ath"));
        assert!(self.proofs.insert(claims["jti"].as_str().expect("an id").to_owned()), "a fresh proof");
        if nonce.is_some_and(|nonce| claims.get("nonce").and_then(Value::as_str) != Some(nonce)) {
            let mut answer = error(400, "use_dpop_nonce");
            answer.headers.push(("DPoP-Nonce".to_owned(), nonce.unwrap_or_default().to_owned()));
            return Err(answer);
        }
        Ok(true)
    }
}

/// Who asks; only the one way that the server takes is good.
fn authenticate(
    server: &Server,
    request: &Request,
    form: &HashMap<String, String>,
) -> Result<String, Answer> {
    let basic = header(request, "authorization");
    let method = match (&basic, form.get("client_secret"), form.get("client_assertion")) {
        (Some(_), None, None) if form.contains_key("client_id") => "client_secret_basic and client_id",
        (Some(_), None, None) => "client_secret_basic",
        (None, Some(_), None) => "client_secret_post",
        (None, None, Some(_)) => "private_key_jwt",
        (None, None, None) => "none",
        _ => panic!("two ways at once"),
    };
    if let Some(only) = &server.method
        && only != method
    {
        return Err(server.unproven.clone());
    }
    let grant = form.get("grant_type").map_or("", String::as_str);
    if grant.ends_with("jwt-bearer") && method == "none" && !form.contains_key("client_id") {
        return Ok(String::new());
    }
    if method == "private_key_jwt" {
        let claims = jose::claims(&form["client_assertion"]).expect("claims");
        assert_eq!(claims["aud"], server.issuer.as_str());
        assert_eq!(claims["iss"], claims["sub"]);
        return Ok(claims["sub"].as_str().expect("a subject").to_owned());
    }
    if let Some(id) = form.get("client_id").filter(|_| basic.is_none()) {
        let known = server.clients.get(id);
        let good = id.starts_with("https://")
            || known.is_some_and(|secret| secret.as_ref() == form.get("client_secret"));
        return if good { Ok(id.clone()) } else { Err(error(401, "invalid_client")) };
    }
    let header = basic.unwrap_or_default();
    let found = server.clients.iter().find(|(id, secret)| {
        let encode = crate::auth::http::encode;
        let pair = format!("{}:{}", encode(id), encode(secret.as_deref().unwrap_or_default()));
        header == format!("Basic {}", base64(pair.as_bytes()))
    });
    found.map(|(id, _)| id.clone()).ok_or_else(|| error(401, "invalid_client"))
}

/// Checks a P-256 signature against the key in the token's own header.
pub fn verify_with_own_key(token: &str) -> (Map<String, Value>, Map<String, Value>) {
    let header: Value =
        serde_json::from_slice(&from_base64url(token.split('.').next().expect("header")).expect("Base64"))
            .expect("JSON");
    let coordinate =
        |name: &str| from_base64url(header["jwk"][name].as_str().expect("a text")).expect("Base64");
    let mut point = vec![4];
    point.extend_from_slice(&coordinate("x"));
    point.extend_from_slice(&coordinate("y"));
    verify(&ECDSA_P256_SHA256_FIXED, &point, token);
    (header.as_object().expect("an object").clone(), claims(token).expect("claims"))
}

/// Checks a signature.
pub fn verify(algorithm: &'static dyn VerificationAlgorithm, key: &[u8], token: &str) {
    let (signed, signature) = token.rsplit_once('.').expect("three parts");
    UnparsedPublicKey::new(algorithm, key)
        .verify(signed.as_bytes(), &from_base64url(signature).expect("Base64"))
        .expect("a valid signature");
}
