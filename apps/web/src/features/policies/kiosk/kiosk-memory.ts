import { useMemo, useSyncExternalStore } from 'react';
import type { KioskServerState } from '@cairn/core/policies/kiosk.ts';

const KEY = 'cairn.kiosk.';
const CHANGED = 'cairn.kiosk';

/** What this browser keeps of a kiosk while it is on: what it is about, and what the server said last. No name, no word. */
export type KioskMemory = {
  organizationId: string;
  policyId: string;
  /** A site or a team; null: everybody. */
  placeId: string | null;
  serverState: KioskServerState;
};

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter(each => typeof each === 'string') : [];

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function memoryFrom(text: string | null): KioskMemory | null {
  if (text === null) return null;
  const kept = parsed(text);
  if (!isRecord(kept)) return null;
  const { organizationId, policyId, placeId, serverState } = kept;
  if (typeof organizationId !== 'string' || typeof policyId !== 'string' || !isRecord(serverState)) return null;
  return {
    organizationId,
    policyId,
    placeId: typeof placeId === 'string' ? placeId : null,
    serverState: { answered: texts(serverState['answered']), pins: texts(serverState['pins']) },
  };
}

/** The kiosk of one signed-in person on this device. It outlives a reload: whoever closes the page does not leave it. */
export const kioskMemory = (owner: string) => ({
  text: (): string | null => localStorage.getItem(KEY + owner),
  keep(memory: KioskMemory): void {
    localStorage.setItem(KEY + owner, JSON.stringify(memory));
    dispatchEvent(new Event(CHANGED));
  },
  /** What the server said of a policy; nothing where its kiosk was ended, or another begun, before the answer came. */
  keepServerState(policyId: string, serverState: KioskServerState): void {
    const on = memoryFrom(localStorage.getItem(KEY + owner));
    if (on?.policyId === policyId) this.keep({ ...on, serverState });
  },
  end(): void {
    localStorage.removeItem(KEY + owner);
    dispatchEvent(new Event(CHANGED));
  },
});

function watch(listener: () => void): () => void {
  addEventListener(CHANGED, listener);
  addEventListener('storage', listener);
  return () => {
    removeEventListener(CHANGED, listener);
    removeEventListener('storage', listener);
  };
}

/** The kiosk that is on, in every tab; null while there is none. */
export function useKioskMemory(owner: string): KioskMemory | null {
  const text = useSyncExternalStore(watch, kioskMemory(owner).text);
  return useMemo(() => memoryFrom(text), [text]);
}
