// @vitest-environment jsdom
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { Failure } from '@cairn/base/failure.ts';
import type { OutboxItem } from '@cairn/sync/outbox/outbox-item.ts';
import type { Row } from '@cairn/schema';
import type { Store } from '@cairn/sync/store.ts';
import { StoreContext } from '@cairn/sync/store-context.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import texts from '../../shared/i18n/en/comments.json';
import { addTexts, startI18n } from '../../shared/i18n/start-i18n.ts';
import { SignedInContext, type SignedInSession } from '../../shared/session/session.ts';
import { SpaceContext, type Space } from '../../shared/session/space.ts';
import { QuestionComments } from './question-comments.tsx';
import { RecordComments } from './record-comments.tsx';

const ME = '00000000-0000-4000-8000-000000000003';
const MARA = '00000000-0000-4000-8000-000000000002';
const ORG = '00000000-0000-4000-8000-0000000000a1';
const TASK = '00000000-0000-4000-8000-0000000000b1';
const CHECK = '00000000-0000-4000-8000-0000000000b2';
const SAID = '00000000-0000-4000-8000-0000000000c1';
const at = '2026-11-21T08:00:00.000Z';
let store: Store;
let outbox: ReturnType<typeof outboxOf>;

beforeAll(async () => {
  await startI18n();
  addTexts('comments', texts);
});
afterEach(cleanup);

const commentRow = (more: Partial<Row<'comments'>> = {}) => ({
  id: SAID,
  organization_id: ORG,
  subject_table: 'tasks' as const,
  subject_id: TASK,
  body: 'Ask @Sam first',
  mention_ids: [ME],
  author_id: MARA,
  written_at: at,
  created_at: at,
  ...more,
});
const stock = (more: Partial<Row<'comments'>> = {}) =>
  memoryStore(
    {
      tasks: [{ id: TASK, organization_id: ORG, title: 'Call the vendor', created_by: MARA }],
      organization_members: [
        { id: 'm', organization_id: ORG, user_id: ME, role: 'member', joined_at: at },
        { id: 'n', organization_id: ORG, user_id: MARA, role: 'manager', joined_at: at },
      ],
      people: [
        { id: ME, display_name: 'Sam' },
        { id: MARA, display_name: 'Mara Voss' },
      ],
      comments: [commentRow(more)],
    },
    ME,
  );

/** Like the engine's: who begins to watch is told what waits now, so nothing said between a render and its effects is lost. */
function outboxOf() {
  let held: OutboxItem[] = [];
  const listeners = new Set<(items: OutboxItem[]) => void>();
  return {
    hold(items: OutboxItem[]): void {
      held = items;
      for (const listener of listeners) listener(held);
    },
    watch(listener: (items: OutboxItem[]) => void): () => void {
      listeners.add(listener);
      listener(held);
      return () => void listeners.delete(listener);
    },
  };
}

beforeEach(() => {
  store = stock();
  outbox = outboxOf();
});

function show(more: { mayWrite?: boolean; subjectId?: string } = {}) {
  return shown(
    <RecordComments subject={{ table: 'tasks', id: more.subjectId ?? TASK }} mayWrite={more.mayWrite ?? true} />,
  );
}

function shown(part: ReactNode) {
  const engine = { watchOutbox: outbox.watch };
  const signedIn = { user: { id: ME }, engine, verified: true } as unknown as SignedInSession;
  const space = { userId: ME, organization: { id: ORG }, playbook: null, world: 'company', may: () => true };
  return render(
    <SignedInContext.Provider value={signedIn}>
      <StoreContext.Provider value={store}>
        <SpaceContext.Provider value={space as unknown as Space}>{part}</SpaceContext.Provider>
      </StoreContext.Provider>
    </SignedInContext.Provider>,
  );
}
const rows = () => store.read({ key: 'c', tables: ['comments'], read: tx => tx.all('comments') });

test('somebody is picked by the first letters of their name, and the comment is kept and the field empty', async () => {
  show();
  const field = await screen.findByLabelText('Your comment');
  await userEvent.type(field, 'Please look, @ma');
  await userEvent.click(await screen.findByRole('button', { name: 'Mara Voss' }));
  await userEvent.click(screen.getByRole('button', { name: 'Post comment' }));
  await screen.findByText(/Please look,/, { selector: 'span' });
  expect((await rows()).find(row => row.author_id === ME)).toMatchObject({
    body: 'Please look, @Mara Voss',
    mention_ids: [MARA],
    subject_id: TASK,
  });
  await waitFor(() => expect(screen.getByLabelText<HTMLTextAreaElement>('Your comment').value).toBe(''));
});

