import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { Failure } from '@cairn/base/failure.ts';
import type { Store } from '@cairn/sync/store.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { changeActionItem } from '../action-items/change-action-item.ts';
import { actOnReport } from './act-on-report.ts';
import { decideReport, type DecideReport } from './decide-report.ts';
import { lookUpCode, lookUpHash, normalCode } from './look-up-code.ts';
import { issueReport, issueReports } from './queries.ts';
import { reportIssue, type ReportIssue } from './report-issue.ts';
import { isEnded, needsAnswer, reportMoves, type ReportStatus } from './report-status.ts';

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const [here, site, asset, me] = [uuid(1), uuid(2), uuid(3), uuid(4)];
const id = uuid(10);
const at = '2026-11-21T09:00:00.000Z';
let store: Store;

const base: ReportIssue = {
  id,
  organizationId: here,
  siteId: site,
  assetId: asset,
  title: ' Oil on the floor ',
  description: 'Beside the charger',
  category: 'hazard',
  severity: 'high',
  location: 'Bay 2',
  photos: [],
  by: me,
  anonymousCode: null,
  at,
};
const report = (more: Partial<ReportIssue> = {}) => store.write('report', tx => reportIssue(tx, { ...base, ...more }));
const decide = (more: Partial<DecideReport>) =>
  store.write('decide', tx => decideReport(tx, { id, by: me, at, ...more }));
const act = (title = 'Mop it up') =>
  store.write('act', tx =>
    actOnReport(tx, { reportId: id, actionId: uuid(20), title, assigneeId: null, dueAt: null, by: me, at }),
  );
const opened = () => store.read(issueReport(id));
const refusal = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  return error instanceof Failure ? error.code : 'done';
};

beforeEach(() => {
  store = memoryStore({}, me);
});

test('a report is kept with its place and its photos, and needs a title', async () => {
  const photo = {
    id: uuid(30),
    bytes: new ArrayBuffer(3),
    mime: 'image/jpeg',
    sha256: 'a'.repeat(64),
    width: 1,
    height: 1,
  };
  await report({ photos: [photo] });
  const found = (await opened())?.report;
  expect(found).toMatchObject({
    title: 'Oil on the floor',
    status: 'reported',
    reported_by: me,
    media_ids: [photo.id],
    location: 'Bay 2',
    look_up_hash: null,
  });
  expect(await refusal(report({ id: uuid(11), title: '  ' }))).toBe('invalid');
});

test('a report without a name carries none, and of its code the hash only', async () => {
  const code = lookUpCode(new Uint8Array(12).fill(200));
  await report({ anonymousCode: code });
  const found = (await opened())?.report;
  expect(found).toMatchObject({ is_anonymous: true, reported_by: null, look_up_hash: lookUpHash(code) });
  expect(JSON.stringify(found)).not.toContain(code);
});

test('a code is read as people type it, and nothing else is taken for one', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 12, maxLength: 12 }), bytes => {
      const code = lookUpCode(bytes);
      expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){2}$/);
      expect(lookUpHash(` ${code.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')}`)).toBe(
        lookUpHash(code),
      );
    }),
  );
  expect(['', '7Q2K', 'UUUU-UUUU-UUUU', '7Q2K-41AB-9XYZ-1'].map(normalCode)).toEqual([null, null, null, null]);
  expect(() => lookUpCode(new Uint8Array(11))).toThrow(RangeError);
});

test('whatever is asked of a report, it moves only as its states allow, and ends only with a word to its author', async () => {
  const states = Object.keys(reportMoves).filter((state): state is ReportStatus => state in reportMoves);
  const step = fc.record({ status: fc.constantFrom(...states), answer: fc.constantFrom('', 'Mended.') });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 8 }), async steps => {
      store = memoryStore({}, me);
      await report();
      for (const { status, answer } of steps) {
        const before = (await opened())?.report.status ?? 'reported';
        const refused = await refusal(decide({ status, answer }));
        const after = (await opened())?.report;
        const isAllowed = before === status || reportMoves[before].includes(status);
        const isAnswered = !needsAnswer(status) || answer !== '';
        expect([refused === 'done', after?.status]).toEqual(isAllowed && isAnswered ? [true, status] : [false, before]);
      }
    }),
  );
});

test('work made from a report stands at its place, is as urgent as it is severe, and holds it open until it ends', async () => {
  await report();
  await act();
  const found = await opened();
  expect(found?.report.status).toBe('acting');
  expect(found?.actions).toMatchObject([
    {
      title: 'Mop it up',
      priority: 'high',
      site_id: site,
      asset_id: asset,
      source_type: 'issue_report',
      status: 'open',
    },
  ]);
  expect(await refusal(decide({ status: 'resolved', answer: 'Done.' }))).toBe('invalid');
  await store.write('end', tx => changeActionItem(tx, { id: uuid(20), changes: { status: 'not_valid' }, by: me, at }));
  await decide({ status: 'resolved', answer: 'Done.' });
  expect((await opened())?.report).toMatchObject({ status: 'resolved', decided_by: me, decided_at: at });
  expect(await refusal(act())).toBe('stale_version');
});

test('the list leads with what is most severe, and keeps what is settled apart', async () => {
  await report({ id: uuid(11), severity: 'low', at: '2026-11-21T10:00:00.000Z' });
  await report({ id: uuid(12), severity: 'critical' });
  await report({ id: uuid(13), severity: 'critical', at: '2026-11-21T10:00:00.000Z' });
  await report({ id: uuid(14), organizationId: uuid(99) });
  await report();
  await decide({ status: 'dismissed', answer: 'Known already.' });
  const lists = await store.read(issueReports(here));
  expect(lists.open.map(row => row.id)).toEqual([uuid(13), uuid(12), uuid(11)]);
  expect(lists.ended.map(row => row.id)).toEqual([id]);
  expect(isEnded('dismissed')).toBe(true);
});

test('what is decided is not judged anew until it is taken up again', async () => {
  await report();
  await decide({ status: 'dismissed', answer: 'Water, not oil' });
  expect(await refusal(decide({ severity: 'low' }))).toBe('stale_version');
  expect(await refusal(decide({ category: 'injury' }))).toBe('stale_version');
  expect(await refusal(decide({ severity: 'high' }))).toBe('done');
  expect(await refusal(decide({ status: 'triaged', severity: 'low' }))).toBe('done');
});
