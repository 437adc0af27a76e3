// The two servers of the login tests, in one process: an authorization server (oidc-provider, certified, not ours) and an MCP
// server (the official SDK) that takes its tokens only, which it asks the authorization server about (RFC 7662). Everything
// but the MCP server's gate is theirs.
//
// Prints "MCP_PORT AUTHORIZATION_PORT CONTROL_PORT" and runs until it is killed, or 300 s. The control port takes:
//   GET /stats    what was counted, see `count`
//   POST /set     any of the members of `state`, as JSON
//   POST /revoke  an administrator ends every login
//   POST /client  registers a client, the body its metadata; answers with what was registered
//   GET /collected         what was sent to endpoints that the MCP server claims
//   POST /revoke-access    ends every access token, and no refresh token
//   GET /authorizations    every header Authorization that came to the MCP server
import { createHash, randomUUID } from "node:crypto";
import { createServer } from "node:http";

import { toNodeHandler } from "@modelcontextprotocol/node";
import { McpServer, createMcpHandler } from "@modelcontextprotocol/server";
import { EmbeddedJWK, calculateJwkThumbprint, jwtVerify } from "jose";
import { Provider, errors } from "oidc-provider";
import * as z from "zod";

const state = {
    /** How long a token lasts, in seconds. */
    ttl: 3600,
    /** "before": what the token endpoint is sent stays unread; "after": it is done, and the answer kept back. */
    hold: null,
    /** Whether the MCP server demands tokens that are bound to a key, and proofs with its nonce. */
    dpop: false,
    /** What the MCP server puts behind the name of its authorization server, and the host that it names. */
    slash: "",
    host: "127.0.0.1",
    /**
     * The MCP server drops its metadata as a resource and publishes a document that claims to be the authorization server's; at its
     * own origin are: "token" the token endpoint, "all" all endpoints.
     */
    claims: null,
    /** Another MCP server for which the authorization server gives tokens, by its URL. */
    other: null,
    /** Scopes that the MCP server asks for at first. */
    scope: "mcp:basic offline_access",
};

const stats = {};
const count = (name) => (stats[name] = (stats[name] ?? 0) + 1);

// Standard output is for the ports.
console.info = console.error;

const listen = (handler) =>
    new Promise((done) => {
        const server = createServer(handler);
        // Who says that nothing more comes still waits for the answer.
        server.httpAllowHalfOpen = true;
        server.listen(0, "127.0.0.1", () => done(server.address().port));
    });

const answer = (res, status, body, headers = {}) => {
    const text = JSON.stringify(body);
    res.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(text), ...headers });
    res.end(text);
};

// ---- the authorization server ---------------------------------------------------------------------------------------

let provider;
const authorizationPort = await listen((req, res) => {
    if (req.method === "POST" && req.url === "/token" && state.hold !== null) {
        const held = state.hold;
        if (held === "before") {
            count("held");
            return;
        }
        res.end = () => {
            count("held");
            return res;
        };
        res.write = () => true;
    }
    provider.callback()(req, res);
});
const issuer = `http://127.0.0.1:${authorizationPort}`;

const mcpPort = await listen((req, res) => mcp(req, res));
const resource = `http://127.0.0.1:${mcpPort}/mcp`;

const scopes = ["mcp:basic", "mcp:write"];
const asks = { client_id: "the-mcp-server", client_secret: "of-the-mcp-server" };

provider = new Provider(issuer, {
    clients: [
        { ...asks, redirect_uris: [], response_types: [], grant_types: [] },
        {
            client_id: "given beforehand",
            client_secret: "a+secret/with=signs",
            redirect_uris: [],
            response_types: [],
            grant_types: ["client_credentials"],
        },
        {
            client_id: "desktop",
            application_type: "native",
            token_endpoint_auth_method: "none",
            redirect_uris: ["http://127.0.0.1/callback"],
            grant_types: ["authorization_code", "refresh_token"],
        },
    ],
    cookies: { keys: [randomUUID()] },
    features: {
        clientCredentials: { enabled: true },
        dPoP: { enabled: true, nonceSecret: Buffer.alloc(32, 7), requireNonce: () => state.dpop },
        introspection: { enabled: true },
        registration: { enabled: true },
        revocation: { enabled: true },
        resourceIndicators: {
            enabled: true,
            getResourceServerInfo(_ctx, indicator) {
                if (indicator !== resource && indicator !== state.other) {
                    throw new errors.InvalidTarget();
                }
                return { scope: scopes.join(" "), accessTokenFormat: "opaque", accessTokenTTL: state.ttl };
            },
        },
    },
    rotateRefreshToken: true,
});

