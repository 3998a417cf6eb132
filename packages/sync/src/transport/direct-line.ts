import { BackendError } from './backend.ts';
import type { TellingInit } from './telling-progress.ts';

/** The line beside the client, which hands out neither its address nor its fetch. */
export type DirectLine = {
  /** Address of the backend, with no slash at its end. */
  url: string;
  publishableKey: string;
  ask(input: string, init: TellingInit): Promise<Response>;
};

export type SignedLine = DirectLine & {
  /** A token that is still good. @throws {BackendError} */
  token(): Promise<string>;
};

type Request = Omit<TellingInit, 'headers' | 'signal'> & { headers: Record<string, string>; signal: AbortSignal };

/**
 * One request past the client, which reads and sends whole bodies only.
 *
 * @param name of the request, for its failure
 * @throws {BackendError} `network` when it broke off; what aborted it when it was
 */
export async function askDirectly(line: SignedLine, name: string, path: string, request: Request): Promise<Response> {
  const { signal } = request;
  const headers = { apikey: line.publishableKey, authorization: `Bearer ${await line.token()}`, ...request.headers };
  signal.throwIfAborted();
  try {
    return await line.ask(`${line.url}${path}`, { ...request, headers });
  } catch (cause) {
    signal.throwIfAborted();
    throw Object.assign(new BackendError('network', `${name}: no answer`), { cause });
  }
}
