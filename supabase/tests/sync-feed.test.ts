import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import postgres from 'postgres';
import { describe, expect, test } from 'vitest';
import { forgetRows } from '@cairn/testing/device-on-sql.ts';
import { holds, HISTORIES_TIMEOUT } from '@cairn/testing/histories.ts';
import { testDevice } from './device.ts';
import { db, setUpWorld, world } from './set-up-world.ts';

setUpWorld();

const PERSONS = ['admin', 'manager', 'worker', 'colleague', 'auditor', 'stranger'] as const;

/** Online by nature: the registry, and what is asked for when somebody administers. */
const NOT_SYNCED = new Set([
  'pack_installs',
  'pack_reviews',
  'pack_versions',
  'policy_packs',
  'permissions',
  'circle_visibility',
  'circle_invitations',
  'organization_invitations',
  'partner_links',
  'purchase_requests',
  'report_codes',
  'report_contacts',
  'support_reads',
  'cohort_figures',
  'cohort_settings',
  'audit_entries',
  'audit_heads',
  'analytics_events',
  'analytics_metrics',
]);

async function syncedTables(): Promise<string[]> {
  return (await db.asAdmin('select name from sync.tables order by name')).map(row => String(row['name']));
}

describe('one truth', () => {
  test('every public table is synced or named here as not synced', async () => {
    const tables = await db.asAdmin(
      `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
    );
    const names = tables.map(row => String(row['relname'])).filter(name => !NOT_SYNCED.has(name));
    expect(names).toEqual(await syncedTables());
  });

  test('the registry knows the columns of each table as they are', async () => {
    const wrong = await db.asAdmin(`select t.name from sync.tables t where t.columns <> (
      select array_agg(attname::text order by attnum) from pg_attribute
      where attrelid = ('public.' || t.name)::regclass and attnum > 0 and not attisdropped and attname <> 'scopes')`);
    expect(wrong).toEqual([]);
  });

  test.for(PERSONS)(
    'for the %s of the sample world: scopes, row-level security and feed agree on every table',
    async name => {
      const person = world[name];
      const device = testDevice(db, person);
      await device.pull();
      const scopes = (await db.as(person, 'select s from my_scopes() s')).map(row => String(row['s']));
      for (const table of await syncedTables()) {
        const ids = async (rows: Promise<Record<string, unknown>[]>) =>
          (await rows).map(row => String(row['id'])).toSorted();
        const byScope = await ids(
          db.asAdmin(`select id from ${table} where scopes && $1::text[] and deleted_at is null`, [scopes]),
        );
        const byPolicy = await ids(db.as(person, `select id from ${table}`));
        const byFeed = [...device.rows.keys()]
          .filter(key => key.startsWith(`${table}/`))
          .map(key => key.slice(table.length + 1))
          .toSorted();
        expect([table, byPolicy]).toEqual([table, byScope]);
        expect([table, byFeed]).toEqual([table, byScope]);
      }
    },
  );
});

describe('publishing at commit', () => {
  const versionOf = async (id: string) =>
    (
      await db.asAdmin(`select version, gone from sync.change where id = $1 and scope = $2`, [
        id,
        `site:${world.north}`,
      ])
    )[0];

  const script = async (text: string) => {
    const sql = postgres(db.url, { max: 1, onnotice: () => {} });
    await sql.unsafe(text);
    await sql.end();
  };

  test('a savepoint that is rolled back leaves no trace, what was before and after it is published', async () => {
    const [kept, undone, after] = [randomUUID(), randomUUID(), randomUUID()];
    const add = (id: string) =>
      `insert into action_items (id, organization_id, site_id, title) values ('${id}', '${world.organization}', '${world.north}', 'x');`;
    await script(`begin; ${add(kept)} savepoint s; ${add(undone)} rollback to s; ${add(after)} commit;`);
    expect(await versionOf(kept)).toBeDefined();
    expect(await versionOf(undone)).toBeUndefined();
    expect(await versionOf(after)).toBeDefined();
    await script(`begin; savepoint s; ${add(undone)} rollback to s; ${add(undone)} commit;`);
    expect(await versionOf(undone)).toBeDefined();
  });

  test('constraints set immediate in the middle publish twice, and right both times', async () => {
    const id = randomUUID();
    await script(`begin; insert into action_items (id, organization_id, site_id, title) values ('${id}', '${world.organization}', '${world.north}', 'x');
      set constraints all immediate; update action_items set deleted_at = now() where id = '${id}'; commit;`);
    expect(await versionOf(id)).toMatchObject({ gone: true });
  });

  test('nothing of a transaction stays in the notes, and a bulk insert moves each counter once', async () => {
    const head = async () =>
      Number(
        (await db.asAdmin('select version from sync.scope where id = $1', [`site:${world.north}`]))[0]?.['version'],
      );
    const before = await head();
    await db.asAdmin(
      `insert into action_items (organization_id, site_id, title) select $1, $2, 'Bulk' from generate_series(1, 2000)`,
      [world.organization, world.north],
    );
    expect(await head()).toBe(before + 1);
    expect(
      await db.asAdmin(
        'select 1 from sync.touched union all select 1 from sync.pending union all select 1 from sync.transaction_write',
      ),
    ).toEqual([]);
  });

  test('a row that touches two scopes in one person is published in both', async () => {
    const [row] = await db.asAdmin(
      'insert into action_items (organization_id, site_id, title, assignee_id, created_by) values ($1, $2, $3, $4, $4) returning id',
      [world.organization, world.north, 'Twice mine', world.worker],
    );
    const scopes = await db.asAdmin('select scope from sync.change where id = $1 order by scope', [row?.['id']]);
    expect(scopes.map(change => change['scope'])).toEqual([
      `member:${world.organization}:${world.worker}`,
      `site:${world.north}`,
    ]);
  });

  test('each touched scope is nudged on its own topic, with its version and nothing else', async () => {
    const heard: string[] = [];
    const listener = postgres(db.url, { max: 1 });
    await listener.listen('cairn_realtime', payload => heard.push(payload));
    await db.asAdmin('update action_items set title = $2 where id = $1', [world.action, 'Nudge']);
    await expect.poll(() => heard.length).toBe(2);
    const topics = heard.map(
      text =>
        JSON.parse(text) as { topic: string; event: string; private: boolean; payload: { scope: string; v: number } },
    );
    expect(topics.map(({ topic }) => topic).toSorted()).toEqual([
      `scope:member:${world.organization}:${world.worker}`,
      `scope:site:${world.north}`,
    ]);
    for (const { topic, event, payload, private: closed } of topics) {
      expect({ event, closed, topic }).toEqual({ event: 'changed', closed: true, topic: `scope:${payload.scope}` });
      expect(Object.keys(payload).toSorted()).toEqual(['scope', 'v']);
    }
    await listener.end();
  });
});

describe('many writers', () => {
  type Step = { kind: 'insert' | 'move' | 'edit' | 'delete'; pick: number; pause: number };
  const step = fc.record<Step>({
    kind: fc.constantFrom('insert', 'move', 'edit', 'delete'),
    pick: fc.nat(1000),
    pause: fc.nat(3),
  });

  async function write(sql: postgres.Sql, ids: string[], { kind, pick, pause }: Step): Promise<void> {
    const id = ids[pick % Math.max(ids.length, 1)] ?? randomUUID();
    const site = pick % 2 ? world.north : world.south;
    await sql.begin(async tx => {
      if (kind === 'insert') {
        const fresh = randomUUID();
        await tx`insert into action_items (id, organization_id, site_id, title) values (${fresh}, ${world.organization}, ${site}, 'w')`;
        ids.push(fresh);
      } else if (kind === 'move') await tx`update action_items set site_id = ${site} where id = ${id}`;
      else if (kind === 'edit') await tx`update action_items set title = title || '.' where id = ${id}`;
      else await tx`update action_items set deleted_at = now() where id = ${id}`;
      // Transactions that stay open while others commit are what loses rows to a clock or a sequence.
      await tx`select pg_sleep(${pause / 1000})`;
    });
  }

  const scripts = fc.array(fc.array(step, { minLength: 15, maxLength: 30 }), { minLength: 6, maxLength: 6 });

  test(
    'I5 a device that pulls all the while misses nothing',
    async () => {
      const property = fc.asyncProperty(scripts, async each => {
        // One reads page by page and lags behind, one keeps up: only who stands at the end can step over what comes late.
        const devices = [testDevice(db, world.worker), testDevice(db, world.worker)] as const;
        for (const device of devices) await device.pull();
        const writers = postgres(db.url, { max: each.length });
        const ids: string[] = [];
        const writing = new AbortController();
        const readers = devices.map(async (device, at) => {
          while (!writing.signal.aborted) await device.pull(at === 0 ? 17 : 1000);
        });
        await Promise.all(
          each.map(async script => {
            for (const one of script) await write(writers, ids, one);
          }),
        );
        writing.abort();
        await Promise.all(readers);
        for (const device of devices) await device.pull();
        await writers.end();
        const visible = await db.as(world.worker, 'select id, version from action_items');
        const expected = visible.map(row => `${String(row['id'])}@${Number(row['version'])}`).toSorted();
        for (const device of devices) {
          const held = [...device.rows]
            .filter(([key]) => key.startsWith('action_items/'))
            .map(([, { row }]) => `${String(row['id'])}@${Number(row['version'])}`)
            .toSorted();
          expect(held).toEqual(expected);
        }
        await forgetRows(db, ids);
      });
      await holds('many-writers', 4, property);
    },
    HISTORIES_TIMEOUT,
  );
});
