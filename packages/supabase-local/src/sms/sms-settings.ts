import { StartFailure } from '@cairn/database/start-failure.ts';

/** Where Twilio's API is, without a slash at its end; regions have others (https://api.dublin.ie1.twilio.com). */
const TWILIO_URL = 'https://api.twilio.com';

export type TwilioSettings = {
  provider: 'twilio';
  /** `AC` and 32 hexadecimal digits. */
  accountSid: string;
  authToken: string;
  /** A number in E.164, or the id of a messaging service (`MG…`). */
  from: string;
  url: string;
};

/** `local` keeps text messages where mail without a mail server is kept. */
export type SmsSettings = { provider: 'none' } | { provider: 'local' } | TwilioSettings;

type Environment = Record<string, string | undefined>;

/** The message never repeats the value: one of them is a key. */
function matching(environment: Environment, name: string, pattern: RegExp, example: string): string {
  const value = environment[name] ?? '';
  if (pattern.test(value)) return value;
  throw new StartFailure(`${name} must be set with CAIRN_SMS=twilio, and look like ${example}.`);
}

function apiUrl(value: string): string {
  if (URL.canParse(value) && new URL(value).protocol === 'https:' && new URL(value).origin === value) return value;
  throw new StartFailure(`TWILIO_API_URL must be an address such as ${TWILIO_URL}.`);
}

/** @throws {StartFailure} with a sentence that names the variable and what it may be; never with a key */
export function readSmsSettings(environment: Environment): SmsSettings {
  const provider = environment['CAIRN_SMS'] || 'none';
  if (provider === 'none' || provider === 'local') return { provider };
  if (provider !== 'twilio')
    throw new StartFailure(`CAIRN_SMS must be "none", "local" or "twilio", not "${provider}".`);
  return {
    provider,
    accountSid: matching(environment, 'TWILIO_ACCOUNT_SID', /^AC[0-9a-f]{32}$/i, 'AC and 32 hexadecimal digits'),
    authToken: matching(environment, 'TWILIO_AUTH_TOKEN', /^[0-9a-z]{32}$/i, '32 letters and digits'),
    from: matching(environment, 'TWILIO_FROM', /^(\+[1-9]\d{6,14}|MG[0-9a-f]{32})$/i, '+15550001111 or MG…'),
    url: apiUrl(environment['TWILIO_API_URL'] || TWILIO_URL),
  };
}
