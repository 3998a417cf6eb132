import { StartFailure } from '@cairn/database/start-failure.ts';
import { providersFrom, type Provider } from '@cairn/supabase-local/auth/providers.ts';
import { readSamlProviders, type SamlProvider } from '@cairn/supabase-local/auth/saml-providers.ts';

export type AuthOptions = {
  /** Where people reach the app, an origin; null: where the server listens. */
  siteUrl: string | null;
  /** Whether an address must be confirmed by mail before its first sign-in. */
  confirmEmail: boolean;
  /** Multiplies every rate limit. */
  limitFactor: number;
  providers: Provider[];
  samlProviders: SamlProvider[];
};

export const DEFAULT_AUTH: AuthOptions = {
  siteUrl: null,
  confirmEmail: true,
  limitFactor: 1,
  providers: [],
  samlProviders: [],
};

function siteUrl(value: string): string {
  if (URL.canParse(value) && /^https?:/.test(value) && new URL(value).origin === value) return value;
  throw new StartFailure(`CAIRN_URL must be an address such as https://app.example, not "${value}".`);
}

function confirmEmail(value: string): boolean {
  if (value === 'on' || value === 'off') return value === 'on';
  throw new StartFailure(`CAIRN_CONFIRM_EMAIL must be "on" or "off", not "${value}".`);
}

function limitFactor(value: string): number {
  if (/^[1-9]\d{0,5}$/.test(value)) return Number(value);
  throw new StartFailure(`CAIRN_RATE_LIMIT_FACTOR must be a number from 1 to 999999, not "${value}".`);
}

function providers(environment: Record<string, string | undefined>): Provider[] {
  try {
    return providersFrom(environment);
  } catch (error) {
    if (error instanceof RangeError) throw new StartFailure(`${error.message} must be set as well.`, { cause: error });
    throw error;
  }
}

/** @throws {StartFailure} with a sentence that names the variable and what it may be; never with a secret */
export function readAuthOptions(environment: Record<string, string | undefined>): AuthOptions {
  return {
    siteUrl: environment['CAIRN_URL'] ? siteUrl(environment['CAIRN_URL']) : DEFAULT_AUTH.siteUrl,
    confirmEmail: confirmEmail(environment['CAIRN_CONFIRM_EMAIL'] || 'on'),
    limitFactor: limitFactor(environment['CAIRN_RATE_LIMIT_FACTOR'] || '1'),
    providers: providers(environment),
    samlProviders: readSamlProviders(environment),
  };
}
