import { expect, test } from '@playwright/test';
import { signIn } from './people/field-worker.ts';
import { expectAccessible } from './rig/axe.ts';
import { DESKTOP, PHONE, Phone } from './rig/phone.ts';
import { ServerFacts } from './rig/server-facts.ts';
import { ServerProcess } from './rig/server-process.ts';
import { addressOf, appRoutes } from './tour/app-routes.ts';
import { enlargeText, goWhole, openWhole, putOn, type TourLook } from './tour/looks.ts';
import { textFaults } from './tour/text-faults.ts';

let server: ServerProcess;
let facts: ServerFacts;
let phone: Phone;

// One visit to many screens: as long as several journeys.
test.setTimeout(360_000);
test.describe.configure({ mode: 'parallel' });

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

type Visit = TourLook & {
  who: 'manager' | 'person';
  byAddress: boolean;
  enlarged: boolean;
  part: [which: number, of: number];
};
/**
 * The two of the tour's six that CI looks at; `npm run tour` looks at all. One comes to each screen by its address, the
 * other from the screen before. `enlarged`: texts are looked at once more at twice their size. `part`: which share of the routes,
 * so that no worker has all of the longest.
 */
const LOOKS: Visit[] = [
  { theme: 'light', screen: PHONE, who: 'manager', byAddress: true, enlarged: true, part: [1, 3] },
  { theme: 'light', screen: PHONE, who: 'manager', byAddress: true, enlarged: true, part: [2, 3] },
  { theme: 'light', screen: PHONE, who: 'manager', byAddress: true, enlarged: true, part: [3, 3] },
  { theme: 'dark', screen: DESKTOP, who: 'person', byAddress: false, enlarged: false, part: [1, 1] },
];

for (const { who, byAddress, enlarged, part, ...look } of LOOKS) {
  const [which, of] = part;
  const routes = of === 1 ? 'every route' : `every route (part ${which} of ${of})`;
  const also = enlarged ? ', and at 200 % text no words are cut off and none lie on each other' : '';
  test(`${routes} has no violation and a silent console, ${look.theme} at ${look.screen.width} px, as ${who}${also}`, async () => {
    phone = await Phone.open(look.screen, { keepsApp: false });
    const { page } = phone;
    await openWhole(page, `${server.url}/auth`);
    await putOn(page, look);
    const faults: string[] = [];
    const judge = async (name: string) => {
      await expectAccessible(page, name);
      if (!enlarged) return;
      await enlargeText(page, 2);
      faults.push(...(await textFaults(page)).map(fault => `${name}: ${fault}`));
    };
    if (which === 1) await judge('/auth');
    const [profile] = await facts.rows('profiles', `email=eq.${who}@demo.cairn.test`);
    // Whoever has chosen before is not led to the first run, which has its own place in the tour.
    await facts.prefer(profile?.id ?? '', { theme_mode: look.theme });
    await signIn(page, server.url, who);
    const signedIn = (await appRoutes(page)).filter(route => route.signedIn);
    for (const route of signedIn.filter((_, index) => index % of === which - 1)) {
      const path = await addressOf(route, facts);
      await (byAddress ? openWhole(page, server.url + path) : goWhole(page, path));
      await putOn(page, look);
      await judge(route.pattern);
    }
    expect(faults).toEqual([]);
    expect(phone.console).toEqual([]);
  });
}
