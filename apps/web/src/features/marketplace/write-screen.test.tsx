// @vitest-environment jsdom
import 'fake-indexeddb/auto';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Failure } from '@cairn/base/failure.ts';
import { openDatabase, type LocalDatabase } from '@cairn/sync/store/database.ts';
import { StoreContext } from '@cairn/sync/store-context.ts';
import { unfinishedWork, type UnfinishedWork } from '@cairn/sync/files/unfinished-work.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import marketplace from '../../shared/i18n/en/marketplace.json';
import { addTexts, startI18n } from '../../shared/i18n/start-i18n.ts';
import { ServerCallsContext, ServerRefusal, type ServerCalls } from '../../shared/server/server-calls.ts';
import { SignedInContext, type SignedInSession } from '../../shared/session/session.ts';
import { SpaceContext, type Space } from '../../shared/session/space.ts';
import { emptyOutbox } from '../../shared/server/pending-for-tests.ts';
import { MAKER_TIER } from './maker-tier-for-tests.ts';
import { WriteScreen } from './write-screen.tsx';

const ME = '00000000-0000-4000-8000-000000000001';
const ORG = '00000000-0000-4000-8000-0000000000a1';
const DOORS = '0190aabb-0000-7000-8000-000000000001';
type Draft = { id: string; state: string; number: string; changelog: string; contents: unknown; draft_hash: string };
type SaveArguments = {
  p_id: string;
  p_number: string;
  p_changelog: string;
  p_contents: { variables: unknown; policies?: { key: string; body: string }[] };
  p_seen: string | null;
  p_facts: unknown;
};

/** What the server has (null: the pack is gone), and what it was sent. */
let there: Draft;
let isThere: boolean;
let earlier: Draft[];
let sent: SaveArguments[];
let called: [string, unknown][];

/** What the server makes of the company's own records, once it answers. */
let collected: Promise<unknown>;
/** What saving waits for; rejects where there is no signal. */
let line: Promise<unknown>;

let device: LocalDatabase;
let unfinished: UnfinishedWork;
let devices = 0;

const refuse = (hint: string) => Promise.reject(new ServerRefusal('23514', hint, hint));
async function save(toSend: SaveArguments): Promise<string> {
  sent.push(toSend);
  await line;
  if (!isThere) throw new ServerRefusal('42501', 'no such pack of yours');
  const { p_id: id, p_number: number, p_changelog: changelog, p_contents: contents } = toSend;
  if (id !== there.id) {
    if (toSend.p_seen !== null) return refuse('gone');
    earlier = there.state === 'listed' ? [there] : [];
  } else {
    if (there.state !== 'draft') return refuse('state');
    if (toSend.p_seen !== there.draft_hash) return refuse('changed');
  }
  there = { id, state: 'draft', number, changelog, contents, draft_hash: `hash ${sent.length}` };
  return there.draft_hash;
}

const PACK = {
  id: 'p',
  organization_id: ORG,
  name: 'Ours',
  summary: '',
  kind: 'compliance',
  licence: 'MIT',
  locale: 'en',
  industry: 'any',
  frameworks: [],
  is_template: true,
  status: 'draft',
  current_version_id: null,
  forked_from_id: null,
};

const calls = {
  call: (name: string, args: unknown) => {
    called.push([name, args]);
    if (name === 'pack_contents_of') return collected;
    if (name === 'save_pack') isThere = true;
    if (name === 'move_pack_version') there = { ...there, state: 'draft' };
    return name === 'save_pack_version' ? save(args as SaveArguments) : Promise.resolve(null);
  },
  rows: ({ table }: { table: string }) => {
    if (table === 'pack_installs' || !isThere) return Promise.resolve([]);
    if (table === 'policy_packs') return Promise.resolve([PACK]);
    const about = { pack_id: 'p', rank: [1, 0, 0], review_note: null };
    return Promise.resolve([there, ...earlier].map(version => ({ ...about, ...version })));
  },
} as unknown as ServerCalls;

beforeAll(async () => {
  await startI18n();
  addTexts('marketplace', marketplace);
});
beforeEach(async () => {
  devices += 1;
  device = await openDatabase(`packs-${devices}`);
  unfinished = unfinishedWork(device, ME);
  const contents = {
    schema: 1,
    variables: [],
    forms: [],
    tasks: [],
    policies: [
      { key: 'a', title: 'Locks', body: 'Turn it' },
      { key: 'b', title: 'Keys', body: 'Keep it' },
    ],
  };
  there = { id: 'v', state: 'draft', number: '1.0.0', changelog: '', contents, draft_hash: 'first' };
  isThere = true;
  line = Promise.resolve();
  [sent, called, earlier] = [[], [], []];
});
afterEach(cleanup);

