// @vitest-environment jsdom
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { Failure } from '@cairn/base/failure.ts';
import { approvalOf } from '@cairn/core/approvals/approvals.ts';
import { policyHash } from '@cairn/core/policies/policy-hash.ts';
import { openedPolicy } from '@cairn/core/policies/queries.ts';
import type { Row } from '@cairn/schema';
import type { Store } from '@cairn/sync/store.ts';
import { StoreContext } from '@cairn/sync/store-context.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import policies from '../../shared/i18n/en/policies.json';
import policyAuthoring from '../../shared/i18n/en/policy-authoring.json';
import quiz from '../../shared/i18n/en/quiz.json';
import { addTexts, startI18n } from '../../shared/i18n/start-i18n.ts';
import { ServerCallsContext, ServerRefusal, type ServerCalls } from '../../shared/server/server-calls.ts';
import { SignedInContext, type SignedInSession } from '../../shared/session/session.ts';
import { SpaceContext, type Space } from '../../shared/session/space.ts';
import { emptyOutbox } from '../../shared/server/pending-for-tests.ts';
import { EditScreen } from './authoring/edit-screen.tsx';
import { PoliciesScreen } from './policies-screen.tsx';
import { PolicyScreen } from './policy-screen.tsx';

const ME = '00000000-0000-4000-8000-000000000003';
const OTHER = '00000000-0000-4000-8000-000000000002';
const ORG = '00000000-0000-4000-8000-0000000000a1';
const POLICY = '00000000-0000-4000-8000-0000000000b1';
const ONE = '00000000-0000-4000-8000-0000000000c1';
const NEXT = '00000000-0000-4000-8000-0000000000c2';
const REQUEST = '00000000-0000-4000-8000-0000000000d1';
const words = { title: 'Lockout', body: '## Purpose\n\nNobody is hurt.\n\n## Steps\n\n1. Stop\n' };
let store: Store;
let called: string[];
let answer: () => Promise<unknown>;
let navigated: string[];

beforeAll(async () => {
  await startI18n();
  addTexts('policies', policies);
  addTexts('policyAuthoring', policyAuthoring);
  addTexts('quiz', quiz);
});
afterEach(cleanup);

const version = (fields: Pick<Row<'policy_versions'>, 'id'> & Partial<Row<'policy_versions'>>) => ({
  organization_id: ORG,
  policy_id: POLICY,
  version: 1,
  ...words,
  ...fields,
});
const stock = (next: Partial<Row<'policy_versions'>> = {}) =>
  memoryStore(
    {
      organization_members: [
        { id: 'm', organization_id: ORG, user_id: ME, role: 'manager', joined_at: '2026-01-01T00:00:00Z' },
        { id: 'n', organization_id: ORG, user_id: OTHER, role: 'manager', joined_at: '2026-01-01T00:00:00Z' },
      ],
      people: [
        { id: ME, display_name: 'Sam' },
        { id: OTHER, display_name: 'Mara' },
      ],
      policies: [
        {
          id: POLICY,
          organization_id: ORG,
          title: 'Lockout',
          state: 'published',
          current_version_id: ONE,
          current_major: 1,
          major_since: '2026-11-20T09:00:00.000Z',
        },
      ],
      policy_versions: [
        version({ id: ONE, state: 'published', major: 1, minor: 0, content_hash: policyHash(words) }),
        version({ id: NEXT, state: 'draft', body: '## Purpose\n\nNobody is hurt, ever.\n', ...next }),
      ],
      acknowledgement_campaigns: [
        {
          id: 'c',
          organization_id: ORG,
          policy_id: POLICY,
          audience: { kind: 'all' },
          starts_at: '2026-11-20T08:00:00.000Z',
        },
      ],
      approval_requests: [
        {
          id: REQUEST,
          organization_id: ORG,
          permission: 'policy.approve',
          subject_table: 'policy_versions',
          subject_id: NEXT,
          path: `/policies/${POLICY}`,
          title: 'Lockout',
          stages: [{ name: 'Safety', rule: 'any', people: [ME] }],
          requested_by: OTHER,
        },
      ],
    },
    ME,
  );
beforeEach(() => {
  [called, navigated] = [[], []];
  answer = async () => null;
  store = stock();
});

const calls = {
  call: (name: string) => {
    called.push(name);
    return answer();
  },
} as unknown as ServerCalls;
const signedIn = {
  engine: emptyOutbox(),
} as unknown as SignedInSession;

function show(child: React.ReactNode, may: (permission: string) => boolean = () => true) {
  const organization = { id: ORG, name: 'Northfield', kind: 'company' } as Row<'organizations'>;
  const space: Space = { userId: ME, organization, playbook: null, world: 'company', may };
  return render(
    <SignedInContext.Provider value={signedIn}>
      <ServerCallsContext.Provider value={calls}>
        <StoreContext.Provider value={store}>
          <SpaceContext.Provider value={space}>{child}</SpaceContext.Provider>
        </StoreContext.Provider>
      </ServerCallsContext.Provider>
    </SignedInContext.Provider>,
  );
}
const policy = (versionId?: string) => (
  <PolicyScreen
    policyId={POLICY}
    versionId={versionId}
    backLink={null}
    renderTalk={() => null}
    renderVersion={(_, face) => face}
    renderEdit={face => face}
    renderReport={face => face}
    renderSignature={() => null}
    renderCountersign={() => null}
    renderDrawing={() => null}
    onEdit={() => navigated.push('edit')}
    onRemoved={() => navigated.push('removed')}
  />
);
const member = () => false;
const read = () => store.read(openedPolicy(POLICY, { organizationId: ORG, userId: ME }));

