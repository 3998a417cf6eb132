import webPush from 'web-push';
import type { PushMessage } from '@cairn/api/notifications/outgoing.ts';
import type { PushKeys } from './push-keys.ts';

/** A browser's address at its push service, with the keys only it can read with. */
export type PushTarget = { endpoint: string; p256dh: string; auth: string };

/** `gone`: the browser is there no more. `later`: surely not delivered, worth another try. `refused`: no use. */
export type PushOutcome = 'sent' | 'gone' | 'later' | 'refused';

/** Push services of the browsers; nothing else is called, whatever address a client hands in. */
const SERVICES = ['fcm.googleapis.com', 'push.services.mozilla.com', 'push.apple.com', 'notify.windows.com'] as const;

const PATIENCE_MS = 10_000;
/** Seconds a push service keeps a message for a phone without signal. */
const KEEP_S = 86_400;

export type PushSender = (target: PushTarget, message: PushMessage) => Promise<PushOutcome>;

const isService = (endpoint: string): boolean => {
  if (!URL.canParse(endpoint)) return false;
  const { protocol, hostname } = new URL(endpoint);
  return protocol === 'https:' && SERVICES.some(service => hostname === service || hostname.endsWith(`.${service}`));
};

/** What is sealed for a browser; null for keys that no browser made, which only sealing finds out. */
function sealed(seal: () => webPush.RequestDetails): webPush.RequestDetails | null {
  try {
    return seal();
  } catch (error) {
    if (error instanceof Error) return null;
    throw error;
  }
}

function outcomeOf(status: number): PushOutcome {
  if (status >= 200 && status < 300) return 'sent';
  if (status === 404 || status === 410) return 'gone';
  return status === 429 || status >= 500 ? 'later' : 'refused';
}

/**
 * Sends web push messages, encrypted for the browser they are for.
 *
 * @param contact address of whoever runs this server, for the push services: `mailto:…`
 * @param isAllowed which addresses may be called; tests have their own push service
 */
export function createPushSender(keys: PushKeys, contact: string, isAllowed = isService): PushSender {
  return async ({ endpoint, p256dh, auth }, message) => {
    if (!isAllowed(endpoint)) return 'refused';
    const request = sealed(() =>
      webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, JSON.stringify(message), {
        vapidDetails: { subject: contact, ...keys },
        TTL: KEEP_S,
        contentEncoding: 'aes128gcm',
      }),
    );
    if (!request) return 'refused';
    const { method, headers, body } = request;
    try {
      const answer = await fetch(endpoint, {
        method,
        headers,
        body: body && new Uint8Array(body),
        redirect: 'manual',
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      await answer.body?.cancel();
      return outcomeOf(answer.status);
    } catch (error) {
      // No way there, or no answer in time: a message that came twice replaces itself on the screen.
      if (error instanceof TypeError || (error instanceof DOMException && error.name === 'TimeoutError'))
        return 'later';
      throw error;
    }
  };
}
