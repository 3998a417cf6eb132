import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  chromium,
  test,
  type Browser,
  type BrowserContext,
  type Page,
  type Request,
  type WebSocket,
} from '@playwright/test';
import { tellNoSignal, tellSignal, type SignalOverride } from './no-signal.ts';
import { installedProfile } from './prepared.ts';

export type Screen = { width: number; height: number };
export type PhoneOptions = {
  /** Whether the browser may install the service worker, which keeps every file of the app. */
  keepsApp?: boolean;
  /** Whether the app was never opened on it before, so that its installing is part of the journey. */
  isNew?: boolean;
  /** Whether it takes the whole browser: its shell without windows has no microphone and no notifications. */
  isWhole?: boolean;
};
export const PHONE: Screen = { width: 390, height: 844 };
export const DESKTOP: Screen = { width: 1440, height: 900 };

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
  '--disable-back-forward-cache',
  // Pages of a desktop's address bar, loaded at every start of the whole browser; a process kept ready for a page that never comes; and
  // see docs/gotchas.md for the last.
  '--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,SpareRendererForSitePerProcess,RenderDocument',
  // Without a graphics card a process of its own for drawing only costs.
  '--in-process-gpu',
  '--hide-scrollbars',
  // A microphone that beeps; a page may use it only where the journey grants it.
  '--use-fake-device-for-media-stream',
];

/** Motion is seen in the whole browser; drawing it without a graphics card is a good part of everybody else's time. */
const STILL = '--force-prefers-reduced-motion';

/** The whole browser looks by itself whether the app can be installed, and may want its icons just when the signal goes. */
const ASKS_FOR_ICONS = /^Error while trying to use the following icon from the Manifest/;

const WHOLE = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';

/**
 * A device with a profile that outlives its browser: a real Chromium process that can be killed with SIGKILL and opened
 * again. What its console says is kept: a journey ends with none.
 */
export class Phone {
  private readonly consoleLines: string[] = [];
  /** Answers of 400 and above, to tell what a console error was about. */
  readonly refusals: string[] = [];
  private readonly underway = new Set<Request>();
  /** Addresses asked for in the very moment the signal went; the browser reports these by itself. */
  private readonly cutOff = new Set<string>();
  private readonly opening = new Set<string>();
  private isCutting = false;
  readonly profile = mkdtempSync(join(tmpdir(), 'cairn-phone-'));
  private readonly screen: Screen;
  private process: ChildProcess | null = null;
  private browser: Browser | null = null;
  private current: Page | null = null;
  private offline = false;
  private told: SignalOverride | null = null;

  private readonly keepsApp: boolean;
  private readonly program: string;
  private readonly isStill: boolean;

  private constructor(screen: Screen, { keepsApp = true, isWhole = false }: PhoneOptions) {
    this.screen = screen;
    this.keepsApp = keepsApp;
    this.isStill = !isWhole;
    this.program = isWhole ? WHOLE : (process.env['CHROMIUM_SHELL_PATH'] ?? WHOLE);
  }

