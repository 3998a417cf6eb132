import type { CDPSession, Page } from '@playwright/test';

const denySignal = () => Object.defineProperty(navigator, 'onLine', { configurable: true, get: () => false });

const stopDenying = () => Reflect.deleteProperty(navigator, 'onLine');

const hasForgotten = () =>
  Object.getOwnPropertyDescriptor(Navigator.prototype, 'onLine')?.get?.call(navigator) === true;

export type SignalOverride = { session: CDPSession; script: string };

/**
 * Every document opened from now on is told that there is no signal, before anything runs in it: of a switch that was thrown
 * earlier Chromium forgets to tell one in a new process (docs/gotchas.md).
 */
export async function tellNoSignal(page: Page): Promise<SignalOverride> {
  const session = await page.context().newCDPSession(page);
  await session.send('Page.enable');
  const source = `(${denySignal.toString()})()`;
  const { identifier } = await session.send('Page.addScriptToEvaluateOnNewDocument', { source });
  return { session, script: identifier };
}

/**
 * The signal is back. A document whose browser had forgotten that there was none is told by us, the others by their browser. The
 * session ends last: with any session that ends, Chromium lets every page believe it is online.
 */
export async function tellSignal(page: Page, { session, script }: SignalOverride): Promise<void> {
  await session.send('Page.removeScriptToEvaluateOnNewDocument', { identifier: script });
  const isOurs = await page.evaluate(hasForgotten);
  if (!isOurs) await page.evaluate(stopDenying);
  await page.context().setOffline(false);
  if (isOurs) {
    await page.evaluate(stopDenying);
    await page.evaluate(() => dispatchEvent(new Event('online')));
  }
  await session.detach();
}
