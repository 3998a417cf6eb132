import type { Hono } from 'hono';
import { audit } from '../audit.ts';
import { addressOf, type Auth, type AuthRequest, type AuthVariables } from '../auth-context.ts';
import { AuthError, ssoManaged } from '../auth-error.ts';
import { isUuid, lockSignedIn } from '../auth-gate.ts';
import { beginExternal } from './external-routes.ts';
import { requireLevel } from '../factors.ts';
import { unlinkIdentity } from '../outsiders.ts';
import { endSessions } from '../sessions.ts';
import { accountById } from '../users.ts';

const NEEDS_AAL2 = 'AAL2 session is required to change the ways in when MFA is enabled.';

async function link(auth: Auth, c: AuthRequest): Promise<Response> {
  await requireLevel(auth.sql, c.get('signed'), 403, NEEDS_AAL2);
  // Whoever is out at their identity provider must not come in by another way.
  if ((await accountById(auth.sql, c.get('signed').userId)).isSso) throw ssoManaged();
  const url = await beginExternal(auth, c, c.get('signed').userId);
  return c.req.query('skip_http_redirect') === 'true' ? c.json({ url }) : c.redirect(url, 302);
}

async function unlink(auth: Auth, c: AuthRequest): Promise<Response> {
  const id = c.req.param('id') ?? '';
  if (!isUuid(id)) throw new AuthError(404, 'validation_failed', 'identity_id must be an UUID');
  const { userId, sessionId } = c.get('signed');
  await auth.sql.begin(async tx => {
    await lockSignedIn(tx, c.get('signed'));
    await requireLevel(tx, c.get('signed'), 403, NEEDS_AAL2);
    const hasMoved = await unlinkIdentity(tx, userId, id);
    // As after any other change of the address.
    if (hasMoved) await endSessions(tx, userId, sessionId, 'others');
    await audit(tx, 'identity_unlinked', userId, addressOf(c), { identity_id: id });
  });
  return c.json({});
}

export function addIdentities(app: Hono<AuthVariables>, auth: Auth): void {
  app.get('/user/identities/authorize', c => link(auth, c));
  app.delete('/user/identities/:id', c => unlink(auth, c));
}
