import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, test, type Browser, type BrowserContext, type Page, type Request } from '@playwright/test';

export type Screen = { width: number; height: number };
export const PHONE: Screen = { width: 390, height: 844 };
export const DESK: Screen = { width: 1440, height: 900 };

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--remote-debugging-port=0',
  '--hide-scrollbars',
  // A microphone that beeps; a page may use it only where the journey grants it.
  '--use-fake-device-for-media-stream',
];

/**
 * A device with a profile that outlives its browser: a real Chromium process that can be killed with SIGKILL and opened
 * again. What its console says is kept: a journey ends with none.
 */
export class Phone {
  private readonly said: string[] = [];
  /** Answers of 400 and above, to tell what a console error was about. */
  readonly refusals: string[] = [];
  private readonly underway = new Set<Request>();
  /** Addresses asked for in the very moment the signal went; the browser reports these by itself. */
  private readonly cutOff = new Set<string>();
  private isCutting = false;
  private readonly profile = mkdtempSync(join(tmpdir(), 'cairn-phone-'));
  private readonly screen: Screen;
  private process: ChildProcess | null = null;
  private browser: Browser | null = null;
  private current: Page | null = null;
  private offline = false;

  private constructor(screen: Screen) {
    this.screen = screen;
  }

  static async open(screen: Screen = PHONE): Promise<Phone> {
    const phone = new Phone(screen);
    await phone.start();
    return phone;
  }

  get page(): Page {
    if (!this.current) throw new Error('the phone is off');
    return this.current;
  }

  get context(): BrowserContext {
    return this.page.context();
  }

  get console(): string[] {
    const isCutOff = (line: string) =>
      line.includes('ERR_INTERNET_DISCONNECTED') && this.cutOff.has(line.split(' ').at(-1) ?? '');
    return this.said.filter(line => !isCutOff(line));
  }

  /** Switches the phone on with the profile it had. */
  async start(): Promise<void> {
    const port = join(this.profile, 'DevToolsActivePort');
    rmSync(port, { force: true });
    const path = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
    const size = `--window-size=${this.screen.width},${this.screen.height}`;
    const args = [...FLAGS, size, `--user-data-dir=${this.profile}`, 'about:blank'];
    process.once('exit', this.leaveNothing);
    this.process = spawn(path, args, { stdio: 'ignore', detached: true });
    await waitFor(() => existsSync(port) && readFileSync(port, 'utf8').includes('\n'));
    const [number] = readFileSync(port, 'utf8').split('\n');
    this.browser = await chromium.connectOverCDP(`http://127.0.0.1:${number}`);
    const context = this.browser.contexts()[0];
    if (!context) throw new Error('Chromium came up without a context');
    this.current = context.pages()[0] ?? (await context.newPage());
    await this.prepare(this.current);
  }

  /** A test that runs out of time ends its worker process without a word; its Chromium must not live on. */
  private readonly leaveNothing = (): void => {
    if (this.process?.pid && this.process.exitCode === null) process.kill(-this.process.pid, 'SIGKILL');
  };

  private async prepare(page: Page): Promise<void> {
    await page.setViewportSize(this.screen);
    await this.context.setOffline(this.offline);
    page.on('console', message => {
      if (['error', 'warning'].includes(message.type()))
        this.said.push(`${message.type()}: ${message.text()} ${message.location().url}`);
    });
    page.on('response', response => {
      if (response.status() >= 400)
        this.refusals.push(`${response.status()} ${response.request().method()} ${response.url()}`);
    });
    this.underway.clear();
    page.on('request', request => {
      this.underway.add(request);
      if (this.isCutting) this.cutOff.add(request.url());
    });
    page.on('requestfinished', request => this.underway.delete(request));
    page.on('requestfailed', request => this.underway.delete(request));
    page.on('framenavigated', () => this.underway.clear());
    page.on('pageerror', error => this.said.push(`exception: ${error.message}`));
  }

  /** The signal goes between two requests: one that was under way would be reported by the browser itself. */
  async goOffline(): Promise<void> {
    await waitFor(() => this.underway.size === 0, 'The page never stopped asking');
    this.offline = true;
    this.isCutting = true;
    await this.context.setOffline(true);
    this.isCutting = false;
  }

  async goOnline(): Promise<void> {
    this.offline = false;
    await this.context.setOffline(false);
  }

  /** What the screen shows now, kept beside the test's results for whoever looks into a failure. */
  async screenshot(name: string): Promise<void> {
    if (!this.current) return;
    const path = test.info().outputPath(`${name}.png`);
    await this.current.screenshot({ path }).catch(() => undefined);
  }

  /** The battery dies: every process of the browser ends at once, with no word to the page. */
  async die(): Promise<void> {
    const child = this.process;
    process.off('exit', this.leaveNothing);
    this.process = null;
    this.current = null;
    if (!child?.pid) return;
    const ended = child.exitCode === null ? once(child, 'exit') : Promise.resolve();
    process.kill(-child.pid, 'SIGKILL');
    await ended;
    await this.browser?.close().catch(() => undefined);
    this.browser = null;
  }

  async close(): Promise<void> {
    await this.die();
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

async function waitFor(isTrue: () => boolean, failing = 'Chromium did not come up'): Promise<void> {
  const giveUp = Date.now() + 20_000;
  while (!isTrue()) {
    if (Date.now() > giveUp) throw new Error(`${failing} within 20 s`);
    await new Promise(resolve => setTimeout(resolve, 20));
  }
}
