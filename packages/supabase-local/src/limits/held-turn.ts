import { AsyncLocalStorage } from 'node:async_hooks';
import type { TurnRequester, Release } from './shared-semaphore.ts';

/** The turn a request has, for what it asks for below: whoever waits there for something else gives it back. */
export const heldTurn = new AsyncLocalStorage<{ asker: TurnRequester; release: Release }>();
