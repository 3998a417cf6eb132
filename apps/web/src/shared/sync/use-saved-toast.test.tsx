// @vitest-environment jsdom
import type { ReactNode } from 'react';
import { cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { OutboxItem } from '@cairn/sync/outbox/outbox-item.ts';
import { ToastEvent, toasts, type ToastMessage } from '@cairn/ui/feedback/toast.ts';
import { sendStateOf } from './send-state.ts';
import { SignedInContext, type SignedInSession } from '../session/session.ts';
import { useSavedToast } from './use-saved-toast.ts';

const WORD = '00000000-0000-4000-8000-0000000000c1';
const OTHER = '00000000-0000-4000-8000-0000000000c2';
const words = {
  waits: 'Saved on this device. Cairn sends it once you are online.',
  received: 'Received by the server.',
};

const item = (recordId: string, more: Partial<OutboxItem> = {}) =>
  ({ table: 'policy_acknowledgements', kind: 'record', recordId, state: 'waiting', ...more }) as OutboxItem;

let shownToasts: ToastMessage[] = [];
const hear = (event: Event) => event instanceof ToastEvent && shownToasts.push(event.message);
beforeEach(() => {
  shownToasts = [];
  toasts.addEventListener('toast', hear);
});
afterEach(() => {
  toasts.removeEventListener('toast', hear);
  cleanup();
});

/** An outbox as the engine tells of it. */
function device(outbox: OutboxItem[]) {
  const listeners = new Set<(items: OutboxItem[]) => void>();
  const engine = {
    watchOutbox(listener: (items: OutboxItem[]) => void) {
      listeners.add(listener);
      listener(outbox);
      return () => void listeners.delete(listener);
    },
  };
  const signedIn = { engine } as unknown as SignedInSession;
  const wrapper = ({ children }: { children: ReactNode }) => (
    <SignedInContext.Provider value={signedIn}>{children}</SignedInContext.Provider>
  );
  const { result } = renderHook(() => useSavedToast('policy_acknowledgements'), { wrapper });
  const tell = (items: OutboxItem[]) => listeners.forEach(listener => listener(items));
  return { show: result.current, tell, listeners };
}

test('what is kept is called kept while it waits, and received in its place once the server has it, whatever else waits', () => {
  const { show, tell, listeners } = device([item(WORD), item(OTHER)]);
  show(WORD, words);
  expect(shownToasts.at(-1)).toMatchObject({ title: words.waits });
  tell([item(OTHER)]);
  expect(shownToasts.at(-1)).toMatchObject({ title: words.received, id: shownToasts[0]?.id });
  expect(listeners.size).toBe(0);
});

test('what was received before anybody looked is never called kept', () => {
  const { show, listeners } = device([item(OTHER)]);
  show(WORD, words);
  expect(shownToasts.map(({ title }) => title)).toEqual([words.received]);
  expect(listeners.size).toBe(0);
});

test('a toast that is gone says nothing more, and nothing is said of what was refused', () => {
  const { show, tell } = device([item(WORD)]);
  show(WORD, words);
  shownToasts[0]?.onGone?.();
  tell([]);
  expect(shownToasts).toHaveLength(1);
  const refused = device([item(WORD, { state: 'failed' })]);
  refused.show(WORD, words);
  expect(shownToasts).toHaveLength(1);
});

test('a file of a record says nothing of its words', () => {
  expect(sendStateOf([item(WORD, { kind: 'file' })], 'policy_acknowledgements', WORD)).toBe('received');
  expect(sendStateOf([item(WORD, { state: 'retrying' })], 'policy_acknowledgements', WORD)).toBe('waits');
  expect(sendStateOf([item(WORD)], 'comments', WORD)).toBe('received');
});
