import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { JWTPayload } from 'jose';
import type { Sql, TransactionSql } from 'postgres';
import type { AuthLimits } from './auth-limits.ts';
import type { GivenTokens } from './given-tokens.ts';
import type { HashSemaphore } from './hash-semaphore.ts';
import type { Log } from '../log/log.ts';
import type { Secrets } from '../access/secrets.ts';
import type { SigningKeys } from '../access/signing-keys.ts';
import type { SmsSender } from '../sms/sms-sender.ts';
import type { Vault } from '../access/vault.ts';
import type { Provider } from './providers.ts';
import type { SamlProvider } from './saml-providers.ts';

export type Email = { to: string; subject: string; text: string; html: string };

export type AuthSettings = {
  /** Where people reach the app, without a slash at the end; never taken from a request, which could name any host. */
  siteUrl: () => string;
  /** Origins besides the site's that a link may lead back to. */
  origins: string[];
  /** Whether an address must be confirmed by mail before its first sign-in. */
  confirmEmail: boolean;
  providers: Provider[];
  /** SAML is off where there is none. */
  samlProviders: SamlProvider[];
};

/** What the handlers of /auth/v1 work with. */
export type Auth = {
  sql: Sql;
  keys: SigningKeys;
  vault: Vault;
  secrets: Secrets;
  settings: AuthSettings;
  limits: AuthLimits;
  given: GivenTokens;
  inHashTurn: HashSemaphore<AuthRequest>;
  inSignInTurn: HashSemaphore<AuthRequest>;
  send: (email: Email) => Promise<void>;
  /** Null where no SMS provider is set: then there is no way in by phone. */
  sms: SmsSender | null;
  log: Log;
};

export type Db = Sql | TransactionSql;

/** Whoever holds the bearer: a person in one of their sessions. */
export type SessionHolder = { userId: string; sessionId: string; claims: JWTPayload };

export type AuthVariables = { Variables: { signed: SessionHolder; body: Record<string, unknown> } };

export type AuthRequest = Context<AuthVariables>;

/** The peer of the connection: a header that says otherwise can be written by anybody. */
export function addressOf(c: Context): string {
  const { incoming }: Partial<HttpBindings> = c.env ?? {};
  return incoming?.socket.remoteAddress ?? '';
}

/** What is kept of the device that signs in, so that its owner can tell it in the list of sessions. */
export const agentOf = (c: Context): string => (c.req.header('User-Agent') ?? '').slice(0, 500);