test('what waits on this phone says so, what was refused too, and what came late says when', async () => {
  store = stock({ created_at: '2026-11-21T10:00:00.000Z' });
  show();
  await screen.findByText(/^Written offline, received .*2026/);
  const item = {
    key: 'k',
    table: 'comments',
    recordId: SAID,
    kind: 'record',
    state: 'waiting',
  } as unknown as OutboxItem;
  outbox.hold([item]);
  await screen.findByText('Waiting to send');
  outbox.hold([{ ...item, state: 'failed' }]);
  await screen.findByText('Not accepted: see Sync');
});

test('a comment of somebody else is settled and opened again, but neither changed nor taken away', async () => {
  show();
  await userEvent.click(await screen.findByRole('button', { name: 'Mark as resolved' }));
  await screen.findByText('Resolved by Sam');
  await userEvent.click(screen.getByRole('button', { name: 'Reopen' }));
  await screen.findByRole('button', { name: 'Mark as resolved' });
  expect(screen.queryByRole('button', { name: /^Options for the comment/ })).toBeNull();
});

test('what a guest said stands under their name, marked as from outside', async () => {
  store = stock({ author_id: null, outside_name: 'Bo Builder', body: 'New hinges' });
  show();
  expect(await screen.findByText('Bo Builder (outside the organisation)')).toBeTruthy();
  expect(screen.queryByText(texts.somebody)).toBeNull();
});

test('an empty comment is not kept, and what was typed stays when it could not be kept', async () => {
  show();
  await userEvent.click(await screen.findByRole('button', { name: 'Post comment' }));
  await screen.findByText('Write something first.');
  await userEvent.type(screen.getByLabelText('Your comment'), 'Stays');
  store.write = () => Promise.reject(new Failure('invalid', 'too much'));
  await userEvent.click(screen.getByRole('button', { name: 'Post comment' }));
  expect((await screen.findByRole('alert')).textContent).toContain(
    'This comment is too large. Shorten it, or attach fewer files.',
  );
  expect(screen.getByLabelText<HTMLTextAreaElement>('Your comment').value).toBe('Stays');
});

test('who is named hears of it until they say otherwise', async () => {
  show();
  await userEvent.click(await screen.findByRole('button', { name: 'Stop following' }));
  await screen.findByRole('button', { name: 'Follow' });
});

test('who only reads sees what is said and nothing to press; of what is gone nothing is shown', async () => {
  const { unmount } = show({ mayWrite: false });
  const list = await screen.findByRole('list');
  expect(within(list).getByText('@Sam').tagName).toBe('STRONG');
  expect(screen.queryByLabelText('Your comment')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Mark as resolved' })).toBeNull();
  unmount();
  show({ subjectId: '00000000-0000-4000-8000-0000000000ff' });
  await waitFor(() => expect(screen.queryByText('Loading comments')).toBeNull());
  expect(screen.queryByText('Comments')).toBeNull();
});

const checkStock = () =>
  memoryStore(
    {
      inspections: [
        { id: CHECK, organization_id: ORG, form_id: CHECK, form_version_id: CHECK, title: 'Forklift 3', round: 2 },
      ],
      organization_members: [{ id: 'm', organization_id: ORG, user_id: ME, role: 'member', joined_at: at }],
      people: [{ id: ME, display_name: 'Sam' }],
      comments: [
        commentRow({ subject_table: 'inspections', subject_id: CHECK, question: 'brake' }),
        commentRow({
          id: TASK,
          subject_table: 'inspections',
          subject_id: CHECK,
          question: 'tyres',
          body: 'Which tyre?',
        }),
      ],
    },
    ME,
  );
const atQuestion = (question: string, mayWrite = true) =>
  shown(<QuestionComments inspectionId={CHECK} question={question} about={question} mayWrite={mayWrite} />);

test('at a question stands what was said there, with the same acts: naming, files, changing, taking away', async () => {
  store = checkStock();
  atQuestion('brake');
  const place = await screen.findByRole('region', { name: 'Comments on brake' });
  await within(place).findByText(/Ask/);
  expect(within(place).queryByText('Which tyre?')).toBeNull();
  await userEvent.click(within(place).getByRole('button', { name: 'Reply' }));
  const field = within(place).getByLabelText<HTMLTextAreaElement>('Your comment');
  await waitFor(() => expect(document.activeElement).toBe(field));
  expect(within(place).getByRole('button', { name: 'Add file' })).toBeDefined();
  await userEvent.type(field, 'It drags');
  await userEvent.click(within(place).getByRole('button', { name: 'Post comment' }));
  await within(place).findByRole('button', { name: 'Options for the comment by Sam' });
  expect(within(place).queryByLabelText('Your comment')).toBeNull();
  expect((await rows()).find(row => row.body === 'It drags')).toMatchObject({
    subject_table: 'inspections',
    question: 'brake',
    round: 2,
  });
});

test('a question where nothing is said shows nothing to who only reads', async () => {
  store = checkStock();
  const { container } = atQuestion('lights', false);
  expect(container.textContent).toBe('');
  cleanup();
  atQuestion('lights');
  await screen.findByRole('button', { name: 'Comment' });
});
