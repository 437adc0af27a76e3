// quickstart SERVER [ARGUMENT...]: lists a server's tools and calls "echo".
import { Client, textOf } from 'libmcp';

const [command, ...args] = process.argv.slice(2);
const client = new Client({ command, args });

for (const tool of await client.listTools()) { // starts the server
  console.log(`tool: ${tool.name}`);
}
const result = await client.callTool('echo', { text: 'Hello from Node.js', message: 'Hello from Node.js' });
console.log(textOf(result));
await client.close();
