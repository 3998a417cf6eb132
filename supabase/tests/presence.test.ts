import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { derivedId } from '@cairn/base/id.ts';
import {
  type KeptEntry,
  keptEntry,
  NOTHING_BEFORE,
  type PresenceEntry,
  presenceKinds,
  textHash,
} from '@cairn/core/on-site/presence-chain.ts';
import { type Edit, mutation, testDevice } from './device.ts';
import { db, setUpWorld, world } from './set-up-world.ts';

setUpWorld();

let inspection: string;
let strand: string;

/** The next entry behind others, by somebody. */
function next(before: readonly KeptEntry[], more: Partial<PresenceEntry> = {}): KeptEntry {
  const [position, previous] = [before.length + 1, before.at(-1)?.hash ?? NOTHING_BEFORE];
  const place = { format: 1, inspection, strand, position, previous } as const;
  return keptEntry({ ...place, kind: 'started', at: '2026-11-21T09:00:00.000Z', by: world.worker, facts: {}, ...more });
}

const insert = (kept: KeptEntry, more: object = {}, id = derivedId(kept.strand, String(kept.position))): Edit => ({
  t: 'presence_entries',
  op: 'insert',
  id,
  patch: { organization_id: world.organization, inspection_id: inspection, ...kept, ...more },
});
const push = (person: string, ...edits: Edit[]) => testDevice(db, person).push(...edits);
const kept = () =>
  db.asAdmin(
    'select position, body, hash, by_id, received_at from presence_entries where inspection_id = $1 order by position',
    [inspection],
  );
const REFUSED = (code: string) => [{ st: 'rejected', code }];

const addInspection = (id: string, conductor: string) =>
  db.asAdmin(
    `insert into inspections (id, organization_id, site_id, form_id, form_version_id, conducted_by, status, title, started_at)
     values ($1, $2, $3, $4, $5, $6, 'in_progress', 'Check', '2026-11-21T08:30:00Z')`,
    [id, world.organization, world.north, world.form, world.formVersion, conductor],
  );

beforeEach(async () => {
  [inspection, strand] = [randomUUID(), randomUUID()];
  await addInspection(inspection, world.worker);
});

