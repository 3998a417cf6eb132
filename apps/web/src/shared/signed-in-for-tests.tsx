import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach } from 'vitest';
import type { Row } from '@cairn/schema';
import { StoreContext } from '@cairn/sync/store-context.ts';
import type { Store } from '@cairn/sync/store.ts';
import { ToastEvent, toasts, type ToastMessage } from '@cairn/ui/feedback/toast.ts';
import { changeLanguage, loadTexts } from './i18n/load-texts.ts';
import { startI18n } from './i18n/start-i18n.ts';
import type { Area } from './i18n/texts.ts';
import { emptyOutbox, pendingDevice } from './server/pending-for-tests.ts';
import { ServerCallsContext, type ServerCalls } from './server/server-calls.ts';
import { SignedInContext, type SignedInSession } from './session/session.ts';
import { SpaceContext, type Space } from './session/space.ts';

export const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
/** Who is signed in, and where. */
export const ME = id(3);
export const ORG = id(1);

type SignedInSetup = {
  store: Store;
  /** Permissions held; all where it is left out. */
  may?: readonly string[];
  world?: Space['world'];
  playbook?: Row<'playbooks'> | null;
  isOnline?: boolean;
  verified?: boolean;
  /** What the server answers to a call by this name, and throws instead. */
  answer?: (name: string, args: Record<string, unknown>) => unknown;
  /** More of the engine than its figures. */
  engine?: object;
};

/** The device of somebody signed in: their store and space, and a server that answers as told. */
export function showSignedIn(screen: ReactNode, place: SignedInSetup) {
  const { store, may, world = 'company', playbook = null, isOnline = true, verified = true, answer } = place;
  const asked: [string, Record<string, unknown>][] = [];
  const call = async (name: string, args: Record<string, unknown> = {}) => {
    asked.push([name, args]);
    return answer?.(name, args);
  };
  const calls = { call, send: call } as unknown as ServerCalls;
  const told = isOnline ? emptyOutbox() : pendingDevice({ pendingItems: 0, failed: 0, online: false }).engine;
  const engine = { ...told, store, ...place.engine } as unknown as SignedInSession['engine'];
  const signedIn: SignedInSession = {
    user: { id: ME, email: 'sam@cairn.test', fullName: 'Sam Reed' },
    engine,
    verified,
  };
  const organization = { id: ORG, name: 'Northfield', kind: 'company' } as Row<'organizations'>;
  const mayDo = (permission: string) => may?.includes(permission) ?? true;
  const space: Space = { userId: ME, organization, playbook, world, may: mayDo };
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: 'always' } } });
  const view = render(
    <QueryClientProvider client={client}>
      <StoreContext.Provider value={store}>
        <SignedInContext.Provider value={signedIn}>
          <ServerCallsContext.Provider value={calls}>
            <SpaceContext.Provider value={space}>{screen}</SpaceContext.Provider>
          </ServerCallsContext.Provider>
        </SignedInContext.Provider>
      </StoreContext.Provider>
    </QueryClientProvider>,
  );
  return { ...view, asked };
}

/** Speaks English, with the texts of these areas. */
export async function inEnglish(...areas: Area[]): Promise<void> {
  await startI18n();
  await loadTexts(...areas);
}

/** Does something while the app speaks German. */
export async function inGerman(work: () => Promise<void>): Promise<void> {
  await changeLanguage('de');
  try {
    await work();
  } finally {
    await changeLanguage('en');
  }
}

/** The toasts of each test, as they come. */
export function heardToasts(): ToastMessage[] {
  const heard: ToastMessage[] = [];
  const hear = (event: Event) => event instanceof ToastEvent && heard.push(event.message);
  beforeEach(() => {
    heard.length = 0;
    toasts.addEventListener('toast', hear);
  });
  afterEach(() => toasts.removeEventListener('toast', hear));
  return heard;
}
