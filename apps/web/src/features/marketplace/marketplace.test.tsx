// @vitest-environment jsdom
import 'fake-indexeddb/auto';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Pack, PackVersion } from '@cairn/core/marketplace/pack.ts';
import { openDatabase } from '@cairn/sync/store/database.ts';
import { StoreContext } from '@cairn/sync/store-context.ts';
import type { Store } from '@cairn/sync/store.ts';
import { unfinishedWork, type UnfinishedWork } from '@cairn/sync/files/unfinished-work.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import marketplace from '../../shared/i18n/en/marketplace.json';
import { addTexts, startI18n } from '../../shared/i18n/start-i18n.ts';
import { ServerCallsContext, ServerRefusal, type ServerCalls } from '../../shared/server/server-calls.ts';
import { SignedInContext, type SignedInSession } from '../../shared/session/session.ts';
import { SpaceContext, type Space } from '../../shared/session/space.ts';
import { emptyOutbox } from '../../shared/server/pending-for-tests.ts';
import { MAKER_TIER } from './maker-tier-for-tests.ts';
import { MarketplaceScreen } from './marketplace-screen.tsx';
import { PackActions } from './pack-actions.tsx';
import { PackScreen } from './pack-screen.tsx';
import { UpdateScreen } from './update-screen.tsx';

const ME = '00000000-0000-4000-8000-000000000001';
const ORG = '00000000-0000-4000-8000-0000000000a1';
const contents = (body: string) => ({
  schema: 1,
  variables: [],
  policies: [{ key: 'a', title: 'Locks', body }],
  forms: [],
  tasks: [],
});
const version = (number: string, fields: Partial<PackVersion>): PackVersion => ({
  id: number,
  pack_id: 'p',
  number,
  rank: number.split('.').map(Number),
  state: 'listed',
  changelog: '',
  contents: contents('one\ntwo\nthree'),
  content_hash: '',
  draft_hash: '',
  review_note: null,
  submitted_at: null,
  listed_at: null,
  created_at: '2026-11-21T08:00:00Z',
  ...fields,
});
const pack: Pack = {
  id: 'p',
  organization_id: null,
  name: 'Safe machines',
  summary: '',
  publisher: 'Cairn',
  kind: 'compliance',
  licence: 'MIT',
  attribution: null,
  locale: 'en',
  industry: 'any',
  frameworks: [],
  is_template: true,
  status: 'active',
  current_version_id: '1.1.0',
  current_number: '1.1.0',
  forked_from_id: null,
  linked_playbooks: 0,
  rating_count: 0,
  rating_sum: 0,
  created_at: '2026-11-21T08:00:00Z',
};
const WAYS = { renderWrite: (face: string) => <a href="#write">{face}</a>, onWrite: () => {}, onGone: () => {} };
const versions = [version('1.1.0', { contents: contents('one\ntheirs\nthree') }), version('1.0.0', {})];
const installed = { id: 'i', version_id: '1.0.0', variables: {}, created_at: '' };

let store: Store;
let called: [string, unknown][];
let refusal: Error | null;
const tables: Record<string, unknown[]> = { policy_packs: [pack], pack_versions: versions, pack_installs: [installed] };
const calls: ServerCalls = {
  call: async <A,>(name: string, args?: Record<string, unknown>) => {
    called.push([name, args]);
    if (refusal) throw refusal;
    return null as A;
  },
  rows: async <A,>({ table }: { table: string }) => (tables[table] ?? []) as A[],
  insert: () => Promise.reject(new Error('nothing is inserted')),
  send: () => Promise.reject(new Error('nothing is sent')),
};

