// resources-watch SERVER [ARGUMENT...]: reads the first resource, then follows its changes until it has seen one.
import { Client, textOf } from 'libmcp';

const [command, ...args] = process.argv.slice(2);
const client = new Client({ command, args });
try {
  const [resource] = await client.listResources();
  const read = async () => textOf(await client.readResource(resource.uri)).split('\n')[0];
  console.log(`${resource.uri} reads: ${await read()}`);

  // Collects from here on, so that nothing is missed between subscribing and waiting.
  const updates = client.notifications('notifications/resources/updated');
  await client.subscribe(resource.uri);
  await haveItChange();
  for await (const { params } of updates) {
    console.log(`${params.uri} changed and reads: ${await read()}`);
    break;
  }
  await client.unsubscribe(resource.uri);
} finally {
  await client.close();
}

/** Servers for demonstrations have a tool for this; with others, change something. */
async function haveItChange() {
  const names = (await client.listTools()).map(({ name }) => name);
  if (names.includes('notify')) await client.callTool('notify', { count: 1 });
  else if (names.includes('toggle-subscriber-updates')) await client.callTool('toggle-subscriber-updates');
  else console.log('now change the resource');
}
