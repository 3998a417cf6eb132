// @vitest-environment jsdom
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { Failure } from '@cairn/base/failure.ts';
import type { AuditEntry, AuditPage, AuditVerdict } from '@cairn/core/audit/audit-log.ts';
import { indexedStore } from '@cairn/testing/indexed-store.ts';
import german from '../../shared/i18n/de/audit.json';
import texts from '../../shared/i18n/en/audit.json';
import { ServerRefusal } from '../../shared/server/server-calls.ts';
import { heardToasts, id, inEnglish, inGerman, ME, ORG, showSignedIn } from '../../shared/signed-in-for-tests.tsx';
import { AuditScreen } from './audit-screen.tsx';

const MARA = id(2);
const SITE = id(60);
const hash = 'ab'.repeat(32);
const heard = heardToasts();
let page: AuditPage;
let verdict: AuditVerdict;
/** What a call by this name is refused with. */
let refused: Record<string, Error>;

beforeAll(() => inEnglish('audit', 'failure'));
beforeEach(() => {
  localStorage.clear();
  refused = {};
  page = { entries: [], next: null, people: { [ME]: 'Sam', [MARA]: 'Mara' } };
  verdict = { at: '2026-11-21T09:00:00Z', entries: 2, head: { seq: 2, hash }, faults: [] };
});
afterEach(cleanup);

const entry = (seq: number, more: Partial<AuditEntry> = {}): AuditEntry => ({
  seq,
  at: '2026-11-21T09:00:00Z',
  actor_id: ME,
  act: 'policy.published',
  subject_table: 'policies',
  subject_id: id(70),
  detail: {},
  hash,
  ...more,
});

function answer(
  name: string,
  { p_ticket: ticket, p_before: before, p_after: after }: Record<string, unknown>,
): unknown {
  if (refused[name]) throw refused[name];
  if (ticket === undefined) return { ticket: 't' };
  if (name === 'verify_audit_log') return verdict;
  if (name === 'export_audit_log') {
    return { organization_id: ORG, entries: [], next: after === 0 ? 500 : null, head: verdict.head, heads: [] };
  }
  return before === null ? page : { entries: [entry(1, { act: 'member.added' })], next: null, people: {} };
}
async function show(place: { may?: string[]; world?: 'personal' } = {}) {
  const store = await indexedStore({
    people: [{ id: MARA, display_name: 'Mara' }],
    organization_members: [
      { id: id(40), organization_id: ORG, user_id: MARA, role: 'manager', joined_at: '2026-01-01T00:00:00Z' },
    ],
    policies: [{ id: id(70), organization_id: ORG, title: 'Lockout' }],
    sites: [{ id: SITE, organization_id: ORG, name: 'South' }],
  });
  return showSignedIn(<AuditScreen backLink={null} />, { store, may: ['audit.read'], answer, ...place });
}
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const rowOf = async (act: string | RegExp) => {
  const row = (await screen.findByText(act)).closest('li');
  if (!row) throw new Error(`no row of ${act}`);
  return within(row);
};

test('whoever may not read the log, and a space of one’s own, ask the server for nothing; a right that ended there reads the same', async () => {
  for (const place of [{ may: [] }, { world: 'personal' as const }]) {
    const { asked } = await show(place);
    await screen.findByText(texts.notAllowedText);
    expect(screen.queryByRole('button', { name: texts.verify.act })).toBeNull();
    expect(asked).toEqual([]);
    cleanup();
  }
  refused = { read_audit_log: new ServerRefusal('42501', 'no') };
  await show();
  await screen.findByText(texts.notAllowedText);
});

test('a log that did not come says so and comes at a press', async () => {
  refused = { read_audit_log: new Failure('offline', 'no network') };
  await show();
  await screen.findByText(texts.failed);
  refused = {};
  page.entries = [entry(7)];
  await press(texts.again);
  await screen.findByText('Policy published · Lockout');
});

test('an empty log is empty; one that a filter leaves empty says which way is out, and asks for the whole last day', async () => {
  const { asked } = await show();
  await screen.findByText(texts.none);
  await userEvent.selectOptions(screen.getByLabelText(texts.filters.area), 'Policies');
  await screen.findByText(texts.empty);
  await userEvent.selectOptions(screen.getByLabelText(texts.filters.person), await screen.findByText('Mara'));
  fireEvent.change(screen.getByLabelText(texts.filters.until), { target: { value: '2026-03-29' } });
  const last = () => asked.at(-1)?.[1];
  await waitFor(() => expect(last()?.['p_until']).toBe(new Date(2026, 2, 30).toISOString()));
  expect(last()).toMatchObject({ p_organization: ORG, p_act: 'policy', p_actor: MARA, p_ticket: 't' });
  await userEvent.selectOptions(screen.getByLabelText(texts.filters.area), texts.filters.everything);
  await waitFor(() => expect(last()?.['p_act']).toBeNull());
});

