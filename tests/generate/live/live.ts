// Calls tools of two servers through generated functions: live EXAMPLE EVERYTHING…; without arguments those of the broker at MCP_SOCKET.
import { Client, textOf } from 'libmcp';
import { parsed } from './chosen/parsed.js';
import { echo as other } from './everything/echo.js';
import { add } from './example/add.js';
import { echo } from './example/echo.js';
import { fail } from './example/fail.js';

async function main(): Promise<void> {
  const [, , example, everything, ...args] = process.argv;
  const client = new Client(example === undefined ? { socket: process.env['MCP_SOCKET']! } : { command: example });
  console.log('add', (await add(client, { a: 1.5, b: 2 })).sum);
  console.log('echo', textOf(await echo(client, { text: 'Hello' })));
  console.log('parsed', (await parsed(client, { text: '{"n":7}' })).n);
  try {
    await fail(client);
  } catch (error) {
    console.log('fail', (error as Error).message);
  }
  await client.close();
  if (everything === undefined) return;
  const second = new Client({ command: everything!, args });
  console.log('everything', textOf(await other(second, { message: 'Hello' })));
  await second.close();
}

void main();
