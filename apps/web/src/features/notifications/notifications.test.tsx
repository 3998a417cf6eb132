// @vitest-environment jsdom
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Failure } from '@cairn/base/failure.ts';
import { choiceMatrix } from '@cairn/core/notifications/choices.ts';
import { inbox, unreadCount } from '@cairn/core/notifications/queries.ts';
import type { Row } from '@cairn/schema';
import type { Store } from '@cairn/sync/store.ts';
import { failingWrite } from '@cairn/testing/failing-write.ts';
import { arrive, indexedStore } from '@cairn/testing/indexed-store.ts';
import type { MemoryRows } from '@cairn/testing/memory-store.ts';
import { appState } from '../../shared/app-state/app-state-store.ts';
import failure from '../../shared/i18n/en/failure.json';
import texts from '../../shared/i18n/en/notifications.json';
import { PushServerContext, type PushServer } from '../../shared/server/push-server.ts';
import { heardToasts, id, inEnglish, inGerman, ME, showSignedIn } from '../../shared/signed-in-for-tests.tsx';
import { NotificationWatch } from './notification-watch.tsx';
import { NotificationsScreen } from './notifications-screen.tsx';

const heard = heardToasts();
const titles = () => heard.map(({ title }) => title);
let server: PushServer & { asked: string[] };

beforeAll(() => inEnglish('notifications', 'failure'));
beforeEach(() => {
  const asked: string[] = [];
  server = {
    asked,
    key: async () => 'key',
    save: async ({ endpoint }) => void asked.push(`save ${endpoint}`),
    remove: async endpoint => void asked.push(`remove ${endpoint}`),
  };
});
afterEach(cleanup);

const told = (n: number, more: Partial<Row<'notifications'>> = {}) => ({
  id: id(n),
  user_id: ME,
  type: 'action.assigned',
  module: 'action-items',
  key: `${n}`,
  params: { title: `Item ${n}`, by: 'Mara' },
  path: `/action-items/${n}`,
  created_at: `2026-11-20T08:00:${String(n % 60).padStart(2, '0')}Z`,
  ...more,
});
const task = (n: number, more: Partial<Row<'notifications'>> = {}) =>
  told(n, { type: 'task.overdue', module: 'tasks', path: `/tasks/${n}`, ...more });
const type = (n: number, key: string, more: Partial<Row<'notification_types'>> = {}) => ({
  id: id(n),
  key,
  module: 'action-items',
  ...more,
});

const show = (store: Store, view: 'inbox' | 'settings' = 'inbox') =>
  showSignedIn(
    <PushServerContext.Provider value={server}>
      <NotificationsScreen
        view={view}
        onView={() => undefined}
        renderLink={(row, face, onOpen) => (
          <a
            href={row.path}
            onClick={event => {
              event.preventDefault();
              onOpen();
            }}
          >
            {face}
          </a>
        )}
      />
    </PushServerContext.Provider>,
    { store },
  );
const rows = () => screen.getAllByRole('link').map(link => link.getAttribute('href'));
const unread = async (store: Store) =>
  (await store.read(inbox({ unreadOnly: true }))).rows.map(row => row.id).toSorted();
const chip = (name: string) => userEvent.click(screen.getByRole('button', { name }));

