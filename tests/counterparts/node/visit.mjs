// visit URL, or visit COMMAND [ARGUMENT...]: calls everything of server.mjs, and writes what it answers, which is visit.txt.
import { Client, textOf } from 'libmcp';

const [first, ...args] = process.argv.slice(2);
const client = new Client(first.startsWith('http://') ? { url: first } : { command: first, args }, {
  elicitation: ({ message }, answer) => {
    console.log(`question: ${message}`);
    return answer.accept({ size: 'large' });
  },
});
const say = async (tool, given, options) => {
  const result = await client.callTool(tool, given, options);
  console.log(`${tool}: ${result.isError ? 'failed: ' : ''}${textOf(result)}`);
  return result;
};

await client.connect();
const { server: { name, version }, instructions } = client.info();
console.log(`${name} ${version}: ${instructions}`);
for (const { name: tool, description } of await client.listTools()) console.log(`${tool} has the description: ${description}`);
const { structuredContent } = await say('price', { tea: 'assam', cups: 2 });
console.log(`structured: ${JSON.stringify(structuredContent)}`);
await say('price', { tea: 'mint' });
const { isError } = await client.callTool('price', { tea: 'assam', cups: 0 });
console.log(`no cups: ${isError ? 'failed' : 'a price'}`);
await say('brew', { tea: 'sencha' }, { onProgress: ({ progress, total, message }) => console.log(`${progress} of ${total}: ${message}`) });
await say('order', { tea: 'assam' });
const [{ uri, mimeType }] = await client.listResources();
console.log(`${uri}, ${mimeType}: ${textOf(await client.readResource(uri))}`);
const [prompt] = await client.listPrompts();
console.log(`${prompt.name} has the description: ${prompt.description}`);
console.log(textOf(await client.getPrompt(prompt.name, { mood: 'calm' })));
const { values } = await client.complete({ type: 'ref/prompt', name: prompt.name }, { name: 'mood', value: 'c' });
console.log(`completed: ${values.join(', ')}`);
await client.close();
