// @vitest-environment jsdom
import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { policyHash } from '@cairn/core/policies/policy-hash.ts';
import { openedPolicy } from '@cairn/core/policies/queries.ts';
import { quizOf, quizText } from '@cairn/core/policies/quiz.ts';
import type { Row } from '@cairn/schema';
import type { Store } from '@cairn/sync/store.ts';
import { StoreContext } from '@cairn/sync/store-context.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import policies from '../../../shared/i18n/en/policies.json';
import words from '../../../shared/i18n/en/quiz.json';
import { addTexts, startI18n } from '../../../shared/i18n/start-i18n.ts';
import { SignedInContext, type SignedInSession } from '../../../shared/session/session.ts';
import { SpaceContext, type Space } from '../../../shared/session/space.ts';
import { emptyOutbox } from '../../../shared/server/pending-for-tests.ts';
import { AcknowledgePanel } from '../acknowledge/acknowledge-panel.tsx';
import { CampaignList } from '../acknowledge/campaign-list.tsx';
import { QuizEditor } from './quiz-editor.tsx';

const ME = '00000000-0000-4000-8000-000000000003';
const ORG = '00000000-0000-4000-8000-0000000000a1';
const POLICY = '00000000-0000-4000-8000-0000000000b1';
const ONE = '00000000-0000-4000-8000-0000000000c1';
const AT = '2026-11-24T09:00:00.000Z';
const request = { organizationId: ORG, userId: ME };
const steps = { section: 'Steps', explanation: 'Stop before you lock.' };
const quiz = quizText([
  {
    id: 'q1',
    type: 'select_one',
    text: 'What comes first?',
    choices: [
      { id: 'a', text: 'Stop' },
      { id: 'b', text: 'Lock' },
    ],
    right: ['a'],
    ...steps,
  },
  { id: 'q2', type: 'true_false', text: 'Two share a lock.', choices: [], right: ['false'], ...steps },
]);
const text = { title: 'Lockout', body: '## Purpose\n\nSafe.\n\n## Steps\n\n1. Stop\n', quiz };
let store: Store;

beforeAll(async () => {
  await startI18n();
  addTexts('policies', policies);
  addTexts('quiz', words);
});
afterEach(cleanup);
beforeEach(() => (store = stock({ quiz_required: true })));

function stock(campaign: object): Store {
  const here = { organization_id: ORG, policy_id: POLICY };
  const inForce = { state: 'published', current_version_id: ONE, current_major: 1, major_since: AT } as const;
  return memoryStore(
    {
      organization_members: [{ id: 'm', organization_id: ORG, user_id: ME, role: 'member', joined_at: AT }],
      policies: [{ id: POLICY, organization_id: ORG, title: 'Lockout', ...inForce }],
      policy_versions: [
        { id: ONE, ...here, state: 'published', major: 1, minor: 0, ...text, content_hash: policyHash(text) },
      ],
      acknowledgement_campaigns: [{ id: 'c', ...here, audience: { kind: 'all' }, starts_at: AT, ...campaign }],
    },
    ME,
  );
}

function show(child: React.ReactNode) {
  const organization = { id: ORG, name: 'Northfield', kind: 'company' } as Row<'organizations'>;
  const space: Space = { userId: ME, organization, playbook: null, world: 'company', may: () => true };
  return render(
    <SignedInContext.Provider value={{ engine: emptyOutbox() } as unknown as SignedInSession}>
      <StoreContext.Provider value={store}>
        <SpaceContext.Provider value={space}>{child}</SpaceContext.Provider>
      </StoreContext.Provider>
    </SignedInContext.Provider>,
  );
}

function Panel() {
  const found = useLive(openedPolicy(POLICY, request));
  const opened = found.status === 'ready' ? found.answer : null;
  if (!opened?.current) return null;
  const drawn = { renderSignature: () => null, renderDrawing: () => null, renderCountersign: () => null };
  return <AcknowledgePanel opened={opened} shown={opened.current} sections={2} sectionsRead={2} {...drawn} />;
}
const signs = () => screen.queryByRole('button', { name: 'Acknowledge version 1.0' });
const choose = (name: string) => userEvent.click(screen.getByLabelText(name));

