import { expect, test } from '@playwright/test';
import { signIn } from './people/field-worker.ts';
import { expectAccessible } from './rig/axe.ts';
import { DESK, PHONE, Phone } from './rig/phone.ts';
import { ServerFacts } from './rig/server-facts.ts';
import { ServerProcess } from './rig/server-process.ts';
import { addressOf, appRoutes } from './tour/app-routes.ts';
import { openWhole, putOn, type Look } from './tour/looks.ts';

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

/** The two of the tour's six that CI looks at; `npm run tour` looks at all. */
const LOOKS: (Look & { who: 'manager' | 'person' })[] = [
  { theme: 'light', screen: PHONE, who: 'manager' },
  { theme: 'dark', screen: DESK, who: 'person' },
];

for (const { who, ...look } of LOOKS) {
  test(`every route has no violation and a silent console, ${look.theme} at ${look.screen.width} px, as ${who}`, async () => {
    phone = await Phone.open(look.screen);
    const { page } = phone;
    await openWhole(page, `${server.url}/auth`);
    await putOn(page, look);
    await expectAccessible(page, '/auth');
    const [profile] = await facts.rows('profiles', `email=eq.${who}@demo.cairn.test`);
    // Whoever has chosen before is not led to the first run, which has its own place in the tour.
    await facts.prefer(profile?.id ?? '', { theme_mode: look.theme });
    await signIn(page, server.url, who);
    for (const route of (await appRoutes(page)).filter(({ signedIn }) => signedIn)) {
      await openWhole(page, server.url + (await addressOf(route, facts)));
      await putOn(page, look);
      await expectAccessible(page, route.pattern);
    }
    expect(phone.console).toEqual([]);
  });
}
