import { randomUUID } from 'node:crypto';
import type { PullAnswer, PushAnswer } from '@cairn/sync/transport/backend.ts';
import type { TestDatabase } from '@cairn/testing/database.ts';
import { mutation } from './device.ts';
import type { Client } from './people-by-client.ts';

export const PASSWORD = 'a long word';

/** One person under load: where they belong, the devices they are signed in on, and what they saved. */
export type LoadedPerson = {
  id: string;
  email: string;
  organization: string;
  site: string;
  /** What of the feed may be theirs: their company and their private space. */
  own: Set<string>;
  devices: Client[];
  /** Ids of action items the server said it has. */
  saved: Set<string>;
};

export type Tally = {
  /** ms each call took, by what it was. */
  took: Record<string, number[]>;
  /** Rows that somebody else's audience should have kept to itself. */
  foreign: string[];
  /** Sessions nobody ended that the server no longer knew. */
  lost: string[];
};

/** Somewhere between 0 and 1, the same for the same seed. */
export function chance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A company with one site, for some of the people. */
export async function company(db: TestDatabase, name: string): Promise<{ organization: string; site: string }> {
  const [organization, site] = [randomUUID(), randomUUID()];
  await db.asAdmin('insert into organizations (id, name, slug) values ($1, $2, $2)', [organization, name]);
  await db.asAdmin('insert into sites (id, organization_id, name) values ($1, $2, $3)', [site, organization, 'Yard']);
  return { organization, site };
}

export async function join(
  db: TestDatabase,
  id: string,
  place: { organization: string; site: string },
): Promise<Set<string>> {
  const member = `insert into organization_members (organization_id, user_id, role) values ($1, $2, 'member')`;
  await db.asAdmin(member, [place.organization, id]);
  const at = 'insert into site_members (organization_id, site_id, user_id) values ($1, $2, $3)';
  await db.asAdmin(at, [place.organization, place.site, id]);
  const rows = await db.asAdmin('select organization_id as id from organization_members where user_id = $1', [id]);
  return new Set(rows.map(row => String(row['id'])));
}

/** Columns that name whose row it is, in tables that are one person's alone. */
const OF_ONE_PERSON: Record<string, string> = {
  user_preferences: 'user_id',
  subscriptions: 'id',
  notifications: 'user_id',
  notification_choices: 'user_id',
  organization_activations: 'user_id',
};

function foreignIn(person: LoadedPerson, answer: PullAnswer): string[] {
  return Object.entries(answer.rows).flatMap(([table, rows]) =>
    rows
      .filter(row => {
        const organization = table === 'organizations' ? row.id : row['organization_id'];
        if (typeof organization === 'string' && !person.own.has(organization)) return true;
        const owner = OF_ONE_PERSON[table];
        return owner !== undefined && row[owner] !== person.id;
      })
      .map(row => `${person.email} pulled ${table} ${row.id}`),
  );
}

const problem = (what: string, person: LoadedPerson, error: { message: string } | null) =>
  `${what} of ${person.email}: ${error?.message ?? 'no session'}`;

type Step = (person: LoadedPerson, device: Client, tally: Tally) => Promise<void>;

/** A new device; the oldest of three signs out. */
const signIn =
  (visitor: () => Client): Step =>
  async (person, _, tally) => {
    const device = visitor();
    const { data, error } = await device.auth.signInWithPassword({ email: person.email, password: PASSWORD });
    if (data.user?.id !== person.id) tally.lost.push(problem('sign-in', person, error));
    person.devices.push(device);
    if (person.devices.length <= 3) return;
    const left = await person.devices.shift()?.auth.signOut({ scope: 'local' });
    if (left?.error) tally.lost.push(problem('sign-out', person, left.error));
  };

/** Two tabs renew with the same token at once, as they do when both wake up. */
const refresh: Step = async (person, device, tally) => {
  const { data } = await device.auth.getSession();
  const token = data.session?.refresh_token ?? '';
  const both = await Promise.all([1, 2].map(() => device.auth.refreshSession({ refresh_token: token })));
  for (const { data: renewed, error } of both)
    if (renewed.user?.id !== person.id) tally.lost.push(problem('refresh', person, error));
};

const write: Step = async (person, device, tally) => {
  const edits = Array.from({ length: 3 }, () =>
    mutation({
      t: 'action_items',
      op: 'insert',
      patch: { organization_id: person.organization, site_id: person.site, title: `Of ${person.email}` },
    }),
  );
  const { data, error, status } = await device.rpc('sync_push', { p_device: randomUUID(), p_mutations: edits });
  if (error) {
    if (status === 401) tally.lost.push(problem('push', person, error));
    return;
  }
  const { results }: PushAnswer = data;
  const applied = new Set(results.filter(({ st }) => st === 'applied').map(({ mid }) => mid));
  for (const { mid, id } of edits) if (applied.has(mid)) person.saved.add(id);
};

const pull: Step = async (person, device, tally) => {
  const { data, error, status } = await device.rpc('sync_pull', {
    p_cursors: {},
    p_device: randomUUID(),
    p_limit: 500,
  });
  if (error) {
    if (status === 401) tally.lost.push(problem('pull', person, error));
    return;
  }
  tally.foreign.push(...foreignIn(person, data));
};

const read: Step = async (person, device, tally) => {
  const { data, error, status } = await device.from('action_items').select('id, organization_id').limit(50);
  if (error) {
    if (status === 401) tally.lost.push(problem('read', person, error));
    return;
  }
  const strange = data.filter(row => !person.own.has(String(row.organization_id)));
  tally.foreign.push(...strange.map(row => `${person.email} read action_items ${String(row.id)}`));
  const { data: who } = await device.auth.getUser();
  if (who.user?.id !== person.id) tally.lost.push(problem('user', person, null));
};

/** What a person does next, and how often of a hundred. */
const steps = (visitor: () => Client): [name: string, share: number, step: Step][] => [
  ['sign in', 5, signIn(visitor)],
  ['refresh', 15, refresh],
  ['write', 40, write],
  ['pull', 20, pull],
  ['read', 20, read],
];

/** Does things as one person, one after the other, until it is enough. */
export async function keepBusy(
  person: LoadedPerson,
  { tally, draw, visitor, enough }: { tally: Tally; draw: () => number; visitor: () => Client; enough: () => boolean },
): Promise<void> {
  while (!enough()) {
    let left = draw() * 100;
    const [name, , step] = steps(visitor).find(([, share]) => (left -= share) < 0) ?? steps(visitor)[2] ?? [];
    const device = person.devices[Math.floor(draw() * person.devices.length)];
    if (!name || !step || !device) throw new Error('nothing to do');
    const start = performance.now();
    await step(person, device, tally);
    (tally.took[name] ??= []).push(performance.now() - start);
  }
}