test('who is asked to pass it answers before signing: what was wrong says why and where to read again, as often as it takes', async () => {
  show(<Panel />);
  await userEvent.click(await screen.findByRole('button', { name: words.check }));
  expect(screen.getAllByRole('alert')).toHaveLength(2);
  expect(signs()).toBeNull();
  await choose('Lock');
  await choose('False');
  await userEvent.click(screen.getByRole('button', { name: words.check }));
  await screen.findByText(/1 of 2 correct/);
  expect(screen.getByRole('link', { name: 'Read again: Steps' }).getAttribute('href')).toBe('#section-2');
  // What was right stays; only what was not is answered again.
  expect(screen.getByLabelText<HTMLInputElement>('False').disabled).toBe(true);
  expect(signs()).toBeNull();
  await choose('Stop');
  await userEvent.click(screen.getByRole('button', { name: words.again }));
  await screen.findByText('Quiz passed · 2 of 2 correct · 2 attempts');
  await userEvent.click(await screen.findByLabelText(policies.ack.tick.company));
  await userEvent.type(screen.getByLabelText(policies.ack.name), 'Sam Worker');
  await userEvent.click(signs() as HTMLElement);
  await screen.findByText(policies.proof.whenReceived);
  expect(screen.getByText('Quiz passed · 2 of 2 correct · 2 attempts')).toBeDefined();
  const acknowledgement = (await store.read(openedPolicy(POLICY, request)))?.status.acknowledgement;
  expect(acknowledgement).toMatchObject({
    state: 'acknowledged',
    quiz_attempts: 2,
    quiz_answers: { q1: ['a'], q2: ['false'] },
  });
});

test('who is not asked to pass it signs at once, and may answer all the same; who must may still decline', async () => {
  store = stock({});
  const view = show(<Panel />);
  await screen.findByText(/2 optional questions/);
  expect(signs()).not.toBeNull();
  view.unmount();
  store = stock({ quiz_required: true });
  show(<Panel />);
  await userEvent.click(await screen.findByRole('button', { name: policies.ack.no }));
  expect(screen.getByRole('button', { name: 'Decline version 1.0' })).toBeDefined();
});

test('a campaign says whether it must be passed, and with how many right', async () => {
  function List() {
    const found = useLive(openedPolicy(POLICY, request));
    return found.status === 'ready' && found.answer ? <CampaignList opened={found.answer} /> : null;
  }
  show(<List />);
  await screen.findByText(/quiz: all correct/);
  await userEvent.click(screen.getByRole('button', { name: words.rule.change }));
  const sheet = within(await screen.findByRole('dialog'));
  await userEvent.type(sheet.getByLabelText(words.rule.count), '11');
  expect(sheet.getByText(words.rule.countBad)).toBeDefined();
  await userEvent.type(sheet.getByLabelText(words.rule.count), '{Backspace}');
  await userEvent.click(sheet.getByRole('button', { name: words.rule.save }));
  await screen.findByText(/quiz: 1 correct/);
  await userEvent.click(screen.getByRole('button', { name: words.rule.change }));
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('switch'));
  await userEvent.click(screen.getByRole('button', { name: words.rule.save }));
  await screen.findByText(/quiz optional/);
});

test('questions are written with their choices, explanation and section; what is not finished says so', async () => {
  const written: (string | null)[] = [];
  function Editor() {
    const [kept, setKept] = useState<string | null>(null);
    const keep = (next: string | null) => {
      written.push(next);
      setKept(next);
    };
    return <QuizEditor quiz={kept} body={text.body} readOnly={false} onChange={keep} />;
  }
  const kept = () => written.at(-1) ?? null;
  show(<Editor />);
  await userEvent.click(screen.getByRole('button', { name: words.edit.add }));
  screen.getByText(words.edit.lacks.text);
  await userEvent.type(screen.getByLabelText(words.edit.text), 'Who locks?');
  await userEvent.type(screen.getByLabelText('Choice 1'), 'Each');
  screen.getByText(words.edit.lacks.choice_text);
  await userEvent.type(screen.getByLabelText('Choice 2'), 'One');
  screen.getByText(words.edit.lacks.right);
  await userEvent.click(screen.getByLabelText('Choice 2 is correct'));
  await userEvent.click(screen.getByLabelText('Choice 1 is correct'));
  await userEvent.selectOptions(screen.getByLabelText(words.edit.section), 'Steps');
  expect(quizOf(kept())).toMatchObject([{ type: 'select_one', text: 'Who locks?', section: 'Steps' }]);
  const [one] = quizOf(kept());
  // One is right: the other mark went.
  expect(one?.right).toEqual([one?.choices[0]?.id]);
  expect(screen.queryByText(/Not finished/)).toBeNull();
  await userEvent.selectOptions(screen.getByLabelText(words.edit.type), 'true_false');
  screen.getByText(words.edit.lacks.right);
  await userEvent.click(screen.getByLabelText(words.false));
  expect(quizOf(kept())).toMatchObject([{ type: 'true_false', choices: [], right: ['false'] }]);
  await userEvent.click(screen.getByRole('button', { name: 'Remove question 1' }));
  expect(kept()).toBeNull();
});
