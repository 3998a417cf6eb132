import { test } from '@playwright/test';
import { FieldWorker, signIn } from './people/field-worker.ts';
import { seeded } from './people/seeded.ts';
import { anyMoment, controlDeath, surviveDeath, type Moment } from './people/sudden-death.ts';
import { PHONE, Phone, type PhoneOptions } from './rig/phone.ts';
import { ServerFacts } from './rig/server-facts.ts';
import { ServerProcess } from './rig/server-process.ts';

/** How many random deaths: a few here, many in `npm run soak`. */
const PHONE_DEATHS = Number(process.env['PHONE_DEATHS'] ?? 5);
const SERVER_DEATHS = Number(process.env['SERVER_DEATHS'] ?? 1);
/** Deaths of the naive client, by which the soak sees that this harness sees. */
const CONTROL_DEATHS = Number(process.env['CONTROL_DEATHS'] ?? 0);
const SEED = Number(process.env['SEED']);

let server: ServerProcess;
let facts: ServerFacts;

test.beforeAll(async () => {
  server = await ServerProcess.start();
  facts = new ServerFacts(server);
});

test.afterAll(async () => {
  await server.stop();
});

async function withSignedInPhone(options: PhoneOptions, use: (phone: Phone) => Promise<void>): Promise<void> {
  const phone = await Phone.open(PHONE, options);
  try {
    await signIn(phone.page, server.url, 'worker');
    await new FieldWorker(phone, server.url).prepareForNoSignal();
    await use(phone);
  } finally {
    await phone.screenshot('worker');
    await phone.close();
  }
}

const nameOf = ({ after, ms }: Moment) => `${after} + ${Math.round(ms)} ms`;

for (let turn = 0; turn < PHONE_DEATHS; turn++) {
  const moment = anyMoment(seeded(SEED + turn));
  test(`R4.29 the phone dies at ${nameOf(moment)} (seed ${SEED + turn}): nothing is lost, nothing doubled`, async () => {
    // Storage is the same code in both; every fifth is the browser people have, installing included.
    const isWhole = turn % 5 === 0;
    await withSignedInPhone({ isWhole }, phone =>
      surviveDeath(phone, server.url, facts, moment, 'phone', () => phone.die()),
    );
  });
}

for (let turn = 0; turn < SERVER_DEATHS; turn++) {
  const moment: Moment = { after: 'online', ms: seeded(SEED - turn)() * 900 };
  test(`the server is killed at ${nameOf(moment)} of the sending (seed ${SEED - turn}): the same result`, async () => {
    await withSignedInPhone({}, phone =>
      surviveDeath(phone, server.url, facts, moment, 'server', async () => {
        await server.killHard();
        await server.up();
      }),
    );
  });
}

for (let turn = 0; turn < CONTROL_DEATHS; turn++) {
  const moment = anyMoment(seeded(SEED + turn));
  test(`control: a naive client dies at ${nameOf(moment)} (seed ${SEED + turn}), what it lost is noted`, async () => {
    const phone = await Phone.open(PHONE, { isWhole: true });
    try {
      const counts = await controlDeath(phone, server.url, facts, moment);
      console.log(`naive client ${JSON.stringify(counts)}`);
    } finally {
      await phone.close();
    }
  });
}