/** The page; the next one begins on the same device, in the same or a fresh app. */
async function write() {
  const store = memoryStore({
    policies: [{ id: DOORS, organization_id: ORG, title: 'Doors', state: 'published' }],
    organization_members: [{ id: 'm', organization_id: ORG, user_id: ME, role: 'admin' }],
    subscriptions: [{ id: ME, tier: 'company_enterprise' }],
    subscription_tiers: [MAKER_TIER],
  });
  const space = {
    userId: ME,
    organization: { id: ORG, name: 'ACME' },
    playbook: null,
    world: 'company',
    may: () => true,
  };
  const engine = { ...emptyOutbox(), unfinished };
  const view = render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <StoreContext.Provider value={store}>
        <SignedInContext.Provider value={{ engine } as unknown as SignedInSession}>
          <ServerCallsContext.Provider value={calls}>
            <SpaceContext.Provider value={space as unknown as Space}>
              <WriteScreen
                packId="p"
                backLink={null}
                allLink={null}
                onBegun={() => undefined}
                renderWords={(body, onChange) => (
                  <textarea aria-label="Words" value={body} onChange={event => onChange(event.target.value)} />
                )}
              />
            </SpaceContext.Provider>
          </ServerCallsContext.Provider>
        </SignedInContext.Provider>
      </StoreContext.Provider>
    </QueryClientProvider>,
  );
  return view;
}
async function written() {
  const view = await write();
  const field = await screen.findByLabelText<HTMLTextAreaElement>('What is new', {}, { timeout: 5000 });
  return { ...view, field };
}
/** The app is closed and begun anew on this device. */
const begunAnew = () => {
  cleanup();
  unfinished = unfinishedWork(device, ME);
};
const onDevice = () => unfinishedWork(device, ME).list('pack/');
const changelogText = () => screen.getByLabelText<HTMLTextAreaElement>('What is new').value;
const isShown = (words: string) => waitFor(() => screen.getByText(words), { timeout: 5000 });

test('what is typed is kept after a rest, once, over what was seen; words that texts name are asked for', async () => {
  const { field } = await written();
  await userEvent.type(field, 'Lamps');
  await userEvent.click(screen.getByRole('button', { name: /Locks/ }));
  await userEvent.clear(screen.getByLabelText('Words'));
  await userEvent.type(screen.getByLabelText('Words'), 'Ask {{{{the_porter}}');
  await waitFor(() => expect(there.changelog).toBe('Lamps'), { timeout: 5000 });
  await isShown('Saved');
  expect(sent.at(-1)?.p_contents.variables).toEqual([{ key: 'the_porter', label: 'The porter' }]);
  expect(sent.map(({ p_seen: seen }) => seen)).toEqual(['first', 'hash 1', 'hash 2'].slice(0, sent.length));
});

test('whoever leaves at once has kept what they typed, with what the pack is', async () => {
  const { unmount } = await written();
  await userEvent.type(screen.getByLabelText('Name'), ' and theirs');
  unmount();
  await waitFor(() => expect(sent).toMatchObject([{ p_facts: { name: 'Ours and theirs' } }]));
});

test('what cannot stand in a pack is said and not sent, and stays on the screen', async () => {
  await written();
  await userEvent.click(screen.getByRole('button', { name: /Locks/ }));
  await userEvent.type(screen.getByLabelText('Words'), '<b>now</b>');
  await isShown(marketplace.problem.markup);
  expect(screen.getByText('Not saved')).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Remove from pack' }));
  await isShown('Saved');
  expect(sent.map(({ p_contents: contents }) => JSON.stringify(contents).includes('<b>'))).toEqual([false]);
});

test('what is typed while documents are being added stays', async () => {
  const { field } = await written();
  const { promise, resolve } = Promise.withResolvers<unknown>();
  collected = promise;
  await userEvent.click(await screen.findByRole('checkbox', { name: /Doors/ }));
  await userEvent.click(screen.getByRole('button', { name: 'Add to pack' }));
  await userEvent.click(screen.getByRole('button', { name: /Locks/ }));
  await userEvent.type(screen.getByLabelText('Words'), ' twice');
  const policies = [{ key: 'p-1', title: 'Doors', body: 'Shut them' }];
  resolve({ schema: 1, variables: [], forms: [], tasks: [], policies });
  await screen.findByRole('button', { name: /Doors/ });
  expect(screen.getByLabelText<HTMLTextAreaElement>('Words').value).toBe('Turn it twice');
  expect(field).toBeDefined();
});

