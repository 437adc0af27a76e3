"""An MCP server behind the authorization server of a Python package, on one port of this machine.

    server.py sdk|fastmcp|fastmcp-proxy [UPSTREAM]

"sdk" is the official SDK, of major version 1 or 2; "fastmcp" FastMCP with its provider in memory, and "fastmcp-proxy" with its proxy
before the authorization server UPSTREAM, which knows the client "proxy" with the secret "of-the-proxy". Prints the URL of the MCP server
and runs until it is killed, or 300 s. POST /control takes the members of JSON:
  ttl     how long tokens last from now on, in seconds
  revoke  "access" ends every access token, "all" the refresh tokens, too
  client  {"id", "secret", "redirect"}: registers a client by hand
and answers with what was counted.
"""
import json
import os
import secrets
import socket
import sys
import threading
import time
import warnings

import uvicorn
from mcp.server.auth.provider import AccessToken, AuthorizationCode, RefreshToken, construct_redirect_uri
from mcp.server.auth.settings import AuthSettings, ClientRegistrationOptions, RevocationOptions
from mcp.shared.auth import OAuthClientInformationFull, OAuthToken
from starlette.requests import Request
from starlette.responses import JSONResponse

warnings.simplefilter("ignore")
KIND = sys.argv[1]
SCOPES = ["tools"]
threading.Timer(300, os._exit, [1]).start()
listener = socket.create_server(("127.0.0.1", 0))
base = f"http://127.0.0.1:{listener.getsockname()[1]}"
state = {"ttl": 3600}
counts = {"registrations": 0, "codes": 0, "refreshes": 0, "revocations": 0}


class Provider:
    """The part of the SDK's server that each application writes, as its examples do: in memory."""

    def __init__(self):
        self.clients, self.codes, self.tokens, self.refreshes = {}, {}, {}, {}

    async def get_client(self, client_id):
        return self.clients.get(client_id)

    async def register_client(self, client_info):
        counts["registrations"] += 1
        self.clients[client_info.client_id] = client_info

    async def authorize(self, client, params):
        code = AuthorizationCode(
            code=secrets.token_hex(16), client_id=client.client_id, scopes=params.scopes or SCOPES, expires_at=time.time() + 60,
            code_challenge=params.code_challenge, redirect_uri=params.redirect_uri, resource=params.resource,
            redirect_uri_provided_explicitly=params.redirect_uri_provided_explicitly)
        self.codes[code.code] = code
        return construct_redirect_uri(str(params.redirect_uri), code=code.code, state=params.state)

    async def load_authorization_code(self, client, authorization_code):
        return self.codes.get(authorization_code)

    async def exchange_authorization_code(self, client, authorization_code):
        counts["codes"] += 1
        del self.codes[authorization_code.code]
        return self.issue(client, authorization_code.scopes, authorization_code.resource)

    async def load_refresh_token(self, client, refresh_token):
        return self.refreshes.get(refresh_token)

    async def exchange_refresh_token(self, client, refresh_token, scopes):
        counts["refreshes"] += 1
        del self.refreshes[refresh_token.token]
        return self.issue(client, scopes, f"{base}/mcp")

    def issue(self, client, scopes, resource):
        end = int(time.time()) + state["ttl"]
        made = dict(token=secrets.token_hex(16), client_id=client.client_id, scopes=scopes)
        access = AccessToken(**made, expires_at=end, resource=resource)
        refresh = RefreshToken(**dict(made, token=secrets.token_hex(16)))
        self.tokens[access.token], self.refreshes[refresh.token] = access, refresh
        return OAuthToken(access_token=access.token, token_type="Bearer", expires_in=state["ttl"], scope=" ".join(scopes),
                          refresh_token=refresh.token)

    async def load_access_token(self, token):
        return self.tokens.get(token)

    async def revoke_token(self, token):
        counts["revocations"] += 1
        of_client = [t for t in self.tokens.values() if t.client_id == token.client_id]
        for one in of_client:
            del self.tokens[one.token]
        self.refreshes = {key: t for key, t in self.refreshes.items() if t.client_id != token.client_id}


def sdk():
    """The server of the official SDK, and what forgets its tokens."""
    provider = Provider()
    try:
        from mcp.server.mcpserver import MCPServer as Server
    except ImportError:
        from mcp.server.fastmcp import FastMCP as Server
    settings = AuthSettings(
        issuer_url=base, resource_server_url=f"{base}/mcp", required_scopes=SCOPES, validate_token_resource=True,
        client_registration_options=ClientRegistrationOptions(enabled=True, valid_scopes=SCOPES, default_scopes=SCOPES),
        revocation_options=RevocationOptions(enabled=True))
    server = Server("behind-a-login", auth_server_provider=provider, auth=settings)
    return server, server.streamable_http_app, provider


