import type { Log } from '../log/log.ts';
import type { MailOutbox } from '../mail/mail-outbox.ts';
import type { SmsSender } from './sms-sender.ts';
import type { SmsSettings } from './sms-settings.ts';
import { twilioSender } from './twilio.ts';

const outboxSender = (outbox: MailOutbox): SmsSender => ({
  name: 'local',
  leaves: false,
  send: ({ to, text }) => outbox.keep({ to: `+${to}`, subject: 'Text message', text }),
});

/** Null where no provider is set: then nothing that needs one is offered. */
export function createSmsSender(settings: SmsSettings, outbox: MailOutbox, log: Log): SmsSender | null {
  if (settings.provider === 'none') return null;
  return settings.provider === 'local' ? outboxSender(outbox) : twilioSender(settings, log);
}
