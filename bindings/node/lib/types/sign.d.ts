import type { KeyObject } from 'node:crypto';

/** A text to sign. */
export interface SignRequest {
  /**
   * `proof` for the key of `auth.dpop_key`: the proof that a request comes from the owner of its token. `assertion` for the key that
   * identifies the client to the authorization server (`auth.signer`).
   */
  readonly purpose: 'proof' | 'assertion' | (string & {});
  readonly algorithm: 'ES256' | 'RS256' | (string & {});
  /** What is signed; all its characters are ASCII. */
  readonly input: string;
  /** Of an assertion: the id of the key at the authorization server, if the configuration has one. */
  readonly keyId?: string;
  /** Of an assertion: who the client is there. */
  readonly clientId?: string;
  /** Of an assertion: whom it is for. Sign only for an audience that the program trusts. */
  readonly audience?: string;
}

/**
 * Gives the signature: its bytes, 64 (r and s) for `ES256` and as many as the key has for `RS256`, or their Base64url without padding.
 * For an assertion it may instead give a whole signed token, a string. `crypto.sign` gives r and s with `dsaEncoding: 'ieee-p1363'`
 * (without it DER, which is refused), and `crypto.subtle.sign` always. What it throws goes to `onFailure`, and what needs the signature
 * ends as `auth`. The signal aborts when the client is closed.
 */
export type Signer = (request: SignRequest, context: { signal: AbortSignal }) =>
string | Uint8Array | ArrayBuffer | Promise<string | Uint8Array | ArrayBuffer>;

/** Signs with a private key: `ES256` with one on P-256, `RS256` with one of RSA. Throws a TypeError for every other key. */
export function keySigner(key: KeyObject): Signer;

export {};
