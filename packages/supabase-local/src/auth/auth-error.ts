import type { Context } from 'hono';

type Status = 400 | 401 | 403 | 404 | 408 | 422 | 429 | 500 | 503;

type ErrorDetails = { body?: Record<string, unknown>; retryAfterS?: number; cause?: unknown };

/** A refusal in GoTrue's words: its HTTP status, its code and its sentence, which auth-js and apps compare with. */
export class AuthError extends Error {
  override name = 'AuthError';
  readonly status: Status;
  readonly code: string;
  /** Members next to code and message, such as `weak_password`. */
  readonly more: Record<string, unknown>;
  /** Seconds after which to come back. */
  readonly retryAfterS: number | undefined;

  constructor(status: Status, code: string, message: string, more: ErrorDetails = {}) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.status = status;
    this.code = code;
    this.more = more.body ?? {};
    this.retryAfterS = more.retryAfterS;
  }
}

export const invalid = (message: string): AuthError => new AuthError(400, 'validation_failed', message);
export const wrongSignIn = (): AuthError => new AuthError(400, 'invalid_credentials', 'Invalid login credentials');
export const emailTaken = (): AuthError =>
  new AuthError(422, 'email_exists', 'A user with this email address has already been registered');
export const phoneTaken = (): AuthError =>
  new AuthError(422, 'phone_exists', 'A user with this phone number has already been registered');
/** Of an account whose identity provider alone says who it is. */
export const ssoManaged = (): AuthError =>
  new AuthError(422, 'user_sso_managed', 'Updating email, phone, password of a SSO account only possible via SSO');
export const userNotFound = (): AuthError => new AuthError(404, 'user_not_found', 'User not found');

const VERSION_HEADER = 'X-Supabase-Api-Version';
const VERSION = '2024-01-01';

/** Clients that name the API version of 2024 get its shape, others the one before; both are GoTrue's. */
export function answerError(c: Context, error: AuthError): Response {
  const asked = c.req.header(VERSION_HEADER) ?? '';
  const isNew = /^\d{4}-\d{2}-\d{2}$/.test(asked) && asked >= VERSION;
  c.header('X-Sb-Error-Code', error.code);
  if (isNew) c.header(VERSION_HEADER, VERSION);
  if (error.retryAfterS !== undefined) c.header('Retry-After', String(error.retryAfterS));
  const { code, message, status, more } = error;
  const body = isNew ? { code, message } : { code: status, error_code: code, msg: message };
  return c.json({ ...body, ...more }, status);
}
