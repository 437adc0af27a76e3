// The same package for a program of modules.
import { type } from 'arktype';
import { Client, Server, version } from 'libmcp';

const server: Server = new Server({ name: 'esm' });
server.tool('ArkType', { inputSchema: type({ at: 'string' }) }, ({ at }) => at.trim());
const client: Client = server.client();
console.log(version, client.state);
