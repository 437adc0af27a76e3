// elicitation SERVER [ARGUMENT...]: lets the server ask the user, here a person who answers every text field.
import { Client, RequestError, textOf } from 'libmcp';

const [command, ...args] = process.argv.slice(2);
const client = new Client({ command, args, capabilities: { elicitation: {} } });

client.onRequest('elicitation/create', (params) => {
  if (params.mode === 'url') throw new RequestError(-32602, 'this program shows forms only');
  console.log(`the server asks: ${params.message}`);
  const content = {};
  for (const [name, field] of Object.entries(params.requestedSchema.properties)) {
    content[name] = field.default ?? field.enum?.[0] ?? answers[field.type];
  }
  return { action: 'accept', content };
});
const answers = { string: 'blue', boolean: true, integer: 42, number: 42 };

try {
  const names = (await client.listTools()).map(({ name }) => name);
  const tool = names.includes('ask') ? 'ask' : 'trigger-elicitation-request';
  const result = await client.callTool(tool, { question: 'What is your favourite colour?' });
  console.log(`the tool says: ${textOf(result)}`);
} finally {
  await client.close();
}
