import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from '@playwright/test';
import { build, preview, type PreviewServer } from 'vite';
import { freePort } from './free-port.ts';
import { ROOT } from './root.ts';

const CONFIG = join(ROOT, 'packages/ui/catalogue/vite.config.ts');

export type LookAttributes = Partial<Record<'theme' | 'tone' | 'accent' | 'contrast' | 'font-size', string>>;

/** The built catalogue behind a small server, and a browser to look at it. */
export class Catalogue {
  private readonly server: PreviewServer;
  private readonly browser: Browser;
  private readonly url: string;

  private constructor(server: PreviewServer, browser: Browser, url: string) {
    this.server = server;
    this.browser = browser;
    this.url = url;
  }

  static async open(): Promise<Catalogue> {
    await build({ configFile: CONFIG, logLevel: 'error' });
    const port = await freePort();
    const server = await preview({ configFile: CONFIG, logLevel: 'error', preview: { port, strictPort: true } });
    const system = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
    const browser = await chromium.launch({ ...(existsSync(system) && { executablePath: system }) });
    return new Catalogue(server, browser, `http://localhost:${port}/`);
  }

  /** The stage at a width, empty address: every story that stands beside others. `said` gathers console messages. */
  async stage(look: LookAttributes, width: number): Promise<{ page: Page; consoleLines: string[] }> {
    const page = await this.browser.newPage({ viewport: { width, height: 900 }, reducedMotion: 'reduce' });
    const consoleLines: string[] = [];
    page.on('console', message => consoleLines.push(`${message.type()}: ${message.text()}`));
    page.on('pageerror', error => consoleLines.push(`thrown: ${error.message}`));
    await page.goto(`${this.url}?stage`);
    await page.locator('main.stage').waitFor();
    await setLook(page, look);
    return { page, consoleLines };
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.server.close();
  }
}

/** Switches the look by its attributes alone. */
export async function setLook(page: Page, look: LookAttributes): Promise<void> {
  await page.evaluate(attributes => {
    for (const [name, value] of Object.entries(attributes))
      document.documentElement.setAttribute(`data-${name}`, value);
  }, look);
}

/** Shows one story, by its address such as "Overlays/Dialog", without a reload. */
export async function showStory(page: Page, id: string): Promise<void> {
  await page.evaluate(address => {
    location.hash = encodeURIComponent(address);
  }, id);
  await page.locator(`main[data-stage="${id}"]`).waitFor({ state: 'attached' });
}
