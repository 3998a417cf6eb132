import { createTransport } from 'nodemailer';
import type { Log } from '../log/log.ts';
import type { Mail } from './mail.ts';
import type { MailOutbox } from './mail-outbox.ts';

export type MailSettings = {
  /** `smtp://user:password@host:587` or `smtps://…`; null keeps mail in the data folder instead of sending it. */
  smtpUrl: string | null;
  /** Sender, `Cairn <cairn@example.org>`. */
  from: string;
};

/**
 * A mail that the mail server did not take. `refused`: it said no for good. `later`: it surely was not taken this time.
 * `unknown`: the line went dead when it may have been taken. The message holds no address and no content.
 */
export class MailFailure extends Error {
  override name = 'MailFailure';
  readonly kind: 'refused' | 'later' | 'unknown';

  constructor(kind: MailFailure['kind'], options?: ErrorOptions) {
    super(`a mail was not taken by the mail server (${kind})`, options);
    this.kind = kind;
  }
}

/** Codes of nodemailer for what goes wrong before a mail is handed over. */
const BEFORE_MAIL = new Set(['EDNS', 'EAUTH', 'ENOAUTH', 'ETLS', 'EENVELOPE']);
const BEFORE_GREETING = new Set(['CONNECT_TIMEOUT', 'GREETING_TIMEOUT']);

function kindOf(error: unknown): MailFailure['kind'] {
  const facts: Record<string, unknown> = typeof error === 'object' && error !== null ? { ...error } : {};
  const { responseCode, code, syscall, timeoutType } = facts;
  if (typeof responseCode === 'number') return responseCode >= 500 && code !== 'EAUTH' ? 'refused' : 'later';
  const isBefore = BEFORE_MAIL.has(String(code)) || BEFORE_GREETING.has(String(timeoutType)) || syscall === 'connect';
  return isBefore ? 'later' : 'unknown';
}

/** Takes a mail for one person. Also the e-mail driver of `@supabase/lite`. */
export interface Mailer {
  /** @throws {MailFailure} when the mail server did not take it */
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
        const failure = new MailFailure(kindOf(error), { cause: error });
        log.warn({ err: error, kind: failure.kind }, 'a mail was not taken by the mail server');
        throw failure;
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
