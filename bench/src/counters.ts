import postgres from 'postgres';
import type { MeasuredServer } from './measure.ts';
import type { Member } from './page/peer.ts';
import { Device, type PeerName } from './rig/device.ts';
import type { SeededPeers } from './rig/seed.ts';
import { rowsOnServer } from './server-view.ts';

/** Of so many, so many went wrong. */
export type Count = { of: number; wrong: number };
export type Counters = { kills: number; lost: Count; doubled: Count; overwritten: Count; missed: Count; left: Count };

export type CounterPlace = MeasuredServer & { databaseUrl: string };

const pause = (ms: number): Promise<void> => new Promise(resolve => void setTimeout(resolve, ms));
const newId = (): string => crypto.randomUUID();

/** What a person was told is saved: a new title of a record, or a new record with it. */
type Word = { id: string; title: string; isNew: boolean };

const EDITS_PER_LIFE = 8;
const MAX_LIFE_ONLINE_MS = 700;

/** Works without a network until it dies, some of the times in the middle of it, else at some moment of the sending. */
async function liveAndDie(device: Device, { edit }: SeededPeers, life: number): Promise<Word[]> {
  const words: Word[] = [];
  const diesOffline = life % 3 === 0;
  const last = diesOffline ? 1 + Math.floor(Math.random() * EDITS_PER_LIFE) : EDITS_PER_LIFE;
  await device.context.setOffline(true);
  for (let n = 0; n < last; n++) {
    const isNew = n % 2 === 1;
    const word = { id: isNew ? newId() : String(edit[life * EDITS_PER_LIFE + n]), title: `Said ${newId()}`, isNew };
    await device.call(isNew ? 'insert' : 'edit', [word.id, word.title]);
    words.push(word);
  }
  if (!diesOffline) {
    await device.context.setOffline(false);
    device.call('look', []).catch(() => undefined);
    await pause(Math.random() * MAX_LIFE_ONLINE_MS);
  }
  await device.die();
  return words;
}

async function comeBack(place: MeasuredServer, peer: PeerName, member: Member, profile: string): Promise<string[]> {
  const device = await Device.open(place, peer, profile);
  try {
    await device.signIn(member);
    await device.call('open', []);
    await device.call('look', []);
    await device.call('look', []);
    return await device.call('setAside', []);
  } finally {
    await device.close();
  }
}

/** Random deaths of the device: is every word said found again, and once? */
async function countDeaths(place: MeasuredServer, peer: PeerName, seeded: SeededPeers, kills: number) {
  const words: Word[] = [];
  const kept = new Set<string>();
  for (let life = 0; life < kills; life++) {
    const device = await Device.open(place, peer);
    await device.signIn(seeded.member);
    await device.call('pull', []);
    words.push(...(await liveAndDie(device, seeded, life)));
    for (const title of await comeBack(place, peer, seeded.member, device.profile)) kept.add(title);
  }
  const titles = (await rowsOnServer(place, peer, seeded.member)).map(({ title }) => String(title));
  const times = (title: string) => titles.filter(each => each === title).length;
  return {
    lost: { of: words.length, wrong: words.filter(({ title }) => times(title) === 0 && !kept.has(title)).length },
    doubled: { of: words.length, wrong: words.filter(({ title }) => times(title) > 1).length },
  };
}

const CONFLICTED = 20;

/** Two devices of one person change the same titles without a network; each value must be somewhere a person finds it. */
async function countOverwritten(place: MeasuredServer, peer: PeerName, { member, edit }: SeededPeers): Promise<Count> {
  const devices = [await Device.open(place, peer), await Device.open(place, peer)];
  const printed: string[] = [];
  try {
    for (const device of devices) {
      await device.signIn(member);
      await device.call('pull', []);
      await device.context.setOffline(true);
    }
    for (const [at, device] of devices.entries()) {
      for (const id of edit.slice(0, CONFLICTED)) {
        printed.push(`Device ${at} of ${id}`);
        await device.call('edit', [id, `Device ${at} of ${id}`]);
      }
    }
    for (const device of [...devices, ...devices]) {
      await device.context.setOffline(false);
      await device.call('look', []);
    }
    const found = new Set((await rowsOnServer(place, peer, member)).map(({ title }) => String(title)));
    for (const device of devices) for (const title of await device.call('setAside', [])) found.add(title);
    return { of: printed.length, wrong: printed.filter(title => !found.has(title)).length };
  } finally {
    for (const device of devices) await device.close();
  }
}