describe('entries of a chain', () => {
  test('come from who inspects, one or many at once, and get the time of the server', async () => {
    const chain = presenceKinds.reduce<KeptEntry[]>(
      (all, kind) => [...all, next(all, { kind, facts: { word: 'Ü' } })],
      [],
    );
    const [first, ...rest] = chain.map(entry => insert(entry, { received_at: '2001-01-01T00:00:00Z' }));
    if (!first) throw new Error('no entries');
    expect(await push(world.worker, first)).toMatchObject([{ st: 'applied' }]);
    const group = randomUUID();
    const answers = await push(world.worker, ...rest.map(edit => ({ ...edit, group })));
    expect(answers.map(({ st }) => st)).toEqual(rest.map(() => 'applied'));
    const rows = await kept();
    expect(rows.map(row => row['body'])).toEqual(chain.map(({ body }) => body));
    expect(new Set(rows.map(row => row['by_id']))).toEqual(new Set([world.worker]));
    expect(rows.every(row => Date.parse(String(row['received_at'])) > Date.parse('2020-01-01'))).toBe(true);
  });

  test.each<[string, () => Edit, string]>([
    ['a fork', () => insert(next([], { at: '2026-11-21T10:00:00.000Z' }), {}, randomUUID()), '23514'],
    ['what follows something else', () => insert(next([next([])], { previous: 'a'.repeat(64) })), '23514'],
    ['a text of another inspection', () => insert(next([next([])], { inspection: world.inspection })), '23514'],
    ['a text that names another person', () => insert(next([next([])], { by: world.colleague })), '23514'],
    ['a kind that is none', () => insert(next([next([])], { kind: 'slept' as 'scan' })), '23514'],
    ['a hash of something else', () => insert({ ...next([next([])]), hash: 'b'.repeat(64) }), '23514'],
    ['a text that is no JSON', () => insert({ ...next([next([])]), body: '{oops' }), '23514'],
    ['an id of chance', () => insert(next([next([])]), {}, randomUUID()), '23514'],
  ])('%s is refused', async (_, edit, code) => {
    expect(await push(world.worker, insert(next([])))).toMatchObject([{ st: 'applied' }]);
    expect(await push(world.worker, edit())).toMatchObject([{ st: 'rejected', code }]);
    expect(await kept()).toHaveLength(1);
    expect((await kept())[0]).toMatchObject({ hash: next([]).hash });
  });

  test('a key twice, facts that are no single values, or a moment that never is are refused', async () => {
    const nextEntry = next([]);
    const withText = (body: string) => insert({ ...nextEntry, body, hash: textHash(body) });
    for (const [of, by] of [
      ['"kind":"started"', '"kind":"started","kind":"finished"'],
      ['"facts":{}', '"facts":{"code":"A","code":"B"}'],
      ['"facts":{}', '"facts":{"lat":[1]}'],
      ['"facts":{}', '"facts":{"lat":{"deep":1}}'],
      ['"facts":{}', '"facts":{"word":"\\u0000"}'],
      ['2026-11-21T09', '2026-13-41T09'],
    ] as const) {
      expect(nextEntry.body).toContain(of);
      expect(await push(world.worker, withText(nextEntry.body.replace(of, by)))).toMatchObject([{ st: 'rejected' }]);
    }
    expect(await push(world.worker, withText('['.repeat(4000)))).toMatchObject([{ st: 'rejected' }]);
    expect(await kept()).toEqual([]);
  });

  test('are made before nobody’s inspection has begun by nobody', async () => {
    await db.asAdmin(`update inspections set status = 'scheduled', conducted_by = null where id = $1`, [inspection]);
    expect(await push(world.worker, insert(next([])))).toMatchObject(REFUSED('42501'));
    await db.asAdmin(`update inspections set assigned_to = $2 where id = $1`, [inspection, world.worker]);
    expect(await push(world.worker, insert(next([])))).toMatchObject([{ st: 'applied' }]);
  });

  test('nobody takes the next place of a strand they have read, at an inspection of their own', async () => {
    const first = next([]);
    await push(world.worker, insert(first));
    const [theirs, own] = [inspection, randomUUID()];
    await addInspection(own, world.manager);
    inspection = own;
    const squatting = next([first], { by: world.manager });
    expect(await push(world.manager, insert(squatting))).toMatchObject(REFUSED('42501'));
    inspection = theirs;
    expect(await push(world.worker, insert(next([first], { kind: 'photo' })))).toMatchObject([{ st: 'applied' }]);
  });

  test('what was witnessed at a draft goes with it when it is thrown away, also what arrives after that', async () => {
    const first = next([]);
    await push(world.worker, insert(first));
    expect(
      await push(world.worker, { t: 'inspections', op: 'delete', id: inspection, bv: 1 }, insert(next([first]))),
    ).toMatchObject([{ st: 'applied' }, { st: 'applied' }]);
    const gone = await db.asAdmin(
      'select 1 from presence_entries where inspection_id = $1 and deleted_at is not null',
      [inspection],
    );
    expect(gone).toHaveLength(2);
    const seen = 'select 1 from presence_entries where inspection_id = $1';
    for (const person of [world.worker, world.manager]) expect(await db.as(person, seen, [inspection])).toEqual([]);
    expect(
      await push(world.worker, { t: 'presence_entries', op: 'delete', id: derivedId(strand, '1'), bv: 1 }),
    ).not.toMatchObject([{ st: 'rejected' }]);
  });

  test('a fork that takes the place of an entry changes nothing', async () => {
    const first = next([]);
    await push(world.worker, insert(first));
    const [answer] = await push(world.worker, insert(next([], { at: '2026-11-21T10:00:00.000Z' })));
    expect(answer?.st).not.toBe('applied');
    expect(await kept()).toMatchObject([{ hash: first.hash }]);
  });

  test('may come before the one they follow; what does not fit between is refused', async () => {
    const first = next([]);
    const second = next([first], { kind: 'photo' });
    const third = next([first, second], { kind: 'finished' });
    expect(await push(world.worker, insert(first), insert(third))).toMatchObject([
      { st: 'applied' },
      { st: 'applied' },
    ]);
    const other = next([first], { kind: 'scan' });
    expect(await push(world.worker, insert(other))).toMatchObject([{ st: 'rejected', code: '23514' }]);
    expect(await push(world.worker, insert(second))).toMatchObject([{ st: 'applied' }]);
    expect((await kept()).map(row => row['hash'])).toEqual([first.hash, second.hash, third.hash]);
  });

  test('two devices of one person write two strands', async () => {
    const one = insert(next([]));
    strand = randomUUID();
    expect(await push(world.worker, one, insert(next([])))).toMatchObject([{ st: 'applied' }, { st: 'applied' }]);
  });
});

