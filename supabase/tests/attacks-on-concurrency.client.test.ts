import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PushAnswer } from '@cairn/sync/transport/backend.ts';
import {
  expectUndisturbed,
  inWords,
  serveApart,
  whileAttacked,
  type SeparateServer,
  type SignedUpUser,
} from './bystander.ts';
import { mutation } from './device.ts';
import { company, join } from './load.ts';
import { rawSocket, type RawSocket } from './raw-socket.ts';

/**
 * Attacks with free accounts, or with none, on what everybody shares: connections, sockets, memory. All come from one address, the
 * bystander too. Small here; `ATTACK_SECONDS=30 ATTACK_SOCKETS=1200` is a soak.
 */
const SECONDS = Number(process.env['ATTACK_SECONDS'] ?? 3);
const SOCKETS = Number(process.env['ATTACK_SOCKETS'] ?? 240);
const TIMEOUT = (SECONDS + 60) * 1000;

let server: SeparateServer;
const people: (SignedUpUser & { organization: string; site: string })[] = [];

beforeAll(async () => {
  server = await serveApart();
  for (const name of ['eve', 'mallory', 'trudy']) {
    const person = await server.signUp(`${name}@attack.test`);
    const place = await company(server.db, name);
    await join(server.db, person.id, place);
    people.push({ ...person, ...place });
  }
});
afterAll(() => server.stop());

/** Does it again and again, for as long as the attack lasts. */
async function again(work: () => Promise<unknown>): Promise<void> {
  const end = performance.now() + SECONDS * 1000;
  while (performance.now() < end) await work();
}

const note = (name: string, seen: Parameters<typeof inWords>[1]) => process.stdout.write(`${inWords(name, seen)}\n`);

/** As much as one call may carry. */
function largestPush({ organization, site }: { organization: string; site: string }) {
  const patch = { organization_id: organization, site_id: site, title: 'x'.repeat(120) };
  const mutations = Array.from({ length: 1000 }, () => mutation({ t: 'action_items', op: 'insert', patch }));
  return JSON.stringify({ p_device: randomUUID(), p_mutations: mutations });
}

test(
  'while three accounts push as much as a call may carry, four calls each at once, a fourth person is answered within a second',
  async () => {
    const statuses: number[] = [];
    const rests: number[] = [];
    const push = async (person: (typeof people)[number]) => {
      const headers = {
        apikey: server.publishableKey,
        authorization: `Bearer ${person.token}`,
        'content-type': 'application/json',
      };
      const body = largestPush(person);
      const answer = await fetch(`${server.url}/rest/v1/rpc/sync_push`, { method: 'POST', headers, body });
      statuses.push(answer.status);
      const { results, rest = 0 } = (await answer.json()) as PushAnswer;
      expect(results.length + rest).toBe(1000);
      rests.push(rest);
    };
    const seen = await whileAttacked(server, () =>
      Promise.all(people.flatMap(person => [1, 2, 3, 4].map(() => again(() => push(person))))),
    );
    note('three accounts push the most', seen);
    expect(new Set(statuses)).toEqual(new Set([200]));
    expectUndisturbed(seen);
  },
  TIMEOUT,
);

/** As many sockets as the server lets in. */
async function openMany(count: number): Promise<RawSocket[]> {
  const asked = Array.from({ length: count }, () => rawSocket(server.url, server.publishableKey).catch(() => null));
  return (await Promise.all(asked)).filter(socket => socket !== null);
}

const closeAll = (sockets: readonly RawSocket[]) => Promise.all(sockets.map(socket => socket.close()));

test(
  'sockets of a visitor are so many and join nothing; whatever they say keeps nobody waiting, and they are closed',
  async () => {
    let sockets: RawSocket[] = [];
    const reasons = new Set<string | undefined>();
    const seen = await whileAttacked(server, async () => {
      sockets = await openMany(SOCKETS);
      const filler = 'x'.repeat(8000);
      const flood = (socket: RawSocket) =>
        again(async () => {
          for (let n = 0; n < 5; n += 1) socket.say('phoenix', 'heartbeat', { filler });
          const asked = socket.ask('realtime:room', 'phx_join', { config: { private: false }, filler });
          const answer = await Promise.race([asked, socket.closed]);
          if (typeof answer === 'object') reasons.add(answer.reason);
        });
      await Promise.all(sockets.map(flood));
    });
    note('sockets of visitors', seen);
    expect(sockets.length).toBeGreaterThan(0);
    expect(sockets.length).toBeLessThanOrEqual(200);
    expect([...reasons]).toEqual(['PrivateOnly: This project only allows private channels']);
    expectUndisturbed(seen);
    // Nobody joined: the server ends them by itself.
    expect(await sockets[0]?.closed).toBe(1008);
    await closeAll(sockets);
  },
  TIMEOUT,
);

