import { expect, test } from '@playwright/test';
import { signInByForm } from './people/field-worker.ts';
import { landmarksAlike } from './rig/axe.ts';
import { Phone } from './rig/phone.ts';
import { ServerFacts } from './rig/server-facts.ts';
import { ServerProcess } from './rig/server-process.ts';
import { addressOf, appRoutes } from './tour/app-routes.ts';
import { goWhole, openWhole } from './tour/looks.ts';
import { speakGerman } from './tour/speak-german.ts';
import { textFaults } from './tour/text-faults.ts';

let server: ServerProcess;
let facts: ServerFacts;
let phone: Phone;

test.beforeAll(async () => {
  server = await ServerProcess.start();
  facts = new ServerFacts(server);
});

test.afterAll(async () => {
  await server.stop();
});

test.afterEach(async () => {
  await phone.screenshot('last');
  await phone.close();
});

/** Faults of every route, the sign-in page first, as `route: fault`. */
async function faultsOfAll(prepare: () => Promise<void>): Promise<string[]> {
  const { page } = phone;
  const faults: string[] = [];
  const look = async (name: string) => {
    await prepare();
    const found = [
      ...(await textFaults(page)),
      ...(await landmarksAlike(page)).map(pair => `landmarks alike: ${pair}`),
    ];
    faults.push(...found.map(fault => `${name}: ${fault}`));
  };
  await openWhole(page, `${server.url}/auth`);
  await look('/auth');
  await signInByForm(page, server.url, 'manager');
  const routes = (await appRoutes(page)).filter(({ signedIn }) => signedIn);
  for (const route of routes) {
    await goWhole(page, await addressOf(route, facts));
    await look(route.pattern);
  }
  return faults;
}

test('in German at 320 px no words are cut off, broken in two or lie on each other, and no two landmarks share a name, on any route', async () => {
  phone = await Phone.open({ width: 320, height: 640 }, { keepsApp: false });
  await speakGerman(phone.page, facts, server.url);
  const faults = await faultsOfAll(() => expect(phone.page.locator('html')).toHaveAttribute('lang', 'de'));
  expect(faults).toEqual([]);
});

test('the check itself finds what is cut off, broken, runs out and overlaps, and leaves what is whole alone', async () => {
  phone = await Phone.open({ width: 320, height: 640 }, { keepsApp: false });
  await phone.page.setContent(`
    <p>whole</p>
    <div style="width:40px;overflow:hidden;white-space:nowrap">cut at the side</div>
    <div style="height:8px;overflow:hidden;font-size:30px">cut below</div>
    <p style="white-space:nowrap;margin-left:200px">runs out of the screen of this phone</p>
    <div style="height:20px"><span>first words</span></div><div style="margin-top:-20px"><span>second words</span></div>
    <div class="tile" style="width:60px;overflow-wrap:anywhere">Compliance-Quote Verantwortung</div>
    <button aria-haspopup="menu" aria-label="Northfield Works"><span style="display:block;width:20px;overflow:hidden;text-overflow:ellipsis;white-space:nowrap">Northfield Works</span></button>
    <button aria-label="A long name"><span style="display:block;width:20px;overflow:hidden;text-overflow:ellipsis;white-space:nowrap">A long name</span></button>
  `);
  const kinds = (await textFaults(phone.page)).map(fault => fault.split('"', 2).join('').trim());
  expect(kinds.toSorted()).toEqual([
    'broken: Compliance',
    'broken: Verantwortung',
    'cut off above or below: cut below',
    'cut off at the side: Northfield Works',
    'cut off at the side: cut at the side',
    'overlap: first words',
    'runs out of the screen: runs out of the screen of this phone',
  ]);
});