test('nor is it sent by whoever leaves with it', async () => {
  const { unmount } = await written();
  await userEvent.clear(screen.getByLabelText('Version'));
  await isShown('Not saved');
  unmount();
  expect(sent).toEqual([]);
});

test.each([
  ['Keep mine instead', 'mine'],
  ['Use theirs', 'theirs'],
])('a draft that somebody else wrote since is not written over: %s', async (act, stays) => {
  const { field } = await written();
  there = { ...there, changelog: 'theirs', draft_hash: 'theirs' };
  await userEvent.type(field, 'mine');
  await isShown(marketplace.problem.changed);
  expect(there.changelog).toBe('theirs');
  await userEvent.click(await screen.findByRole('button', { name: act }, { timeout: 5000 }));
  await isShown('Saved');
  expect(there.changelog).toBe(stays);
  expect(screen.getByLabelText<HTMLTextAreaElement>('What is new').value).toBe(stays);
});

describe('what is typed is nowhere lost', () => {
  test('what was typed while a save was on its way goes after it, also when the page is left', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    line = promise;
    const { field, unmount } = await written();
    await userEvent.type(field, 'One');
    await waitFor(() => expect(sent).toHaveLength(1), { timeout: 5000 });
    await userEvent.type(field, ' two');
    unmount();
    resolve();
    await waitFor(() => expect(there.changelog).toBe('One two'), { timeout: 5000 });
    expect(sent.map(({ p_seen: seen }) => seen)).toEqual(['first', 'hash 1']);
    await waitFor(async () => expect(await onDevice()).toEqual([]));
  });

  test('whoever comes back while it is on its way finds it, and goes on', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    line = promise;
    const { field, unmount } = await written();
    await userEvent.type(field, 'One');
    unmount();
    const again = await written();
    expect(again.field.value).toBe('One');
    await userEvent.type(again.field, ' two');
    resolve();
    await isShown('Saved');
    expect(there.changelog).toBe('One two');
  });

  test('what cannot be saved is kept on the device, and stands there when the app begins anew', async () => {
    await written();
    await userEvent.click(screen.getByRole('button', { name: /Locks/ }));
    await userEvent.type(screen.getByLabelText('Words'), ' <b>now</b>');
    await waitFor(async () => expect(JSON.stringify(await onDevice())).toContain('<b>now</b>'));
    begunAnew();
    await written();
    await isShown(marketplace.write.restored);
    await userEvent.click(screen.getByRole('button', { name: /Locks/ }));
    expect(screen.getByLabelText<HTMLTextAreaElement>('Words').value).toBe('Turn it <b>now</b>');
    expect(sent).toEqual([]);
    await userEvent.clear(screen.getByLabelText('Words'));
    await userEvent.type(screen.getByLabelText('Words'), 'Turn it now');
    await isShown('Saved');
    expect(await onDevice()).toEqual([]);
  });

  test('without a signal it waits on the device, and goes when there is one', async () => {
    line = Promise.reject(new Failure('offline', 'no signal'));
    line.catch(() => undefined);
    const { field } = await written();
    await userEvent.type(field, 'Lamps');
    await isShown(marketplace.write.unsavedText);
    begunAnew();
    await written();
    expect(changelogText()).toBe('Lamps');
    await isShown(marketplace.problem.offline);
    line = Promise.resolve();
    dispatchEvent(new Event('online'));
    await isShown('Saved');
    expect(there.changelog).toBe('Lamps');
  });

  test('where the device has no room for it, that is said', async () => {
    line = Promise.reject(new Failure('offline', 'no signal'));
    line.catch(() => undefined);
    unfinished = { ...unfinished, keep: () => Promise.reject(new Failure('storage_full', 'no room')) };
    const { field } = await written();
    await userEvent.type(field, 'L');
    await isShown(marketplace.write.unsavedNowhere);
  });
});