test(
  'one account floods joins, presences and broadcasts over as many sockets as it may have, and keeps nobody waiting',
  async () => {
    const [eve] = people;
    if (!eve) throw new Error('nobody attacks');
    const item = randomUUID();
    await server.db.asAdmin(
      `insert into action_items (id, organization_id, site_id, title) values ($1, $2, $3, 'Loose rail')`,
      [item, eve.organization, eve.site],
    );
    const topic = `realtime:near:action_items:${item}`;
    const answers: string[] = [];
    const seen = await whileAttacked(server, async () => {
      const sockets = await openMany(40);
      const config = { private: true, broadcast: { ack: true }, presence: { enabled: true } };
      const flood = async (socket: RawSocket) => {
        const entered = await socket.ask(topic, 'phx_join', { access_token: eve.token, config });
        answers.push(entered.reason ?? entered.status);
        if (entered.status !== 'ok') return;
        await again(async () => {
          const answer = socket.ask(topic, 'phx_join', { access_token: eve.token, config });
          socket.say(topic, 'presence', { type: 'presence', event: 'track', payload: { words: 'x'.repeat(900) } });
          socket.say(topic, 'broadcast', { type: 'broadcast', event: 'e', payload: { words: 'x'.repeat(10_000) } });
          await Promise.race([answer, socket.closed]);
        });
      };
      await Promise.all(sockets.map(flood));
      await closeAll(sockets);
    });
    note('one account floods channels', seen);
    const refusal = 'ConnectionRateLimitReached: Too many connected users';
    expect([answers.filter(answer => answer === 'ok').length, new Set(answers)]).toEqual([
      20,
      new Set(['ok', refusal]),
    ]);
    expectUndisturbed(seen);
  },
  TIMEOUT,
);

/** Feeds of one account, each of as many entries as a feed holds. */
async function largeFeeds(owner: SignedUpUser & { organization: string; site: string }): Promise<string[]> {
  await server.db.asAdmin(
    `insert into tasks (id, organization_id, site_id, title, assignee_id, created_by, due_day, due_zone)
     select gen_random_uuid(), $1, $2, repeat('Look at it; ', 20) || n, $3, $3, current_date + n % 300, 'UTC'
     from generate_series(1, 3000) n`,
    [owner.organization, owner.site, owner.id],
  );
  const headers = {
    apikey: server.publishableKey,
    authorization: `Bearer ${owner.token}`,
    'content-type': 'application/json',
  };
  const made = ['tasks', 'day'].map(async kind => {
    const body = JSON.stringify({ kind, zone: 'Europe/Berlin' });
    const answer = await fetch(`${server.url}/functions/v1/calendar/make`, { method: 'POST', headers, body });
    return ((await answer.json()) as { address: string }).address;
  });
  return Promise.all(made);
}

test(
  'calendars that read the largest feeds again and again, changed each time, keep nobody waiting',
  async () => {
    const [eve] = people;
    if (!eve) throw new Error('nobody attacks');
    const addresses = await largeFeeds(eve);
    const first = await fetch(addresses[0] ?? '');
    expect([first.status, (await first.text()).split('BEGIN:VEVENT').length]).toEqual([200, 3001]);
    const statuses = new Set<number>();
    const read = async (address: string) => {
      const answer = await fetch(address);
      await answer.arrayBuffer();
      statuses.add(answer.status);
    };
    const change = () =>
      server.db.asAdmin(
        'update tasks set estimate_minutes = coalesce(estimate_minutes, 0) % 100 + 1 where id = (select id from tasks where assignee_id = $1 limit 1)',
        [eve.id],
      );
    const seen = await whileAttacked(server, () =>
      Promise.all([again(change), ...addresses.flatMap(each => [1, 2, 3].map(() => again(() => read(each))))]),
    );
    note('calendars read the largest feeds', seen);
    expect([...statuses]).toEqual([200]);
    expectUndisturbed(seen);
  },
  TIMEOUT,
);

/** Series of tasks, one each day: 13 months of them are to be made. */
const series = ({ id, organization, site }: (typeof people)[number], count: number) =>
  server.db.asAdmin(
    `insert into task_series (id, organization_id, site_id, title, recurrence, start_day, zone, created_by)
     select gen_random_uuid(), $1, $2, 'Every day ' || n, 'FREQ=DAILY', current_date, 'UTC', $3
     from generate_series(1, $4) n`,
    [organization, site, id, count],
  );
const unplanned = async ({ organization }: { organization: string }): Promise<number> => {
  const [row] = await server.db.asAdmin(
    `select count(*)::int as n from task_series s left join sync.series_plan p on p.series_id = s.id
      where s.organization_id = $1 and p.series_id is null`,
    [organization],
  );
  return Number(row?.['n']);
};

test(
  'while one organisation has many long series to be planned, another has its own planned meanwhile, and nobody waits',
  async () => {
    const [, mallory, trudy] = people;
    if (!mallory || !trudy) throw new Error('nobody attacks');
    const many = 24;
    const seen = await whileAttacked(server, async () => {
      await series(mallory, many);
      await expect.poll(() => unplanned(mallory), { timeout: 60_000 }).toBeLessThan(many);
      await series(trudy, 1);
      await expect.poll(() => unplanned(trudy), { timeout: 60_000 }).toBe(0);
    });
    note('one organisation has many long series', seen);
    expect(await unplanned(mallory)).toBeGreaterThan(0);
    expectUndisturbed(seen);
  },
  TIMEOUT + 120_000,
);