beforeAll(async () => {
  await startI18n();
  addTexts('marketplace', marketplace);
});
beforeEach(() => {
  tables['pack_versions'] = versions;
  tables['pack_installs'] = [installed];
  called = [];
  refusal = null;
  const item = { organization_id: ORG, pack_id: 'p', version_id: '1.0.0', kind: 'policy' as const, item_key: 'a' };
  store = memoryStore({
    organization_members: [{ id: 'm', organization_id: ORG, user_id: ME, role: 'admin' }],
    people: [{ id: ME, display_name: 'Alex' }],
    policies: [{ id: 'pol', organization_id: ORG, title: 'Locks', state: 'draft' }],
    policy_versions: [
      {
        id: 'v',
        organization_id: ORG,
        policy_id: 'pol',
        title: 'Locks',
        body: 'one\nmine\nthree',
        content_hash: 'seen',
      },
    ],
    pack_items: [
      { id: 'it', ...item, pack_name: 'x', pack_number: '1.0.0', publisher: 'x', licence: 'MIT', target_id: 'pol' },
    ],
  });
});
let unfinished: UnfinishedWork;
let devices = 0;
beforeEach(async () => {
  devices += 1;
  unfinished = unfinishedWork(await openDatabase(`market-${devices}`), ME);
});
afterEach(cleanup);

function show(content: ReactNode, permissions: string[]): void {
  const space = {
    userId: ME,
    organization: { id: ORG, name: 'ACME' },
    playbook: null,
    world: 'company',
    may: (permission: string) => permissions.includes(permission),
  } as unknown as Space;
  const signedIn = {
    engine: {
      ...emptyOutbox(),
      syncNow: () => called.push(['sync', null]),
      unfinished,
    },
  } as unknown as SignedInSession;
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <StoreContext.Provider value={store}>
        <SignedInContext.Provider value={signedIn}>
          <ServerCallsContext.Provider value={calls}>
            <SpaceContext.Provider value={space}>{content}</SpaceContext.Provider>
          </ServerCallsContext.Provider>
        </SignedInContext.Provider>
      </StoreContext.Provider>
    </QueryClientProvider>,
  );
}

const packScreen = (
  <PackScreen
    packId="p"
    mayReview={false}
    backLink={null}
    renderMarkdown={text => <pre>{text}</pre>}
    renderDocument={(_, face) => face}
    renderUpdate={face => face}
    renderActions={() => null}
  />
);
const market = (
  <MarketplaceScreen
    title="Market"
    mayReview={false}
    renderPack={(_, face) => face}
    renderMake={() => <button>Make</button>}
    renderWrite={(_, face) => face}
  />
);
const update = <UpdateScreen packId="p" backLink={null} allLink={null} renderMarkdown={text => <pre>{text}</pre>} />;

test('Q13 whoever may not install reads who can, and the server is not asked', async () => {
  show(market, []);
  expect(await screen.findByRole('heading', { name: 'You cannot install packs here' })).toBeTruthy();
  expect(await screen.findByText(/Alex can\./)).toBeTruthy();
});

test('whoever may install finds the pack and makes none', async () => {
  show(market, ['marketplace.access', 'content.manage']);
  expect(await screen.findByText('Safe machines')).toBeTruthy();
  // The tier of everybody does not create.
  expect(screen.queryByRole('button', { name: 'Make' })).toBeNull();
});

test('installing begins with what the texts of this organisation name already, and what is typed goes before it', async () => {
  const asks = {
    ...contents('Call {{hotline}} of {{company}}.'),
    variables: [
      { key: 'hotline', label: 'Hotline' },
      { key: 'company', label: 'Company' },
    ],
  };
  tables['pack_versions'] = [version('1.1.0', { contents: asks })];
  tables['pack_installs'] = [];
  const known = { id: 'pv', organization_id: ORG, key: 'hotline', value: '555' };
  await store.write('t', tx => tx.put('policy_variables', known));
  show(packScreen, ['marketplace.access']);
  await userEvent.click(await screen.findByRole('button', { name: marketplace.install.open }));
  const sheet = within(await screen.findByRole('dialog'));
  expect(sheet.getByLabelText<HTMLInputElement>('Hotline').value).toBe('555');
  await userEvent.type(sheet.getByLabelText('Hotline'), '9');
  await userEvent.type(sheet.getByLabelText('Company'), 'ACME');
  await userEvent.click(sheet.getByRole('button', { name: 'Create 1 draft' }));
  await waitFor(() => expect(called[0]?.[0]).toBe('install_pack'));
  expect(called[0]?.[1]).toMatchObject({ p_variables: { hotline: '5559', company: 'ACME' } });
});

