import { Failure } from '@cairn/base/failure.ts';
import type { PushAddress, PushServer } from '../../shared/server/push-server.ts';

export type PushState = 'unsupported' | 'denied' | 'off' | 'on';

/** How long a browser without a push service is waited for, ms. */
const PATIENCE_MS = 20_000;

const isSupported = (): boolean => 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;

/** The worker that is there already; none in a build without one. */
const worker = async (): Promise<ServiceWorkerRegistration | undefined> => navigator.serviceWorker.getRegistration();

/** How this browser stands; asks nobody for anything. */
export async function pushState(): Promise<PushState> {
  if (!isSupported()) return 'unsupported';
  const registration = await worker();
  if (!registration) return 'unsupported';
  if (Notification.permission === 'denied') return 'denied';
  return (await registration.pushManager.getSubscription()) ? 'on' : 'off';
}

function addressOf(subscription: PushSubscription): PushAddress {
  const { endpoint, keys } = subscription.toJSON();
  const { p256dh, auth } = keys ?? {};
  if (!endpoint || !p256dh || !auth) throw new Failure('invalid', 'push: a subscription without keys');
  return { endpoint, p256dh, auth };
}

function within<A>(work: Promise<A>): Promise<A> {
  const late = new Promise<never>((_, reject) =>
    setTimeout(() => reject(new Failure('offline', 'push: the push service did not answer')), PATIENCE_MS),
  );
  return Promise.race([work, late]);
}

/** The browser's own words for a push service that is away are many; to the person they are one. */
async function subscribed(registration: ServiceWorkerRegistration, key: string): Promise<PushSubscription> {
  try {
    return await within(registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }));
  } catch (cause) {
    throw new Failure('offline', 'push: this browser could not subscribe', { cause });
  }
}

/**
 * Asks for permission and turns push on for this browser. Call it only from an act of the person.
 *
 * @returns how it stands afterwards, or `not_configured` where the backend sends none
 * @throws {Failure} `offline` when backend or push service gave no answer
 */
export async function turnPushOn(server: PushServer): Promise<PushState | 'not_configured'> {
  const registration = isSupported() ? await worker() : undefined;
  if (!registration) return 'unsupported';
  const permission = await Notification.requestPermission();
  if (permission !== 'granted') return permission === 'denied' ? 'denied' : 'off';
  const key = await server.key();
  if (key === null) return 'not_configured';
  await server.save(addressOf(await subscribed(registration, key)));
  return 'on';
}

/** Turns push off for this browser; works without a network: the server forgets it with the next message. */
export async function turnPushOff(server: PushServer): Promise<void> {
  const subscription = await (await worker())?.pushManager.getSubscription();
  if (!subscription) return;
  await subscription.unsubscribe();
  await server.remove(subscription.endpoint).catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error;
  });
}

/** Tells the server again who is at this browser: another person may have signed in. Without a network it stays as it is. */
export async function keepPush(server: PushServer): Promise<void> {
  if (!isSupported() || Notification.permission !== 'granted') return;
  const subscription = await (await worker())?.pushManager.getSubscription();
  if (!subscription) return;
  await server.save(addressOf(subscription)).catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error;
  });
}
