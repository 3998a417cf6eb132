import 'fake-indexeddb/auto';
import { newId } from '@cairn/base/id.ts';
import type { WriteTx } from '@cairn/sync/store.ts';
import { freshDatabase, type TestDatabase } from '@cairn/testing/database.ts';
import { addMember, anOrganization, counted, drain, openTab, type Tab } from '@cairn/testing/device-on-sql.ts';
import { holds, HISTORIES_TIMEOUT } from '@cairn/testing/histories.ts';
import { sqlBackend } from '@cairn/testing/sql-backend.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changeActionItem, judgeOutcome } from './action-items/change-action-item.ts';
import { collectEvidence, decideEvidence } from './evidence/collect-evidence.ts';
import { answerFinding, judgeFinding, raiseFinding } from './findings/raise-finding.ts';
import { decideReport } from './issue-reports/decide-report.ts';
import { reportIssue } from './issue-reports/report-issue.ts';
import { isEnded, reportMoves } from './issue-reports/report-status.ts';

let db: TestDatabase;
let person: string;
let colleague: string;
let organization: string;
beforeAll(async () => {
  db = await freshDatabase();
  ({ organization, person } = await anOrganization(db));
  colleague = await db.person(`${newId()}@example.test`);
  await addMember(db, { organization, person: colleague, role: 'manager' });
});
afterAll(() => db.drop());

const at = '2026-11-21T09:00:00.000Z';
const openPhone = () => openTab({ person, backend: counted(sqlBackend(db, person)) });

/** Saves one act after the other with no signal, then has it: everything is taken as it stands on the phone. */
async function inTurn(phone: Tab, acts: ((tx: WriteTx) => Promise<void>)[]): Promise<void> {
  for (const act of acts) await phone.engine.store.write('act', act);
  await drain(phone);
  expect(phone.seen.outbox).toEqual([]);
  expect(phone.seen.conflicts).toEqual([]);
}

const report = (id: string) => (tx: WriteTx) =>
  reportIssue(tx, {
    id,
    organizationId: organization,
    siteId: null,
    assetId: null,
    title: 'Oil on the floor',
    description: '',
    category: 'hazard',
    severity: 'high',
    location: '',
    photos: [],
    by: person,
    anonymousCode: null,
    at,
  });

/** One of the moves a report may make from where it stands, or another judgement between two of what is open. */
const moveOn = (id: string, turn: number) => async (tx: WriteTx) => {
  const before = (await tx.get('issue_reports', id))?.status ?? 'reported';
  const moves = reportMoves[before];
  const status = moves[turn % (moves.length + (isEnded(before) ? 0 : 1))];
  const decision = status ? { status, answer: `Word ${turn}` } : ({ severity: turn % 2 ? 'low' : 'critical' } as const);
  await decideReport(tx, { id, ...decision, by: person, at });
};

describe('moves of a state made with no signal arrive one by one', () => {
  test(
    'of a report, whatever way it took',
    async () => {
      const walk = fc.record({ waits: fc.boolean(), turns: fc.array(fc.nat(11), { minLength: 1, maxLength: 7 }) });
      const property = fc.asyncProperty(walk, async ({ waits, turns }) => {
        const id = newId();
        const phone = await openPhone();
        await drain(phone);
        if (waits) await inTurn(phone, [report(id)]);
        await phone.stopSyncing();
        await inTurn(phone, [...(waits ? [] : [report(id)]), ...turns.map(turn => moveOn(id, turn))]);
        const shown = await phone.engine.store.read({
          key: id,
          tables: ['issue_reports'],
          read: tx => tx.get('issue_reports', id),
        });
        const [kept] = await db.asAdmin('select status, answer from issue_reports where id = $1', [id]);
        expect(kept).toEqual({ status: shown?.status, answer: shown?.answer });
        await phone.close();
      });
      await holds('steps-of-a-report', 25, property);
    },
    HISTORIES_TIMEOUT,
  );

  test('of evidence that is withdrawn before anybody knew it', async () => {
    const id = newId();
    const phone = await openPhone();
    await drain(phone);
    await phone.stopSyncing();
    const facts = { title: 'Test report', description: '', ownerId: colleague };
    const days = { periodFrom: null, periodTo: null, effectiveOn: null, expiresOn: null };
    const fields = { id, organizationId: organization, files: [], about: [], revises: null, by: person, at };
    await inTurn(phone, [
      tx => collectEvidence(tx, { ...fields, ...facts, ...days }),
      tx => decideEvidence(tx, { id, state: 'withdrawn', note: 'Of another year' }),
    ]);
    const kept = await db.asAdmin('select state, review_note from evidence where id = $1', [id]);
    expect(kept).toEqual([{ state: 'withdrawn', review_note: 'Of another year' }]);
    await phone.close();
  });

  test('of a finding that is opened again and answered', async () => {
    const [evidence, id] = [newId(), newId()];
    const about =
      'insert into evidence (id, organization_id, title, series_id, owner_id, collected_at) values ($1, $2, $3, $1, $4, now())';
    await db.asAdmin(about, [evidence, organization, 'Log', colleague]);
    const phone = await openPhone();
    await drain(phone);
    await phone.stopSyncing();
    const fields = { title: 'A gap', body: '', requirement: '', severity: 'minor' as const };
    const answer = (words: string) => (tx: WriteTx) =>
      answerFinding(tx, { id, answer: words, action: null, playbookId: null, by: person, at });
    await inTurn(phone, [
      tx => raiseFinding(tx, { id, target: { table: 'evidence', id: evidence }, ...fields, by: person, at }),
      answer('Mended'),
      tx => judgeFinding(tx, { id, state: 'reopened', verdict: 'Not all of it', by: person, at }),
      answer('Now all of it'),
    ]);
    const kept = await db.asAdmin('select state, answer, verdict from findings where id = $1', [id]);
    expect(kept).toEqual([{ state: 'answered', answer: 'Now all of it', verdict: 'Not all of it' }]);
    await phone.close();
  });

  test('of an action item that is closed, and judged', async () => {
    const id = newId();
    const insert =
      "insert into action_items (id, organization_id, title, status, done_by) values ($1, $2, $3, 'ready_for_verification', $4)";
    await db.asAdmin(insert, [id, organization, 'Mop it up', colleague]);
    const phone = await openPhone();
    await drain(phone);
    await phone.stopSyncing();
    await inTurn(phone, [
      tx => changeActionItem(tx, { id, by: person, at, changes: { status: 'closed' } }),
      tx => judgeOutcome(tx, { id, outcome: 'not_effective', note: 'Wet again', by: person, at }),
    ]);
    const kept = await db.asAdmin('select status, outcome, outcome_note from action_items where id = $1', [id]);
    expect(kept).toEqual([{ status: 'open', outcome: 'not_effective', outcome_note: 'Wet again' }]);
    await phone.close();
  });
});