describe('the inbox', () => {
  test('says that all is quiet where nothing was told, and offers nothing to filter', async () => {
    show(await indexedStore());
    await screen.findByText(texts.empty.inbox);
    expect(screen.queryByRole('button', { name: texts.filter.unread })).toBeNull();
    expect(screen.queryByRole('button', { name: texts.markAll })).toBeNull();
  });

  test('has the newest first, and chips of modules only where there is more than one', async () => {
    const store = await indexedStore({ notifications: [told(1), told(3), told(2, { is_read: true })] });
    show(store);
    await screen.findByRole('list', { name: texts.title });
    expect(rows()).toEqual(['/action-items/3', '/action-items/2', '/action-items/1']);
    expect(screen.queryByRole('button', { name: 'Corrective Actions' })).toBeNull();
    await arrive(store, { notifications: [task(4)] });
    await screen.findByRole('button', { name: 'Tasks' });
    await chip('Tasks');
    await waitFor(() => expect(rows()).toEqual(['/tasks/4']));
    await chip('Tasks');
    await waitFor(() => expect(rows()).toHaveLength(4));
  });

  test('with everything read says so under "Unread", and one press shows everything again', async () => {
    show(await indexedStore({ notifications: [told(1, { is_read: true }), told(2)] }));
    await screen.findByRole('list', { name: texts.title });
    await chip(texts.filter.unread);
    await waitFor(() => expect(rows()).toEqual(['/action-items/2']));
    await userEvent.click(screen.getByRole('button', { name: /^Mark as read: / }));
    await screen.findByText(texts.empty.unread);
    await chip(texts.empty.all);
    await waitFor(() => expect(rows()).toHaveLength(2));
  });

  test('is marked as read module by module, and undo makes just those unread again', async () => {
    const store = await indexedStore({ notifications: [told(1), task(3), task(4), task(5, { is_read: true })] });
    show(store);
    await screen.findByRole('list', { name: texts.title });
    await chip('Tasks');
    await waitFor(() => expect(rows()).toHaveLength(3));
    await chip(texts.markAll);
    await waitFor(async () => expect(await unread(store)).toEqual([id(1)]));
    expect(screen.queryByRole('button', { name: texts.markAll })).toBeNull();
    expect(titles()).toEqual(['2 marked as read']);
    heard[0]?.action?.onPress();
    await waitFor(async () => expect(await unread(store)).toEqual([id(1), id(3), id(4)]));
  });

  test('what is opened is read, and can be marked as unread again', async () => {
    const store = await indexedStore({ notifications: [told(1)] });
    show(store);
    await userEvent.click(await screen.findByRole('link', { name: /^Unread:\s*Mara assigned “Item 1” to you/ }));
    await waitFor(async () => expect(await store.read(unreadCount)).toBe(0));
    await userEvent.click(screen.getByRole('button', { name: 'Mark as unread: Mara assigned “Item 1” to you' }));
    await waitFor(async () => expect(await store.read(unreadCount)).toBe(1));
  });

  test('says what of a later version it does not know without its content, in German too', async () => {
    const store = await indexedStore({
      notifications: [told(1, { type: 'moon.rises', module: 'moon', params: null })],
    });
    show(store);
    await screen.findByText('You have a new notification');
    expect(screen.getByText(/^moon · /)).toBeTruthy();
    cleanup();
    await inGerman(async () => {
      show(await indexedStore({ notifications: [told(1), told(2, { params: {} })] }));
      await screen.findByText('Mara hat dir „Item 1“ zugewiesen');
      expect(screen.getAllByText(/^Korrekturmaßnahmen · /)).toHaveLength(2);
      cleanup();
    });
  });
});

describe('how one is told', () => {
  const types: MemoryRows = {
    notification_types: [
      type(50, 'action.assigned'),
      type(51, 'action.critical', { class: 'safety' }),
      type(52, 'moon.rises'),
      type(53, 'task.overdue', { module: 'tasks', email: 'off' }),
    ],
    notification_choices: [{ id: id(60), user_id: ME, type: 'task.overdue', channel: 'push', cadence: 'off' }],
  };
  const of = (line: string, channel: 'app' | 'push' | 'email') =>
    screen.findByLabelText<HTMLSelectElement>(`${line}: ${texts.channels[channel]}`);

  test('stands as chosen, else as each type begins; safety leaves no choice, and the app itself has no digest', async () => {
    const store = await indexedStore(types);
    show(store, 'settings');
    const late = texts.types.task.overdue;
    expect((await of(late, 'push')).value).toBe('off');
    expect((await of(late, 'email')).value).toBe('off');
    expect([...(await of(late, 'app')).options].map(({ value }) => value)).toEqual(['immediate', 'off']);
    const safety = within(screen.getByRole('group', { name: texts.types.action.critical }));
    expect(safety.getByText(texts.always)).toBeTruthy();
    expect(safety.queryByRole('combobox')).toBeNull();
    expect(screen.getAllByRole('combobox')).toHaveLength(6);
    await userEvent.selectOptions(await of(late, 'push'), 'daily');
    await waitFor(async () =>
      expect((await store.read(choiceMatrix)).find(line => line.type.key === 'task.overdue')?.cadence.push).toBe(
        'daily',
      ),
    );
  });

  test('stays as it was where the device cannot keep the choice, and says why', async () => {
    show(failingWrite(await indexedStore(types), 'storage_full'), 'settings');
    await userEvent.selectOptions(await of(texts.types.action.assigned, 'email'), 'off');
    expect((await screen.findByRole('alert')).textContent).toBe(failure.storage_full);
    expect((await of(texts.types.action.assigned, 'email')).value).toBe('daily');
  });
});