const grants = new Set();
provider.on("grant.success", (ctx) => {
    count(`granted_${ctx.oidc.params.grant_type}`);
    const grant = ctx.oidc.entities.Grant?.jti;
    if (grant !== undefined) {
        grants.add(grant);
    }
});
provider.on("grant.error", (ctx, error) => {
    count(`refused_${ctx.oidc.params?.grant_type}`);
    count(`error_${error.error}`);
});
provider.on("grant.revoked", () => count("grants_revoked"));
provider.on("authorization.error", (_ctx, error) => count(`error_${error.error}`));
provider.on("authorization.success", () => count("authorizations"));
provider.on("registration_create.success", () => count("registrations"));
provider.on("refresh_token.destroyed", () => count("refresh_tokens_destroyed"));
provider.on("server_error", (_ctx, error) => {
    count("server_errors");
    console.error(error);
});

async function revokeAll() {
    for (const grant of grants) {
        await Promise.all([
            provider.AccessToken.revokeByGrantId(grant),
            provider.RefreshToken.revokeByGrantId(grant),
            provider.AuthorizationCode.revokeByGrantId(grant),
        ]);
    }
    grants.clear();
}

// ---- the MCP server -------------------------------------------------------------------------------------------------

const said = (text) => ({ content: [{ type: "text", text }] });

function make() {
    const server = new McpServer({ name: "behind-a-login", version: "1.0.0" });
    server.registerTool("echo", { inputSchema: z.object({ text: z.string() }) }, async ({ text }) => said(text));
    server.registerTool("write", { inputSchema: z.object({}) }, async () => said("written"));
    return server;
}

const serve = toNodeHandler(createMcpHandler(make));
const seen = new Set();
let nonce = randomUUID();

/** What is wrong with the proof of a request (RFC 9449, section 4.3), or null. */
async function faultOfProof(req, token, thumbprint) {
    try {
        const { payload, protectedHeader } = await jwtVerify(req.headers.dpop ?? "", EmbeddedJWK, { typ: "dpop+jwt", algorithms: ["ES256"] });
        const ath = createHash("sha256").update(token).digest("base64url");
        const isAbout = payload.htm === req.method && payload.htu === resource && payload.ath === ath;
        if (!isAbout || seen.has(payload.jti) || Math.abs(payload.iat - Date.now() / 1000) > 60) {
            return "invalid_dpop_proof";
        }
        if ((await calculateJwkThumbprint(protectedHeader.jwk)) !== thumbprint) {
            return "invalid_token";
        }
        if (payload.nonce !== nonce) {
            return "use_dpop_nonce";
        }
        seen.add(payload.jti);
        return null;
    } catch {
        return "invalid_dpop_proof";
    }
}

async function introspect(token) {
    const authorization = `Basic ${Buffer.from(`${asks.client_id}:${asks.client_secret}`).toString("base64")}`;
    const body = new URLSearchParams({ token });
    const found = await fetch(`${issuer}/token/introspection`, { method: "POST", headers: { authorization }, body });
    return found.json();
}

function challenge(res, status, scheme, values) {
    count(values.error === undefined ? "challenged" : `challenged_${values.error}`);
    const metadata = `http://127.0.0.1:${mcpPort}/.well-known/oauth-protected-resource/mcp`;
    const all = state.claims === null ? { ...values, resource_metadata: metadata } : values;
    const text = Object.entries(all).map(([name, value]) => `${name}="${value}"`).join(", ");
    answer(res, status, { error: values.error ?? "unauthorized" }, { "www-authenticate": `${scheme} ${text}` });
}

