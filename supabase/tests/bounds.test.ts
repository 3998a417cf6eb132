import { describe, expect, test } from 'vitest';
import { testDevice } from './device.ts';
import { db, setUpWorld, world } from './set-up-world.ts';

/** Values that a column's type takes and a screen cannot show are refused. */
setUpWorld();

const pushItem = async (patch: Record<string, unknown>) => {
  const [result] = await testDevice(db, world.worker).push({
    t: 'action_items',
    op: 'insert',
    patch: { organization_id: world.organization, title: 'Odd', ...patch },
  });
  return result;
};

describe('times', () => {
  test.for(['infinity', '-infinity', '294000-01-01T00:00:00Z', '2200-01-01T00:00:00Z', '1969-12-31T23:59:59Z'])(
    'due_at %s is refused by name',
    async due_at => {
      expect(await pushItem({ due_at })).toMatchObject({
        st: 'rejected',
        code: '23514',
        msg: 'action_items_due_at_in_time',
      });
    },
  );

  test.for(['1970-01-01T00:00:00Z', '2199-12-31T23:59:59Z', null])('due_at %s is taken', async due_at => {
    expect(await pushItem({ due_at })).toMatchObject({ st: 'applied' });
  });

  test('every time and every number of every synced table is bounded', async () => {
    const open = await db.asAdmin(
      `select attrelid::regclass::text as table, attname from sync.tables t
       join pg_attribute a on a.attrelid = ('public.' || t.name)::regclass and a.attnum > 0 and not a.attisdropped
         and a.atttypid in ('timestamptz'::regtype, 'numeric'::regtype)
       where not exists (select from pg_constraint c where c.conrelid = a.attrelid and c.contype = 'c' and c.conkey = array[a.attnum]
         and c.conname ~ '_(in_time|finite)$')`,
    );
    expect(open).toEqual([]);
  });
});

describe('numbers and shapes', () => {
  test.for(['NaN', 'Infinity', '-Infinity'])('a score of %s is refused, on inspections and answers', async score => {
    for (const [table, key] of [
      ['inspections', 'inspection'],
      ['inspection_answers', 'answer'],
    ] as const) {
      for (const column of ['score', 'score_max']) {
        const attempt = db.asAdmin(`update ${table} set ${column} = $2::text::numeric where id = $1`, [
          world[key],
          score,
        ]);
        await expect(attempt).rejects.toMatchObject({ code: '23514' });
      }
    }
  });

  test.for([{ a: 1 }, 'text', 7, true])('media_ids %j is refused: it is a list', async media_ids => {
    expect(await pushItem({ media_ids })).toMatchObject({ st: 'rejected', code: '23514' });
  });

  test('a list of media ids is taken', async () => {
    expect(await pushItem({ media_ids: [world.media] })).toMatchObject({ st: 'applied' });
  });
});
