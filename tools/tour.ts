// npm run tour: one picture per route, world, theme and width, with demo data, into .cairn-tour/, with axe and the check
// for cut-off text on each. `npm run tour -- --pictures` leaves the checks out.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { fillSignIn } from '../e2e/people/field-worker.ts';
import { violations } from '../e2e/rig/axe.ts';
import { DESK, PHONE, Phone } from '../e2e/rig/phone.ts';
import { ServerFacts } from '../e2e/rig/server-facts.ts';
import { ServerProcess } from '../e2e/rig/server-process.ts';
import { addressOf, appRoutes } from '../e2e/tour/app-routes.ts';
import { openWhole, putOn, type Look } from '../e2e/tour/looks.ts';
import { textFaults } from '../e2e/tour/text-faults.ts';
import { buildWeb } from './build-web.ts';
import { findChromium } from './chromium.ts';
import { ROOT } from './root.ts';

const FOLDER = join(ROOT, '.cairn-tour');
const THEMES = ['light', 'dark', 'contrast'] as const;
const LOOKS: Look[] = THEMES.flatMap(theme => [PHONE, DESK].map(screen => ({ theme, screen })));
const WORLDS = { company: 'manager', personal: 'person' } as const;
type World = keyof typeof WORLDS;
const checks = !process.argv.includes('--pictures');

type Finding = { picture: string; faults: string[] };

async function faultsOf(page: Page): Promise<string[]> {
  const axe = (await violations(page)).map(({ id, at }) => `${id}: ${at.join(', ')}`);
  return [...axe, ...(await textFaults(page))];
}

/** Takes the picture of what is open in every look. */
async function pictures(page: Page, name: string, address: string): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const look of LOOKS) {
    await putOn(page, look);
    await openWhole(page, address);
    await putOn(page, look);
    const picture = `${name}.${look.theme}.${look.screen.width}.png`;
    await page.screenshot({ path: join(FOLDER, picture), fullPage: true, animations: 'disabled' });
    const faults = checks ? await faultsOf(page) : [];
    console.log(`${faults.length === 0 ? 'ok  ' : 'FAIL'} ${picture}`);
    findings.push({ picture, faults });
  }
  return findings;
}

const fileName = (pattern: string): string => pattern.slice(1).replaceAll('/', '-').replaceAll('$', '') || 'root';

async function tourOf(world: World, server: ServerProcess): Promise<Finding[]> {
  const phone = await Phone.open(PHONE);
  const facts = new ServerFacts(server);
  try {
    const { page } = phone;
    const findings = world === 'company' ? await pictures(page, 'auth', `${server.url}/auth`) : [];
    await openWhole(page, `${server.url}/auth`);
    await fillSignIn(page, WORLDS[world]);
    await page.waitForURL('**/dashboard', { timeout: 60_000 });
    for (const route of (await appRoutes(page)).filter(({ signedIn }) => signedIn)) {
      // A record of the company is no part of somebody's private half.
      if (world === 'personal' && route.pattern.includes('$')) continue;
      const address = server.url + (await addressOf(route, facts));
      findings.push(...(await pictures(page, `${fileName(route.pattern)}.${world}`, address)));
    }
    findings.push({ picture: `console, ${world}`, faults: phone.console });
    return findings;
  } finally {
    await phone.close();
  }
}

process.env['CHROMIUM_PATH'] ??= await findChromium();
await buildWeb();
rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
const server = await ServerProcess.start();
try {
  const findings = [...(await tourOf('company', server)), ...(await tourOf('personal', server))];
  const bad = findings.filter(({ faults }) => faults.length > 0);
  writeFileSync(join(FOLDER, 'faults.json'), JSON.stringify(bad, null, 2));
  for (const { picture, faults } of bad) console.log(`\n${picture}\n  ${faults.join('\n  ')}`);
  console.log(`\n${findings.length - 2} pictures in ${FOLDER}, ${bad.length} with faults`);
  process.exitCode = bad.length > 0 ? 1 : 0;
} finally {
  await server.stop();
}
