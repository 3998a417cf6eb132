import { randomUUID } from 'node:crypto';
import type { Db } from './auth-context.ts';

/** GoTrue's names of what happened. */
export type AuditAction =
  | 'login'
  | 'logout'
  | 'user_signedup'
  | 'user_invited'
  | 'user_deleted'
  | 'user_modified'
  | 'user_recovery_requested'
  | 'user_reauthenticate_requested'
  | 'user_confirmation_requested'
  | 'user_repeated_signup'
  | 'user_updated_password'
  | 'token_revoked'
  | 'factor_in_progress'
  | 'factor_verified'
  | 'factor_unenrolled'
  | 'recovery_codes_generated'
  | 'recovery_codes_verified'
  | 'recovery_codes_deleted'
  | 'identity_linked'
  | 'identity_unlinked';

/** @param traits ids and kinds only: no token, no password, nothing a person wrote */
export async function audit(
  db: Db,
  action: AuditAction,
  userId: string | null,
  address: string,
  traits: Record<string, unknown> = {},
): Promise<void> {
  const payload = JSON.stringify({ action, actor_id: userId, traits });
  await db`
    insert into auth.audit_log_entries (id, payload, ip_address)
    values (${randomUUID()}, ${payload}::text::json, ${address.slice(0, 64)})`;
}
