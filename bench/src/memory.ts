import { parseArgs } from 'node:util';
import { findChromium } from '../../tools/chromium.ts';
import { Device } from './rig/device.ts';
import { startRig, type Rig } from './rig/rig.ts';
import { seedRepetition, waitForIdle, type SeededPeers } from './rig/seed.ts';
import { slopeOf } from './statistics.ts';

// npm run soak -- ONLY=memory [MINUTES=10]: a device that works, sends and receives without end; its heap after collection.
const { values } = parseArgs({ options: { minutes: { type: 'string', default: '10' } } });
const minutes = Number(values.minutes);
const RECORDS = 2000;
const SAMPLE_MS = 5000;
/** The first share of the time is not counted: code is compiled, caches fill. */
const WARM_UP = 0.25;
/** MB an hour: more growth than this, for certain, is a leak. */
const GROWTH = 1;
/** MB an hour: when the bound is wider than this nothing was shown, it takes more minutes. */
const MAX_SHOWN_BOUND = 8;
const MB = 1024 * 1024;
const TOGETHER = 10;

/** One turn of a working day: own edits that go up, and somebody else's that come down. */
async function turn(rig: Rig, device: Device, { member, edit }: SeededPeers, n: number): Promise<void> {
  for (let each = 0; each < TOGETHER; each++) {
    await device.call('edit', [String(edit[(n * TOGETHER + each) % edit.length]), `Turn ${n}`]);
  }
  await rig.sql`update action_items set description = ${`By another, turn ${n}`} where id in (
    select id from action_items where organization_id = ${member.organizationId} order by md5(id::text || ${n}::text) limit ${TOGETHER})`;
  await device.call('look', []);
}

async function soak(rig: Rig): Promise<{ at: number; heap: number }[]> {
  const seeded = await seedRepetition(rig, 0, RECORDS);
  await waitForIdle(rig.sql);
  const device = await Device.open({ ...rig, chromium: await findChromium() }, 'cairn');
  const samples: { at: number; heap: number }[] = [];
  try {
    await device.signIn(seeded.member);
    await device.call('pull', []);
    const cdp = await device.context.newCDPSession(device.page);
    const begun = Date.now();
    let due = begun;
    for (let n = 0; Date.now() - begun < minutes * 60_000; n++) {
      await turn(rig, device, seeded, n);
      if (Date.now() < due) continue;
      due += SAMPLE_MS;
      await device.page.evaluate(() => performance.clearResourceTimings());
      await cdp.send('HeapProfiler.collectGarbage');
      const { usedSize } = await cdp.send('Runtime.getHeapUsage');
      samples.push({ at: (Date.now() - begun) / 3_600_000, heap: usedSize / MB });
      if (samples.length % 12 === 1) console.log(`turn ${n}: ${(usedSize / MB).toFixed(2)} MB`);
    }
  } finally {
    await device.close();
  }
  return samples;
}

if (!(minutes > 0 && minutes <= 24 * 60)) {
  console.error('MINUTES takes a number up to 1440');
  process.exit(1);
}
const rig = await startRig();
try {
  const samples = await soak(rig);
  const counted = samples.filter(({ at }) => at * 60 >= minutes * WARM_UP);
  const { slope, bound } = slopeOf(counted.map(({ at, heap }) => [at, heap]));
  const isLeak = slope - bound > GROWTH;
  const isShown = bound <= MAX_SHOWN_BOUND;
  console.log(
    `memory: ${counted.length} samples over ${minutes} min, heap after collection ${counted.at(0)?.heap.toFixed(2)} to ` +
      `${counted.at(-1)?.heap.toFixed(2)} MB, slope ${slope.toFixed(2)} ± ${bound.toFixed(2)} MB an hour (95 %): ` +
      (isLeak ? 'IT GROWS' : isShown ? 'flat' : 'TOO SHORT TO TELL'),
  );
  process.exitCode = isLeak || !isShown ? 1 : 0;
} finally {
  await rig.stop();
}
