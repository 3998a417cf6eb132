// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { StoreContext } from '@cairn/sync/store-context.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { marketplace } from '../../shared/i18n/en/marketplace.ts';
import { addTexts, startI18n } from '../../shared/i18n/start-i18n.ts';
import { ServerCallsContext, ServerRefusal, type ServerCalls } from '../../shared/server-calls.ts';
import { SignedInContext, type SignedIn } from '../../shared/session.ts';
import { SpaceContext, type Space } from '../../shared/space.ts';
import { WriteScreen } from './write-screen.tsx';

const ME = '00000000-0000-4000-8000-000000000001';
const ORG = '00000000-0000-4000-8000-0000000000a1';
type Draft = { number: string; changelog: string; contents: unknown; draft_hash: string };
type Sent = { p_changelog: string; p_contents: { variables: unknown }; p_seen: string; p_facts: unknown };

const TIER = {
  id: 'company_enterprise',
  tier: 'company_enterprise' as const,
  can_create_content: true,
  can_access_marketplace: true,
  can_earn_revenue: true,
  has_subscription: true,
  media_search_quota: 0,
  media_sources: [],
  auto_recommendations: false,
  video_generation: false,
  monthly_video_credits: 0,
  can_buy_credits: false,
  can_enhance_videos: false,
  auto_transcribe: false,
};

/** What the server has, and what it was sent. */
let there: Draft;
let sent: Sent[];

/** What the server makes of the company's own records, once it answers. */
let collected: Promise<unknown>;

const calls = {
  call: (name: string, args: unknown) => {
    if (name === 'pack_contents_of') return collected;
    if (name !== 'save_pack_version') return Promise.resolve(null);
    const said = args as Sent;
    sent.push(said);
    if (said.p_seen !== there.draft_hash)
      return Promise.reject(new ServerRefusal('23514', 'somebody changed this since', 'changed'));
    there = { ...there, changelog: said.p_changelog, contents: said.p_contents, draft_hash: `hash ${sent.length}` };
    return Promise.resolve(there.draft_hash);
  },
  rows: ({ table }: { table: string }) =>
    Promise.resolve(
      table === 'policy_packs'
        ? [
            {
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
            },
          ]
        : table === 'pack_versions'
          ? [{ id: 'v', pack_id: 'p', state: 'draft', rank: [1, 0, 0], review_note: null, ...there }]
          : [],
    ),
} as unknown as ServerCalls;

beforeAll(async () => {
  await startI18n();
  addTexts('marketplace', marketplace);
});
beforeEach(() => {
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
  there = { number: '1.0.0', changelog: '', contents, draft_hash: 'first' };
  sent = [];
});
afterEach(cleanup);

async function write() {
  const store = memoryStore({
    policies: [{ id: 'pol', organization_id: ORG, title: 'Doors', state: 'published' }],
    organization_members: [{ id: 'm', organization_id: ORG, user_id: ME, role: 'admin' }],
    subscriptions: [{ id: ME, tier: 'company_enterprise' }],
    subscription_tiers: [TIER],
  });
  const space = {
    userId: ME,
    organization: { id: ORG, name: 'ACME' },
    playbook: null,
    world: 'company',
    may: () => true,
  };
  const view = render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <StoreContext.Provider value={store}>
        <SignedInContext.Provider value={{ engine: { syncNow: () => undefined } } as unknown as SignedIn}>
          <ServerCallsContext.Provider value={calls}>
            <SpaceContext.Provider value={space as unknown as Space}>
              <WriteScreen
                packId="p"
                backLink={null}
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
  const field = await screen.findByLabelText('What is new');
  return { ...view, field };
}
const isSaid = (words: string) => waitFor(() => screen.getByText(words), { timeout: 5000 });

test('what is typed is kept after a rest, once, over what was seen; words that texts name are asked for', async () => {
  const { field } = await write();
  await userEvent.type(field, 'Lamps');
  await userEvent.click(screen.getByRole('button', { name: /Locks/ }));
  await userEvent.clear(screen.getByLabelText('Words'));
  await userEvent.type(screen.getByLabelText('Words'), 'Ask {{{{the_porter}}');
  await waitFor(() => expect(there.changelog).toBe('Lamps'), { timeout: 5000 });
  await isSaid('Saved');
  expect(sent.at(-1)?.p_contents.variables).toEqual([{ key: 'the_porter', label: 'The porter' }]);
  expect(sent.map(({ p_seen: seen }) => seen)).toEqual(['first', 'hash 1', 'hash 2'].slice(0, sent.length));
});

test('whoever leaves at once has kept what they typed, with what the pack is', async () => {
  const { unmount } = await write();
  await userEvent.type(screen.getByLabelText('Name'), ' and theirs');
  unmount();
  await waitFor(() => expect(sent).toMatchObject([{ p_facts: { name: 'Ours and theirs' } }]));
});

test('what cannot stand in a pack is said and not sent, and stays on the screen', async () => {
  await write();
  await userEvent.click(screen.getByRole('button', { name: /Locks/ }));
  await userEvent.type(screen.getByLabelText('Words'), '<b>now</b>');
  await isSaid(marketplace.problem.markup);
  expect(screen.getByText('Not saved')).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Take out of the pack' }));
  await isSaid('Saved');
  expect(sent.map(({ p_contents: contents }) => JSON.stringify(contents).includes('<b>'))).toEqual([false]);
});

test('what is typed while documents are being added stays', async () => {
  const { field } = await write();
  const { promise, resolve } = Promise.withResolvers<unknown>();
  collected = promise;
  await userEvent.click(await screen.findByRole('checkbox', { name: /Doors/ }));
  await userEvent.click(screen.getByRole('button', { name: 'Add to the pack' }));
  await userEvent.click(screen.getByRole('button', { name: /Locks/ }));
  await userEvent.type(screen.getByLabelText('Words'), ' twice');
  const policies = [{ key: 'p-1', title: 'Doors', body: 'Shut them' }];
  resolve({ schema: 1, variables: [], forms: [], tasks: [], policies });
  await screen.findByRole('button', { name: /Doors/ });
  expect(screen.getByLabelText<HTMLTextAreaElement>('Words').value).toBe('Turn it twice');
  expect(field).toBeDefined();
});

test('nor is it sent by whoever leaves with it', async () => {
  const { unmount } = await write();
  await userEvent.clear(screen.getByLabelText('Version'));
  await isSaid('Not saved');
  unmount();
  expect(sent).toEqual([]);
});

test.each([
  ['Keep mine instead', 'mine'],
  ['Take theirs', 'theirs'],
])('a draft that somebody else wrote since is not written over: %s', async (act, stays) => {
  const { field } = await write();
  there = { ...there, changelog: 'theirs', draft_hash: 'theirs' };
  await userEvent.type(field, 'mine');
  await isSaid(marketplace.problem.changed);
  expect(there.changelog).toBe('theirs');
  await userEvent.click(await screen.findByRole('button', { name: act }, { timeout: 5000 }));
  await isSaid('Saved');
  expect(there.changelog).toBe(stays);
  expect(screen.getByLabelText<HTMLTextAreaElement>('What is new').value).toBe(stays);
});
