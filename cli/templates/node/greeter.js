import { Server } from 'libmcp';

/** The server with all that it offers. */
export function makeServer() {
  const server = new Server({ name: '{{name}}', version: '0.1.0' });
  server.tool('greet', {
    description: 'Greets a person by name',
    inputSchema: {
      type: 'object',
      properties: { name: { type: 'string', description: 'Who is greeted' } },
      required: ['name'],
      additionalProperties: false,
    },
  }, ({ name }) => `Hello, ${name}!`);
  server.resource({
    uri: 'about://{{name}}', name: 'about', description: 'What this server is', mimeType: 'text/plain',
  }, () => 'A server that greets.');
  return server;
}
