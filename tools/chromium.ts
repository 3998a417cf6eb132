import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const SYSTEM_PATHS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/opt/google/chrome/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

async function playwrightsOwn(): Promise<string | undefined> {
  const { chromium } = await import('@playwright/test');
  const path = chromium.executablePath();
  return existsSync(path) ? path : undefined;
}

const SHELL_PATHS = ['/usr/lib/chromium/chromium-headless-shell', '/usr/bin/chromium-headless-shell'];

function installWithApt(packages: string[], what: string): void {
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  console.log(`Installing ${what} with apt-get for the browser tests (once) …`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  spawnSync('apt-get', ['update', '-qq'], { stdio: 'inherit', env });
  spawnSync('apt-get', ['install', '-y', '-qq', ...packages], { stdio: ['ignore', 'ignore', 'inherit'], env });
}

/**
 * Path of the same browser without windows, which does a journey with a third less work: CHROMIUM_SHELL_PATH, the system's,
 * else installed with apt; null where there is none.
 */
export function findChromiumShell(): string | null {
  const given = process.env['CHROMIUM_SHELL_PATH'];
  if (given) return given;
  if (!SHELL_PATHS.some(existsSync)) installWithApt(['chromium', 'chromium-headless-shell'], "Chromium's shell");
  return SHELL_PATHS.find(existsSync) ?? null;
}

/**
 * Path of a Chromium for the browser tests: CHROMIUM_PATH, Playwright's own, the system's, else installed with apt.
 * @throws {Error} with what to do, when there is none and none can be installed
 */
export async function findChromium(): Promise<string> {
  const given = process.env['CHROMIUM_PATH'];
  if (given) {
    if (existsSync(given)) return given;
    throw new Error(`CHROMIUM_PATH is ${given}, but there is no such file.`);
  }
  const present = (await playwrightsOwn()) ?? SYSTEM_PATHS.find(existsSync);
  if (!present) installWithApt(['chromium'], 'Chromium');
  const found = present ?? SYSTEM_PATHS.find(existsSync);
  if (found) return found;
  throw new Error('The browser tests need Chromium: install it and run again, or set CHROMIUM_PATH to its program.');
}
