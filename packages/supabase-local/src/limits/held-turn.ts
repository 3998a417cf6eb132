import { AsyncLocalStorage } from 'node:async_hooks';
import type { TurnRequester } from './shared-semaphore.ts';
import type { Release } from './slot.ts';

/** The turn a request has, for what it asks for below: whoever waits there for something else gives it back. */
export const heldTurn = new AsyncLocalStorage<{ asker: TurnRequester; release: Release }>();
