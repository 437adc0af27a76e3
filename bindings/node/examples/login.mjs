// login URL [--redirect URI | --token]: uses a server over HTTP that wants to know who is there. It says which page to open, and
// goes on when the person has logged in there. With --redirect the browser comes back to the program, which asks where it was
// sent to; with --token there is no page, but a token in the variable MCP_TOKEN.
import { createInterface } from 'node:readline/promises';

import { Client } from 'libmcp';

const [url, way, redirect] = process.argv.slice(2);
/** A person with a browser; "store_directory" would keep the login. @type {Record<string, string>} */
const auth = {};
if (way === '--redirect') auth.redirect_uri = redirect;
if (way === '--token') auth.type = 'bearer';

const client = new Client({ url, auth });

// Does the program's part; what it throws gives the login up.
client.onLogin(async (login) => {
  if (login.kind === 'token') {
    if (login.refused) throw new Error('the server refuses the token in MCP_TOKEN');
    return login.give(process.env.MCP_TOKEN ?? '');
  }
  if (login.kind !== 'authorize') throw new Error(`this program has no ${login.kind}`);
  // The whole URL, so that the person sees who asks. A program with windows would open the browser, on a click.
  console.log(`open this page to log in at ${login.issuer}:\n${login.url}`);
  if (login.listens) return;
  const terminal = createInterface(process.stdin);
  try {
    console.log('then paste the address that the browser was sent to:');
    const line = (await terminal.question('')).trim();
    if (line === '') throw new Error('the person gave up');
    login.complete(line);
  } finally {
    terminal.close();
  }
});

try {
  await client.connect({ timeoutMs: 300_000 });
  console.log(`logged in; the server has ${(await client.listTools()).length} tools`);
} catch (error) {
  console.log(`not logged in: ${error.message}`);
  process.exitCode = 1;
} finally {
  await client.close();
}
