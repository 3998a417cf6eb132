import type { Log } from '../log/log.ts';
import { SmsFailure, type SmsSender } from './sms-sender.ts';
import type { TwilioSettings } from './sms-settings.ts';

/** ms; a provider that says nothing for this long counts as away. */
const PATIENCE_MS = 10_000;
/** Bytes of an answer that are read for its code. */
const MAX_ANSWER_BYTES = 64 * 1024;

/** What surely stopped before anything was sent. */
const BEFORE_SENDING = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);

function kindOf(error: unknown): SmsFailure['kind'] {
  const { cause }: { cause?: unknown } = Object(error);
  const { code }: { code?: unknown } = Object(cause);
  return BEFORE_SENDING.has(String(code)) ? 'later' : 'unknown';
}

/** Twilio's number of what went wrong; it stands in their list of errors, and names nobody. */
async function codeIn(answer: Response): Promise<number | null> {
  if (Number(answer.headers.get('Content-Length') ?? 0) > MAX_ANSWER_BYTES) return null;
  const { code }: { code?: unknown } = Object(await answer.json().catch(() => null));
  return typeof code === 'number' ? code : null;
}

/** Busy or at its limit: nothing was taken. A 5xx may come after it was. */
const kindOfStatus = (status: number): SmsFailure['kind'] =>
  status === 429 ? 'later' : status >= 500 ? 'unknown' : 'refused';

/**
 * Twilio's Messages API, which Supabase's own service uses as well:
 * https://www.twilio.com/docs/messaging/api/message-resource#create-a-message-resource
 */
export function twilioSender({ accountSid, authToken, from, url }: TwilioSettings, log: Log): SmsSender {
  const address = `${url}/2010-04-01/Accounts/${accountSid}/Messages.json`;
  const authorization = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`;
  const sender = from.startsWith('MG') ? { MessagingServiceSid: from } : { From: from };
  const headers = { Authorization: authorization, Accept: 'application/json' };
  async function send(body: URLSearchParams): Promise<Response> {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    try {
      return await fetch(address, { method: 'POST', headers, body, redirect: 'error', signal });
    } catch (error) {
      const kind = kindOf(error);
      log.warn({ kind }, 'the SMS provider did not answer');
      throw new SmsFailure(kind, { cause: error });
    }
  }
  return {
    name: 'twilio',
    leaves: true,
    async send({ to, text }) {
      const answer = await send(new URLSearchParams({ To: `+${to}`, ...sender, Body: text }));
      if (answer.ok) {
        await answer.body?.cancel();
        return;
      }
      const kind = kindOfStatus(answer.status);
      log.warn({ kind, status: answer.status, code: await codeIn(answer) }, 'a text message was not taken');
      throw new SmsFailure(kind);
    },
  };
}
