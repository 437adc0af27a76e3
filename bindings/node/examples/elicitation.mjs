// elicitation SERVER [ARGUMENT...]: lets the server ask the user, here a person who answers every text field.
import { Client, RequestError, textOf } from 'libmcp';

const [command, ...args] = process.argv.slice(2);
const client = new Client({ command, args }, {
  elicitation(params, context) {
    if (params.mode === 'url') throw new RequestError(-32602, 'this program shows forms only');
    console.log(`the server asks: ${params.message}`);
    const content = {};
    for (const [name, field] of Object.entries(params.requestedSchema.properties)) {
      // The library fills in the defaults.
      if (field.default === undefined) content[name] = field.enum?.[0] ?? answers[field.format ?? field.type];
    }
    // What does not fit the form throws here, and that refuses the request.
    context.accept(content);
  },
});
const answers = {
  string: 'blue', boolean: true, integer: 42, number: 42,
  email: 'ada@example.com', uri: 'https://example.com/blue', date: '1815-12-10', 'date-time': '1815-12-10T12:00:00Z',
};

try {
  const names = (await client.listTools()).map(({ name }) => name);
  const tool = names.includes('ask') ? 'ask' : 'trigger-elicitation-request';
  const result = await client.callTool(tool, { question: 'What is your favourite colour?' });
  console.log(`the tool says: ${textOf(result)}`);
} finally {
  await client.close();
}
