// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { openedEvidence } from '@cairn/core/evidence/queries.ts';
import type { Row } from '@cairn/schema';
import type { Store } from '@cairn/sync/store.ts';
import { StoreContext } from '@cairn/sync/store-context.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import evidence from '../../shared/i18n/en/evidence.json';
import { addTexts, startI18n } from '../../shared/i18n/start-i18n.ts';
import { ServerCallsContext, type ServerCalls } from '../../shared/server/server-calls.ts';
import { SignedInContext, type SignedInSession } from '../../shared/session/session.ts';
import { SpaceContext, type Space } from '../../shared/session/space.ts';
import { EvidenceDetail } from './evidence-detail.tsx';
import { EvidenceHere } from './evidence-here.tsx';
import { EvidenceScreen } from './evidence-screen.tsx';

const ME = '00000000-0000-4000-8000-000000000003';
const OTHER = '00000000-0000-4000-8000-000000000002';
const ORG = '00000000-0000-4000-8000-0000000000a1';
const ID = '00000000-0000-4000-8000-0000000000e1';

let store: Store;
beforeAll(async () => {
  await startI18n();
  addTexts('evidence', evidence);
});
afterEach(cleanup);

const stock = (fields: Partial<Row<'evidence'>> = {}) =>
  memoryStore(
    {
      organization_members: [
        { id: 'm', organization_id: ORG, user_id: ME, role: 'manager', joined_at: '2026-01-01T00:00:00Z' },
        { id: 'n', organization_id: ORG, user_id: OTHER, role: 'admin', joined_at: '2026-01-01T00:00:00Z' },
      ],
      people: [{ id: OTHER, display_name: 'Alex' }],
      evidence: [
        {
          id: ID,
          organization_id: ORG,
          series_id: ID,
          title: 'Fire drill',
          collected_at: '2026-11-20T08:00:00Z',
          created_by: OTHER,
          ...fields,
        },
      ],
    },
    ME,
  );
beforeEach(() => void (store = stock()));

const signedIn = { engine: { watchStatus: () => () => undefined } } as unknown as SignedInSession;

function show(child: React.ReactNode, may: (permission: string) => boolean = () => true) {
  const organization = { id: ORG, name: 'Northfield', kind: 'company' } as Row<'organizations'>;
  const space: Space = { userId: ME, organization, playbook: null, world: 'company', may };
  return render(
    <QueryClientProvider client={new QueryClient()}>
      <SignedInContext.Provider value={signedIn}>
        <ServerCallsContext.Provider value={{} as ServerCalls}>
          <StoreContext.Provider value={store}>
            <SpaceContext.Provider value={space}>{child}</SpaceContext.Provider>
          </StoreContext.Provider>
        </ServerCallsContext.Provider>
      </SignedInContext.Provider>
    </QueryClientProvider>,
  );
}
const detail = (
  <EvidenceDetail evidenceId={ID} backLink={null} renderRecord={(_, face) => face} renderEvidence={(_, face) => face} />
);
const list = <EvidenceScreen backLink={null} isAdding={false} renderEvidence={(_, face) => face} />;
const stored = async () => (await store.read(openedEvidence(ID)))?.evidence;
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

test('sending back asks for a reason, and keeps the decision on this device', async () => {
  show(detail);
  await screen.findByRole('heading', { name: 'Fire drill' });
  await press('Send back');
  await screen.findByText('Enter a reason first.');
  expect(await stored()).toMatchObject({ state: 'collected' });
  await userEvent.type(screen.getByLabelText('Reason'), 'Page 2 is missing');
  await press('Send back');
  await waitFor(async () =>
    expect(await stored()).toMatchObject({ state: 'sent_back', review_note: 'Page 2 is missing' }),
  );
});

test('nobody is offered to accept their own while somebody else could', async () => {
  store = stock({ created_by: ME });
  show(detail);
  await screen.findByText('You added or own this, so someone else reviews it.');
  expect(screen.queryByRole('button', { name: 'Accept' })).toBeNull();
});

test('who may not review sees what stands, and no act', async () => {
  show(detail, () => false);
  await screen.findByRole('heading', { name: 'Fire drill' });
  expect(screen.queryByRole('button')).toBeNull();
});

test('what is not on this device is said to be missing', async () => {
  store = memoryStore({}, ME);
  show(detail);
  await screen.findByText('Evidence not found');
});

test('the list opens where something waits, and an empty view says so', async () => {
  show(list);
  await screen.findByText('Fire drill');
  await userEvent.click(screen.getByRole('radio', { name: 'Valid' }));
  await screen.findByText('No valid evidence yet');
});

test('a member has no evidence pack, and may add', async () => {
  show(list, permission => permission === 'evidence.add');
  await screen.findByRole('button', { name: 'Add evidence' });
  expect(screen.queryByText('Evidence pack')).toBeNull();
});

test('a title is asked for before anything is kept; what is added on a record is linked to it', async () => {
  store = memoryStore({ policies: [{ id: OTHER, organization_id: ORG, title: 'Fire safety' }] }, ME);
  show(<EvidenceHere target={{ table: 'policies', id: OTHER }} renderEvidence={(_, face) => face} />);
  await userEvent.click(await screen.findByRole('button', { name: 'Add evidence' }));
  const sheet = within(await screen.findByRole('dialog', { name: 'Add evidence' }));
  await userEvent.click(sheet.getByRole('button', { name: 'Add evidence' }));
  await sheet.findByText('Enter a title.');
  await userEvent.type(sheet.getByLabelText('What it shows'), 'Drill');
  await userEvent.click(sheet.getByRole('button', { name: 'Add evidence' }));
  await screen.findByText('Drill');
});
