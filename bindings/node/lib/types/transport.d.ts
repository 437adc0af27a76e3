// What other clients take as a transport.
import type { Config } from '../generated/config.js';
import type { LoginHandler } from './login.js';
import type { Server } from './server.js';

/**
 * Puts this library below the `Client` of `@modelcontextprotocol/sdk`, `createMCPClient` of the AI SDK, and what else takes a transport:
 * `await client.connect(new ClientTransport({ command: 'some-server' }))`. The capabilities are those of the session; the connection, its
 * revision, logins and reconnection are this library's.
 */
export class ClientTransport {
  constructor(config?: Config, options?: {
    /** A server in this process. */
    server?: Server | undefined;
    /** As `onLogin` of a client. */
    onLogin?: LoginHandler | undefined;
  });
  start(): Promise<void>;
  send(message: any, options?: any): Promise<void>;
  close(): Promise<void>;
  onmessage?: (message: any, extra?: any) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  sessionId?: string;
}
