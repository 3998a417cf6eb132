import { openProfile, signInWhole, slowDown, type ShellRig } from './shell-rig.ts';

const BINDING = 'usableAt';

/**
 * Counts as usable: the greeting stands, every part has its rows, it is painted, and a tap would be answered. Looks when
 * the page changes, not in every frame: that would itself cost frames.
 */
function watchForUse(binding: string): void {
  const observer = new MutationObserver(() => {
    if (!document.querySelector('main h1') || document.querySelector('main .sk, .arriving')) return;
    observer.disconnect();
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      const tell = Reflect.get(globalThis, binding) as (text: string) => void;
      port1.addEventListener('message', () => tell(String(performance.now())));
      port1.start();
      port2.postMessage(null);
    });
  });
  observer.observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: ['class'] });
}

export type ColdStart = { profile: string; chromium: string; rate: number };

/** ms from the navigation to a usable dashboard, in a browser that was just started, without network. */
export async function coldStart({ url }: ShellRig, { profile, chromium, rate }: ColdStart): Promise<number> {
  const visit = await openProfile(profile, chromium);
  try {
    await visit.context.setOffline(true);
    await slowDown(visit, rate);
    // Not by `waitForFunction`: the code it puts into the page is compiled on the page's slowed thread, in the middle of the start.
    const cdp = await visit.context.newCDPSession(visit.page);
    await cdp.send('Runtime.enable');
    await cdp.send('Runtime.addBinding', { name: BINDING });
    const told = new Promise<number>(resolve =>
      cdp.on('Runtime.bindingCalled', ({ name, payload }) => void (name === BINDING && resolve(Number(payload)))),
    );
    await visit.page.addInitScript(watchForUse, BINDING);
    await visit.page.goto(`${url}/dashboard`);
    return await told;
  } finally {
    await visit.context.close();
  }
}

/** Puts the member's records and the app on a device. */
export async function prepareDevice(
  { url }: ShellRig,
  profile: string,
  chromium: string,
  member: { email: string; password: string },
  items: number,
): Promise<void> {
  const visit = await openProfile(profile, chromium);
  await signInWhole(visit.page, url, member, items);
  await visit.context.close();
}
