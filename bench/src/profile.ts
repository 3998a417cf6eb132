import type { CDPSession } from '@playwright/test';
import type { MeasuredServer } from './measure.ts';
import { Device, type PeerName } from './rig/device.ts';
import { processorTime } from './rig/processor-time.ts';
import type { SeededPeers } from './rig/seed.ts';

type Node = { id: number; callFrame: { functionName: string; url: string; lineNumber: number; columnNumber: number } };
type Profile = { nodes: Node[]; samples?: number[]; timeDeltas?: number[]; startTime: number; endTime: number };

/** Self time by function, ms, largest first. */
function selfTimes({ nodes, samples = [], timeDeltas = [] }: Profile): [name: string, ms: number][] {
  const names = new Map(
    nodes.map(({ id, callFrame: { functionName, lineNumber, columnNumber } }) => {
      const place = lineNumber >= 0 ? ` ${lineNumber}:${columnNumber}` : '';
      return [id, `${functionName || '(anonymous)'}${place}`] as const;
    }),
  );
  const total = new Map<string, number>();
  for (const [at, id] of samples.entries()) {
    const name = names.get(id) ?? '?';
    total.set(name, (total.get(name) ?? 0) + (timeDeltas[at] ?? 0) / 1000);
  }
  return [...total].toSorted(([, a], [, b]) => b - a);
}

type Watch = { cdp: CDPSession; folder: string };

async function profiled<A>({ cdp, folder }: Watch, title: string, work: () => Promise<A>): Promise<A> {
  await cdp.send('Profiler.enable');
  await cdp.send('Profiler.start');
  const before = processorTime(folder);
  const answer = await work();
  const after = [...processorTime(folder)].map(([kind, ms]) => `${kind} ${ms - (before.get(kind) ?? 0)}`);
  const { profile } = (await cdp.send('Profiler.stop')) as { profile: Profile };
  const wall = (profile.endTime - profile.startTime) / 1000;
  console.log(`\n${title}: ${wall.toFixed(0)} ms, self time on the page's thread`);
  console.log(`processor time, ms: ${after.join(', ')}`);
  for (const [name, ms] of selfTimes(profile).slice(0, 15)) console.log(`${ms.toFixed(0).padStart(7)} ms  ${name}`);
  return answer;
}

/** How long the database itself takes for the pages of an initial pull, without HTTP. */
async function sqlTimes({ sql }: MeasuredServer, { member }: SeededPeers): Promise<void> {
  let cursors: unknown = {};
  const times: string[] = [];
  for (let more = true; more;) {
    const begun = performance.now();
    const page = await sql.begin(async tx => {
      await tx`select set_config('request.jwt.claims', ${JSON.stringify({ sub: member.userId, role: 'authenticated' })}, true),
        set_config('request.jwt.claim.sub', ${member.userId}, true), set_config('role', 'authenticated', true)`;
      const [row] = await tx.unsafe<{ answer: string }[]>(
        'select sync_pull($1::text::jsonb, gen_random_uuid(), 1000)::text answer',
        [JSON.stringify(cursors)],
      );
      return row?.answer ?? '{}';
    });
    times.push((performance.now() - begun).toFixed(0));
    ({ scopes: cursors, more } = JSON.parse(page) as { scopes: unknown; more: boolean });
  }
  console.log(`\nsync_pull in SQL, ms per page of 1000: ${times.join(' ')}`);
}

/** Where the time goes: the pages in SQL, then one peer's initial pull and its offline work under the profiler. */
export async function profile(place: MeasuredServer, peer: PeerName, seeded: SeededPeers): Promise<void> {
  if (peer === 'cairn') await sqlTimes(place, seeded);
  const device = await Device.open(place, peer);
  try {
    await device.signIn(seeded.member);
    const watch = { cdp: await device.context.newCDPSession(device.page), folder: place.folder };
    const { ms, traffic } = await profiled(watch, `${peer}, initial pull`, () => device.call('pull', []));
    console.log(`pull ${ms.toFixed(0)} ms; ${JSON.stringify(traffic)}`);
    if (peer === 'raw') return;
    await device.goOffline();
    await profiled(watch, `${peer}, 500 edits and 500 inserts offline`, () =>
      device.call('work', [{ edit: seeded.edit, timed: 0, inserts: 500 }]),
    );
    await profiled(watch, `${peer}, push`, async () => {
      await device.context.setOffline(false);
      await device.call('acknowledged', []);
    });
  } finally {
    await device.close();
  }
}
