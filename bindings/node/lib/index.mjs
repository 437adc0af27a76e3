// The same for `import`, with names that every tool sees.
import libmcp from './index.js';

export const {
  Client, ClientTransport, ERROR_CODES, METHODS, McpError, NotFoundError, RequestError, Server, ToolError, View, expandTemplate,
  keySigner, loadConfig, openConfig, setLogger, textOf, version, viewPolicy, withJsonSchema,
} = libmcp;
