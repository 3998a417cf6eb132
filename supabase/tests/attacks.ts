import { randomUUID } from 'node:crypto';
import type { TableName } from '@cairn/schema';
import type { TestDatabase } from '@cairn/testing/database.ts';
import { testDevice } from './device.ts';

/** One column that names somebody or something else: a foreign key, or who owns the row. */
export type Reference = { table: string; column: string; target: string | null; isSynced: boolean };

type Data = Record<string, unknown>;

/** Every such column of the catalogue. */
export async function references(db: TestDatabase): Promise<Reference[]> {
  const rows = await db.asAdmin(
    `select c.relname as table, a.attname as column, exists (select from sync.tables t where t.name = c.relname) as "isSynced",
       (select f.confrelid::regclass::text from pg_constraint f
         join pg_attribute k on k.attrelid = f.confrelid and k.attnum = f.confkey[array_position(f.conkey, a.attnum)]
         where f.conrelid = c.oid and f.contype = 'f' and a.attnum = any (f.conkey) and k.attname = 'id'
         order by cardinality(f.conkey), f.conname limit 1) as target
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.atttypid = 'uuid'::regtype
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
       and (a.attname ~ '(_id|_by)$' or exists (select from pg_constraint f where f.conrelid = c.oid and f.contype = 'f' and a.attnum = any (f.conkey)))
     order by 1, 2`,
  );
  return rows as Reference[];
}

export type Attack = {
  db: TestDatabase;
  reference: Reference;
  /** The row that is attacked, and one of the attacker's own of the same table, or null where they can have none. */
  victim: Data;
  own: Data | null;
  person: string | null;
};

const refusals = new Set(['42501', '23505', '23503', '23514', '22023', 'P0001', '428C9', '23502']);

/** Rows a statement touched, 0 when it was refused. */
async function touched(attempt: Promise<Data[]>): Promise<number> {
  try {
    return (await attempt).length;
  } catch (error) {
    if (error instanceof Error && 'code' in error && refusals.has(String(error.code))) return 0;
    throw error;
  }
}

const rowOf = async (db: TestDatabase, table: string, id: unknown): Promise<Data | null> => {
  const [found] = await db.asAdmin(`select to_jsonb(t) as row from ${table} t where id = $1`, [id]);
  return found ? Object(found['row']) : null;
};

const SERVER_SET = new Set(['id', 'version', 'created_at', 'updated_at', 'deleted_at', 'scopes']);
const sendable = (row: Data): Data => Object.fromEntries(Object.entries(row).filter(([key]) => !SERVER_SET.has(key)));

async function pushed(
  { db, reference, person }: Attack,
  edit: { id: string; op: 'insert' | 'update' | 'delete'; patch?: Data; base?: Data; bv?: number },
): Promise<void> {
  if (!person || !reference.isSynced) return;
  await testDevice(db, person).push({ t: reference.table as TableName, ...edit });
}

/** The victim's row is taken, moved, changed or removed: true when anything of it is another afterwards. */
async function changesVictim(attack: Attack): Promise<string[]> {
  const { db, reference, victim, own, person } = attack;
  const { table, column } = reference;
  const id = String(victim['id']);
  const mine = own?.[column] ?? person;
  const before = JSON.stringify(await rowOf(db, table, id));
  const done: string[] = [];
  const look = async (verb: string) => {
    if (JSON.stringify(await rowOf(db, table, id)) !== before) done.push(verb);
  };
  await touched(db.as(person, `update ${table} set ${column} = $2 where id = $1 returning 1`, [id, mine]));
  await look('update');
  await touched(db.as(person, `delete from ${table} where ${column} = $1 returning 1`, [victim[column]]));
  await look('delete');
  const seen = { base: { [column]: victim[column] }, bv: Number(victim['version']) };
  await pushed(attack, { id, op: 'update', patch: { [column]: mine }, ...seen });
  await look('push update');
  await pushed(attack, { id, op: 'delete', ...seen });
  await look('push delete');
  return done;
}

/** Whether what the victim's row names is not the attacker's to name: somebody else, a site, or a row they cannot see. */
async function isForeign({ db, reference: { column, target }, victim, person }: Attack): Promise<boolean> {
  const value = victim[column];
  if (value === null || target === null) return value !== null;
  if (target === 'auth.users') return value !== person;
  if (column === 'site_id') return true;
  return (await touched(db.as(person, `select 1 from ${target} where id = $1`, [value]))) === 0;
}

/** A row of the attacker's own is made to name what is the victim's: true when one does afterwards. */
async function namesVictim(attack: Attack): Promise<string[]> {
  const { db, reference, victim, own, person } = attack;
  const { table, column } = reference;
  const value = victim[column];
  if (!own || !(await isForeign(attack))) return [];
  const done: string[] = [];
  const look = async (verb: string, id: unknown) => {
    if ((await rowOf(db, table, id))?.[column] === value) done.push(verb);
  };
  const forged = { ...sendable(own), ...fresh(table), [column]: value };
  const direct = randomUUID();
  const columns = [...Object.keys(forged), ...(column === 'id' ? [] : ['id'])].join(', ');
  const insert = `insert into ${table} (${columns}) select ${columns} from jsonb_populate_record(null::${table}, $1) returning 1`;
  const row = column === 'id' ? forged : { ...forged, id: direct };
  await touched(db.as(person, insert, [row]));
  if (column !== 'id') await look('insert', direct);
  const sent = randomUUID();
  await pushed(attack, { id: sent, op: 'insert', patch: forged });
  await look('push insert', sent);
  if (own[column] === value) return done;
  await touched(db.as(person, `update ${table} set ${column} = $2 where id = $1 returning 1`, [own['id'], value]));
  await look('update own', own['id']);
  const seen = { base: { [column]: own[column] }, bv: Number(own['version']) };
  await pushed(attack, { id: String(own['id']), op: 'update', patch: { [column]: value }, ...seen });
  await look('push update own', own['id']);
  return done;
}

/** What would collide with the row it was copied from. */
const FRESH: Record<string, (mark: string) => Data> = {
  playbooks: mark => ({ name: mark }),
  playbook_members: () => ({ role: 'member' }),
  assets: mark => ({ code: mark }),
  organizations: mark => ({ slug: mark }),
  form_versions: () => ({ number: 2 + Math.floor(Math.random() * 1_000_000) }),
  inspection_answers: mark => ({ question: mark }),
};
export const fresh = (table: string): Data => FRESH[table]?.(randomUUID()) ?? {};

/** Every verb on one column; what got through, as words. Nothing should. */
export async function attack(given: Attack): Promise<string[]> {
  const { db, reference, victim, person } = given;
  const { table, column } = reference;
  const through: string[] = [];
  const sees = `select 1 from ${table} where ${column} = $1 and id = $2`;
  if ((await touched(db.as(person, sees, [victim[column], victim['id']]))) > 0) through.push('select');
  through.push(...(await changesVictim(given)), ...(await namesVictim(given)));
  return through.map(verb => `${table}.${column} ${verb}`);
}
