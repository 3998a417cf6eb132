import { createTransport } from 'nodemailer';
import type { Log } from '../log.ts';
import type { MailOutbox } from './mail-outbox.ts';

export type Mail = { to: string; subject: string; text?: string; html?: string };

export type MailSettings = {
  /** `smtp://user:password@host:587` or `smtps://…`; null keeps mail in the data folder instead of sending it. */
  smtpUrl: string | null;
  /** Sender, `Cairn <cairn@example.org>`. */
  from: string;
};

/** Takes a mail for one person. Also the e-mail driver of `@supabase/lite`. */
export interface Mailer {
  /** @throws {Error} when the mail server did not take it; the message holds no address and no content */
  send(mail: Mail): Promise<void>;
  /** Whether mail leaves this machine. */
  readonly leaves: boolean;
  close(): void;
}

/** ms; a mail server that says nothing for this long counts as away. */
const PATIENCE_MS = 15_000;
const CONNECTIONS = 2;

function smtpMailer(smtpUrl: string, from: string, log: Log): Mailer {
  const transport = createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: CONNECTIONS,
    connectionTimeout: PATIENCE_MS,
    greetingTimeout: PATIENCE_MS,
    socketTimeout: PATIENCE_MS,
    // Content may quote people: it must not make the server read files or addresses for them.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    leaves: true,
    async send(mail) {
      try {
        await transport.sendMail({ from, ...mail });
      } catch (error) {
        log.warn({ err: error }, 'a mail was not taken by the mail server');
        // The server's own words may quote the address.
        throw new Error('the mail server did not take a mail', { cause: error });
      }
    },
    close: () => transport.close(),
  };
}

function outboxMailer(outbox: MailOutbox): Mailer {
  return { leaves: false, send: mail => outbox.keep(mail), close: () => {} };
}

/** Sends by SMTP where it is configured, else keeps what it would have sent in `outbox`, which `/dev/mail` shows. */
export function createMailer({ smtpUrl, from }: MailSettings, outbox: MailOutbox, log: Log): Mailer {
  return smtpUrl === null ? outboxMailer(outbox) : smtpMailer(smtpUrl, from, log);
}