/** A document of the MCP server about an authorization server that it is not, and the endpoints that it has for what it gets. */
async function claimed(req, res) {
    const own = `http://127.0.0.1:${mcpPort}`;
    const others = state.claims === "all" ? own : issuer;
    if (req.url === "/.well-known/oauth-authorization-server") {
        return answer(res, 200, {
            issuer,
            authorization_endpoint: others === own ? `${own}/authorize` : `${issuer}/auth`,
            registration_endpoint: others === own ? `${own}/register` : `${issuer}/reg`,
            token_endpoint: `${own}/token`,
            revocation_endpoint: `${own}/revoke`,
            response_types_supported: ["code"],
            code_challenge_methods_supported: ["S256"],
        });
    }
    let body = "";
    for await (const chunk of req) {
        body += chunk;
    }
    collected.push(`${req.method} ${req.url} ${req.headers.authorization ?? ""} ${body}`);
    answer(res, 404, {});
}

const collected = [];
const authorizations = new Set();
const [used, ended] = [new Set(), new Set()];

async function mcp(req, res) {
    if (state.claims !== null && req.url !== "/mcp") {
        return claimed(req, res);
    }
    if (req.url === "/.well-known/oauth-protected-resource/mcp") {
        return answer(res, 200, {
            resource,
            authorization_servers: [issuer.replace("127.0.0.1", state.host) + state.slash],
            scopes_supported: scopes,
            ...(state.dpop ? { dpop_bound_access_tokens_required: true } : {}),
        });
    }
    if (req.url !== "/mcp") {
        return answer(res, 404, {});
    }
    authorizations.add(req.headers.authorization ?? "");
    const wanted = state.dpop ? "DPoP" : "Bearer";
    const [scheme, token] = (req.headers.authorization ?? "").split(" ");
    if (token === undefined) {
        return challenge(res, 401, wanted, { scope: state.scope });
    }
    const found = await introspect(token);
    used.add(token);
    const fits = found.active && !ended.has(token) && (found.aud === resource || found.aud?.includes?.(resource));
    if (!fits || scheme !== wanted) {
        return challenge(res, 401, wanted, { error: "invalid_token", scope: state.scope });
    }
    if (state.dpop) {
        const fault = await faultOfProof(req, token, found.cnf?.jkt);
        if (fault !== null) {
            res.setHeader("dpop-nonce", nonce);
            return challenge(res, 401, wanted, { error: fault, algs: "ES256" });
        }
    }
    if (req.headers["mcp-name"] === "write" && !found.scope?.split(" ").includes("mcp:write")) {
        return challenge(res, 403, wanted, { error: "insufficient_scope", scope: "mcp:write" });
    }
    count("served");
    return serve(req, res);
}

// ---- control --------------------------------------------------------------------------------------------------------

const controlPort = await listen(async (req, res) => {
    let body = "";
    for await (const chunk of req) {
        body += chunk;
    }
    if (req.url === "/set") {
        Object.assign(state, JSON.parse(body));
    } else if (req.url === "/revoke") {
        await revokeAll();
    } else if (req.url === "/revoke-access") {
        used.forEach((token) => ended.add(token));
    } else if (req.url === "/authorizations") {
        return answer(res, 200, [...authorizations], { connection: "close" });
    } else if (req.url === "/collected") {
        return answer(res, 200, collected, { connection: "close" });
    } else if (req.url === "/new-nonce") {
        nonce = randomUUID();
    } else if (req.url === "/client") {
        const headers = { "content-type": "application/json" };
        const registered = await fetch(`${issuer}/reg`, { method: "POST", headers, body });
        return answer(res, registered.ok ? 200 : registered.status, await registered.json(), { connection: "close" });
    }
    answer(res, 200, stats, { connection: "close" });
});

console.log(`${mcpPort} ${authorizationPort} ${controlPort}`);
setTimeout(() => process.exit(1), 300_000).unref();
process.stdin.on("end", () => process.exit(0)).resume();
