import type { MiddlewareHandler } from 'hono';
import { isBottomless } from '../limits/json-bounds.ts';
import { AuthError, invalid } from './auth-error.ts';
import type { AuthRequest, AuthVariables } from './auth-context.ts';

/** Members that are texts wherever they appear. */
const TEXTS =
  `email new_email password password_hash phone token token_hash refresh_token type nonce code auth_code code_verifier
  code_challenge code_challenge_method redirect_to friendly_name factor_type issuer challenge_id id_token provider
  ban_duration role id access_token channel client_id domain provider_id`.split(/\s+/);
const OBJECTS = ['data', 'user_metadata', 'app_metadata'];

const badJson = (why: string) => new AuthError(400, 'bad_json', `Could not parse request body as JSON: ${why}`);

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Without quoting the body, which holds passwords. */
function oddity(fields: Record<string, unknown>): string | null {
  const given = (name: string) => fields[name] !== undefined && fields[name] !== null;
  const text = TEXTS.find(name => given(name) && typeof fields[name] !== 'string');
  if (text !== undefined) return `"${text}" is not a string`;
  const object = OBJECTS.find(name => given(name) && !isObject(fields[name]));
  return object === undefined ? null : `"${object}" is not an object`;
}

function parse(text: string): Record<string, unknown> {
  if (text === '') return {};
  if (isBottomless(Buffer.from(text))) throw badJson('it is nested too deeply');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw badJson('it is no JSON');
    throw error;
  }
  if (!isObject(value)) throw badJson('it is not an object');
  const odd = oddity(value);
  if (odd !== null) throw badJson(odd);
  return value;
}

/** The one call whose body is a form: an identity provider's page posts it. */
const FORM_PATH = '/auth/v1/sso/saml/acs';
const FORM_TYPE = /^application\/x-www-form-urlencoded(;|$)/i;
const FORM_FIELDS = ['SAMLResponse', 'RelayState'];

/** Its known fields, each once; others are left out. */
function parseForm(text: string, type: string): Record<string, unknown> {
  if (!FORM_TYPE.test(type)) throw invalid('The request must be a form');
  const form = new URLSearchParams(text);
  const twice = FORM_FIELDS.find(name => form.getAll(name).length > 1);
  if (twice !== undefined) throw invalid(`"${twice}" may stand in the form once`);
  return Object.fromEntries(FORM_FIELDS.map(name => [name, form.get(name)]));
}

async function fieldsOf(c: AuthRequest): Promise<Record<string, unknown>> {
  if (c.req.method === 'GET' || c.req.method === 'HEAD') return {};
  const text = await c.req.text();
  return c.req.path === FORM_PATH ? parseForm(text, c.req.header('Content-Type') ?? '') : parse(text);
}

/** Reads the body once, as a set of fields; an empty one has none. */
export const readBody: MiddlewareHandler<AuthVariables> = async (c, next) => {
  c.set('body', await fieldsOf(c));
  return next();
};

/** A member that is a text; undefined when it is missing, null or empty. */
export function textIn(body: Record<string, unknown>, name: string): string | undefined {
  const value = body[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** @throws {AuthError} validation_failed with `message` when it is missing or empty */
export function requireText(body: Record<string, unknown>, name: string, message: string): string {
  const value = textIn(body, name);
  if (value === undefined) throw invalid(message);
  return value;
}

export const objectIn = (body: Record<string, unknown>, name: string): Record<string, unknown> | undefined =>
  isObject(body[name]) ? body[name] : undefined;
