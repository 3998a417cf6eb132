import { randomUUID } from 'node:crypto';
import { derivedId } from '@cairn/base/id.ts';
import type { TableName } from '@cairn/schema';
import { syncedTables } from '@cairn/schema/synced-tables.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { mutation, testDevice, type Edit } from './device.ts';
import { db, setUpWorld, world } from './set-up-world.ts';

/**
 * Who knows a record can work out the ids that follow from it. Each edit is answered twice: while nothing stands under the id, and
 * while somebody else's row does that its author may not see. The two answers are one.
 */
setUpWorld();

type Row = Record<string, unknown>;
type Sample = { table: TableName; row: Row; columns: string[] };

/** One row of each synced table that a push may write and the world has. */
async function samples(): Promise<Sample[]> {
  const tables = await db.asAdmin(
    `select t.name, t.columns, t.server_columns || t.generated as kept from sync.tables t order by t.name`,
  );
  const found: Sample[] = [];
  for (const { name, columns, kept } of tables) {
    const [sample] = await db.asAdmin(`select to_jsonb(x) - 'scopes' as row from public.${String(name)} x limit 1`);
    const writable = (columns as string[]).filter(column => column !== 'id' && !(kept as string[]).includes(column));
    if (sample) found.push({ table: name as TableName, row: Object(sample['row']) as Row, columns: writable });
  }
  return found;
}

let all: Sample[];
let elsewhere: string;
beforeAll(async () => {
  all = await samples();
  elsewhere = String((await db.asAdmin(`select id from organizations where name = 'other'`))[0]?.['id']);
});

const answers = async (person: string, edits: Edit[]) => {
  const given = [];
  for (const edit of edits) {
    const [result] = await testDevice(db, person).push(mutation(edit));
    given.push({ ...result, mid: '', ...('cid' in Object(result) && { cid: '' }) });
  }
  return given;
};

/** Everything an outsider can say of an id: as the row says itself, in their own organisation, and with less. */
function edits({ table, row, columns }: Sample, id: string): Edit[] {
  const own = Object.fromEntries(columns.map(column => [column, row[column]]));
  const there = 'organization_id' in row ? { ...own, organization_id: elsewhere } : own;
  const theirs = 'user_id' in row ? { ...there, user_id: world.stranger } : there;
  const change = { base: {}, patch: own };
  return [
    ...[own, there, theirs].map((patch): Edit => ({ t: table, id, op: 'insert', patch })),
    { t: table, id, op: 'update', bv: 1, ...change },
    { t: table, id, op: 'delete', bv: 1 },
    { t: table, id, op: 'resolve', conflict: randomUUID(), ...change },
    { t: table, id, op: 'resolve', conflict: randomUUID() },
  ];
}

/** One statement past every rule, as a server that planned or restored a row would. */
const pastRules = (statement: string) =>
  db.asAdmin(`do $act$ begin set local session_replication_role = replica; ${statement}; end $act$`);

/** Gives the row of others the id, or its own again; what a stranger has made under it goes. */
const name = ({ table }: Sample, from: string, to: string) =>
  pastRules(
    `delete from public.${table} where id = '${to}'; update public.${table} set id = '${to}' where id = '${from}'`,
  );

/** Ids that follow from a known record in a form the app has, or might have. */
function knownIds({ table, row }: Sample): string[] {
  const rule = syncedTables[table].derived as ((of: Row) => [unknown, string]) | undefined;
  const [parent, name] = rule?.(row) ?? [null, ''];
  const named = row['organization_id'];
  const organization = typeof named === 'string' ? named : world.organization;
  // One that its table knows no rule for, and one that it does.
  const foreign = derivedId(organization, 'preset/workshop/site/0');
  return typeof parent === 'string' ? [derivedId(parent, name), foreign] : [foreign];
}

/** What a stranger hears while nothing stands under the id, and while somebody else's row does, which they may not see. */
async function bothAnswers(sample: Sample, id: string, edit: Edit) {
  const hear = async () => JSON.stringify(await answers(world.stranger, [edit]));
  const own = String(sample.row['id']);
  const without = await hear();
  await name(sample, own, id);
  const within = await hear();
  // What they may see is no secret to them.
  const seen =
    without === within
      ? []
      : await db.as(world.stranger, `select 1 as one from public.${sample.table} where id = $1`, [id]);
  await name(sample, id, own);
  return { without, within: seen.length > 0 ? without : within };
}

describe('the answer for an id that follows from a record of others', () => {
  test('is the same whether it stands for something or not: every synced table, every operation', async () => {
    const told: string[] = [];
    let asked = 0;
    for (const sample of all.filter(({ table }) => table !== 'user_preferences')) {
      for (const id of knownIds(sample)) {
        for (const edit of edits(sample, id)) {
          const pair = await bothAnswers(sample, id, edit);
          asked += 1;
          if (pair.without !== pair.within) told.push(`${sample.table} ${edit.op}: ${pair.without} / ${pair.within}`);
        }
      }
    }
    expect(told).toEqual([]);
    expect(asked).toBeGreaterThan(400);
    expect(all.length).toBeGreaterThan(30);
  }, 600_000);

  test('every synced table judges such ids, by a rule of its own or by the one for all', async () => {
    // A decision's id is judged as it is counted; that of somebody's preferences is made of theirs by the server.
    const rules = ['d_derived_id', 'a1_foreign_id', 'd_occurrence', 'c_guard', 'c_source', 'c_count'];
    const open = await db.asAdmin(
      `select s.name from sync.tables s where not exists (select from pg_trigger g
         where g.tgrelid = format('public.%I', s.name)::regclass and (g.tgname = any ($1) or g.tgname like '%guard%')) and s.name <> 'user_preferences' order by 1`,
      [rules],
    );
    expect(open).toEqual([]);
  });
});
