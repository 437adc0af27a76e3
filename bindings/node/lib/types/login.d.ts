/** What the client needs of the program to be let in by its server. */
export interface Login {
  /**
   * `authorize` wants a person to open `url`, `token` a token for the server, `assertion` a signed statement about the workload
   * for `audience`, `subject` what shows at the identity provider who the person is. `load` and `save` are for a program that keeps
   * logins itself (`store: 'application'`); `unlock` needs nothing.
   */
  readonly kind: 'authorize' | 'token' | 'assertion' | 'subject' | 'load' | 'save' | 'unlock' | (string & {});
  /** The page to open. Give it only to the browser: do not log it, and do not pass it through a shell. */
  readonly url?: string;
  /** With `flow: 'device'`: the code that the person enters at `verificationUri`, or that `url` has in it already. */
  readonly userCode?: string;
  /** Where the person enters `userCode`, in a browser of any device. */
  readonly verificationUri?: string;
  /** Where the browser is sent afterwards. */
  readonly redirectUri?: string;
  /** The library waits there itself. If not, hand what the browser was sent to to `complete`. */
  readonly listens: boolean;
  readonly issuer?: string;
  /** What the login is for, separated by spaces. */
  readonly scopes?: string;
  readonly expiresInMs?: number;
  readonly audience?: string;
  /** The last credential was refused. */
  readonly refused: boolean;
  /** Hands over where the browser came back to: the whole URL, exactly as it was sent there. Throws if a check fails. */
  complete(callbackUrl: string): void;
  /** Gives the credential that was asked for, and how long it is good if that is known. */
  give(credential: string, options?: { lastsMs?: number }): void;
  /** Of `load` and `save`: under which key. */
  readonly key?: string;
  /** Of `save`: what is to be kept. It has tokens. */
  readonly text?: string;
  /** Answers `load` (the text, null if nothing is kept) and `save` (nothing). */
  answer(text?: string | null): void;
  /** The login will not be finished: what waits for it ends as `auth`. */
  giveUp(reason?: string): void;
}

export type LoginHandler = (login: Login, context: { signal: AbortSignal }) => unknown;

export {};