/** A browser with a push service: what it was allowed, and whether it subscribed. */
function browser({ permission = 'default', answers = 'granted', subscribed = false }) {
  const subscription = {
    endpoint: 'https://push.test/1',
    toJSON: () => ({ endpoint: 'https://push.test/1', keys: { p256dh: 'p', auth: 'a' } }),
    unsubscribe: async () => (state.subscribed = false),
  };
  const state = { subscribed, permission };
  const pushManager = {
    getSubscription: async () => (state.subscribed ? subscription : null),
    subscribe: async () => {
      state.subscribed = true;
      return subscription;
    },
  };
  const worker = Object.assign(new EventTarget(), { getRegistration: async () => ({ pushManager }) });
  Object.defineProperty(navigator, 'serviceWorker', { value: worker, configurable: true });
  Object.assign(globalThis, {
    PushManager: Object,
    Notification: {
      get permission() {
        return state.permission;
      },
      requestPermission: async () => (state.permission = answers),
    },
  });
  return { state, worker };
}
function noBrowser(): void {
  Reflect.deleteProperty(navigator, 'serviceWorker');
  for (const name of ['PushManager', 'Notification']) Reflect.deleteProperty(globalThis, name);
}

describe('push on this device', () => {
  afterEach(noBrowser);
  const onOff = () => screen.findByRole('switch', { name: texts.push.on });
  const open = async () => show(await indexedStore(), 'settings');

  test('is not offered by a browser without it, and it is said what to do', async () => {
    await open();
    await screen.findByText(texts.push.unsupported);
    expect(screen.queryByRole('switch', { name: texts.push.on })).toBeNull();
  });

  test('is switched on with the browser’s question and off again, the server told of both', async () => {
    browser({});
    await open();
    expect((await onOff()).getAttribute('aria-checked')).toBe('false');
    await userEvent.click(await onOff());
    await waitFor(async () => expect((await onOff()).getAttribute('aria-checked')).toBe('true'));
    await userEvent.click(await onOff());
    await waitFor(async () => expect((await onOff()).getAttribute('aria-checked')).toBe('false'));
    expect(server.asked).toEqual(['save https://push.test/1', 'remove https://push.test/1']);
  });

  test('that the browser blocks says where to allow it; a question closed without an answer leaves it off', async () => {
    browser({ answers: 'denied' });
    await open();
    await userEvent.click(await onOff());
    await screen.findByText(texts.push.denied);
    cleanup();
    browser({ answers: 'default' });
    await open();
    await userEvent.click(await onOff());
    await waitFor(async () => expect((await onOff()).getAttribute('aria-disabled')).toBeNull());
    expect((await onOff()).getAttribute('aria-checked')).toBe('false');
    expect(server.asked).toEqual([]);
  });

  test('that the server sends none of is said; one that cannot be reached leaves it off with why', async () => {
    browser({});
    server.key = async () => null;
    await open();
    await userEvent.click(await onOff());
    await screen.findByText(texts.push.notConfigured);
    cleanup();
    browser({});
    server.key = () => Promise.reject(new Failure('offline', 'no network'));
    await open();
    await userEvent.click(await onOff());
    expect((await screen.findByRole('alert')).textContent).toBe(texts.push.failed);
    expect((await onOff()).getAttribute('aria-checked')).toBe('false');
  });

  test('goes off without a network too', async () => {
    const { state } = browser({ permission: 'granted', subscribed: true });
    server.remove = () => Promise.reject(new Failure('offline', 'no network'));
    await open();
    await waitFor(async () => expect((await onOff()).getAttribute('aria-checked')).toBe('true'));
    await userEvent.click(await onOff());
    await waitFor(async () => expect((await onOff()).getAttribute('aria-checked')).toBe('false'));
    expect(state.subscribed).toBe(false);
    expect(screen.queryByRole('alert')).toBeNull();
  });
});

