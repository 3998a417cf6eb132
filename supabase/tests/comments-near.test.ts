import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { db, setUpWorld, world } from './set-up-world.ts';

setUpWorld();

/** Whether somebody hears who is near, and may say that they are; asked as the realtime service asks. */
async function near(person: string | null, topic: string, extension = 'presence') {
  await db.asAdmin('insert into realtime.messages (topic, extension, private) values ($1, $2, true)', [
    topic,
    extension,
  ]);
  const heard = await db.as(
    person,
    `with me as materialized (select set_config('realtime.topic', $1, true))
     select from me, realtime.messages m where m.topic = $1 and m.extension = $2 limit 1`,
    [topic, extension],
  );
  const asked = db.as(
    person,
    `with me as materialized (select set_config('realtime.topic', $1, true))
     insert into realtime.messages (topic, extension, private) select $1, $2, true from me`,
    [topic, extension],
  );
  const says = await asked.then(
    () => true,
    () => false,
  );
  return { hears: heard.length > 0, says };
}
const yes = { hears: true, says: true };
const no = { hears: false, says: false };

describe('who is near a record', () => {
  const places = (): [string, string][] => [
    ['action_items', world.action],
    ['tasks', world.task],
    ['issue_reports', world.report],
  ];

  test('is known to whoever sees the record, and to nobody else', async () => {
    for (const [table, id] of places()) {
      const topic = `near:${table}:${id}`;
      expect([table, await near(world.worker, topic)]).toEqual([table, yes]);
      expect([table, await near(world.stranger, topic)]).toEqual([table, no]);
      expect([table, await near(null, topic)]).toEqual([table, no]);
    }
    // Of the other site.
    expect(await near(world.colleague, `near:action_items:${world.action}`)).toEqual(no);
  });

  test('is no way to send or hear anything else, and of no other record', async () => {
    expect(await near(world.worker, `near:action_items:${world.action}`, 'broadcast')).toEqual(no);
    for (const topic of [
      `near:action_items:${randomUUID()}`,
      `near:user_preferences:${world.worker}`,
      `near:moons:${world.action}`,
      `near:action_items:${world.action}:x`,
      'near:action_items:x',
      'near::',
      world.action,
    ])
      expect([topic, await near(world.worker, topic)]).toEqual([topic, no]);
  });

  test('a record that is gone has nobody near', async () => {
    await db.asAdmin('update tasks set deleted_at = now() where id = $1', [world.task]);
    expect(await near(world.worker, `near:tasks:${world.task}`)).toEqual(no);
  });
});
