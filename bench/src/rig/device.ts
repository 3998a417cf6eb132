import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type BrowserContext, type Page } from '@playwright/test';
import type { Member, Peer } from '../page/peer.ts';

export const PEERS = ['cairn', 'rxdb', 'pouch', 'watermelon', 'naive', 'raw'] as const;
export type PeerName = (typeof PEERS)[number];

/** Browsers (not their helpers) that run with this profile. */
function mainProcesses(profile: string): number[] {
  const commandOf = (pid: string): string => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    } catch (error) {
      // A process may end while we read about it.
      if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')) return '';
      throw error;
    }
  };
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .filter(pid => commandOf(pid).includes(`--user-data-dir=${profile}`) && !commandOf(pid).includes('--type='))
    .map(Number);
}

declare global {
  interface Window {
    /** Ends every WebSocket of the page. */
    hangUp(): Promise<unknown>;
  }
}

/** Runs in the page before its own scripts. */
function keepSockets(): void {
  const open = new Set<WebSocket>();
  window.WebSocket = class extends WebSocket {
    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols);
      open.add(this);
      this.addEventListener('close', () => open.delete(this));
    }
  };
  const ended = (socket: WebSocket) =>
    new Promise(resolve => {
      socket.addEventListener('close', resolve);
      socket.close();
    });
  window.hangUp = () => Promise.all([...open].map(ended));
}

/** ms; the page comes through the slow network too. */
const PAGE_WITHIN = 180_000;

/** One browser with an empty profile on disk: an incognito context would keep IndexedDB in memory. */
export class Device {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly profile: string;

  private constructor(context: BrowserContext, page: Page, profile: string) {
    this.context = context;
    this.page = page;
    this.profile = profile;
  }

  /** @param profile of a device that was there before; a new one without it */
  static async open(
    place: { url: string; folder: string; chromium: string },
    peer: PeerName,
    profile = mkdtempSync(join(place.folder, 'profile-')),
  ): Promise<Device> {
    const context = await chromium.launchPersistentContext(profile, {
      executablePath: place.chromium,
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
      // One compression for everybody: localhost would be offered brotli too.
      extraHTTPHeaders: { 'Accept-Encoding': 'gzip' },
      // The app's policy forbids PouchDB its own server.
      bypassCSP: true,
    });
    await context.addInitScript(keepSockets);
    const page = context.pages()[0] ?? (await context.newPage());
    await page.goto(`${place.url}/${peer}.html`, { timeout: PAGE_WITHIN });
    await page.waitForFunction(() => 'peer' in globalThis, null, { timeout: PAGE_WITHIN });
    return new Device(context, page, profile);
  }

  /** Calls one method of the page's peer; refuses to wait longer than `within` ms, since RxDB retries for ever. */
  async call<K extends keyof Peer>(
    method: K,
    args: Parameters<Peer[K]>,
    within = 120_000,
  ): Promise<Awaited<ReturnType<Peer[K]>>> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`${method} took more than ${within / 1000} s`)), within);
    });
    const run = this.page.evaluate(([name, given]) => (window.peer[name] as (...all: unknown[]) => unknown)(...given), [
      method,
      args as unknown[],
    ] as const);
    run.catch(() => undefined);
    try {
      return (await Promise.race([run, late])) as Awaited<ReturnType<Peer[K]>>;
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Takes the network away. Sockets end first, as they do with the network: Chromium only pretends that it is gone, and while
   * something waits to be sent over one of them its network process keeps a whole core busy.
   */
  async goOffline(): Promise<void> {
    await this.page.evaluate(() => window.hangUp());
    await this.context.setOffline(true);
  }

  signIn(member: Member): Promise<void> {
    return this.call('signIn', [member]);
  }

  /** As when the battery goes: SIGKILL, at once. The profile stays, to be opened again. Linux only. */
  async die(): Promise<void> {
    const gone = new Promise(resolve => void this.context.once('close', resolve));
    for (const pid of mainProcesses(this.profile)) process.kill(pid, 'SIGKILL');
    await gone;
  }

  async close(): Promise<void> {
    await this.context.close();
    rmSync(this.profile, { recursive: true, force: true });
  }
}
