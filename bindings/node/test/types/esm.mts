// The same package for a program of modules.
import { Client, Server, version } from 'libmcp';

const server: Server = new Server({ name: 'esm' });
const client: Client = server.client();
console.log(version, client.state);
