import { expect, test, type Page } from '@playwright/test';
import { FieldWorker, signIn } from './people/field-worker.ts';
import { Phone } from './rig/phone.ts';
import { ServerProcess } from './rig/server-process.ts';
import { Signal } from './rig/signal.ts';

let server: ServerProcess;
test.beforeAll(async () => {
  server = await ServerProcess.start();
});
test.afterAll(() => server.stop());

/** ms within which the badge says that the network went. */
const NOTICED_WITHIN = 1000;

type BadgeLog = { badge: [state: string, at: number][]; told: number[] };

/** Keeps each word of the badge, each word of the browser about its network, and each socket that broke, with their instants. */
const follow = (page: Page) =>
  page.evaluate(() => {
    const kept: BadgeLog = { badge: [], told: [] };
    Object.assign(globalThis, { kept });
    const look = () => {
      const state = document.querySelector('.sync-link [data-state]')?.getAttribute('data-state') ?? '';
      if (kept.badge.at(-1)?.[0] !== state) kept.badge.push([state, performance.now()]);
    };
    look();
    const seen = { attributes: true, childList: true, subtree: true };
    new MutationObserver(look).observe(document.body, seen);
    addEventListener('offline', () => kept.told.push(performance.now()));
  });

type SocketLog = { broke: number[]; listening: boolean };

/** What makes sockets says when one breaks, and whether the newest is heard of: they are made before a page is followed. */
const tellOfSockets = (page: Page) =>
  page.addInitScript(() => {
    const heard: SocketLog = { broke: [], listening: false };
    Object.assign(globalThis, { heard });
    const Given = WebSocket;
    globalThis.WebSocket = class extends Given {
      constructor(...made: ConstructorParameters<typeof WebSocket>) {
        super(...made);
        this.addEventListener('close', () => {
          heard.broke.push(performance.now());
          heard.listening = false;
        });
        this.addEventListener('message', ({ data }) => {
          const words = String(data);
          heard.listening ||=
            words.includes('realtime:scope:') && words.includes('phx_reply') && words.includes('"ok"');
        });
      }
    };
  });

const heardOn = (page: Page) => page.evaluate(() => (globalThis as unknown as { heard: SocketLog }).heard);
const isListening = (page: Page) => expect.poll(async () => (await heardOn(page)).listening).toBe(true);
const keptOn = (page: Page) => page.evaluate(() => (globalThis as unknown as { kept: BadgeLog }).kept);
const badge = (page: Page, state: string) => page.locator(`.sync-link [data-state=${state}]`).first();

test('the badge says within a second that the network went, and that it is back, with no word in between', async () => {
  const worker = new FieldWorker(await Phone.open(), server.url);
  const { page, phone } = worker;
  try {
    await signIn(page, server.url, 'worker');
    await worker.prepareForNoSignal();
    await follow(page);
    await phone.goOffline();
    await expect(badge(page, 'offline')).toBeVisible();
    const { badge: badges, told } = await keptOn(page);
    const went = badges.find(([state]) => state === 'offline')?.[1] ?? Number.NaN;
    console.log(`badge ${(went - (told[0] ?? Number.NaN)).toFixed(0)} ms after the network went`);
    expect(went - (told[0] ?? Number.NaN)).toBeLessThan(NOTICED_WITHIN);
    await phone.goOnline();
    await expect(badge(page, 'idle')).toBeVisible();
    expect((await keptOn(page)).badge.filter(([state]) => state === 'offline')).toHaveLength(1);
    expect(phone.console).toEqual([]);
  } finally {
    await phone.screenshot('connection');
    await phone.close();
  }
});

test('a server out of reach, which no browser tells of, is on the badge within a second; a socket that breaks is no alarm', async () => {
  const signal = await Signal.to(server.port);
  const worker = new FieldWorker(await Phone.open(), signal.url);
  const { page, phone } = worker;
  try {
    await tellOfSockets(page);
    await signIn(page, signal.url, 'worker');
    await worker.prepareForNoSignal();
    await isListening(page);
    await follow(page);
    signal.lose();
    signal.regain();
    await expect.poll(async () => (await heardOn(page)).broke.length).toBeGreaterThan(0);
    await isListening(page);
    const { badge: before } = await keptOn(page);
    expect(before.map(([state]) => state)).not.toContain('offline');

    const { length: breaks } = (await heardOn(page)).broke;
    signal.lose();
    await expect(badge(page, 'offline')).toBeVisible();
    const { badge: badges, told } = await keptOn(page);
    const went = badges.findLast(([state]) => state === 'offline')?.[1] ?? Number.NaN;
    const broke = (await heardOn(page)).broke[breaks] ?? Number.NaN;
    console.log(`badge ${(went - broke).toFixed(0)} ms after the socket broke`);
    expect(went - broke).toBeLessThan(NOTICED_WITHIN);
    expect(told).toEqual([]);
  } finally {
    await phone.screenshot('connection-server');
    await phone.close();
    await signal.close();
  }
});
