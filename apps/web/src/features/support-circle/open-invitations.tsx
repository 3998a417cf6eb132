import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { CircleRole } from '@cairn/core/roles/role-names.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Card, CardHead, List, Row } from '@cairn/ui/layout/surface.tsx';
import { formatDate } from '../../shared/format/format.ts';
import { useServerCalls, type ServerCalls } from '../../shared/server/server-calls.ts';
import { useSignedIn } from '../../shared/session/session.ts';
import { useCircleLabels } from './circle-labels.ts';
import { useCircleCall } from './use-circle-calls.ts';

type Invitation = {
  id: string;
  role: CircleRole;
  purpose: string | null;
  expires_at: string;
  accepted_at: string | null;
  declined_at: string | null;
  revoked_at: string | null;
};

export const INVITATIONS = ['circle', 'invitations'];

const revoke = (calls: ServerCalls, id: string) => calls.call('revoke_circle_invitation', { p_id: id });

const isOpen = (invitation: Invitation): boolean =>
  !invitation.accepted_at &&
  !invitation.declined_at &&
  !invitation.revoked_at &&
  Date.parse(invitation.expires_at) > Date.now();

/** Links that nobody has answered yet. Without a network nothing is shown: the server alone knows. */
export function OpenInvitations() {
  const { t } = useTranslation('circle');
  const words = useCircleLabels();
  const { user } = useSignedIn();
  const calls = useServerCalls();
  const query = useQuery({
    queryKey: INVITATIONS,
    queryFn: () =>
      calls.rows<Invitation>({ table: 'circle_invitations', filter: { subject_id: user.id }, newestBy: 'created_at' }),
  });
  const revoking = useCircleCall(revoke);
  const open = (query.data ?? []).filter(isOpen);
  if (open.length === 0) return null;
  return (
    <Card flush label={t('invitations.title')}>
      <CardHead title={t('invitations.title')} />
      {revoking.problem && <Banner tone="bad" title={revoking.problem} />}
      <List>
        {open.map(({ id, role, purpose, expires_at: end }) => (
          <Row
            key={id}
            title={words.role(role)}
            detail={[purpose, t('invitations.until', { date: formatDate(new Date(end)) })].filter(Boolean).join(' · ')}
            end={
              <Button size="sm" busy={revoking.busy} onClick={() => void revoking.run(id).then(() => query.refetch())}>
                {t('invitations.revoke')}
              </Button>
            }
          />
        ))}
      </List>
    </Card>
  );
}
