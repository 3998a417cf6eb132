import 'fake-indexeddb/auto';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { newId } from '@cairn/base/id.ts';
import { openChanges } from '@cairn/sync/store/changes.ts';
import { openDatabase } from '@cairn/sync/store/database.ts';
import { openStore } from '@cairn/sync/store/local-store.ts';
import type { Store, WriteTx } from '@cairn/sync/store.ts';
import { virtualPlatform } from '@cairn/testing/virtual-platform.ts';
import { inspectionRecord, type InspectionRecord } from './inspection-queries.ts';

const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const [organization, inspection, other] = [id(1), id(2), id(3)];
const place = { organization_id: organization, site_id: null };

async function opened(): Promise<Store> {
  const { clock, openChannel } = virtualPlatform();
  const owner = newId();
  const changes = openChanges(openChannel('test'), owner);
  const store = openStore({ db: await openDatabase(newId()), owner, device: 'device', clock, changes });
  await store.write('seed', async tx => {
    await tx.put('forms', { id: id(10), organization_id: organization, name: 'Check' });
    await tx.put('assets', { ...place, id: id(11), name: 'Forklift 3' });
    for (const each of [inspection, other]) {
      const row = { ...place, id: each, form_id: id(10), form_version_id: id(12), asset_id: id(11), title: 'Check' };
      await tx.put('inspections', { ...row, status: 'in_progress' });
    }
  });
  return store;
}

/** One change of anything the screen of an inspection shows, or of something beside it. */
async function change(tx: WriteTx, [what = 0, which = 0, how = 0]: number[]): Promise<void> {
  const answer = id(100 + (which % 6));
  const to = what % 9 === 3 ? other : inspection;
  const row = { ...place, id: answer, inspection_id: to, question: `q${which % 6}`, value: how };
  if (what % 9 <= 3) await tx.put('inspection_answers', row);
  else if (what % 9 === 4) await tx.remove('inspection_answers', answer);
  else if (what % 9 === 5)
    await tx.change('inspections', how % 2 === 0 ? inspection : other, { title: `Check ${how}` });
  else if (what % 9 === 6) await tx.change('assets', id(11), { name: `Forklift ${how}` });
  else if (what % 9 === 7) await tx.change('forms', id(10), { name: `Form ${how}` });
  else {
    const action = { ...place, id: id(200 + which), title: `Action ${how}`, source_type: 'inspection' as const };
    await tx.put('action_items', { ...action, source_id: inspection });
  }
}

test('an inspection on the screen is always what reading it anew would show, whatever changed', async () => {
  const steps = fc.array(fc.array(fc.nat(50), { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(steps, async all => {
      const store = await opened();
      let shown: InspectionRecord | null = null;
      const query = inspectionRecord(inspection);
      const stop = store.watch(
        query,
        answer => (shown = answer),
        () => (shown = null),
      );
      await expect.poll(() => shown).not.toBeNull();
      for (const step of all) {
        await store.write('t', tx => change(tx, step));
        await expect.poll(async () => [shown, await store.read(query)]).toSatisfy(([a, b]) => isSame(a, b));
      }
      stop();
    }),
    { numRuns: 25 },
  );
});

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

test('after one answer of five hundred only that one is read again', async () => {
  const store = await opened();
  await store.write('fill', async tx => {
    for (let n = 0; n < 500; n += 1) {
      const question = `q${String(n).padStart(4, '0')}`;
      await tx.put('inspection_answers', {
        ...place,
        id: id(1000 + n),
        inspection_id: inspection,
        question,
        value: 'pass',
      });
    }
  });
  const seen: InspectionRecord[] = [];
  const stop = store.watch(
    inspectionRecord(inspection),
    answer => answer && seen.push(answer),
    () => {},
  );
  await expect.poll(() => seen.length).toBe(1);
  await store.write('t', tx => tx.change('inspection_answers', id(1007), { value: 'fail' }));
  await expect.poll(() => seen.length).toBe(2);
  const again = seen[1]?.answers.filter((row, index) => row !== seen[0]?.answers[index]);
  expect(again?.map(({ question, value }) => [question, value])).toEqual([['q0007', 'fail']]);
  stop();
});
