import type { Traffic } from './page/peer.ts';
import type { Digest } from './page/records.ts';
import { Device, type PeerName } from './rig/device.ts';
import { processorTime } from './rig/processor-time.ts';
import type { SeededPeers } from './rig/seed.ts';
import { digestOfServer, type ServerPlace } from './server-view.ts';

export type MeasuredServer = ServerPlace & { url: string; folder: string; chromium: string };

export type Convergence = { acknowledged: number; converged: number; requests: number };
export type Repetition = {
  pull: number;
  /** Processor time (ms) of browser, server and Postgres during the pull: the same on a busy machine; 0 where not known. */
  pullProcessor: number;
  traffic: Traffic;
  saves: number[];
  push: Convergence | null;
};

const INSERTS = 500;
const TIMED = 200;
/** ms; RxDB sends each of 1,000 edits alone, at 600 ms a round trip. */
const PATIENCE = 900_000;

const instant = () => performance.timeOrigin + performance.now();

const processorTotal = ({ folder }: MeasuredServer): number =>
  [...processorTime(folder).values()].reduce((sum, ms) => sum + ms, 0);

/** ms of processor time within a look, under which nobody is at work; looks, each of `LOOK` ms, before it begins all the same. */
const CALM = 40;
const LOOK = 500;
const LOOKS = 40;

/**
 * Waits until nobody is at work. A browser that has opened its first page starts a second process for the next one, some 250 ms
 * of a processor; a first pull is followed by work of browser and database nobody waits for. What is timed beside them would
 * measure that too.
 */
async function calm(place: MeasuredServer): Promise<void> {
  for (let look = 0; look < LOOKS; look++) {
    const before = processorTotal(place);
    await new Promise(resolve => setTimeout(resolve, LOOK));
    if (processorTotal(place) - before < CALM) return;
  }
}

function mustEqual(what: string, device: Digest, server: Digest): void {
  if (device.count === server.count && device.sum === server.sum) return;
  throw new Error(
    `${what}: the device holds ${device.count} records (${device.sum}), the server ${server.count} (${server.sum})`,
  );
}

/** The second device of the same person: Cairn's hears of the change by nudge, the others' are told to look. */
async function pushAndConverge(peer: PeerName, count: number, [first, second]: [Device, Device]): Promise<Convergence> {
  const before = (await first.call('traffic', [])).requests;
  const hearing = peer === 'cairn' ? second.call('converged', [count], PATIENCE) : null;
  hearing?.catch(() => undefined);
  const sent = peer === 'cairn' ? first.call('acknowledged', [], PATIENCE) : null;
  sent?.catch(() => undefined);
  const begun = instant();
  await first.context.setOffline(false);
  const acknowledged = await (sent ?? first.call('acknowledged', [], PATIENCE));
  const converged = await (hearing ?? second.call('converged', [count], PATIENCE));
  const requests = (await first.call('traffic', [])).requests - before;
  return { acknowledged: acknowledged - begun, converged: Math.max(acknowledged, converged) - begun, requests };
}

async function withSecond(place: MeasuredServer, peer: PeerName, { member, edit }: SeededPeers, first: Device) {
  const second = await Device.open(place, peer);
  try {
    await second.signIn(member);
    await second.call('pull', [], PATIENCE);
    await first.goOffline();
    await calm(place);
    const saves = await first.call('work', [{ edit, timed: TIMED, inserts: INSERTS }]);
    const push = await pushAndConverge(peer, edit.length + INSERTS, [first, second]);
    const server = await digestOfServer(place, peer, member);
    if (server.count !== member.records + INSERTS) throw new Error(`${peer}: the server has ${server.count} records`);
    mustEqual(`${peer}, first device after the push`, await first.call('digest', []), server);
    mustEqual(`${peer}, second device after the push`, await second.call('digest', []), server);
    return { saves, push };
  } finally {
    await second.close();
  }
}

/**
 * One repetition of one peer on devices of its own. A figure is only returned when what arrived was verified, record by
 * record, against the server.
 *
 * @throws {Error} when a wait is over its bound or the content differs
 */
export async function measure(place: MeasuredServer, peer: PeerName, seeded: SeededPeers): Promise<Repetition> {
  const first = await Device.open(place, peer);
  try {
    await first.signIn(seeded.member);
    await calm(place);
    const before = processorTotal(place);
    const { ms, traffic } = await first.call('pull', [], PATIENCE);
    const pulled = { pull: ms, pullProcessor: processorTotal(place) - before, traffic };
    mustEqual(`${peer}, initial pull`, await first.call('digest', []), seeded.digest);
    if (peer === 'raw')
      return {
        ...pulled,
        saves: await first.call('work', [{ edit: seeded.edit, timed: TIMED, inserts: 0 }]),
        push: null,
      };
    return { ...pulled, ...(await withSecond(place, peer, seeded, first)) };
  } finally {
    await first.close();
  }
}
