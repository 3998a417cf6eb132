import { createContext, useContext } from 'react';

/** A browser's address at its push service, and what it takes to write to it. */
export type PushAddress = { endpoint: string; p256dh: string; auth: string };

/** What the backend does for push messages. Every call throws Failure `offline` when it gave no answer. */
export interface PushServer {
  /** What a browser subscribes with; null where this backend sends none. */
  key(): Promise<string | null>;
  save(address: PushAddress): Promise<void>;
  remove(endpoint: string): Promise<void>;
}

export const PushServerContext = createContext<PushServer | null>(null);

/** @throws {Error} outside a protected route */
export function usePushServer(): PushServer {
  const server = useContext(PushServerContext);
  if (!server) throw new Error('usePushServer outside a protected route');
  return server;
}
