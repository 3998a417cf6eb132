// @vitest-environment jsdom
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { afterEach, beforeAll, expect, test } from 'vitest';
import type { FindingTarget } from '@cairn/core/findings/raise-finding.ts';
import { openedFinding } from '@cairn/core/findings/queries.ts';
import type { Draft, Row } from '@cairn/schema';
import type { Store } from '@cairn/sync/store.ts';
import { indexedStore } from '@cairn/testing/indexed-store.ts';
import type { MemoryRows } from '@cairn/testing/memory-store.ts';
import failure from '../../shared/i18n/en/failure.json';
import texts from '../../shared/i18n/en/findings.json';
import { heardToasts, id, inEnglish, inGerman, ME, ORG, showSignedIn } from '../../shared/signed-in-for-tests.tsx';
import { AuditorPage } from './auditor-page.tsx';
import { FindingScreen } from './finding-screen.tsx';
import { FindingsHere } from './findings-here.tsx';

const MARA = id(2);
const [POLICY, INSPECTION, FINDING] = [id(10), id(11), id(20)];
const AUDITOR = ['finding.raise', 'evidence.read'];
const COMPANY = ['finding.answer', 'action.create', 'evidence.read'];
const at = '2026-11-20T09:00:00.000Z';
const heard = heardToasts();

beforeAll(() => inEnglish('findings', 'shell', 'failure'));
afterEach(cleanup);

const finding = (more: Partial<Row<'findings'>> = {}): Draft<'findings'> => ({
  id: FINDING,
  organization_id: ORG,
  subject_table: 'policies',
  subject_id: POLICY,
  title: 'No date',
  body: 'Page 2',
  severity: 'major',
  state: 'open',
  raised_by: ME,
  raised_at: at,
  ...more,
});
const device = (findings: Draft<'findings'>[], more: MemoryRows = {}) =>
  indexedStore({
    findings,
    policies: [{ id: POLICY, organization_id: ORG, title: 'Lockout' }],
    inspections: [
      {
        id: INSPECTION,
        organization_id: ORG,
        title: 'Round',
        form_id: id(30),
        form_version_id: id(31),
        conducted_by: ME,
      },
    ],
    people: [
      { id: ME, display_name: 'Sam' },
      { id: MARA, display_name: 'Mara' },
    ],
    organization_members: [ME, MARA].map((user_id, n) => ({
      id: id(40 + n),
      organization_id: ORG,
      user_id,
      role: 'manager',
      joined_at: at,
    })),
    ...more,
  });

function show(store: Store, may: readonly string[]) {
  const left: string[] = [];
  showSignedIn(
    <FindingScreen
      findingId={FINDING}
      backLink={<a href="/audit">{texts.back}</a>}
      renderRecord={(about, face) => <a href={`/${about.table}/${about.id}`}>{face}</a>}
      renderAction={(action, face) => <a href={`/action-items/${action}`}>{face}</a>}
      renderActionState={status => status}
      onRemoved={() => left.push('removed')}
    />,
    { store, may },
  );
  return left;
}
const room = (store: Store, may: readonly string[]) =>
  showSignedIn(
    <AuditorPage
      backLink={null}
      invite={null}
      ways={<a href="/evidence">{texts.room.evidence}</a>}
      renderFinding={(of, face) => <a href={`/findings/${of}`}>{face}</a>}
    />,
    { store, may },
  );
const here = (store: Store, target: FindingTarget, place: { may?: string[]; world?: 'personal' } = {}) =>
  showSignedIn(
    <>
      <FindingsHere target={target} renderFinding={(of, face) => <a href={`/findings/${of}`}>{face}</a>} />
      <p>drawn</p>
    </>,
    { store, may: AUDITOR, ...place },
  );
const kept = async (store: Store) => (await store.read(openedFinding(FINDING)))?.finding;
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

test('whoever neither audits nor has a finding to answer is told that the audit is not theirs; a finding of theirs lets them in', async () => {
  room(await device([]), []);
  await screen.findByRole('heading', { level: 1, name: texts.notAllowed });
  cleanup();
  room(await device([finding({ owner_id: ME })]), []);
  await screen.findByRole('link', { name: /No date/ });
  expect(screen.queryByRole('navigation', { name: texts.room.ways })).toBeNull();
});

test('the audit opens on what is not empty: open before answered before closed, each with its count and its own words when there is none', async () => {
  const closed = finding({ id: id(21), title: 'Old', state: 'closed', answered_by: MARA, decided_at: at });
  const answered = finding({ id: id(22), title: 'Answered', state: 'answered', answered_by: MARA });
  room(await device([closed, answered]), AUDITOR);
  await screen.findByRole('link', { name: /Answered/ });
  expect(screen.queryByRole('link', { name: /Old/ })).toBeNull();
  await userEvent.click(screen.getByRole('radio', { name: 'Closed (1)' }));
  await screen.findByRole('link', { name: /Old/ });
  await userEvent.click(screen.getByRole('radio', { name: texts.views.waiting }));
  await screen.findByText(texts.empty.waitingText);
});

