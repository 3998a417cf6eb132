import type { SupabaseClient } from '@supabase/supabase-js';
import { AuthRefused, type AuthFlows, type JoinKind } from '../../../shared/auth/auth-flows.ts';
import { must } from './auth-refusal.ts';

type PreviewRow = {
  organization_name: string;
  program_name: string | null;
  program_description: string | null;
  display_name: string;
  may: string[];
  sites?: string[];
  invited_by: string | null;
  valid_until?: string | null;
  expires_at: string;
  email_hint?: string | null;
  for_me?: boolean | null;
  already_member: boolean;
};

type JoinedRow = { organization_id: string; organization_name: string; role?: string; already_member: boolean };

/** The functions of a kind of link, and the name their token has (R7.26). */
const CALLS = {
  invitation: {
    preview: 'preview_organization_invitation',
    accept: 'accept_organization_invitation',
    token: 'invitation_token',
  },
  partner: { preview: 'preview_partner_link', accept: 'activate_partner_link', token: 'partner_link_token' },
} as const satisfies Record<JoinKind, object>;

type JoinFlows = Pick<AuthFlows, 'previewJoin' | 'join'>;

export const joinFlows = (client: SupabaseClient): JoinFlows => ({
  async previewJoin(kind, token) {
    // An address that lost its token opens nothing: the server need not say so.
    if (token === '') throw new AuthRefused({ kind: 'link_unusable' });
    const calls = CALLS[kind];
    const row: PreviewRow = must(await client.rpc(calls.preview, { [calls.token]: token }));
    return {
      organization: row.organization_name,
      program: row.program_name,
      programText: row.program_description,
      roleName: row.display_name,
      may: row.may,
      sites: row.sites ?? [],
      invitedBy: row.invited_by,
      validUntil: row.valid_until ?? null,
      expiresAt: row.expires_at,
      emailHint: row.email_hint ?? null,
      isForMe: row.for_me !== false,
      alreadyMember: row.already_member,
    };
  },
  async join(kind, token) {
    const calls = CALLS[kind];
    const row: JoinedRow = must(await client.rpc(calls.accept, { [calls.token]: token }));
    return {
      organizationId: row.organization_id,
      organization: row.organization_name,
      role: row.role ?? null,
      alreadyMember: row.already_member,
    };
  },
});
