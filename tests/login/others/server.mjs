// An MCP server behind the authorization server of the TypeScript SDK of major version 1, on one port of this machine.
//
//   server.mjs demo|proxy [UPSTREAM]
//
// "demo" has the provider in memory of the SDK's examples, which renews no token, made to renew them; "proxy" the SDK's provider that
// passes all but revocations on to the authorization server at UPSTREAM, and asks that about tokens. Prints the URL of the MCP server and runs
// until it is killed, or 300 s. For POST /control see server.py.
import { createServer } from "node:http";
import { randomUUID } from "node:crypto";

import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { getOAuthProtectedResourceMetadataUrl, mcpAuthRouter } from "@modelcontextprotocol/sdk/server/auth/router.js";
import { requireBearerAuth } from "@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js";
import { InvalidGrantError, InvalidTokenError } from "@modelcontextprotocol/sdk/server/auth/errors.js";
import { ProxyOAuthServerProvider } from "@modelcontextprotocol/sdk/server/auth/providers/proxyProvider.js";
import { DemoInMemoryAuthProvider } from "@modelcontextprotocol/sdk/examples/server/demoInMemoryOAuthProvider.js";
import express from "express";
import * as z from "zod";

setTimeout(() => process.exit(1), 300_000);
const [, , kind, upstream] = process.argv;
const state = { ttl: 3600 };
const counts = { registrations: 0, codes: 0, refreshes: 0, revocations: 0 };
const app = express();
const server = createServer(app);
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const base = `http://127.0.0.1:${server.address().port}`;
const resource = new URL("/mcp", base);

/** The demo's provider, which renews and revokes tokens, too. */
class Renewing extends DemoInMemoryAuthProvider {
    refreshes = new Map();

    issue(tokens) {
        const { token, clientId } = [...this.tokens.values()].at(-1);
        this.tokens.get(token).expiresAt = Date.now() + state.ttl * 1000;
        const refresh_token = randomUUID();
        this.refreshes.set(refresh_token, clientId);
        return { ...tokens, expires_in: state.ttl, refresh_token };
    }

    async exchangeAuthorizationCode(client, code, verifier) {
        counts.codes += 1;
        return this.issue(await super.exchangeAuthorizationCode(client, code, verifier));
    }

    async exchangeRefreshToken(client, refresh, scopes) {
        if (this.refreshes.get(refresh) !== client.client_id) {
            throw new InvalidGrantError("the refresh token is not known");
        }
        counts.refreshes += 1;
        this.refreshes.delete(refresh);
        const token = randomUUID();
        this.tokens.set(token, { token, clientId: client.client_id, scopes: scopes ?? ["tools"], resource });
        return this.issue({ access_token: token, token_type: "bearer" });
    }

    async verifyAccessToken(token) {
        return super.verifyAccessToken(token).catch(() => {
            throw new InvalidTokenError("the token is not known");
        });
    }

    async revokeToken(client, { token }) {
        counts.revocations += 1;
        for (const known of [this.tokens, this.refreshes]) {
            known.delete(token);
        }
        for (const [own, { clientId }] of this.tokens) {
            if (clientId === client.client_id) {
                this.tokens.delete(own);
            }
        }
    }
}

const clients = new Map();
const form = (fields) => ({ method: "POST", body: new URLSearchParams(fields) });

/** The provider that passes on to another authorization server. */
function proxy() {
    const at = (path) => `${upstream}${path}`;
    const provider = new ProxyOAuthServerProvider({
        endpoints: {
            authorizationUrl: at("/authorize"),
            tokenUrl: at("/token"),
            registrationUrl: at("/register"),
        },
        getClient: async (id) => clients.get(id),
        verifyAccessToken: async (token) => {
            const said = await (await fetch(at("/introspect"), form({ token }))).json();
            if (!said.active) {
                throw new InvalidTokenError("the token is not known");
            }
            return { token, clientId: said.client_id, scopes: said.scope.split(" "), expiresAt: said.exp };
        },
    });
    const { registerClient } = provider.clientsStore;
    const store = {
        getClient: async (id) => clients.get(id),
        registerClient: async (client) => {
            const made = await registerClient(client);
            counts.registrations += 1;
            clients.set(made.client_id, made);
            return made;
        },
    };
    Object.defineProperty(provider, "clientsStore", { value: store });
    return provider;
}

const demo = () => {
    const provider = new Renewing();
    const { clientsStore } = provider;
    const register = clientsStore.registerClient.bind(clientsStore);
    clientsStore.registerClient = (client) => {
        counts.registrations += 1;
        return register(client);
    };
    return provider;
};

const provider = kind === "proxy" ? proxy() : demo();

app.use(mcpAuthRouter({ provider, issuerUrl: new URL(base), resourceServerUrl: resource, scopesSupported: ["tools"] }));
app.post("/control", express.json(), (req, res) => {
    const { ttl, revoke, client } = req.body;
    state.ttl = ttl ?? state.ttl;
    if (revoke !== undefined) {
        provider.tokens.clear();
    }
    if (revoke === "all") {
        provider.refreshes.clear();
    }
    if (client !== undefined) {
        const { id, secret, redirect } = client;
        provider.clientsStore.clients.set(id, { client_id: id, client_secret: secret, redirect_uris: [redirect] });
    }
    res.json(counts);
});
const resourceMetadataUrl = getOAuthProtectedResourceMetadataUrl(resource);
app.all("/mcp", requireBearerAuth({ verifier: provider, requiredScopes: [], resourceMetadataUrl }), express.json(), async (req, res) => {
    const mcp = new McpServer({ name: "behind-a-login", version: "1.0.0" });
    const said = async ({ text }) => ({ content: [{ type: "text", text }] });
    mcp.registerTool("echo", { description: "Says what it is told", inputSchema: { text: z.string() } }, said);
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
    res.on("close", () => transport.close());
    await mcp.connect(transport);
    await transport.handleRequest(req, res, req.body);
});
console.log(resource.href);