describe('who may', () => {
  test.each<[string, () => string, string]>([
    ['a colleague of another place', () => world.colleague, '23503'],
    ['a manager', () => world.manager, '42501'],
    ['somebody of another organisation', () => world.stranger, '42501'],
  ])('%s adds nothing to it', async (_, person, code) => {
    expect(await push(person(), insert(next([], { by: person() })))).toMatchObject(REFUSED(code));
    expect(await kept()).toEqual([]);
  });

  test('a visitor adds nothing and sees nothing', async () => {
    await push(world.worker, insert(next([])));
    await expect(db.as(null, 'select 1 from presence_entries')).rejects.toThrow('permission denied');
    await expect(push('', insert(next([])))).rejects.toThrow('function');
  });

  test('who reviews sees it, somebody of another organisation does not', async () => {
    await push(world.worker, insert(next([])));
    const seen = (person: string) =>
      db.as(person, 'select 1 from presence_entries where inspection_id = $1', [inspection]);
    expect(await seen(world.manager)).toHaveLength(1);
    expect(await seen(world.worker)).toHaveLength(1);
    expect(await seen(world.stranger)).toHaveLength(0);
  });

  test('nobody changes or removes an entry, whoever it is and whichever way', async () => {
    const entry = next([]);
    await push(world.worker, insert(entry));
    const id = derivedId(strand, '1');
    for (const person of [world.worker, world.manager, world.admin]) {
      const bodies = { patch: { body: '{}' }, base: { body: entry.body } };
      expect(await push(person, { t: 'presence_entries', op: 'update', id, bv: 1, ...bodies })).not.toMatchObject([
        { st: 'applied' },
      ]);
      expect(await push(person, { t: 'presence_entries', op: 'delete', id, bv: 1 })).not.toMatchObject([
        { st: 'applied' },
      ]);
      await db.as(person, `update presence_entries set body = '{}' where id = $1`, [id]).catch(() => []);
      await db.as(person, 'delete from presence_entries where id = $1', [id]).catch(() => []);
    }
    await expect(db.asAdmin(`update presence_entries set body = '{}' where id = $1`, [id])).rejects.toMatchObject({
      code: '42501',
    });
    expect(await kept()).toMatchObject([{ hash: entry.hash, body: entry.body }]);
  });

  test('what is decided takes no more entries', async () => {
    await push(world.worker, insert(next([])));
    await db.asAdmin(`update inspections set status = 'finalised' where id = $1`, [inspection]);
    await db.asAdmin(`update inspections set status = 'approved' where id = $1`, [inspection]);
    expect(await push(world.worker, insert(next([next([])])))).toMatchObject(REFUSED('42501'));
  });

  test('it follows the inspection to another person and place', async () => {
    await push(world.worker, insert(next([])));
    await db.asAdmin('update inspections set site_id = $2 where id = $1', [inspection, world.south]);
    expect(
      await db.asAdmin('select site_id, conductor_id from presence_entries where inspection_id = $1', [inspection]),
    ).toEqual([{ site_id: world.south, conductor_id: world.worker }]);
  });
});

describe('of who was removed meanwhile', () => {
  const parcel = (by: string | null, work: ReturnType<typeof mutation>[], author: string) =>
    db.rpc<{ accepted: number; refused: string[] }>(by, 'submit_edits_on_behalf', {
      p_organization: world.organization,
      p_author: author,
      p_device: randomUUID(),
      p_mutations: JSON.stringify(work),
    });

  test('it is field work for the review queue, and nobody else brings it in their name', async () => {
    expect(await db.asAdmin(`select review_queue.is_submittable('presence_entries') as is_work`)).toEqual([
      { is_work: true },
    ]);
    const work = mutation(insert(next([])));
    expect(await parcel(world.admin, [work], world.worker)).toMatchObject({ accepted: 0, refused: [work.mid] });
    expect(await kept()).toEqual([]);
  });
});

test('a finished inspection takes proofs of the device that finished it alone', async () => {
  const [phone, other] = [testDevice(db, world.worker), testDevice(db, world.worker)];
  const finish: Edit = {
    t: 'inspections',
    id: inspection,
    op: 'update',
    bv: 1,
    patch: { status: 'finalised', finished_at: '2026-11-21T09:30:00Z' },
    base: { status: 'in_progress', finished_at: null },
  };
  expect(await phone.push(finish)).toMatchObject([{ st: 'applied' }]);
  const late = next([]);
  expect(await other.push(insert(late))).toMatchObject(REFUSED('42501'));
  expect(await phone.push(insert(late))).toMatchObject([{ st: 'applied' }]);
});
