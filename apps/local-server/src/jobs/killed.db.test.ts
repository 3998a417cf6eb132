import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import postgres, { type Sql } from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshDatabase, type TestDatabase } from '@cairn/testing/database.ts';
import { smtpForTests } from '../wire/smtp-for-tests.ts';
import { runScheduler } from './scheduler-for-tests.ts';

const SERVER = fileURLToPath(new URL('./scheduler-for-tests.ts', import.meta.url));
/** Servers that die; more by hand: `KILLS=100`. */
const KILLS = Number(process.env['KILLS'] ?? 5);
const DIGEST = 'dora';
const QUIET = 'quinn';
const PEOPLE = ['ann', 'ben', DIGEST, QUIET];

let db: TestDatabase;
let sql: Sql;
let smtp: Awaited<ReturnType<typeof smtpForTests>>;

beforeAll(async () => {
  db = await freshDatabase();
  sql = postgres(db.url, { max: 4, onnotice: () => {} });
  smtp = await smtpForTests();
});
afterAll(async () => {
  await smtp.stop();
  await sql.end();
  await db.drop();
});

/** Who is told of a late task by mail: at once, in a digest, or at once but for the quiet hours that are now. */
async function person(name: string): Promise<string> {
  const id = await db.person(`${name}@mail.example.org`);
  if (name === DIGEST) return id;
  await sql`insert into notification_choices (id, user_id, type, channel, cadence)
    values (gen_random_uuid(), ${id}, 'task.overdue', 'email', 'immediate')`;
  if (name !== QUIET) return id;
  await sql`update user_preferences set timezone = 'UTC', quiet_hours_enabled = true,
      quiet_hours_start = ((now() - interval '2 hours') at time zone 'UTC')::time,
      quiet_hours_end = ((now() + interval '10 hours') at time zone 'UTC')::time where user_id = ${id}`;
  return id;
}

/** Five late tasks for somebody, and something critical, which quiet hours do not hold back. */
async function work(who: string, name: string, round: number): Promise<void> {
  await sql`insert into tasks (organization_id, title, created_by, assignee_id, due_day, due_zone)
    select o.id, 'task-' || ${name} || '-' || ${round}::int || '-' || n || '-', ${who}, ${who}, current_date - 2, 'UTC'
    from organizations o, generate_series(1, 5) n where o.created_by = ${who}`;
  await sql`select inbox.notify(${who}, 'action.critical', 'critical-' || ${round}::int, '/action-items/1',
    ${sql.json({ title: `critical-${name}-${round}-`, by: 'Bob' })})`;
}

/** A server that lives until it has sent some mails, or for a while, and is killed then: in the middle of whatever it does. */
async function mortal(chance: () => number): Promise<void> {
  const child = spawn(process.execPath, [SERVER, db.url, smtp.url], { stdio: ['ignore', 'pipe', 'inherit'] });
  const gone = once(child, 'exit');
  await once(child.stdout, 'data');
  const [before, mails, until] = [smtp.taken.length, 1 + Math.floor(chance() * 6), Date.now() + chance() * 2_500];
  const isTime = () => smtp.taken.length >= before + mails || Date.now() >= until;
  await expect.poll(isTime, { interval: 1 }).toBe(true);
  child.kill('SIGKILL');
  await gone;
}

/** Mails to somebody in which a title stands. */
const naming = (title: string): number => smtp.taken.filter(mail => mail.includes(title)).length;

test('two servers that die again and again tell everything once in the inbox, at most once by mail, and nothing in quiet hours', async () => {
  const people = await Promise.all(PEOPLE.map(async name => ({ name, id: await person(name) })));
  let round = 0;
  const worker = async (deaths: number) => {
    for (let death = 0; death < deaths; death += 1) {
      round += 1;
      const now = round;
      await Promise.all(people.map(({ name, id }) => work(id, name, now)));
      await mortal(Math.random);
    }
  };
  await Promise.all([worker(Math.ceil(KILLS / 2)), worker(Math.floor(KILLS / 2))]);

  // Whoever starts next does what is left; the digest's hour comes, the quiet hours go on.
  await sql`update inbox.delivery set due_at = now() where state = 'waiting'
    and user_id = ${people.find(({ name }) => name === DIGEST)?.id ?? ''}`;
  const stop = await runScheduler(db.url, smtp.url);
  const left = async () => {
    const [row] = await sql`select
      (select count(*)::int from tasks t where not exists (select from notifications n where n.path = '/tasks/' || t.id and n.type = 'task.overdue')) as untold,
      (select count(*)::int from inbox.delivery where state = 'waiting' and channel = 'email' and due_at <= now()) as waiting`;
    return row;
  };
  await expect.poll(left, { timeout: 60_000 }).toEqual({ untold: 0, waiting: 0 });
  // What a dead server had in hand is given up after a while, not sent once more.
  await sql`select inbox.sweep(now() + interval '11 minutes')`;
  await stop();
  const sent = smtp.taken.length;
  const again = await runScheduler(db.url, smtp.url);
  await again();
  expect(smtp.taken.length).toBe(sent);

  const tasks = await sql`select t.title, count(n.id)::int as told from tasks t
    left join notifications n on n.path = '/tasks/' || t.id and n.type = 'task.overdue' group by t.id, t.title`;
  expect(tasks).toHaveLength(round * PEOPLE.length * 5);
  expect(tasks.filter(row => row['told'] !== 1)).toEqual([]);
  expect(tasks.filter(row => naming(String(row['title'])) > 1)).toEqual([]);
  const critical = people.flatMap(({ name }) => Array.from({ length: round }, (_, n) => `critical-${name}-${n + 1}-`));
  expect(critical.filter(title => naming(title) > 1)).toEqual([]);
  // At most once, and not never: what a server says it sent is in one mail, and nothing else is missing but what a dead one had in hand.
  const told = await sql`select n.params ->> 'title' as title, d.state, d.error from inbox.delivery d
    join notifications n on n.id = d.notification_id where d.channel = 'email' and d.cadence = 'immediate' and d.due_at <= now()`;
  const [done, given] = [told.filter(row => row['state'] === 'sent'), told.filter(row => row['error'] === 'unknown')];
  expect(done.filter(row => naming(String(row['title'])) !== 1)).toEqual([]);
  expect(done.length).toBeGreaterThan(0);
  expect(told.filter(row => !done.includes(row) && !given.includes(row))).toEqual([]);
  const inQuiet = smtp.taken.filter(mail => mail.includes(`To: ${QUIET}@`));
  expect(inQuiet.filter(mail => mail.includes(`task-${QUIET}-`))).toEqual([]);
  expect(inQuiet.length).toBeGreaterThan(0);
  process.stdout.write(`${KILLS} servers killed, ${sent} mails taken, ${given.length} given up as unknown\n`);
}, 900_000);