test('earlier entries come at a press and stand below; with the last page the button goes', async () => {
  page = { ...page, entries: [entry(2)], next: 2 };
  const { asked } = await show();
  await screen.findByText('Policy published · Lockout');
  await press(texts.more);
  await screen.findByText('Member added · Lockout');
  expect(asked.at(-1)?.[1]).toMatchObject({ p_before: 2 });
  expect(screen.queryByRole('button', { name: texts.more })).toBeNull();
  expect(screen.getAllByText(/^No\. \d$/).map(each => each.textContent)).toEqual(['No. 2', 'No. 1']);
});

test('an entry says who did what to whom, with its facts in words; what no word is known of stands as it is', async () => {
  page.entries = [
    entry(5, {
      act: 'member.role_changed',
      subject_table: 'people',
      subject_id: MARA,
      detail: { from: 'member', to: 'admin' },
    }),
    entry(4, { act: 'approval.decided', detail: { decision: 'reject', round: 2, approver_id: MARA } }),
    entry(3, {
      actor_id: null,
      act: 'site.member_added',
      subject_table: 'people',
      subject_id: MARA,
      detail: { site_id: SITE },
    }),
    entry(2, { actor_id: id(98), act: 'moon.risen', detail: { state: 'full', fields: ['title', 'body'], rows: 1 } }),
    entry(1, { act: 'policy.owner_changed', detail: { from: null, to: MARA } }),
  ];
  await show();
  const role = await rowOf('Role changed · about Mara');
  expect(role.getByText(/^Sam · .* · member → administrator$/)).toBeTruthy();
  expect((await rowOf('Approval decided · Lockout')).getByText(/ · rejected · round 2 · as delegate$/)).toBeTruthy();
  expect((await rowOf('Added to a site · about Mara · South')).getByText(/^The system · /)).toBeTruthy();
  expect(
    (await rowOf('moon.risen · Lockout')).getByText(/^00000000 · .* · full · title, body · 1 record$/),
  ).toBeTruthy();
  expect((await rowOf('Policy owner changed · Lockout')).getByText(/ · – → Mara$/)).toBeTruthy();
});

test('a whole log leaves its head on this device, and the next look is asked to find it', async () => {
  const { asked } = await show();
  await press(texts.verify.act);
  await screen.findByText('Log intact: 2 entries in one unbroken chain');
  expect(screen.getByText(`Last entry, no. 2: ${hash}`)).toBeTruthy();
  const looks = () => asked.filter(([name]) => name === 'verify_audit_log').map(([, args]) => args['p_known']);
  expect(looks().at(-1)).toEqual([]);
  await press(texts.verify.act);
  await waitFor(() => expect(looks().at(-1)).toEqual([{ seq: 2, hash }]));
});

test('a damaged log says what is wrong at which entry, and is not what this device remembers', async () => {
  verdict = {
    ...verdict,
    faults: [
      { seq: 2, kind: 'altered' },
      { seq: 4, kind: 'cut' },
    ],
  };
  const { asked } = await show();
  await press(texts.verify.act);
  await screen.findByText('The log is damaged in 2 places');
  expect(screen.getByText('No. 2 was altered: its content does not match its hash.')).toBeTruthy();
  expect(screen.getByText('The end is missing, from no. 4 onwards.')).toBeTruthy();
  await press(texts.verify.act);
  await waitFor(() => expect(asked.filter(([name]) => name === 'verify_audit_log')).toHaveLength(4));
  expect(asked.at(-1)?.[1]['p_known']).toEqual([]);
});

test('what this browser kept as a head and is none is not sent', async () => {
  for (const spoilt of [
    '{',
    'null',
    JSON.stringify({ [ORG]: { seq: 'x', hash } }),
    JSON.stringify({ [ORG]: { seq: 1, hash: 'ab' } }),
  ]) {
    localStorage.setItem('cairn.auditHeads', spoilt);
    const { asked } = await show();
    await press(texts.verify.act);
    await screen.findByText(/^Log intact/);
    expect(asked.find(([name]) => name === 'verify_audit_log')?.[1]['p_known']).toEqual([]);
    cleanup();
  }
});

test('an export that failed says that it is the export, and a look that follows is whole without a word of failure', async () => {
  refused = { export_audit_log: new Failure('offline', 'no network') };
  await show();
  await press(texts.export.act);
  await screen.findByText(texts.export.failed);
  expect(screen.queryByText(texts.verify.failed)).toBeNull();
  refused = { verify_audit_log: new Failure('offline', 'no network') };
  await press(texts.verify.act);
  await screen.findByText(texts.verify.failed);
  refused = {};
  await press(texts.verify.act);
  await screen.findByText(/^Log intact/);
  expect(screen.queryByText(texts.verify.failed)).toBeNull();
  expect(heard).toEqual([]);
});

test('in German an entry and its facts are German', async () => {
  page.entries = [
    entry(5, {
      act: 'member.role_changed',
      subject_table: 'people',
      subject_id: MARA,
      detail: { from: 'member', to: 'admin' },
    }),
  ];
  await inGerman(async () => {
    await show();
    const title = `${german.act['member-role_changed']} · ${german.about.replace('{{name}}', 'Mara')}`;
    const row = await rowOf(title);
    expect(row.getByText(new RegExp(` · ${german.word.member} → ${german.word.admin}$`))).toBeTruthy();
    cleanup();
  });
});
