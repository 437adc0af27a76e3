"""The program `mcp` as an MCP server behind Keycloak in its mode for development, both on this machine.

    keycloak.py KEYCLOAK JAVA_HOME PORT MCP FOLDER

Starts Keycloak's folder KEYCLOAK at PORT with a realm in memory, then `MCP serve` with a file in FOLDER, and asks Keycloak about each token.
Prints the URL of the MCP server and that of the control, and runs until it is killed, or 600 s. For POST /control see server.py; access
tokens end there by new keys for signatures, so that refresh tokens go on.
"""
import http.server
import json
import os
import signal
import subprocess
import sys
import threading
import urllib.parse
import urllib.request
from pathlib import Path

ADMIN, SCOPE, RESOURCE, SECRET = "admin", "tools", "mcp-server", "of-the-resource"
# What Keycloak calls that which is counted.
EVENTS = {"registrations": "CLIENT_REGISTER", "codes": "CODE_TO_TOKEN", "refreshes": "REFRESH_TOKEN", "revocations": "REVOKE_GRANT"}
KEYS = "org.keycloak.keys.KeyProvider"
keycloak, java_home, port, program, folder = sys.argv[1:]
base = f"http://127.0.0.1:{port}"
issuer = f"{base}/realms/mcp"
ends = threading.Timer(600, os.killpg, [0, signal.SIGKILL])
# What fails before it serves ends at once.
ends.daemon = True
ends.start()


REALM = {
    "realm": "mcp", "enabled": True, "accessTokenLifespan": 3600, "ssoSessionIdleTimeout": 7200, "eventsEnabled": True,
    "enabledEventTypes": list(EVENTS.values()), "attributes": {"oauth2DevicePollingInterval": "1"},
    "clients": [{"clientId": RESOURCE, "secret": SECRET, "publicClient": False, "standardFlowEnabled": False}],
    # Anyone may register a client, to which the person has to agree.
    "components": {"org.keycloak.services.clientregistration.policy.ClientRegistrationPolicy": [
        {"name": "consent", "providerId": "consent-required", "subType": "anonymous", "config": {}}]},
}
PERSON = {
    "username": "ada", "enabled": True, "email": "ada@example.com", "emailVerified": True, "firstName": "Ada", "lastName": "Example",
    "credentials": [{"type": "password", "value": "secret"}],
}
# Keycloak knows no resource indicators: a scope puts the name of the server into tokens.
AUDIENCE = {
    "name": RESOURCE, "protocol": "openid-connect", "protocolMapper": "oidc-audience-mapper",
    "config": {"included.client.audience": RESOURCE, "access.token.claim": "true", "introspection.token.claim": "true"},
}
CLIENT_SCOPE = {
    "name": SCOPE, "protocol": "openid-connect", "attributes": {"include.in.token.scope": "true"}, "protocolMappers": [AUDIENCE],
}


def started(words, log, is_ready, **options):
    """A program in the background, once a line of its output is such a one, which this gives."""
    child = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    file = Path(folder, log).open("w", buffering=1)
    for line in child.stdout:
        file.write(line)
        if is_ready(line):
            threading.Thread(target=lambda: file.writelines(child.stdout), daemon=True).start()
            return line.strip()
    sys.exit(f"{words[0]} ended with {child.wait()}: {Path(folder, log).read_text()}")


def asked(method, url, body=None, token=None):
    """One exchange with Keycloak; a status that is no success is an exception."""
    form = isinstance(body, bytes)
    headers = {"content-type": "application/x-www-form-urlencoded" if form else "application/json"}
    if token:
        headers["authorization"] = f"Bearer {token}"
    data = body if form else b"" if body is None and method != "GET" else None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(url, data, headers, method=method), timeout=60) as answer:
        text = answer.read()
        return json.loads(text) if text else None


def admin(method, path, body=None):
    """One exchange as the administrator."""
    form = {"grant_type": "password", "client_id": "admin-cli", "username": ADMIN, "password": ADMIN}
    made = asked("POST", f"{base}/realms/master/protocol/openid-connect/token", urllib.parse.urlencode(form).encode())
    return asked(method, f"{base}/admin/realms{path}", body, made["access_token"])


def controlled(ttl=None, revoke=None, client=None):
    """Does what is wished; gives what was counted."""
    if ttl is not None:
        admin("PUT", "/mcp", {"accessTokenLifespan": ttl})
    if revoke == "access":
        old = [it["id"] for it in admin("GET", f"/mcp/components?type={KEYS}") if it["providerId"] == "rsa-generated"]
        how = {"algorithm": ["RS256"], "priority": ["100"]}
        new = {"name": "signs", "providerId": "rsa-generated", "providerType": KEYS, "config": how}
        admin("POST", "/mcp/components", new)
        for one in old:
            admin("DELETE", f"/mcp/components/{one}")
    elif revoke == "all":
        [person] = admin("GET", f"/mcp/users?username={PERSON['username']}")
        admin("POST", "/mcp/logout-all")
        # Refresh tokens that outlive sessions end with the consent.
        for consent in admin("GET", f"/mcp/users/{person['id']}/consents"):
            admin("DELETE", f"/mcp/users/{person['id']}/consents/{consent['clientId']}")
    if client is not None:
        admin("POST", "/mcp/clients", {
            "clientId": client["id"], "secret": client["secret"], "publicClient": client["method"] == "none",
            "redirectUris": [client["redirect"]], "optionalClientScopes": [SCOPE, "offline_access"]})
    return {name: len(admin("GET", f"/mcp/events?type={kind}&max=10000")) for name, kind in EVENTS.items()}


class Control(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        wish = json.loads(self.rfile.read(int(self.headers["content-length"])) or b"{}")
        answer = json.dumps(controlled(**wish)).encode()
        self.send_response(200)
        self.send_header("content-length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)


variables = {"JAVA_HOME": java_home, "KC_BOOTSTRAP_ADMIN_USERNAME": ADMIN, "KC_BOOTSTRAP_ADMIN_PASSWORD": ADMIN}
words = ["sh", f"{keycloak}/bin/kc.sh", "start-dev", "--db=dev-mem", "--http-host=127.0.0.1", f"--http-port={port}"]
started(words, "keycloak.log", lambda line: "Listening on:" in line, env={**os.environ, **variables})

admin("POST", "", REALM)
admin("POST", "/mcp/users", PERSON)
admin("POST", "/mcp/client-scopes", CLIENT_SCOPE)
[scope] = [it["id"] for it in admin("GET", "/mcp/client-scopes") if it["name"] == SCOPE]
admin("PUT", f"/mcp/default-optional-client-scopes/{scope}")

description, auth = Path(folder, "tools.json"), Path(folder, "auth.json")
schema = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
echo = {"name": "echo", "description": "Says what it is told", "inputSchema": schema, "command": ["printf", "%s", "{text}"]}
description.write_text(json.dumps({"name": "behind-a-login", "version": "1.0.0", "tools": [echo]}))
introspection = {"url": f"{issuer}/protocol/openid-connect/token/introspect", "client_id": RESOURCE, "client_secret": SECRET}
auth.write_text(json.dumps({
    "authorization_servers": [issuer], "scopes": [SCOPE], "audience": [RESOURCE], "introspection": introspection, "remember_ms": 0}))
url = started(
    [program, "serve", description, "--listen", "http://127.0.0.1:0/mcp", "--auth", auth], "mcp.log", lambda line: line.startswith("http"))
control = http.server.HTTPServer(("127.0.0.1", 0), Control)
print(url, f"http://127.0.0.1:{control.server_port}", flush=True)
control.serve_forever()
