import { Hono, type Context } from 'hono';
import { asCaller, asServer, type BackendAccess } from '../backend-access.ts';
import { speaksGerman } from '../people/speaks-german.ts';
import { guestEmail } from './guest-email.ts';

type CreatedGuestLink = { id: string; token: string; email: string; name: string; until: string; organization: string };
type Body = Record<string, unknown>;

async function bodyOf(c: Context): Promise<Body> {
  const body: unknown = await c.req.raw.json().catch(() => null);
  return typeof body === 'object' && body !== null ? (body as Body) : {};
}

async function sendEmail(c: Context, access: BackendAccess, made: CreatedGuestLink): Promise<boolean> {
  if (!access.sendMail) return false;
  const german = await speaksGerman(c, asCaller(access, c.req.header('Authorization') ?? ''));
  const { email: to, organization, until, token } = made;
  const link = `${access.site?.() ?? access.url}/guest/${token}`;
  // The link stands whether or not its letter goes: the answer says so, and it can be handed on.
  return access.sendMail(guestEmail({ to, organization, until, german, link })).then(
    () => true,
    () => false,
  );
}

/** Makes a token as the caller, mails its link, and answers the token this once. */
async function give(c: Context, access: BackendAccess, name: string, args: (body: Body) => Body): Promise<Response> {
  const authorization = c.req.header('Authorization');
  if (!authorization) return c.json({ code: 'signed_out', message: 'Sign in first' }, 401);
  const asked = args(await bodyOf(c));
  if (!Object.values(asked).every(value => typeof value === 'string'))
    return c.json({ code: 'invalid', message: 'A field is not of its type' }, 400);
  const { data, error, status } = await asCaller(access, authorization).rpc(name, asked);
  if (error) {
    const isDecision = status >= 400 && status < 500;
    const { code, message, hint } = error;
    return c.json({ code: code || 'unavailable', message, hint }, isDecision ? 400 : 502);
  }
  const made = data as CreatedGuestLink;
  return c.json({ ...made, mailed: await sendEmail(c, access, made) });
}

const notFound = (c: Context): Response => c.json({ code: 'not_found', message: 'This link shows no such photo' }, 404);

/** One photo of the item behind a link: the token travels in the body, which stands in no log. */
async function picture(c: Context, access: BackendAccess): Promise<Response> {
  const { token, media } = await bodyOf(c);
  const isAsked = typeof token === 'string' && typeof media === 'string' && /^[0-9a-f-]{36}$/.test(media);
  if (!isAsked) return notFound(c);
  const server = asServer(access);
  const found = await server.rpc('guest_picture', { p_token: token, p_media: media });
  if (found.error) return c.json({ code: 'unavailable', message: 'The database did not answer' }, 502);
  if (typeof found.data !== 'string') return notFound(c);
  const file = await server.storage.from('media').download(found.data).asStream();
  if (file.error) return notFound(c);
  // As bytes, whatever it is: the page knows its type, and nothing else is to show it.
  return c.body(file.data, 200, {
    'Content-Type': 'application/octet-stream',
    'Cache-Control': 'no-store',
  });
}

/**
 * `POST /guests/give {action_id, name, email, until}` and `POST /guests/again {id}`: gives an action item to somebody outside as the
 * caller, mails the link, and answers `{id, token, email, name, until, organization, mailed}`, the token this once.
 * `POST /guests/picture {token, media}`: a photo of that item, for whoever holds the link.
 */
export function guestRoutes(access: BackendAccess): Hono {
  return new Hono()
    .post('/give', c =>
      give(c, access, 'give_guest_link', ({ action_id: p_action, name: p_name, email: p_email, until: p_until }) => ({
        p_action,
        p_name,
        p_email,
        p_until,
      })),
    )
    .post('/again', c => give(c, access, 'send_guest_link_again', ({ id: p_id }) => ({ p_id })))
    .post('/picture', c => picture(c, access));
}