test('an auditor reads until when they see the organisation and that they change nothing; of whoever stays nothing is said', async () => {
  const member = { id: id(40), organization_id: ORG, user_id: ME, role: 'auditor' as const, joined_at: at };
  const ends = { ...member, valid_until: '2027-01-05T12:00:00Z' };
  room(await device([], { organization_members: [ends] }), AUDITOR);
  await screen.findByText(/^You have access to this organisation until .*2027/);
  expect(screen.getByText(texts.room.readOnly)).toBeTruthy();
  cleanup();
  room(await device([], { organization_members: [member] }), AUDITOR);
  await screen.findByText(texts.empty.waiting);
  expect(screen.queryByText(/^You have access to this organisation until/)).toBeNull();
});

test('a finding is taken back after a question by its author, while nobody has answered it; a no keeps it', async () => {
  const store = await device([finding()]);
  const left = show(store, AUDITOR);
  await screen.findByRole('heading', { level: 1, name: 'No date' });
  await press(texts.remove.act);
  await userEvent.click(within(await screen.findByRole('alertdialog')).getByText(texts.remove.cancel));
  expect(await kept(store)).toMatchObject({ title: 'No date' });
  await press(texts.remove.act);
  await userEvent.click(within(await screen.findByRole('alertdialog')).getByText(texts.remove.act));
  await waitFor(() => expect(left).toEqual(['removed']));
  expect(heard.map(({ title }) => title)).toEqual([texts.remove.done]);
  expect(await kept(store)).toBeUndefined();
});

test("another auditor's finding, and one that is answered, are neither changed nor taken back", async () => {
  for (const other of [
    finding({ raised_by: MARA }),
    finding({ state: 'answered', answered_by: MARA, answer: 'Yes' }),
  ]) {
    show(await device([other]), AUDITOR);
    await screen.findByRole('heading', { level: 1, name: 'No date' });
    expect(screen.queryByRole('button', { name: texts.change })).toBeNull();
    expect(screen.queryByRole('button', { name: texts.remove.act })).toBeNull();
    cleanup();
  }
});

test('a change begins with what was written, stays open without a title and keeps the rest as typed', async () => {
  const store = await device([finding({ requirement: 'ISO 45001' })]);
  show(store, AUDITOR);
  await screen.findByRole('heading', { level: 1, name: 'No date' });
  await press(texts.change);
  const sheet = within(await screen.findByRole('dialog'));
  await userEvent.clear(sheet.getByLabelText(texts.write.name));
  await userEvent.type(sheet.getByLabelText(texts.write.body), ', twice');
  await userEvent.selectOptions(sheet.getByLabelText(texts.write.severity), 'observation');
  await userEvent.click(sheet.getByRole('button', { name: texts.write.keep }));
  expect(sheet.getByText(texts.write.nameNeeded)).toBeTruthy();
  expect(sheet.getByLabelText<HTMLTextAreaElement>(texts.write.body).value).toBe('Page 2, twice');
  expect(await kept(store)).toMatchObject({ title: 'No date', body: 'Page 2' });
  await userEvent.type(sheet.getByLabelText(texts.write.name), 'No day');
  await userEvent.click(sheet.getByRole('button', { name: texts.write.keep }));
  await screen.findByRole('heading', { level: 1, name: 'No day' });
  expect(await kept(store)).toMatchObject({
    body: 'Page 2, twice',
    requirement: 'ISO 45001',
    severity: 'observation',
  });
});

test('an answer without words waits, and so does its work without a title; what was typed stays', async () => {
  const store = await device([finding({ raised_by: MARA })]);
  show(store, COMPANY);
  await screen.findByRole('heading', { level: 1, name: 'No date' });
  await press(texts.answer.act);
  const sheet = within(await screen.findByRole('dialog'));
  await userEvent.clear(sheet.getByLabelText(texts.answer.actionTitle));
  await userEvent.click(sheet.getByRole('button', { name: texts.answer.send }));
  expect(sheet.getByText(texts.answer.needed)).toBeTruthy();
  expect(sheet.getByText(texts.answer.actionNeeded)).toBeTruthy();
  await userEvent.type(sheet.getByLabelText(texts.answer.text), 'Dated');
  await userEvent.click(sheet.getByRole('button', { name: texts.answer.send }));
  expect(sheet.queryByText(texts.answer.needed)).toBeNull();
  expect(await kept(store)).toMatchObject({ state: 'open' });
  await userEvent.click(sheet.getByLabelText(texts.answer.withAction));
  await userEvent.click(sheet.getByRole('button', { name: texts.answer.send }));
  await waitFor(async () => expect(await kept(store)).toMatchObject({ state: 'answered', answer: 'Dated' }));
});

