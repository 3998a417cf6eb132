// Draws the app's PNG icons from the brand mark: node tools/make-icons.ts. Run it when favicon.svg changes; the files
// are committed, so that a build needs no browser.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { ROOT } from './root.ts';

const ICONS = [
  { file: 'cairn-192.png', size: 192, full: false },
  { file: 'cairn-512.png', size: 512, full: false },
  // The system cuts its own shape: the ground fills the square and the mark stays in the safe zone.
  { file: 'cairn-maskable-512.png', size: 512, full: true },
  { file: 'apple-touch-180.png', size: 180, full: true },
];

const web = join(ROOT, 'apps/web/public');
const mark = readFileSync(join(web, 'favicon.svg'), 'utf8');
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
mkdirSync(join(web, 'icons'), { recursive: true });
for (const { file, size, full } of ICONS) {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  const drawn = full ? mark.replace('rx="9"', '').replace('scale(.875)', 'translate(2.4 2.4) scale(.675)') : mark;
  await page.setContent(`<style>body{margin:0}svg{display:block;width:100vw;height:100vh}</style>${drawn}`);
  writeFileSync(join(web, 'icons', file), await page.screenshot({ omitBackground: true }));
  await page.close();
}
await browser.close();