def fastmcp():
    """The server of FastMCP with its provider in memory."""
    from fastmcp import FastMCP
    from fastmcp.server.auth.providers import in_memory

    class Counting(in_memory.InMemoryOAuthProvider):
        tokens = property(lambda self: self.access_tokens)
        refreshes = property(lambda self: self.refresh_tokens)

        async def register_client(self, client_info):
            counts["registrations"] += 1
            await super().register_client(client_info)

        async def exchange_authorization_code(self, client, authorization_code):
            counts["codes"] += 1
            in_memory.DEFAULT_ACCESS_TOKEN_EXPIRY_SECONDS = state["ttl"]
            return await super().exchange_authorization_code(client, authorization_code)

        async def exchange_refresh_token(self, client, refresh_token, scopes):
            counts["refreshes"] += 1
            in_memory.DEFAULT_ACCESS_TOKEN_EXPIRY_SECONDS = state["ttl"]
            return await super().exchange_refresh_token(client, refresh_token, scopes)

        async def revoke_token(self, token):
            counts["revocations"] += 1
            await super().revoke_token(token)

    provider = Counting(
        base_url=base, required_scopes=SCOPES, revocation_options=RevocationOptions(enabled=True),
        client_registration_options=ClientRegistrationOptions(enabled=True, valid_scopes=SCOPES, default_scopes=SCOPES))
    server = FastMCP("behind-a-login", auth=provider)
    return server, server.http_app, provider


def fastmcp_proxy():
    """The server of FastMCP with its proxy, whose tokens are its own: those of the server behind it are in its store."""
    from fastmcp import FastMCP
    from fastmcp.server.auth import OAuthProxy
    from fastmcp.server.auth.providers.introspection import IntrospectionTokenVerifier
    from key_value.aio.stores.memory import MemoryStore

    class Counting(OAuthProxy):
        tokens, refreshes, clients = {}, {}, {}

        async def register_client(self, client_info):
            counts["registrations"] += 1
            await super().register_client(client_info)

        async def exchange_authorization_code(self, client, authorization_code):
            counts["codes"] += 1
            return await super().exchange_authorization_code(client, authorization_code)

        async def exchange_refresh_token(self, client, refresh_token, scopes):
            counts["refreshes"] += 1
            return await super().exchange_refresh_token(client, refresh_token, scopes)

        async def revoke_token(self, token):
            counts["revocations"] += 1
            await super().revoke_token(token)

    upstream = sys.argv[2]
    verifier = IntrospectionTokenVerifier(
        introspection_url=f"{upstream}/introspect", client_id="proxy", client_secret="of-the-proxy", required_scopes=SCOPES)
    provider = Counting(
        upstream_authorization_endpoint=f"{upstream}/authorize", upstream_token_endpoint=f"{upstream}/token",
        upstream_revocation_endpoint=f"{upstream}/revoke", upstream_client_id="proxy", upstream_client_secret="of-the-proxy",
        token_endpoint_auth_method="client_secret_post", token_verifier=verifier, base_url=base, client_storage=MemoryStore(),
        valid_scopes=SCOPES)
    server = FastMCP("behind-a-login", auth=provider)
    return server, server.http_app, provider


server, make, provider = {"sdk": sdk, "fastmcp": fastmcp, "fastmcp-proxy": fastmcp_proxy}[KIND]()


@server.tool()
def echo(text: str) -> str:
    """Says what it is told."""
    return text


@server.custom_route("/control", methods=["POST"])
async def control(request: Request):
    said = json.loads(await request.body() or b"{}")
    state["ttl"] = said.get("ttl", state["ttl"])
    if said.get("revoke"):
        provider.tokens.clear()
    if said.get("revoke") == "all":
        provider.refreshes.clear()
    if "client" in said:
        client = said["client"]
        provider.clients[client["id"]] = OAuthClientInformationFull(
            client_id=client["id"], client_secret=client["secret"], redirect_uris=[client["redirect"]], scope=" ".join(SCOPES),
            token_endpoint_auth_method=client["method"], grant_types=["authorization_code", "refresh_token"])
    return JSONResponse(counts)


@server.custom_route("/introspect", methods=["POST"])
async def introspect(request: Request):
    known = provider.tokens.get((await request.form()).get("token"))
    if known is None or known.expires_at < time.time():
        return JSONResponse({"active": False})
    return JSONResponse({"active": True, "client_id": known.client_id, "scope": " ".join(known.scopes), "exp": known.expires_at})


print(f"{base}/mcp", flush=True)
uvicorn.Server(uvicorn.Config(make(), log_level="error")).run(sockets=[listener])
