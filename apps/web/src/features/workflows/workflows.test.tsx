// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { workflowRules } from '@cairn/core/workflows/rules.ts';
import { isTemplate } from '@cairn/core/workflows/templates.ts';
import type { Row } from '@cairn/schema';
import type { Store } from '@cairn/sync/store.ts';
import { StoreContext } from '@cairn/sync/store-context.ts';
import { memoryStore, type MemoryRows } from '@cairn/testing/memory-store.ts';
import workflows from '../../shared/i18n/en/workflows.json';
import { addTexts, startI18n } from '../../shared/i18n/start-i18n.ts';
import { ServerCallsContext, ServerRefusal, type ServerCalls } from '../../shared/server/server-calls.ts';
import { SpaceContext, type Space } from '../../shared/session/space.ts';
import { DeputiesScreen } from './deputies-screen.tsx';
import { RuleScreen } from './rule-screen.tsx';
import { WorkflowsScreen } from './workflows-screen.tsx';

const ME = '00000000-0000-4000-8000-000000000002';
const OTHER = '00000000-0000-4000-8000-000000000001';
const ORG = '00000000-0000-4000-8000-0000000000a1';
const RULE = '00000000-0000-4000-8000-0000000000b1';
let store: Store;
let asked: string[];
let answer: (name: string) => Promise<unknown>;

beforeAll(async () => {
  await startI18n();
  addTexts('workflows', workflows);
});
afterEach(cleanup);
beforeEach(() => {
  asked = [];
  answer = () => Promise.resolve([]);
  store = stock();
});

const member = (id: string, user_id: string) => ({
  id,
  organization_id: ORG,
  user_id,
  role: 'manager' as const,
  joined_at: '2026-01-01T00:00:00Z',
});
const stock = (more: MemoryRows = {}) =>
  memoryStore(
    {
      people: [
        { id: ME, display_name: 'Mara' },
        { id: OTHER, display_name: 'Alex' },
      ],
      organization_members: [member('m', ME), member('n', OTHER)],
      role_permissions: [{ id: 'r', role_kind: 'organization', role: 'manager', permission: 'workflow.approve' }],
      ...more,
    },
    ME,
  );
const told = { kind: 'notify', to: 'role:manager', text: 'Look' };
const rule = (more: Partial<Row<'workflow_rules'>> = {}) => ({
  id: RULE,
  organization_id: ORG,
  title: 'Late',
  trigger: 'action.overdue',
  matching: 'all' as const,
  conditions: [
    {
      field: 'priority',
      op: 'at_least',
      value: 'high',
    },
  ],
  steps: [told],
  ...more,
});

function show(
  screenOf: ReactNode,
  { plan = 'enterprise', may = () => true }: { plan?: 'standard' | 'enterprise'; may?: () => boolean } = {},
) {
  const space = {
    userId: ME,
    organization: { id: ORG, plan } as Row<'organizations'>,
    playbook: null,
    world: 'company',
    may,
  } as Space;
  const calls = {
    call: (name: string) => {
      asked.push(name);
      return answer(name);
    },
  } as unknown as ServerCalls;
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: 'always' } } });
  return render(
    <QueryClientProvider client={client}>
      <StoreContext.Provider value={store}>
        <ServerCallsContext.Provider value={calls}>
          <SpaceContext.Provider value={space}>{screenOf}</SpaceContext.Provider>
        </ServerCallsContext.Provider>
      </StoreContext.Provider>
    </QueryClientProvider>,
  );
}
const link = (path: string, face: ReactNode) => <a href={path}>{face}</a>;
const all = (
  <WorkflowsScreen
    title="Workflow Automation"
    links={null}
    renderWaiting={link}
    renderRule={link}
    renderNew={(key, face) => link(`new/${key ?? ''}`, face)}
  />
);
const one = (ruleId: string | null, template?: string) => (
  <RuleScreen
    ruleId={ruleId}
    template={isTemplate(template) ? template : undefined}
    backLink={null}
    renderPath={link}
    onSaved={id => asked.push(`saved ${id === RULE ? 'it' : 'new'}`)}
    onRemoved={() => asked.push('removed')}
  />
);

test('where there are no rules three ready ones are offered, as sentences; without the plan none of them asks for approval', async () => {
  const { unmount } = show(all);
  expect(await screen.findByText('No rules yet')).toBeTruthy();
  expect(screen.getAllByText('Use template')).toHaveLength(3);
  expect(screen.getByText('request approval from managers at the site')).toBeTruthy();
  unmount();
  show(all, { plan: 'standard' });
  await screen.findByText('No rules yet');
  expect(screen.queryByText('request approval from managers at the site')).toBeNull();
});

