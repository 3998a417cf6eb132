import { Hono, type Context } from 'hono';
import { asCaller, type BackendAccess } from '../backend-access.ts';
import { invitationEmail } from './invitation-email.ts';
import { speaksGerman } from './speaks-german.ts';

type CreatedInvitation = { id: string; token: string; email: string | null; expires_at: string };
type Answer = { data: unknown; error: { code?: string; message?: string } | null; status: number };
type Body = Record<string, unknown>;

async function bodyOf(c: Context): Promise<Body> {
  const body: unknown = await c.req.raw.json().catch(() => null);
  return typeof body === 'object' && body !== null ? (body as Body) : {};
}

/** The link an invitation is accepted with. */
const linkOf = (site: string, token: string) => `${site}/?invitation_token=${token}`;

async function sendEmail(
  c: Context,
  access: BackendAccess,
  made: CreatedInvitation,
  organization: string,
): Promise<boolean> {
  if (made.email === null || !access.sendMail) return false;
  const german = await speaksGerman(c, asCaller(access, c.req.header('Authorization') ?? ''));
  const link = linkOf(access.site?.() ?? access.url, made.token);
  const email = invitationEmail({ to: made.email, organization, link, german });
  // The invitation stands whether or not its letter goes: the answer says so, and the link can be handed on.
  return access.sendMail(email).then(
    () => true,
    () => false,
  );
}

const isText = (value: unknown): boolean => typeof value === 'string';
const isTextOrNone = (value: unknown): boolean => value === undefined || value === null || isText(value);

/** Of the shape the calls take; whether it means anything is the database's to say. */
const isReadable = ({ organization_id, email, role, site_ids, valid_until, id }: Body): boolean =>
  [organization_id, email, role, valid_until, id].every(isTextOrNone) &&
  (site_ids === undefined || site_ids === null || (Array.isArray(site_ids) && site_ids.every(isText)));

async function answer(c: Context, access: BackendAccess, call: (body: Body) => PromiseLike<Answer>): Promise<Response> {
  const authorization = c.req.header('Authorization');
  if (!authorization) return c.json({ code: 'signed_out', message: 'Sign in first' }, 401);
  const body = await bodyOf(c);
  if (!isReadable(body)) return c.json({ code: 'invalid', message: 'A field is not of its type' }, 400);
  const { data, error, status } = await call(body);
  if (error) {
    const isDecision = status >= 400 && status < 500;
    return c.json({ code: error.code ?? 'unavailable', message: error.message ?? '' }, isDecision ? 400 : 502);
  }
  const made = data as CreatedInvitation;
  const client = asCaller(access, authorization);
  const { data: preview } = await client.rpc('preview_organization_invitation', { invitation_token: made.token });
  const named = (preview as { organization_name?: string } | null)?.organization_name ?? 'Cairn';
  return c.json({ ...made, mailed: await sendEmail(c, access, made, named) });
}

function invite(c: Context, access: BackendAccess): Promise<Response> {
  return answer(c, access, body =>
    asCaller(access, c.req.header('Authorization') ?? '').rpc('invite_to_organization', {
      p_organization: body['organization_id'],
      p_email: body['email'] ?? null,
      p_role: body['role'] ?? 'member',
      p_sites: body['site_ids'] ?? [],
      p_valid_until: body['valid_until'] ?? null,
    }),
  );
}

function renew(c: Context, access: BackendAccess): Promise<Response> {
  return answer(c, access, body =>
    asCaller(access, c.req.header('Authorization') ?? '').rpc('renew_invitation', { p_id: body['id'] }),
  );
}

/**
 * `POST /people/invite {organization_id, email?, role?, site_ids?, valid_until?}` and `POST /people/renew {id}`: makes the
 * invitation as the caller, mails its link where it has an address, and answers the token this once:
 * `{id, token, email, expires_at, mailed}`.
 */
export const peopleRoutes = (access: BackendAccess): Hono =>
  new Hono().post('/invite', c => invite(c, access)).post('/renew', c => renew(c, access));