test('an update that touches what was changed here waits for a choice, and sends what was chosen with what was seen', async () => {
  show(update, ['marketplace.access']);
  const card = within(await screen.findByRole('region', { name: 'Locks' }));
  const take = card.getByRole<HTMLButtonElement>('button', { name: 'Use as draft' });
  expect(take.disabled).toBe(true);
  await userEvent.click(card.getByRole('radio', { name: 'Both, one after the other' }));
  expect(take.disabled).toBe(false);
  await userEvent.click(take);
  await waitFor(() => expect(called.map(([name]) => name)).toEqual(['take_pack_item', 'sync']));
  expect(called[0]?.[1]).toMatchObject({
    p_how: 'take',
    p_key: 'a',
    p_seen: 'seen',
    p_body: 'one\nmine\ntheirs\nthree',
  });
});

test('words that changed meanwhile are said, and nothing counts as done', async () => {
  refusal = new ServerRefusal('23514', 'x', 'changed');
  show(update, ['marketplace.access']);
  const card = within(await screen.findByRole('region', { name: 'Locks' }));
  await userEvent.click(card.getByRole('button', { name: 'Keep mine' }));
  expect(await card.findByText('Someone else has changed this. Check it again.')).toBeTruthy();
  expect(called.map(([name]) => name)).toEqual(['take_pack_item']);
});

test('a reviewer sends a version back only with a reason; its maker cannot list it', async () => {
  const rights = { mayInstall: false, mayMake: false, mayReview: true };
  const waiting = [version('2.0.0', { state: 'in_review' })];
  show(<PackActions pack={pack} versions={waiting} rights={rights} onForked={() => {}} {...WAYS} />, []);
  const back = screen.getByRole<HTMLButtonElement>('button', { name: 'Send back' });
  expect(back.disabled).toBe(true);
  await userEvent.type(screen.getByLabelText('Reason'), 'Whose words?');
  await userEvent.click(back);
  await waitFor(() =>
    expect(called[0]).toEqual(['move_pack_version', { p_version: '2.0.0', p_to: 'draft', p_note: 'Whose words?' }]),
  );
  cleanup();
  const own = { ...pack, organization_id: ORG };
  const maker = { mayInstall: true, mayMake: true, mayReview: true };
  show(<PackActions pack={own} versions={waiting} rights={maker} onForked={() => {}} {...WAYS} />, []);
  expect(screen.queryByRole('button', { name: 'List pack' })).toBeNull();
});

describe('what somebody typed of a pack and did not save', () => {
  const rights = { mayInstall: false, mayMake: true, mayReview: false };
  const own = { ...pack, organization_id: ORG };
  const actions = (state: 'draft' | 'submitted') => {
    const versions = [version('2.0.0', { state }), version('1.0.0', {})];
    return <PackActions pack={own} versions={versions} rights={rights} onForked={() => {}} {...WAYS} />;
  };
  beforeEach(async () => {
    const typed = (name: string) => {
      const draft = { facts: { name }, number: '2.0.0', changelog: '', contents: contents('mine') };
      return { shape: 1, versionId: '2.0.0', hash: '', draft };
    };
    await unfinished.keep(`pack/${ORG}/p`, 0, typed('Safe boats'));
    await unfinished.keep('pack/another/q', 0, typed('Safe trains'));
  });

  test('is found on the page of the pack where it is no longer written, and among one’s own packs', async () => {
    show(actions('submitted'), []);
    expect(await screen.findByText(marketplace.adrift.there)).toBeTruthy();
    cleanup();
    store = memoryStore({
      subscription_tiers: [MAKER_TIER],
      subscriptions: [{ id: ME, tier: MAKER_TIER.tier }],
    });
    show(market, ['marketplace.access', 'content.manage']);
    await userEvent.click(await screen.findByRole('radio', { name: 'Our packs' }));
    expect(await screen.findByText('Safe boats')).toBeTruthy();
    // What the same person typed for another company stays with that.
    expect(screen.queryByText('Safe trains')).toBeNull();
  });

  test('goes with the draft that its writer throws away', async () => {
    show(actions('draft'), []);
    await userEvent.click(screen.getByRole('button', { name: marketplace.drop.act }));
    const dialog = within(await screen.findByRole('alertdialog'));
    await userEvent.click(dialog.getByRole('button', { name: marketplace.drop.act }));
    await waitFor(async () => expect(await unfinished.list(`pack/${ORG}/`)).toEqual([]));
  });
});
