import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startServerOn } from '@cairn/local-server/server-for-tests.ts';
import { freshDatabase, type TestDatabase } from '@cairn/testing/database.ts';
import { chance, company, join, keepBusy, PASSWORD, type LoadedPerson, type Tally } from './load.ts';

/** `npm run soak -- ONLY=load` runs this with 50 people for 60 s; here a small share with a seed of its own. */
const PEOPLE = Number(process.env['PEOPLE'] ?? 6);
const SECONDS = Number(process.env['SECONDS'] ?? 0);
const ROUNDS = SECONDS > 0 ? Number.POSITIVE_INFINITY : 12;
const SEED = Number(process.env['SEED'] ?? 20_261_121);
/** People per company: most of them are strangers to each other. */
const TOGETHER = 5;

let db: TestDatabase;
let server: Awaited<ReturnType<typeof startServerOn>>;
const people: LoadedPerson[] = [];
const tally: Tally = { took: {}, foreign: [], lost: [] };
/** How many answers had each status; 0 where none came. */
const statuses = new Map<number, number>();

const ask = globalThis.fetch;
const count = (status: number) => statuses.set(status, (statuses.get(status) ?? 0) + 1);
const counted: typeof fetch = async (input, init) => {
  try {
    const answer = await ask(input, init);
    count(answer.status);
    return answer;
  } catch (error) {
    count(0);
    throw error;
  }
};

beforeAll(async () => {
  vi.stubGlobal('fetch', counted);
  db = await freshDatabase();
  server = await startServerOn(db.url);
  const places = await Promise.all(
    Array.from({ length: Math.ceil(PEOPLE / TOGETHER) }, (_, n) => company(db, `yard-${n}`)),
  );
  for (let n = 0; n < PEOPLE; n++) {
    const email = `person${n}@load.test`;
    const device = server.visitor();
    const { data, error } = await device.auth.signUp({ email, password: PASSWORD });
    const place = places[Math.floor(n / TOGETHER)];
    if (error || !data.user || !place) throw new Error(`sign-up of ${email} failed: ${error?.message ?? ''}`);
    const own = await join(db, data.user.id, place);
    people.push({ id: data.user.id, email, ...place, own, devices: [device], saved: new Set() });
  }
});

afterAll(async () => {
  vi.unstubAllGlobals();
  await server.stop();
  await db.drop();
});

const at = (sorted: number[], share: number): number => Math.round(sorted[Math.floor(sorted.length * share)] ?? 0);

function figures(seconds: number): string {
  const calls = [...statuses.values()].reduce((sum, n) => sum + n, 0);
  const lines = Object.entries(tally.took).map(([name, took]) => {
    const sorted = took.toSorted((a, b) => a - b);
    return `  ${name.padEnd(8)} ${String(sorted.length).padStart(6)}  p50 ${at(sorted, 0.5)} ms  p99 ${at(sorted, 0.99)} ms`;
  });
  const faults = [...statuses].filter(([status]) => status === 0 || status >= 500).reduce((sum, [, n]) => sum + n, 0);
  const head = `load: ${PEOPLE} people, ${seconds.toFixed(1)} s, seed ${SEED}, ${calls} requests (${Math.round(calls / seconds)}/s)`;
  const foot = `load: foreign rows ${tally.foreign.length}, lost sessions ${tally.lost.length}, faults ${faults}`;
  return [head, ...lines, foot].join('\n');
}

test(
  'many people at once see no row of each other, lose no session, and meet no fault; what was saved is there once',
  async () => {
    const start = performance.now();
    const end = start + SECONDS * 1000;
    await Promise.all(
      people.map((person, n) => {
        let round = 0;
        const enough = () => (SECONDS > 0 ? performance.now() >= end : (round += 1) > ROUNDS);
        return keepBusy(person, { tally, draw: chance(SEED + n), visitor: server.visitor, enough });
      }),
    );
    process.stdout.write(`${figures((performance.now() - start) / 1000)}\n`);

    expect(tally.foreign).toEqual([]);
    expect(tally.lost).toEqual([]);
    expect([...statuses.keys()].filter(status => status === 0 || status >= 400)).toEqual([]);
    for (const person of people) {
      const rows = await db.asAdmin('select id from action_items where created_by = $1 order by id', [person.id]);
      expect(rows.map(({ id }) => id)).toEqual([...person.saved].toSorted());
      for (const device of person.devices) expect((await device.auth.getUser()).data.user?.id).toBe(person.id);
    }
  },
  (SECONDS + 120) * 1000,
);
