import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type BrowserContext, type Page } from '@playwright/test';
import type { Member, Peer } from '../page/peer.ts';

export type PeerName = 'cairn' | 'rxdb' | 'raw';

/** One browser with an empty profile on disk: an incognito context would keep IndexedDB in memory. */
export class Device {
  readonly page: Page;
  readonly context: BrowserContext;
  private readonly profile: string;

  private constructor(context: BrowserContext, page: Page, profile: string) {
    this.context = context;
    this.page = page;
    this.profile = profile;
  }

  static async open(place: { url: string; folder: string; chromium: string }, peer: PeerName): Promise<Device> {
    const profile = mkdtempSync(join(place.folder, 'profile-'));
    const context = await chromium.launchPersistentContext(profile, {
      executablePath: place.chromium,
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
      // One compression for everybody: localhost would be offered brotli too.
      extraHTTPHeaders: { 'Accept-Encoding': 'gzip' },
    });
    const page = context.pages()[0] ?? (await context.newPage());
    await page.goto(`${place.url}/${peer}.html`);
    await page.waitForFunction(() => 'peer' in globalThis);
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

  signIn(member: Member): Promise<void> {
    return this.call('signIn', [member]);
  }

  async close(): Promise<void> {
    await this.context.close();
    rmSync(this.profile, { recursive: true, force: true });
  }
}
