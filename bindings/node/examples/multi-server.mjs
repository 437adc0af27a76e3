// multi-server FILE: uses all servers of an "mcpServers" file at once, as editors do. What one does holds up no other.
import { readFileSync } from 'node:fs';

import { Client, loadConfig } from 'libmcp';

const [file] = process.argv.slice(2);
const names = Object.keys(JSON.parse(readFileSync(file, 'utf8')).mcpServers);
const servers = names.map((name) => ({ name, client: new Client(loadConfig(file, name)) }));
try {
  const lines = await Promise.all(servers.map(async ({ name, client }) => {
    try {
      return `${name}: ${(await client.listTools()).length} tools`;
    } catch (error) {
      return `${name}: ${error.message}`;
    }
  }));
  console.log(lines.join('\n'));
} finally {
  await Promise.all(servers.map(({ client }) => client.close()));
}