test("what waits for one's word stands first; the words of a text find it", async () => {
  show(
    <PoliciesScreen
      title="Policy Statements"
      opened={undefined}
      links={null}
      renderPolicy={(_policy, _version, face) => face}
      onBegun={() => undefined}
    />,
    member,
  );
  await screen.findByText('Lockout');
  expect(screen.queryByText(policies.new.company)).toBeNull();
  await userEvent.type(screen.getByLabelText(policies.search), 'nobody hurt');
  expect(screen.getByText('Lockout')).toBeDefined();
  await userEvent.type(screen.getByLabelText(policies.search), 'zebra');
  await screen.findByText(policies.empty.found);
});

test('opening notes it; without a tick or a name nothing is signed; a word is kept with the hash of what was shown', async () => {
  show(policy(), member);
  const act = await screen.findByRole('button', { name: 'Acknowledge version 1.0' });
  await waitFor(async () => expect((await read())?.status.state).toBe('opened'));
  await userEvent.click(act);
  expect(screen.getAllByRole('alert').map(each => each.textContent)).toEqual([
    policies.ack.tickNeeded,
    policies.ack.nameNeeded,
  ]);
  await userEvent.click(screen.getByLabelText(policies.ack.tick.company));
  await userEvent.type(screen.getByLabelText(policies.ack.name), 'Sam Worker');
  await userEvent.click(act);
  await screen.findByText(policies.proof.whenReceived);
  expect((await read())?.status.acknowledgement).toMatchObject({
    state: 'acknowledged',
    content_hash: policyHash(words),
    sections: 2,
  });
});

test('who cannot agree says why', async () => {
  show(policy(), member);
  await userEvent.click(await screen.findByRole('button', { name: policies.ack.no }));
  await userEvent.click(screen.getByRole('button', { name: 'Decline version 1.0' }));
  await screen.findByText(policies.ack.whyNeeded);
  await userEvent.type(screen.getByLabelText(policies.ack.why), 'The card is missing');
  await userEvent.click(screen.getByRole('button', { name: 'Decline version 1.0' }));
  await screen.findByText(policies.proof.declined);
});

test('a text that is not the one published cannot be signed', async () => {
  await store.write('t', tx => tx.change('policy_versions', ONE, { body: 'Forged' }));
  show(policy(), member);
  await screen.findByText(policies.showing.altered);
  expect(screen.queryByRole('button', { name: /Acknowledge version/ })).toBeNull();
});

test('a decision without signal is queued and says that it does not count yet', async () => {
  show(policy(NEXT));
  await userEvent.click(await screen.findByRole('button', { name: policies.approval.reject }));
  await screen.findByText(policies.approval.reasonNeeded);
  await userEvent.click(screen.getByRole('button', { name: policies.approval.approve }));
  await screen.findByText(policies.approval.notCounted);
  const opened = await store.read(approvalOf({ subjectId: NEXT, userId: ME, now: '2026-11-21T09:00:00Z' }));
  expect([opened?.request.state, opened?.decisions[0]?.decision, opened?.parts]).toEqual(['pending', 'approve', []]);
});

test('what the server decides says so without a connection, and when somebody was faster; nothing is lost', async () => {
  show(policy(NEXT));
  await userEvent.click(await screen.findByRole('button', { name: policies.manage.archive }));
  answer = async () => Promise.reject(new Failure('offline', 'x'));
  await userEvent.click(screen.getAllByRole('button', { name: policies.manage.archive }).at(-1) as HTMLElement);
  await screen.findByText(policies.problem.offline);
  answer = async () => Promise.reject(new ServerRefusal('23514', 'x', 'state'));
  await userEvent.click(screen.getByRole('button', { name: policies.manage.archive }));
  await userEvent.click(screen.getAllByRole('button', { name: policies.manage.archive }).at(-1) as HTMLElement);
  await screen.findByText(policies.problem.state);
  expect(called).toEqual(['archive_policy', 'archive_policy']);
});

test("what is typed is kept while one types; an empty title waits; somebody else's pen keeps one out until it is taken over", async () => {
  const view = show(<EditScreen policyId={POLICY} backLink={null} onDone={() => navigated.push('done')} />);
  const area = await screen.findByLabelText(policyAuthoring.edit.body);
  await userEvent.clear(area);
  await userEvent.type(area, 'New words');
  await userEvent.clear(screen.getByLabelText(policyAuthoring.edit.title));
  await screen.findByText(policyAuthoring.edit.saved);
  expect((await read())?.next).toMatchObject({ body: 'New words', title: 'Lockout' });
  expect(called).toContain('hold_policy_edit_lock');
  await userEvent.click(screen.getByRole('button', { name: policyAuthoring.edit.done }));
  expect(navigated).toEqual(['done']);
  view.unmount();
  store = stock({ editing_by: OTHER, editing_since: new Date().toISOString() });
  show(<EditScreen policyId={POLICY} backLink={null} onDone={() => undefined} />);
  await screen.findByText(/^Mara has been editing this since/);
  expect(screen.getByLabelText<HTMLTextAreaElement>(policyAuthoring.edit.body).readOnly).toBe(true);
});
