// npm run tour: one picture per route, world, theme and width, with demo data, into .cairn-tour/, with axe and the check
// for cut-off text on each. In parts: `-- --world company|administration|personal|visitor`, `--route /sync`; `--german` at 320 px;
// `--pictures` leaves the checks out. A part keeps the pictures of the others.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from '@playwright/test';
import { violations } from '../e2e/rig/axe.ts';
import { DESKTOP, PHONE, Phone } from '../e2e/rig/phone.ts';
import { ServerFacts } from '../e2e/rig/server-facts.ts';
import { ServerProcess } from '../e2e/rig/server-process.ts';
import { addressOf, appRoutes, signedOutAddresses } from '../e2e/tour/app-routes.ts';
import { openWhole, putOn, drawn, type TourLook } from '../e2e/tour/looks.ts';
import { speakGerman } from '../e2e/tour/speak-german.ts';
import { textFaults } from '../e2e/tour/text-faults.ts';
import { buildWeb } from './build-web.ts';
import { findChromium } from './chromium.ts';
import { ROOT } from './root.ts';

const FOLDER = join(ROOT, '.cairn-tour');
const THEMES = ['light', 'dark', 'contrast'] as const;
const NARROW = { width: 320, height: 640 };
/** Who looks at each world. */
const PEOPLE = { visitor: null, company: 'manager', administration: 'admin', personal: 'person' } as const;
/** What only an administrator sees filled. */
const ADMINISTRATION = ['/members', '/organization', '/playbooks', '/plan', '/support'];
type World = keyof typeof PEOPLE;
const WORLDS = Object.keys(PEOPLE) as World[];

const { values } = parseArgs({
  options: {
    world: { type: 'string', default: WORLDS.join(',') },
    route: { type: 'string' },
    german: { type: 'boolean', default: false },
    pictures: { type: 'boolean', default: false },
  },
});
const wanted = WORLDS.filter(world => values.world.split(',').includes(world));
const isWhole = wanted.length === WORLDS.length && values.route === undefined && !values.german;
const screens = values.german ? [NARROW] : [PHONE, DESKTOP];

type Finding = { picture: string; faults: string[] };
type Stop = { name: string; address: string };

async function faultsOf(page: Page): Promise<string[]> {
  const axe = (await violations(page)).map(({ id, at }) => `${id}: ${at.join(', ')}`);
  return [...axe, ...(await textFaults(page))];
}

/** The picture of what is open, and what is wrong with it. */
async function pictured(page: Page, name: string, look: TourLook): Promise<Finding> {
  await putOn(page, look);
  await drawn(page);
  const picture = `${name}.${values.german ? 'german' : look.theme}.${look.screen.width}.png`;
  await page.screenshot({ path: join(FOLDER, picture), fullPage: true, animations: 'disabled' });
  const faults = values.pictures ? [] : await faultsOf(page);
  console.log(`${faults.length === 0 ? 'ok  ' : 'FAIL'} ${picture}`);
  return { picture, faults };
}

/** Opens an address once for each width, and shows it in every theme. */
async function visit(page: Page, { name, address }: Stop): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const screen of screens) {
    await page.setViewportSize(screen);
    await openWhole(page, address);
    for (const theme of values.german ? (['light'] as const) : THEMES)
      findings.push(await pictured(page, name, { theme, screen }));
  }
  return findings;
}

const fileName = (address: string): string => address.slice(1).replaceAll('/', '-').replaceAll('$', '') || 'root';

async function stopsOf(page: Page, world: World, facts: ServerFacts, url: string): Promise<Stop[]> {
  if (world === 'visitor')
    return signedOutAddresses.map(path => ({ name: `${fileName(path)}.visitor`, address: url + path }));
  // A record of the company is no part of somebody's private half.
  const routes = (await appRoutes(page)).filter(
    ({ signedIn, pattern }) =>
      signedIn &&
      !(world === 'personal' && pattern.includes('$')) &&
      (world !== 'administration' || ADMINISTRATION.includes(pattern)),
  );
  const stops = routes.map(async route => ({
    name: `${fileName(route.pattern)}.${world}`,
    address: url + (await addressOf(route, facts)),
  }));
  return Promise.all(stops);
}

/** Signs in, whatever language the page speaks; somebody new is led to the first run. */
async function enter(page: Page, who: string): Promise<void> {
  await page.locator('input[type=email]').fill(`${who}@demo.cairn.test`);
  await page.locator('input[type=password]').fill('cairn-demo-1');
  await page.locator('form button[type=submit]').click();
  await page.waitForURL(/\/(dashboard|welcome)$/, { timeout: 60_000 });
}

async function tourOf(world: World, server: ServerProcess): Promise<Finding[]> {
  const phone = await Phone.open(PHONE);
  const facts = new ServerFacts(server);
  try {
    const { page } = phone;
    if (values.german) await speakGerman(page, facts, server.url);
    await openWhole(page, `${server.url}/auth`);
    const person = PEOPLE[world];
    if (person !== null) await enter(page, person);
    const findings: Finding[] = [];
    for (const stop of await stopsOf(page, world, facts, server.url))
      if (values.route === undefined || stop.address.includes(values.route))
        findings.push(...(await visit(page, stop)));
    findings.push({ picture: `console, ${world}`, faults: phone.console });
    return findings;
  } finally {
    await phone.close();
  }
}

process.env['CHROMIUM_PATH'] ??= await findChromium();
await buildWeb();
if (isWhole) rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
const server = await ServerProcess.start();
try {
  const findings: Finding[] = [];
  for (const world of wanted) findings.push(...(await tourOf(world, server)));
  const bad = findings.filter(({ faults }) => faults.length > 0);
  writeFileSync(join(FOLDER, 'faults.json'), JSON.stringify(bad, null, 2));
  for (const { picture, faults } of bad) console.log(`\n${picture}\n  ${faults.join('\n  ')}`);
  console.log(`\n${findings.length - wanted.length} pictures in ${FOLDER}, ${bad.length} with faults`);
  process.exitCode = bad.length > 0 ? 1 : 0;
} finally {
  await server.stop();
}
