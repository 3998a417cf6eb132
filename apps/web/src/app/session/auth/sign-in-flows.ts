import type { Session, SupabaseClient } from '@supabase/supabase-js';
import { AuthRefused, type AuthFlows } from '../../../shared/auth/auth-flows.ts';
import { toAuthResult, raised } from './auth-result.ts';
import { must, refuse } from './auth-refusal.ts';
import type { LinkParts } from './link-session.ts';

const addressIn = (email: string): string => {
  const address = email.trim().toLowerCase();
  if (address === '') throw new AuthRefused({ kind: 'missing' });
  return address;
};

/** Address or number, as the library takes it. */
const nameIn = (typed: string): { email: string } | { phone: string } => {
  const name = addressIn(typed);
  return name.includes('@') ? { email: name } : { phone: name };
};

type SignUpFlows = Pick<AuthFlows, 'signUp' | 'resend'>;

/** What was asked for on this page, until its letter is answered. */
type SignUpRequest = { email: string; password: string; data: { full_name: string; locale: string } };

/** The ways that begin with an account that is not there yet, and the codes that may end them. */
export function accountFlows(client: SupabaseClient): SignUpFlows & CodeFlows {
  const held: { asked: SignUpRequest | null } = { asked: null };
  return { ...signUpFlows(client, asked => (held.asked = asked)), ...codeFlows(client, () => held.asked) };
}

const signUpFlows = ({ auth }: SupabaseClient, onAsked: (asked: SignUpRequest) => void): SignUpFlows => ({
  async signUp({ fullName, email, password, language, returnTo }) {
    const address = addressIn(email);
    if (password === '') throw new AuthRefused({ kind: 'missing' });
    const data = { full_name: fullName.trim(), locale: language };
    const name = nameIn(address);
    const made = must(
      await ('phone' in name
        ? auth.signUp({ ...name, password, options: { data } })
        : auth.signUp({ ...name, password, options: { data, emailRedirectTo: returnTo } })),
    );
    onAsked({ email: address, password, data });
    return made.session ? toAuthResult(made.session) : null;
  },
  async resend(type, email, returnTo) {
    const name = nameIn(email);
    must(
      await ('phone' in name
        ? auth.resend({ type: 'sms', ...name })
        : auth.resend({ type, ...name, options: { emailRedirectTo: returnTo } })),
    );
  },
});

type CodeFlows = Pick<AuthFlows, 'sendCode' | 'recover' | 'checkCode'>;

/** What GoTrue answers for an address without an account; a person is told nothing else than with one. */
const TELLS_NOBODY = new Set(['otp_disabled', 'user_not_found', 'signup_disabled']);

/**
 * Somebody else had signed up with this address before, or after: the server kept neither password (decision 17). Whoever answered
 * the letter sets what they typed here.
 */
async function setOwn({ auth }: SupabaseClient, asked: SignUpRequest | null, session: Session): Promise<Session> {
  const { email, phone = '', user_metadata: known } = session.user;
  if (!asked || (asked.email !== email && asked.email !== `+${phone}`) || known['locale'] !== undefined) return session;
  must(await auth.updateUser({ password: asked.password, data: asked.data }));
  return must(await auth.getSession()).session ?? session;
}

const codeFlows = (client: SupabaseClient, asked: () => SignUpRequest | null): CodeFlows => ({
  async sendCode(email, returnTo) {
    const options = { shouldCreateUser: false, emailRedirectTo: returnTo };
    const name = nameIn(email);
    const { error } = await client.auth.signInWithOtp(
      'phone' in name ? { ...name, options: { shouldCreateUser: false } } : { ...name, options },
    );
    if (error && !TELLS_NOBODY.has(error.code ?? '')) refuse(error);
  },
  async recover(email, returnTo) {
    must(await client.auth.resetPasswordForEmail(addressIn(email), { redirectTo: returnTo }));
  },
  async checkCode(type, email, code) {
    const token = code.replaceAll(/[\s-]/g, '');
    const name = nameIn(email);
    const { data, error } = await client.auth.verifyOtp(
      'phone' in name ? { type: 'sms', ...name, token } : { type, ...name, token },
    );
    if (error) refuse(error);
    if (type === 'email' && data.session) return toAuthResult(await setOwn(client, asked(), data.session));
    return type === 'email_change' && !data.session ? null : toAuthResult(data.session);
  },
});

type ReturnFlows = Pick<AuthFlows, 'lookAtTokens' | 'lookAtCode' | 'pending'>;

/** Few open a link: what looks at one is loaded then. */
const linkSession = () => import('./link-session.ts');

export const returnFlows = (parts: LinkParts): ReturnFlows => ({
  lookAtTokens: async tokens => (await linkSession()).lookAtTokens(parts, tokens),
  lookAtCode: async code => (await linkSession()).lookAtCode(parts, code),
  async pending() {
    const { session } = must(await parts.client.auth.getSession());
    return session ? toAuthResult(session) : null;
  },
});

type SecondStepFlows = Pick<AuthFlows, 'answerCode' | 'answerRecoveryCode'>;

export const secondStepFlows = (client: SupabaseClient): SecondStepFlows => ({
  async answerCode(factorId, code) {
    must(await client.auth.mfa.challengeAndVerify({ factorId, code: code.replaceAll(/\s/g, '') }));
    return raised(client);
  },
  async answerRecoveryCode(code) {
    must(await client.auth.mfa.recoveryCodes.verify({ code: code.trim() }));
    return raised(client);
  },
});

type ProviderFlows = Pick<AuthFlows, 'signInWith'>;

export const providerFlows = ({ auth }: SupabaseClient): ProviderFlows => ({
  async signInWith(provider, returnTo) {
    // The library names the services of the day it was built; the server says which there are.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server is asked, not the type
    const named = provider as Parameters<typeof auth.signInWithOAuth>[0]['provider'];
    must(await auth.signInWithOAuth({ provider: named, options: { redirectTo: returnTo } }));
  },
});