test('a rule reads as a sentence and is switched; one that asks for approval is not switched on without the plan', async () => {
  const asks = rule({ id: OTHER, title: 'Asks', steps: [{ kind: 'approval', to: `person:${OTHER}` }] });
  store = stock({ workflow_rules: [rule(), asks] });
  show(all, { plan: 'standard' });
  expect(await screen.findAllByText('priority: at least high')).toHaveLength(2);
  expect(screen.getByText('request approval from Alex')).toBeTruthy();
  expect(screen.getByRole('switch', { name: 'On: Asks' }).hasAttribute('disabled')).toBe(true);
  await userEvent.click(screen.getByRole('switch', { name: 'On: Late' }));
  await waitFor(async () =>
    expect((await store.read(workflowRules(ORG)))[0]?.rule).toMatchObject({ title: 'Late', is_on: true }),
  );
});

test('whoever may make no rules sees what waits for them, and no more', async () => {
  show(all, { may: () => false });
  expect(await screen.findByText('You cannot manage rules here')).toBeTruthy();
  expect(screen.queryByText('New rule')).toBeNull();
});

test('a new rule is filled in as sentences, says what is missing, and is kept', async () => {
  show(one(null));
  await userEvent.selectOptions(await screen.findByLabelText('When'), 'task.created');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(screen.getByText('Enter a name for the rule.', { selector: '.err' })).toBeTruthy();
  await userEvent.type(screen.getByLabelText('Name'), 'Safety first');
  await userEvent.click(screen.getByRole('button', { name: 'Add condition' }));
  await userEvent.selectOptions(screen.getByLabelText('Field'), 'label');
  await userEvent.type(screen.getByLabelText('Value'), 'safety');
  await userEvent.selectOptions(screen.getByLabelText('Step 1'), 'label');
  await userEvent.type(screen.getByLabelText('Label'), 'seen');
  expect(screen.getByText('label includes “safety”')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(asked).toEqual(['saved new']));
  expect((await store.read(workflowRules(ORG)))[0]?.words).toEqual({
    title: 'Safety first',
    trigger: 'task.created',
    matching: 'all',
    conditions: [
      {
        field: 'label',
        op: 'has',
        value: 'safety',
      },
    ],
    steps: [
      {
        kind: 'label',
        text: 'seen',
      },
    ],
  });
});

test('what it would have done is told event by event, with why; without the server that is said and nothing is lost', async () => {
  store = stock({ workflow_rules: [rule()] });
  const event = { at: '2026-11-20T08:00:00Z', path: '/action-items/1' };
  const list = [
    { ...event, id: 2, title: 'Brake', verdict: 'fires', checks: [true] },
    { ...event, id: 1, title: 'Door', verdict: 'conditions', checks: [false] },
  ];
  answer = name => Promise.resolve(name === 'simulate_workflow' ? { since: event.at, events: 2, fires: 1, list } : []);
  const { unmount } = show(one(RULE));
  await userEvent.click(await screen.findByRole('button', { name: 'Try it' }));
  expect(await screen.findByText('It would have run 1 time')).toBeTruthy();
  expect(screen.getByText('✓ priority: at least high')).toBeTruthy();
  expect(screen.getByText('✗ priority: at least high')).toBeTruthy();
  unmount();
  answer = () => Promise.reject(new ServerRefusal('500', 'down'));
  show(one(RULE));
  expect(await screen.findByText('The server did not answer')).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Late');
});

test('a rule that is gone, and one of a later version, say so', async () => {
  store = stock({ workflow_rules: [rule({ trigger: 'moon.rises' })] });
  const { unmount } = show(one(OTHER));
  expect(await screen.findByText('Rule not found')).toBeTruthy();
  unmount();
  show(one(RULE));
  expect(await screen.findByText(/^A newer version of the app created this rule\./)).toBeTruthy();
});

test('a deputy is named and revoked; without the plan nobody is', async () => {
  const { unmount } = show(<DeputiesScreen backLink={null} />, { plan: 'standard' });
  expect(await screen.findByText('Delegation needs the enterprise plan')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Add delegate' })).toBeNull();
  unmount();
  const now = Date.now();
  const [starts_at, ends_at] = [now - 1000, now + 3_600_000].map(each => new Date(each).toISOString()) as [
    string,
    string,
  ];
  store = stock({
    approval_delegations: [{ id: RULE, organization_id: ORG, from_id: ME, to_id: OTHER, starts_at, ends_at }],
  });
  show(<DeputiesScreen backLink={null} />);
  expect(await screen.findByText('Alex decides for Mara')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Revoke' }));
  await userEvent.click(screen.getAllByRole('button', { name: 'Revoke' }).at(-1) as HTMLElement);
  expect(await screen.findByText('Revoked')).toBeTruthy();
});
