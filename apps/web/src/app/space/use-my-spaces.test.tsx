// @vitest-environment jsdom
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Store } from '@cairn/sync/store.ts';
import { memoryStore, type MemoryRows } from '@cairn/testing/memory-store.ts';
import { ToastEvent, toasts, type ToastMessage } from '@cairn/ui/feedback/toast.ts';
import { loadTexts } from '../../shared/i18n/load-texts.ts';
import { startI18n } from '../../shared/i18n/start-i18n.ts';
import { SessionProvider } from '../session/session-context.tsx';
import { deviceAndServer, sam, session } from '../session/session-for-tests.ts';
import { useMySpaces } from './use-my-spaces.ts';

let shownToasts: ToastMessage[];
const hear = (event: Event) => event instanceof ToastEvent && shownToasts.push(event.message);
beforeAll(async () => {
  await startI18n('en');
  await loadTexts('shell');
});
beforeEach(() => {
  shownToasts = [];
  toasts.addEventListener('toast', hear);
});
afterEach(() => {
  toasts.removeEventListener('toast', hear);
  cleanup();
});

/** The hook for somebody who is signed in, over this store. */
async function spacesOver(store: Store) {
  const { controller, engines } = deviceAndServer({ current_user: sam, auth_session: session }, store);
  await controller.start();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <SessionProvider controller={controller}>{children}</SessionProvider>
  );
  return { ...renderHook(() => useMySpaces(), { wrapper }), engines };
}

test('R4.25 a refresh-playbooks event reads the playbooks again and asks the server', async () => {
  const kept = memoryStore({}, sam.id);
  const keys: string[] = [];
  const counting: Store = {
    ...kept,
    watch(query, onAnswer, onError) {
      keys.push(query.key);
      return kept.watch(query, onAnswer, onError);
    },
  };
  const { result, engines } = await spacesOver(counting);
  await waitFor(() => expect(result.current).not.toBeNull());
  expect(keys).toHaveLength(1);

  act(() => void dispatchEvent(new Event('refresh-playbooks')));
  expect(result.current).not.toBeNull();
  await waitFor(() => expect(keys).toHaveLength(2));
  expect(engines[0]?.nudged).toBe(1);
});

const acme = '11111111-1111-4111-8111-111111111111';
const rows: MemoryRows = {
  organizations: [{ id: acme, name: 'Acme', slug: 'acme', kind: 'company' }],
  organization_members: [{ id: acme, organization_id: acme, user_id: sam.id, role: 'member' }],
  playbooks: [{ id: acme, organization_id: acme, name: 'Warehouse', owner_id: sam.id }],
};

/** A device whose copy of the playbooks can be broken. */
function breakable() {
  const kept = memoryStore(rows, sam.id);
  const state = { isBroken: false };
  const store: Store = {
    ...kept,
    watch(query, onAnswer, onError) {
      if (!state.isBroken || !query.tables.includes('playbooks')) return kept.watch(query, onAnswer, onError);
      queueMicrotask(() => onError(new Error('UnknownError: internal error reading playbooks')));
      return () => undefined;
    },
  };
  return { store, state };
}
const failed = {
  title: 'Data Loading Error',
  description: 'Failed to load playbooks. Some features may be unavailable.',
};
const names = (spaces: ReturnType<typeof useMySpaces>) =>
  spaces?.organizations.map(({ organization, playbooks }) => [organization.name, playbooks.map(({ name }) => name)]);

test('R8.42 playbooks that cannot be read are told of once; the organisations are there, and another try heals it', async () => {
  const { store, state } = breakable();
  state.isBroken = true;
  const { result } = await spacesOver(store);
  await waitFor(() => expect(names(result.current)).toEqual([['Acme', []]]));
  expect(shownToasts).toMatchObject([failed]);
  state.isBroken = false;
  act(() => shownToasts[0]?.action?.onPress());
  await waitFor(() => expect(names(result.current)).toEqual([['Acme', ['Warehouse']]]));
  expect(shownToasts).toHaveLength(1);
});

test('R8.42 what was read before keeps showing when a later read fails', async () => {
  const { store, state } = breakable();
  const { result } = await spacesOver(store);
  await waitFor(() => expect(names(result.current)).toEqual([['Acme', ['Warehouse']]]));
  state.isBroken = true;
  act(() => void dispatchEvent(new Event('refresh-playbooks')));
  await waitFor(() => expect(shownToasts).toMatchObject([failed]));
  expect(names(result.current)).toEqual([['Acme', ['Warehouse']]]);
});