  /** Most journeys begin where the app is installed and nobody has signed in: see `installed-app.ts`. */
  static async open(screen: Screen = PHONE, options: PhoneOptions = {}): Promise<Phone> {
    const phone = new Phone(screen, options);
    const installed = installedProfile();
    const { keepsApp = true, isNew = false, isWhole = false } = options;
    if (installed && keepsApp && !isNew && !isWhole) cpSync(installed, phone.profile, { recursive: true });
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
    // A request is named by the place of the message, a socket within its words.
    const isCutOff = (line: string) =>
      line.includes('ERR_INTERNET_DISCONNECTED') && line.split(/[ ']/).some(word => this.cutOff.has(word));
    return this.consoleLines.filter(line => !isCutOff(line));
  }

  /** Switches the phone on with the profile it had. */
  async start(): Promise<void> {
    const port = join(this.profile, 'DevToolsActivePort');
    process.once('exit', this.leaveNothing);
    await this.comeUp(port);
    const [number] = readFileSync(port, 'utf8').split('\n');
    this.browser = await chromium.connectOverCDP(`http://127.0.0.1:${number}`);
    const context = this.browser.contexts()[0];
    if (!context) throw new Error('Chromium came up without a context');
    this.current = context.pages()[0] ?? (await context.newPage());
    await this.prepare(this.current);
    if (this.offline) this.told = await tellNoSignal(this.current);
  }

  /** Chromium itself ends or hangs in one start of several hundred on a busy machine; a person would press the button again. */
  private async comeUp(port: string): Promise<void> {
    const size = `--window-size=${this.screen.width},${this.screen.height}`;
    const args = [...FLAGS, ...(this.isStill ? [STILL] : []), size, `--user-data-dir=${this.profile}`, 'about:blank'];
    const isUp = () => existsSync(port) && readFileSync(port, 'utf8').includes('\n');
    for (let tries = 3; ; tries--) {
      rmSync(port, { force: true });
      const child = spawn(this.program, args, { stdio: 'ignore', detached: true });
      this.process = child;
      await waitFor(() => isUp() || hasEnded(child), 30_000).catch(() => undefined);
      if (isUp()) return;
      if (tries === 1) throw new Error(`Chromium did not come up (exit ${child.exitCode}, signal ${child.signalCode})`);
      // The next one finds the profile locked while this one lives.
      const ended = hasEnded(child) ? Promise.resolve() : once(child, 'exit');
      this.leaveNothing();
      await ended;
    }
  }

  /** A test that runs out of time ends its worker process without a word; its Chromium must not live on. */
  private readonly leaveNothing = (): void => {
    if (this.process?.pid && !hasEnded(this.process)) process.kill(-this.process.pid, 'SIGKILL');
  };

  private async prepare(page: Page): Promise<void> {
    await page.setViewportSize(this.screen);
    if (!this.keepsApp) await this.context.addInitScript(refuseInstall);
    await this.context.setOffline(this.offline);
    page.on('console', message => {
      if (['error', 'warning'].includes(message.type()) && !(this.offline && ASKS_FOR_ICONS.test(message.text())))
        this.consoleLines.push(`${message.type()}: ${message.text()} ${message.location().url}`);
    });
    page.on('response', response => {
      if (response.status() >= 400)
        this.refusals.push(`${response.status()} ${response.request().method()} ${response.url()}`);
    });
    this.underway.clear();
    this.opening.clear();
    let left: Request[] = [];
    page.on('request', request => {
      if (request.isNavigationRequest()) left = [...this.underway];
      this.underway.add(request);
      if (this.isCutting) this.cutOff.add(request.url());
    });
    page.on('websocket', socket => this.watchOpening(socket));
    page.on('requestfinished', request => this.underway.delete(request));
    page.on('requestfailed', request => this.underway.delete(request));
    // What the document before had asked for ends with it, often without a word. (A change of address within the app,
    // which is also called a navigation, ends nothing.)
    page.on('domcontentloaded', () => left.forEach(request => this.underway.delete(request)));
    page.on('pageerror', error => this.consoleLines.push(`exception: ${error.message}`));
  }

  /** A socket says of itself only that it spoke or ended; until then it is opening. */
  private watchOpening(socket: WebSocket): void {
    const address = socket.url();
    this.opening.add(address);
    if (this.isCutting) this.cutOff.add(address);
    const opened = () => void this.opening.delete(address);
    socket.on('framesent', opened);
    socket.on('socketerror', opened);
    socket.on('close', opened);
  }

  /** The signal goes between two requests: one that was under way would be reported by the browser itself. */
  async goOffline(): Promise<void> {
    await waitFor(() => this.underway.size === 0).catch(() => {
      throw new Error(`The page never stopped asking: ${[...this.underway].map(each => each.url()).join(' ')}`);
    });
    this.offline = true;
    this.isCutting = true;
    this.opening.forEach(address => this.cutOff.add(address));
    await this.context.setOffline(true);
    // What was asked for before the page itself knows is told of in between.
    await this.page.waitForFunction(() => !navigator.onLine);
    this.isCutting = false;
    this.told ??= await tellNoSignal(this.page);
  }

  async goOnline(): Promise<void> {
    this.offline = false;
    const told = this.told;
    this.told = null;
    if (told) await tellSignal(this.page, told);
    else await this.context.setOffline(false);
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
    this.told = null;
    this.process = null;
    this.current = null;
    if (!child?.pid) return;
    const ended = child.exitCode === null ? once(child, 'exit') : Promise.resolve();
    process.kill(-child.pid, 'SIGKILL');
    await ended;
    await this.browser?.close().catch(() => undefined);
    this.browser = null;
  }

  /** Shut down with time to write everything down. */
  async shutDown(): Promise<void> {
    const child = this.process;
    if (!this.browser || !child) return;
    const ended = once(child, 'exit');
    const session = await this.browser.newBrowserCDPSession();
    await Promise.all([ended, session.send('Browser.close').catch(() => undefined)]);
    await this.die();
  }

  async close(): Promise<void> {
    await this.die();
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

/** As a browser does in which the person forbade it: the app is told so, and lives by its network. */
function refuseInstall(): void {
  const refused = () => Promise.reject(new DOMException('not allowed', 'SecurityError'));
  Object.defineProperty(navigator.serviceWorker, 'register', { value: refused });
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

async function waitFor(isTrue: () => boolean, limitMs = 60_000): Promise<void> {
  const giveUp = Date.now() + limitMs;
  while (!isTrue()) {
    if (Date.now() > giveUp) throw new Error(`not within ${limitMs / 1_000} s`);
    await new Promise(resolve => setTimeout(resolve, 20));
  }
}
