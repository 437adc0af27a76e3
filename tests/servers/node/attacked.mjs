// A server for the attacks of bindings/python/tests/attacks.py, the library's own or with the argument host inside node:http. It says its URL,
// and ends with its input.
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Server } from 'libmcp';

// What the tool fail throws is told as a warning.
process.removeAllListeners('warning');
const server = new Server({ name: 'attacked', version: '1', limits: { frame_bytes: 16 << 20 } });
const kept = [];
const tool = (name, work, properties = {}) => server.tool(name, { inputSchema: { type: 'object', properties, required: Object.keys(properties) } }, work);

tool('hello', ({ name }) => `Hello, ${name}!`, { name: { type: 'string' } });
tool('fail', () => { throw new Error('a secret'); });
tool('hang', (_, { signal }) => sleep(30_000, 'late', { signal }));
tool('slow', () => sleep(500, 'slow'));
tool('keep', () => {
  kept.push(Buffer.alloc(1 << 20, 1));
  return 'kept';
});
tool('noise', () => {
  console.log('noise');
  return 'quiet';
});

let close = () => server.close();
if (process.argv[2] === 'host') {
  const host = createServer(await server.http());
  host.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${host.address().port}/mcp`));
  close = async () => {
    await server.close();
    host.close();
    host.closeAllConnections();
  };
} else {
  console.log((await server.serve({ url: 'http://127.0.0.1:0/mcp' })).url);
}
process.stdin.resume().on('end', close);
