import type { SupabaseClient } from '@supabase/supabase-js';
import { AuthRefused, type AuthFlows } from '../../shared/auth-flows.ts';
import { arrivalOf, raised } from './arrivals.ts';
import { must, refuse } from './auth-refusal.ts';

const addressIn = (email: string): string => {
  const address = email.trim().toLowerCase();
  if (address === '') throw new AuthRefused({ kind: 'missing' });
  return address;
};

type SignUpFlows = Pick<AuthFlows, 'signUp' | 'resend'>;

export const signUpFlows = ({ auth }: SupabaseClient): SignUpFlows => ({
  async signUp({ fullName, email, password, language, returnTo }) {
    const address = addressIn(email);
    if (password === '') throw new AuthRefused({ kind: 'missing' });
    const data = { full_name: fullName.trim(), locale: language };
    const made = must(await auth.signUp({ email: address, password, options: { data, emailRedirectTo: returnTo } }));
    return made.session ? arrivalOf(made.session) : null;
  },
  async resend(type, email, returnTo) {
    must(await auth.resend({ type, email: addressIn(email), options: { emailRedirectTo: returnTo } }));
  },
});

type CodeFlows = Pick<AuthFlows, 'sendCode' | 'recover' | 'checkCode'>;

/** What GoTrue answers for an address without an account; a person is told nothing else than with one. */
const TELLS_NOBODY = new Set(['otp_disabled', 'user_not_found', 'signup_disabled']);

export const codeFlows = ({ auth }: SupabaseClient): CodeFlows => ({
  async sendCode(email, returnTo) {
    const options = { shouldCreateUser: false, emailRedirectTo: returnTo };
    const { error } = await auth.signInWithOtp({ email: addressIn(email), options });
    if (error && !TELLS_NOBODY.has(error.code ?? '')) refuse(error);
  },
  async recover(email, returnTo) {
    must(await auth.resetPasswordForEmail(addressIn(email), { redirectTo: returnTo }));
  },
  async checkCode(type, email, code) {
    const token = code.replaceAll(/[\s-]/g, '');
    const { data, error } = await auth.verifyOtp({ type, email: addressIn(email), token });
    if (error) refuse(error);
    return type === 'email_change' && !data.session ? null : arrivalOf(data.session);
  },
});

type ReturnFlows = Pick<AuthFlows, 'takeTokens' | 'takeCode' | 'pending'>;

export const returnFlows = ({ auth }: SupabaseClient): ReturnFlows => ({
  async takeTokens(accessToken, refreshToken) {
    const data = must(await auth.setSession({ access_token: accessToken, refresh_token: refreshToken }));
    return arrivalOf(data.session);
  },
  async takeCode(code) {
    const data = must(await auth.exchangeCodeForSession(code));
    const recovery = 'redirectType' in data && data.redirectType === 'recovery';
    return { ...arrivalOf(data.session), recovery };
  },
  async pending() {
    const { session } = must(await auth.getSession());
    return session ? arrivalOf(session) : null;
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