describe('what arrives while the app is open', () => {
  afterEach(() => {
    appState.changeSettings({ notifications: { ...appState.snapshot().systemSettings.notifications, inApp: true } });
    noBrowser();
  });
  const types: MemoryRows = {
    notification_types: [
      type(50, 'action.assigned'),
      type(51, 'action.critical', { class: 'safety' }),
      type(53, 'task.overdue', { app: 'off', module: 'tasks' }),
    ],
  };
  async function watch(more: MemoryRows = {}, status: object = { online: true, firstPull: false }) {
    const store = await indexedStore({ ...types, notifications: [told(1)], ...more });
    const opened: string[] = [];
    const open = (path: string) => void opened.push(path);
    const watchStatus = (tell: (status: object) => void) => {
      tell(status);
      return () => undefined;
    };
    const { queryByText } = showSignedIn(
      <PushServerContext.Provider value={server}>
        <NotificationWatch open={open} />
        <p>drawn</p>
      </PushServerContext.Provider>,
      { store, engine: { watchStatus } },
    );
    await waitFor(() => expect(queryByText('drawn')).toBeTruthy());
    // The first read is what was there.
    await store.read(inbox());
    await act(async () => void (await store.read(choiceMatrix)));
    const come = (...notifications: ReturnType<typeof told>[]) => arrive(store, { notifications });
    return { come, opened, store };
  }
  /** What is never called out is known only beside something that is, later. */
  const LAST = told(59, { type: 'action.critical', params: { title: 'Fire', by: 'Mara' } });
  const FIRE = 'Critical: Mara assigned “Fire” to you';

  test('is called out with the way to it; what was there before is not', async () => {
    const { come, opened } = await watch();
    await come(told(2));
    await waitFor(() => expect(titles()).toEqual(['Mara assigned “Item 2” to you']));
    heard[0]?.action?.onPress();
    expect(opened).toEqual(['/action-items/2']);
  });

  test('more than two at once are told as a number that opens the inbox', async () => {
    const { come, opened } = await watch();
    await come(told(2), told(3), told(4));
    await waitFor(() => expect(titles()).toEqual(['3 new notifications']));
    heard[0]?.action?.onPress();
    expect(opened).toEqual(['/notifications']);
  });

  test('is held back by what was switched off for its kind or for this browser; safety is not', async () => {
    const { come } = await watch();
    await come(task(2));
    await come(told(3));
    await waitFor(() => expect(titles()).toEqual(['Mara assigned “Item 3” to you']));
    await act(async () =>
      appState.changeSettings({ notifications: { ...appState.snapshot().systemSettings.notifications, inApp: false } }),
    );
    await come(told(4));
    await come(LAST);
    await waitFor(() => expect(titles().slice(1)).toEqual([FIRE]));
  });

  test('is held back in quiet hours, all but safety', async () => {
    const now = new Date();
    const clock = (hours: number) => new Date(now.getTime() + hours * 3_600_000).toTimeString().slice(0, 5);
    const quiet = {
      id: ME,
      user_id: ME,
      quiet_hours_enabled: true,
      quiet_hours_start: clock(-2),
      quiet_hours_end: clock(2),
    };
    const { come } = await watch({ user_preferences: [quiet] });
    await come(told(2));
    await come(LAST);
    await waitFor(() => expect(titles()).toEqual([FIRE]));
  });

  test('of a first pull is the past and is not called out', async () => {
    const { come, store } = await watch({}, { online: true, firstPull: true });
    await come(LAST);
    await waitFor(async () => expect(await store.read(unreadCount)).toBe(2));
    await act(async () => void (await store.read(inbox())));
    expect(titles()).toEqual([]);
  });

  test('outside the page opens its screen when it is pressed, and nothing else a worker says does', async () => {
    const { worker } = browser({ permission: 'granted' });
    const { opened } = await watch();
    for (const data of [
      null,
      'x',
      { type: 'other', path: '/a' },
      { type: 'cairn.open', path: 7 },
      { type: 'cairn.open', path: '/tasks/1' },
    ])
      worker.dispatchEvent(new MessageEvent('message', { data }));
    expect(opened).toEqual(['/tasks/1']);
  });
});