const WRITERS = 8;
const WRITE_MS = 4000;
const MAX_HELD_MS = 60;

type WriteRow = (title: string, heldMs: number) => Promise<unknown>;

/** A transaction that stays open for a while after its insert, as one does that has more to do. */
function writeRow(place: CounterPlace, peer: PeerName, member: Member): { write: WriteRow; end: () => Promise<void> } {
  const { pouch } = place;
  if (peer === 'pouch' && pouch) {
    const headers = { 'Content-Type': 'application/json' };
    const at = `${pouch.direct}/pouch/${member.table}`;
    const write: WriteRow = async (title, heldMs) => {
      await pause(heldMs);
      await fetch(`${at}/${newId()}`, { method: 'PUT', headers, body: JSON.stringify({ title, status: 'open' }) });
    };
    return { write, end: async () => {} };
  }
  const table = peer === 'cairn' || peer === 'watermelon' ? 'action_items' : member.table;
  const more = table === 'action_items' ? [] : ['status', 'priority'];
  const columns = ['id', 'organization_id', 'site_id', 'title', ...more];
  const marks = columns.map((_, at) => `$${at + 1}`).join(', ');
  const sql = postgres(place.databaseUrl, { max: WRITERS, onnotice: () => {} });
  const write: WriteRow = (title, heldMs) =>
    sql.begin(async tx => {
      const row = [
        newId(),
        member.organizationId,
        member.siteId,
        title,
        ...more.map(name => (name === 'status' ? 'open' : 'low')),
      ];
      await tx.unsafe(`insert into ${table} (${columns.join(', ')}) values (${marks})`, row);
      await pause(heldMs);
    });
  return { write, end: () => sql.end() };
}

/** Eight writers at once while the device looks again and again: which rows does it never get? */
async function countMissed(place: CounterPlace, peer: PeerName, { member }: SeededPeers): Promise<Count> {
  const device = await Device.open(place, peer);
  const { write, end } = writeRow(place, peer, member);
  try {
    await device.signIn(member);
    await device.call('pull', []);
    const until = Date.now() + WRITE_MS;
    const busy = Array.from({ length: WRITERS }, async () => {
      for (let n = 0; Date.now() < until; n++)
        await write(`Written ${n}`, n % 8 === 0 ? MAX_HELD_MS : Math.random() * 4);
    });
    const over = Promise.all(busy);
    while (Date.now() < until) await device.call('look', []);
    await over;
    await device.call('look', []);
    await device.call('look', []);
    const held = new Set(await device.call('ids', []));
    const rows = await rowsOnServer(place, peer, member);
    return { of: rows.length, wrong: rows.filter(({ id }) => !held.has(id)).length };
  } finally {
    await end();
    await device.close();
  }
}

/** The person is removed from the organisation; after its next contact, what does the device still hold? */
async function countLeft(place: MeasuredServer, peer: PeerName, { member }: SeededPeers): Promise<Count> {
  const device = await Device.open(place, peer);
  try {
    await device.signIn(member);
    await device.call('pull', []);
    const of = (await device.call('ids', [])).length;
    await place.sql`update organization_members set deleted_at = now()
      where organization_id = ${member.organizationId} and user_id = ${member.userId}`;
    if (peer === 'pouch') place.pouch?.refuse(member.table);
    // Being refused is contact too.
    await device.call('look', [], 20_000).catch(() => undefined);
    return { of, wrong: (await device.call('ids', [])).length };
  } finally {
    await place.sql`update organization_members set deleted_at = null
      where organization_id = ${member.organizationId} and user_id = ${member.userId}`;
    await device.close();
  }
}

/** One peer's counters. @param seeded one member per question, with some hundred records each */
export async function count(
  place: CounterPlace,
  peer: PeerName,
  seeded: { deaths: SeededPeers; disputes: SeededPeers; writers: SeededPeers; rights: SeededPeers },
  kills: number,
): Promise<Counters> {
  return {
    kills,
    ...(await countDeaths(place, peer, seeded.deaths, kills)),
    overwritten: await countOverwritten(place, peer, seeded.disputes),
    missed: await countMissed(place, peer, seeded.writers),
    left: await countLeft(place, peer, seeded.rights),
  };
}
