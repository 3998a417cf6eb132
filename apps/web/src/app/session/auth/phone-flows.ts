import type { SupabaseClient } from '@supabase/supabase-js';
import type { AuthFlows } from '../../../shared/auth/auth-flows.ts';
import { must, refuse } from './auth-refusal.ts';

type PhoneFlows = Pick<AuthFlows, 'ownPhone' | 'changePhone' | 'confirmPhone' | 'sendsTexts'>;

type ErrorBody = { code?: string; error_code?: string; message?: string; msg?: string };

/** The account's number, and whether notifications can go to it. */
export const phoneFlows = ({ auth, functions }: SupabaseClient): PhoneFlows => ({
  async ownPhone() {
    const { phone, phone_confirmed_at: at } = must(await auth.getUser()).user;
    return phone && at ? `+${phone}` : null;
  },
  async changePhone(phone) {
    must(await auth.updateUser({ phone }));
  },
  async confirmPhone(phone, code) {
    // The library's own call goes without the session, which our server wants to see: a mistyped number is somebody else's.
    const body = { type: 'phone_change', phone, token: code.replaceAll(/[\s-]/g, '') };
    const { error, response } = await functions.invoke('../../auth/v1/verify', { body });
    if (error && !response) refuse({ name: 'AuthRetryableFetchError', message: error.message });
    if (error) {
      const refusal: ErrorBody = (await response?.json().catch(() => null)) ?? {};
      const code = refusal.error_code ?? refusal.code ?? '';
      refuse({ code, message: refusal.msg ?? refusal.message ?? '', status: response?.status });
    }
    must(await auth.refreshSession());
  },
  async sendsTexts() {
    const { data } = await functions.invoke<{ text?: unknown }>('notifications/channels', { method: 'GET' });
    return data?.text === true;
  },
});