test('whoever is responsible answers without the right to; who may make no action items is not asked for one', async () => {
  show(await device([finding({ raised_by: MARA, owner_id: ME })]), []);
  await screen.findByRole('heading', { level: 1, name: 'No date' });
  await press(texts.answer.act);
  expect(within(await screen.findByRole('dialog')).queryByLabelText(texts.answer.withAction)).toBeNull();
  expect(within(screen.getByRole('dialog')).queryByLabelText(texts.answer.actionTitle)).toBeNull();
  cleanup();
  show(await device([finding({ raised_by: MARA, owner_id: MARA })]), []);
  await screen.findByRole('heading', { level: 1, name: 'No date' });
  expect(screen.queryByRole('button', { name: texts.answer.act })).toBeNull();
});

test('an answer that came too late is refused in words and stays as typed', async () => {
  const store = await device([finding({ raised_by: MARA })]);
  show(store, COMPANY);
  await screen.findByRole('heading', { level: 1, name: 'No date' });
  await press(texts.answer.act);
  const sheet = within(await screen.findByRole('dialog'));
  await userEvent.type(sheet.getByLabelText(texts.answer.text), 'Dated');
  await store.write('elsewhere', tx => tx.change('findings', FINDING, { state: 'closed' }));
  await userEvent.click(sheet.getByRole('button', { name: texts.answer.send }));
  await sheet.findByText(failure.stale_version);
  expect(sheet.getByLabelText<HTMLTextAreaElement>(texts.answer.text).value).toBe('Dated');
});

test('somebody is made responsible in one choice, nobody again in another; who may not reads the name', async () => {
  const store = await device([finding({ raised_by: MARA })]);
  show(store, COMPANY);
  await userEvent.selectOptions(await screen.findByLabelText(texts.facts.owner), await screen.findByText('Mara'));
  await waitFor(async () => expect((await kept(store))?.owner_id).toBe(MARA));
  await waitFor(() => expect(heard.at(-1)?.title).toBe('Owner: Mara'));
  await userEvent.selectOptions(screen.getByLabelText(texts.facts.owner), '');
  await waitFor(async () => expect((await kept(store))?.owner_id).toBeNull());
  cleanup();
  show(await device([finding({ owner_id: id(99) })]), AUDITOR);
  expect(await screen.findByText(texts.facts.somebody)).toBeTruthy();
  expect(screen.queryByRole('combobox', { name: texts.facts.owner })).toBeNull();
});

test('whoever is responsible for an answered finding may open it again but not close it, and reads why; in German too', async () => {
  const answered = finding({ state: 'answered', answered_by: MARA, answer: 'Yes', owner_id: ME });
  show(await device([answered]), AUDITOR);
  await screen.findByText(texts.verdict.others);
  expect(screen.queryByRole('button', { name: texts.verdict.close })).toBeNull();
  expect(screen.getByRole('button', { name: texts.verdict.reopen })).toBeTruthy();
  cleanup();
  await inGerman(async () => {
    show(await device([answered]), AUDITOR);
    await screen.findByText('Du hast geantwortet oder bist verantwortlich, darum entscheidet jemand anderes.');
    cleanup();
  });
});

test('a finding that is not here says so with the way back; what it is about may lie elsewhere', async () => {
  show(await device([]), AUDITOR);
  await screen.findByRole('heading', { level: 1, name: texts.missing });
  expect(screen.getByRole('link', { name: texts.back })).toBeTruthy();
  cleanup();
  show(await device([finding({ subject_id: id(98), body: '' })]), AUDITOR);
  await screen.findByText(texts.facts.unknown);
  expect(screen.getByText(texts.noBody)).toBeTruthy();
});

test('findings stand on the screen of what they are about: of an inspection once it is finished, never in a space of one’s own', async () => {
  const inspection: FindingTarget = { table: 'inspections', id: INSPECTION };
  const store = await device([]);
  const link = (of: string, face: ReactNode) => <a href={`/findings/${of}`}>{face}</a>;
  showSignedIn(
    <>
      <FindingsHere target={inspection} renderFinding={link} />
      <FindingsHere target={{ table: 'policies', id: POLICY }} renderFinding={link} />
    </>,
    { store, may: AUDITOR },
  );
  await screen.findByRole('button', { name: texts.here.add });
  expect(screen.getAllByText(texts.here.none)).toHaveLength(1);
  await store.write('finish', tx => tx.change('inspections', INSPECTION, { finished_at: at }));
  await waitFor(() => expect(screen.getAllByRole('button', { name: texts.here.add })).toHaveLength(2));
  cleanup();
  here(await device([finding()]), { table: 'policies', id: POLICY }, { world: 'personal' });
  await screen.findByText('drawn');
  expect(screen.queryByText(texts.here.title)).toBeNull();
  cleanup();
  here(await device([finding()]), { table: 'policies', id: POLICY }, { may: [] });
  await screen.findByRole('link', { name: /No date/ });
  expect(screen.queryByRole('button', { name: texts.here.add })).toBeNull();
});
