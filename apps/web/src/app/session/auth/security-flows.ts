import type { SupabaseClient } from '@supabase/supabase-js';
import { AuthRefused, type AuthFlows, type Factor, type OwnSession } from '../../../shared/auth/auth-flows.ts';
import { must, refuse } from './auth-refusal.ts';

type FactorFlows = Pick<AuthFlows, 'factors' | 'enrol' | 'removeFactor' | 'recoveryCodesLeft' | 'newRecoveryCodes'>;

const isKnown = (kind: string): kind is 'totp' | 'recovery_code' => kind === 'totp' || kind === 'recovery_code';

/** Asked of the list of factors: of codes that are not there the server says 404, which the browser's console repeats. */
async function hasRecoveryCodes({ auth }: SupabaseClient): Promise<boolean> {
  const { all } = must(await auth.mfa.listFactors());
  return all.some(({ factor_type: type }) => (type as string) === 'recovery_code');
}

export const factorFlows = (client: SupabaseClient): FactorFlows => ({
  async factors() {
    const { all } = must(await client.auth.mfa.listFactors());
    return all
      .filter(({ status }) => status === 'verified')
      .map(({ id, factor_type: type, friendly_name: name, created_at: createdAt }): Factor => {
        const kind: string = type;
        return { id, kind: isKnown(kind) ? kind : 'other', name: name ?? '', createdAt };
      });
  },
  async enrol(friendlyName) {
    // Whoever began before and went away left a factor nobody can use; its name would be taken.
    const { all } = must(await client.auth.mfa.listFactors());
    const begun = all.filter(({ status, factor_type: type }) => status === 'unverified' && type === 'totp');
    for (const { id } of begun) must(await client.auth.mfa.unenroll({ factorId: id }));
    const made = must(await client.auth.mfa.enroll({ factorType: 'totp', friendlyName, issuer: 'Cairn' }));
    return { id: made.id, picture: made.totp.qr_code, secret: made.totp.secret };
  },
  async removeFactor(factorId) {
    must(await client.auth.mfa.unenroll({ factorId }));
  },
  async recoveryCodesLeft() {
    if (!(await hasRecoveryCodes(client))) return null;
    return must(await client.auth.mfa.recoveryCodes.getStatus()).remaining;
  },
  async newRecoveryCodes() {
    const { recoveryCodes } = client.auth.mfa;
    const made = (await hasRecoveryCodes(client)) ? await recoveryCodes.regenerate() : await recoveryCodes.generate();
    return must(made).codes;
  },
});

type PasswordFlows = Pick<AuthFlows, 'setPassword' | 'reauthenticate' | 'changeEmail'>;

export const passwordFlows = ({ auth }: SupabaseClient): PasswordFlows => ({
  async setPassword(password, nonce) {
    if (password === '') throw new AuthRefused({ kind: 'missing' });
    must(await auth.updateUser({ password, ...(nonce !== undefined && { nonce: nonce.replaceAll(/\s/g, '') }) }));
  },
  async reauthenticate() {
    must(await auth.reauthenticate());
  },
  async changeEmail(email, returnTo) {
    const address = email.trim().toLowerCase();
    if (address === '') throw new AuthRefused({ kind: 'missing' });
    must(await auth.updateUser({ email: address }, { emailRedirectTo: returnTo }));
  },
});

type SessionFlows = Pick<AuthFlows, 'sessions' | 'endSession' | 'endSessions'>;

type SessionRow = {
  id: string;
  created_at: string;
  seen_at: string;
  user_agent: string | null;
  ip_address: string | null;
  level: string;
  is_current: boolean | null;
};

const sessionOf = (row: SessionRow): OwnSession => ({
  id: row.id,
  createdAt: row.created_at,
  seenAt: row.seen_at,
  userAgent: row.user_agent ?? '',
  address: row.ip_address ?? '',
  hasSecondStep: row.level !== 'aal1',
  isCurrent: row.is_current === true,
});

/** What GoTrue answers for a session that is gone already: leaving twice is leaving (R8.24). */
const GONE: readonly (number | undefined)[] = [401, 403, 404];

export const sessionFlows = (client: SupabaseClient): SessionFlows => ({
  async sessions() {
    const rows: SessionRow[] = must(await client.rpc('my_sessions'));
    return rows.map(sessionOf);
  },
  async endSession(id) {
    const { error } = await client.rpc('end_my_session', { p_id: id });
    if (error) refuse(error);
  },
  async endSessions(scope) {
    const { data } = await client.auth.getSession();
    if (!data.session) return;
    const { error } = await client.auth.admin.signOut(data.session.access_token, scope);
    if (error && error.name !== 'AuthSessionMissingError' && !GONE.includes(error.status)) refuse(error);
  },
});

type IdentityFlows = Pick<AuthFlows, 'identities' | 'linkIdentity' | 'unlinkIdentity'>;

export const identityFlows = ({ auth }: SupabaseClient): IdentityFlows => ({
  async identities() {
    const { identities } = must(await auth.getUserIdentities());
    return identities.map(({ identity_id: id, provider, identity_data: data }) => {
      const email: unknown = data?.['email'];
      return { id, provider, email: typeof email === 'string' ? email : '' };
    });
  },
  async linkIdentity(provider, returnTo) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server says which services there are
    const named = provider as Parameters<typeof auth.signInWithOAuth>[0]['provider'];
    must(await auth.linkIdentity({ provider: named, options: { redirectTo: returnTo } }));
  },
  async unlinkIdentity(id) {
    const { identities } = must(await auth.getUserIdentities());
    const identity = identities.find(each => each.identity_id === id);
    if (!identity) return;
    const { error } = await auth.unlinkIdentity(identity);
    if (error) refuse(error);
  },
});
