import { StartFailure } from '@cairn/database/start-failure.ts';
import type { MailSettings } from '@cairn/supabase-local/mail/mailer.ts';
import { readSmsSettings, type SmsSettings } from '@cairn/supabase-local/sms/sms-settings.ts';
import { readAuthOptions, type AuthOptions } from './auth-options.ts';

export type Settings = {
  /** 0 lets the system choose one. */
  port: number;
  host: string;
  /** Folder of everything that must outlive the process: database, files, keys. */
  data: string;
  /** Connection string of a Postgres to use instead of the embedded one. */
  databaseUrl: string | null;
  /** Origins besides our own that may call the API from a browser. */
  origins: string[];
  /** `auto`: on a loopback host with the embedded database. */
  seed: 'auto' | 'on' | 'off';
  mail: MailSettings;
  sms: SmsSettings;
  auth: AuthOptions;
  /** Whether realtime is there for visitors, and channels that are not private are. */
  publicRealtime: boolean;
};

const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);

export const isLoopback = (host: string): boolean => LOOPBACK.has(host);

function port(value: string): number {
  const number = Number(value);
  if (/^\d+$/.test(value) && number <= 65_535) return number;
  throw new StartFailure(`PORT must be a number from 0 to 65535, not "${value}".`);
}

function seed(value: string): Settings['seed'] {
  if (value === 'auto' || value === 'on' || value === 'off') return value;
  throw new StartFailure(`CAIRN_SEED must be "on" or "off", not "${value}".`);
}

/** The message never repeats the value: it holds a password. */
function databaseUrl(value: string): string {
  const protocol = URL.canParse(value) ? new URL(value).protocol : '';
  if (protocol === 'postgres:' || protocol === 'postgresql:') return value;
  throw new StartFailure('DATABASE_URL must look like postgres://user:password@host:5432/database.');
}

function origin(value: string): string {
  if (URL.canParse(value) && new URL(value).origin === value) return value;
  throw new StartFailure(
    `CAIRN_ORIGINS must list origins such as https://app.example, separated by commas, not "${value}".`,
  );
}

function publicRealtime(value: string): boolean {
  if (value === 'on' || value === 'off') return value === 'on';
  throw new StartFailure(`CAIRN_PUBLIC_REALTIME must be "on" or "off", not "${value}".`);
}

/** The message never repeats the value: it holds a password. */
function smtpUrl(value: string): string {
  const protocol = URL.canParse(value) ? new URL(value).protocol : '';
  if (protocol === 'smtp:' || protocol === 'smtps:') return value;
  throw new StartFailure('SMTP_URL must look like smtp://user:password@host:587 or smtps://user:password@host.');
}

function sender(value: string): string {
  if (/^[^@\r\n]+@[^@\r\n]+$/.test(value)) return value;
  throw new StartFailure(`MAIL_FROM must contain an address, such as "Cairn <cairn@example.org>", not "${value}".`);
}

/**
 * Reads the settings; an empty variable counts as one that is not set.
 *
 * @throws {StartFailure} with a sentence that names the variable and what it may be
 */
export function readSettings(environment: Record<string, string | undefined>): Settings {
  const list = (environment['CAIRN_ORIGINS'] ?? '').split(',').map(part => part.trim());
  return {
    port: port(environment['PORT'] || '4310'),
    host: environment['HOST'] || '127.0.0.1',
    data: environment['CAIRN_DATA'] || '.cairn',
    databaseUrl: environment['DATABASE_URL'] ? databaseUrl(environment['DATABASE_URL']) : null,
    origins: list.filter(part => part !== '').map(origin),
    seed: seed(environment['CAIRN_SEED'] || 'auto'),
    mail: {
      smtpUrl: environment['SMTP_URL'] ? smtpUrl(environment['SMTP_URL']) : null,
      from: sender(environment['MAIL_FROM'] || 'Cairn <cairn@localhost>'),
    },
    sms: readSmsSettings(environment),
    auth: readAuthOptions(environment),
    publicRealtime: publicRealtime(environment['CAIRN_PUBLIC_REALTIME'] || 'off'),
  };
}