describe('a draft that somebody else takes away while one writes', () => {
  /** Types something that comes to a server on which the draft is no longer open. */
  async function tooLate(change: () => void, title: string) {
    const { field } = await written();
    change();
    await userEvent.type(field, 'mine');
    await isShown(title.replace('{{number}}', '1.0.0'));
    expect(changelogText()).toBe('mine');
  }
  const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

  test('submitted: mine stays, also after the app began anew; taken back, it is saved', async () => {
    await tooLate(() => {
      there = { ...there, state: 'submitted' };
    }, marketplace.adrift.submitted);
    expect(there.changelog).toBe('');
    begunAnew();
    await written();
    expect(changelogText()).toBe('mine');
    await press(marketplace.adrift.takeBack);
    await isShown('Saved');
    expect(there).toMatchObject({ id: 'v', state: 'draft', changelog: 'mine' });
  });

  test('listed already: mine goes into the next version', async () => {
    await tooLate(() => {
      there = { ...there, state: 'listed' };
    }, marketplace.adrift.listed);
    await press(marketplace.adrift.next);
    await isShown('Saved');
    expect(there).toMatchObject({ state: 'draft', number: '1.1.0', changelog: 'mine' });
    expect(changelogText()).toBe('mine');
    expect(await onDevice()).toEqual([]);
  });

  test('in review: nothing is to be done with it there, and it stays', async () => {
    await tooLate(() => {
      there = { ...there, state: 'in_review' };
    }, marketplace.adrift.in_review);
    expect(screen.queryByRole('button', { name: marketplace.adrift.takeBack })).toBeNull();
    expect(screen.queryByRole('button', { name: marketplace.adrift.next })).toBeNull();
    expect(await onDevice()).toHaveLength(1);
  });

  test('thrown away with its pack: mine begins a pack', async () => {
    await tooLate(() => {
      isThere = false;
    }, marketplace.adrift.packGone);
    await press(marketplace.adrift.pack);
    await isShown('Saved');
    expect(called.find(([name]) => name === 'save_pack')?.[1]).toMatchObject({ p_facts: { name: 'Ours' } });
    expect(there).toMatchObject({ changelog: 'mine' });
    expect(there.id).not.toBe('v');
  });

  test('another one was begun instead: mine stands over it, and one of the two is chosen', async () => {
    await tooLate(() => {
      there = { ...there, state: 'submitted' };
    }, marketplace.adrift.submitted);
    there = { ...there, id: 'w', state: 'draft', number: '2.0.0', changelog: 'theirs', draft_hash: 'theirs' };
    begunAnew();
    await written();
    await isShown(marketplace.problem.changed);
    expect([changelogText(), there.changelog]).toEqual(['mine', 'theirs']);
    await userEvent.click(await screen.findByRole('button', { name: 'Keep mine instead' }));
    await isShown('Saved');
    expect(there).toMatchObject({ id: 'w', number: '2.0.0', changelog: 'mine' });
  });

  test('thrown away by oneself too, once it is asked for', async () => {
    await tooLate(() => {
      there = { ...there, state: 'submitted' };
    }, marketplace.adrift.submitted);
    await press(marketplace.adrift.drop);
    expect(await onDevice()).toHaveLength(1);
    await userEvent.click(
      (await screen.findByRole('alertdialog')).querySelector('button:last-of-type') ?? document.body,
    );
    await isShown(marketplace.write.none.replace('{{name}}', 'Ours'));
    await waitFor(async () => expect(await onDevice()).toEqual([]));
  });
});

test('a draft that cannot be read is said to be so, and written over by nobody who has not asked to', async () => {
  there = { ...there, contents: { schema: 2 } };
  await write();
  await isShown(marketplace.unreadable.title);
  expect(screen.queryByLabelText('What is new')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: marketplace.unreadable.anew }));
  const dialog = await screen.findByRole('alertdialog');
  await userEvent.click(dialog.querySelector('button:last-of-type') ?? document.body);
  await screen.findByLabelText('What is new');
  expect([sent, there.contents]).toEqual([[], { schema: 2 }]);
});

test('a document of an older draft is taken anew in its place, and has its record’s whole id once it is saved', async () => {
  const policies = [{ key: 'p-0190aabb', title: 'Doors', body: 'Shut them' }];
  there = { ...there, contents: { ...(there.contents as object), policies } };
  await written();
  const doors = await screen.findByRole('checkbox', { name: /Doors/ });
  expect(screen.getByText(new RegExp(marketplace.write.isIn))).toBeDefined();
  const whole = `p-${DOORS.replaceAll('-', '')}`;
  const anew = [{ key: whole, title: 'Doors', body: 'Lock them' }];
  collected = Promise.resolve({ schema: 1, variables: [], forms: [], tasks: [], policies: anew });
  await userEvent.click(doors);
  await userEvent.click(screen.getByRole('button', { name: 'Add to pack' }));
  await isShown('Saved');
  await waitFor(() => expect(sent.at(-1)?.p_contents.policies).toEqual(anew), { timeout: 5000 });
});
