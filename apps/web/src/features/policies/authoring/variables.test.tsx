// @vitest-environment jsdom
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Row } from '@cairn/schema';
import type { Store } from '@cairn/sync/store.ts';
import { StoreContext } from '@cairn/sync/store-context.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import policies from '../../../shared/i18n/en/policies.json';
import policyAuthoring from '../../../shared/i18n/en/policy-authoring.json';
import quiz from '../../../shared/i18n/en/quiz.json';
import { addTexts, startI18n } from '../../../shared/i18n/start-i18n.ts';
import { ServerCallsContext, type ServerCalls } from '../../../shared/server/server-calls.ts';
import { SignedInContext, type SignedInSession } from '../../../shared/session/session.ts';
import { SpaceContext, type Space } from '../../../shared/session/space.ts';
import { emptyOutbox } from '../../../shared/server/pending-for-tests.ts';
import { EditScreen } from './edit-screen.tsx';
import { SubmitSheet } from './submit-sheet.tsx';

const ME = '00000000-0000-4000-8000-000000000003';
const ORG = '00000000-0000-4000-8000-0000000000a1';
const POLICY = '00000000-0000-4000-8000-0000000000b1';
const NEXT = '00000000-0000-4000-8000-0000000000c2';
const words = policyAuthoring.variables;
const draft = { id: NEXT, organization_id: ORG, policy_id: POLICY, title: 'Calls', body: '' };
let store: Store;
let called: string[];

beforeAll(async () => {
  await startI18n();
  addTexts('policies', policies);
  addTexts('policyAuthoring', policyAuthoring);
  addTexts('quiz', quiz);
});
afterEach(cleanup);
beforeEach(() => {
  called = [];
  store = memoryStore(
    {
      organizations: [{ id: ORG, name: 'Northfield', kind: 'company' }],
      organization_members: [
        { id: 'm', organization_id: ORG, user_id: ME, role: 'admin', joined_at: '2026-01-01T00:00:00Z' },
      ],
      people: [{ id: ME, display_name: 'Sam' }],
      role_permissions: [{ id: 'r', role_kind: 'organization', role: 'admin', permission: 'policy.approve' }],
      policies: [{ id: POLICY, organization_id: ORG, title: 'Calls' }],
      policy_versions: [draft],
    },
    ME,
  );
});

const calls = { call: async (name: string) => void called.push(name) } as unknown as ServerCalls;
const signedIn = {
  engine: emptyOutbox(),
} as unknown as SignedInSession;

function show(child: React.ReactNode) {
  const organization = { id: ORG, name: 'Northfield', kind: 'company' } as Row<'organizations'>;
  const space: Space = { userId: ME, organization, playbook: null, world: 'company', may: () => true };
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

test('a variable is added where one writes, goes into the text where the cursor stands, and the preview is filled in', async () => {
  show(<EditScreen policyId={POLICY} backLink={null} onDone={() => undefined} />);
  const area = await screen.findByLabelText<HTMLTextAreaElement>(policyAuthoring.edit.body);
  await userEvent.type(area, 'Call now.');
  area.setSelectionRange(5, 5);
  await userEvent.click(screen.getByRole('button', { name: words.title }));
  const sheet = within(await screen.findByRole('dialog'));
  // Its own name is there already.
  expect(sheet.getByText('Northfield')).toBeDefined();
  await userEvent.click(sheet.getByRole('button', { name: words.add }));
  expect(sheet.getByText(words.nameBad)).toBeDefined();
  await userEvent.type(sheet.getByLabelText(words.name), 'hotline');
  await userEvent.type(sheet.getByLabelText(words.value), '<b>');
  await userEvent.click(sheet.getByRole('button', { name: words.add }));
  expect(sheet.getByText(words.unfit)).toBeDefined();
  await userEvent.clear(sheet.getByLabelText(words.value));
  await userEvent.click(sheet.getByRole('button', { name: words.add }));
  await userEvent.click(await sheet.findByRole('button', { name: 'Insert hotline' }));
  expect(area.value).toBe('Call {{hotline}}now.');
  // It stands for nothing yet.
  await screen.findByText(words.lacking);
  expect(screen.getByText(/Line 1/)).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: words.title }));
  const again = within(await screen.findByRole('dialog'));
  await userEvent.type(again.getByLabelText('Value of hotline'), '555 0100');
  await userEvent.tab();
  await screen.findByText('Call 555 0100now.');
  expect(screen.queryByText(words.lacking)).toBeNull();
});

test('what stands for nothing is not sent for approval, and says where it is', async () => {
  const version = { ...draft, body: 'One\n\nCall {{nobody}}.' } as Row<'policy_versions'>;
  const sheet = (shown: Row<'policy_versions'>) => <SubmitSheet version={shown} onClose={() => undefined} />;
  const view = show(sheet(version));
  expect((await screen.findByText(/Line 3/)).textContent).toContain('{{nobody}}');
  await userEvent.click(screen.getByRole('button', { name: policies.submit.act }));
  expect(called).toEqual([]);
  view.unmount();
  show(sheet({ ...version, body: 'Call {{organisation}}.' }));
  await userEvent.click(await screen.findByRole('button', { name: policies.submit.act }));
  await waitFor(() => expect(called).toEqual(['submit_policy_version']));
});
