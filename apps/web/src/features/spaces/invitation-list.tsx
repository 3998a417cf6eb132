import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { invitationState } from '@cairn/core/spaces/invitations.ts';
import type { OrganizationRole } from '@cairn/core/roles/role-names.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { EmptyState } from '@cairn/ui/feedback/empty-state.tsx';
import { Card, List, Row } from '@cairn/ui/layout/surface.tsx';
import { useFormat } from '../../shared/format/format.ts';
import type { ServerCalls } from '../../shared/server/server-calls.ts';
import { useSpace } from '../../shared/session/space.ts';
import { FromServer } from './from-server.tsx';
import { type MadeInvitation, TokenOnce } from './token-once.tsx';
import { useServerAction, useServerQuery } from './use-server.ts';

type Invitation = {
  id: string;
  email: string | null;
  role: OrganizationRole;
  expires_at: string;
  accepted_at: string | null;
  revoked_at: string | null;
};

const CHANGES = ['invitations'];
const renewOne = (calls: ServerCalls, id: string, onMade: (made: MadeInvitation) => void) =>
  calls.send<MadeInvitation>('people/renew', { id }).then(onMade);
const revokeOne = (calls: ServerCalls, id: string) => calls.call('revoke_invitation', { p_id: id });

/** Invitations nobody has used yet, and those that ran out. */
export function InvitationList() {
  const { t } = useTranslation('spaces');
  const { organization } = useSpace();
  const id = organization.id;
  const query = useServerQuery(
    ['invitations', id],
    useCallback(
      (calls: ServerCalls) =>
        calls.rows<Invitation>({
          table: 'organization_invitations',
          filter: { organization_id: id },
          newestBy: 'created_at',
        }),
      [id],
    ),
  );
  return (
    <div className="spaces-part">
      <FromServer query={query}>
        {all => {
          const now = new Date().toISOString();
          const shown = all.filter(one => ['open', 'expired'].includes(invitationState(one, now)));
          if (shown.length === 0)
            return <EmptyState title={t('invitations.none')}>{t('invitations.noneText')}</EmptyState>;
          return <Invitations shown={shown} now={now} />;
        }}
      </FromServer>
    </div>
  );
}

function Invitations({ shown, now }: { shown: readonly Invitation[]; now: string }) {
  const { t } = useTranslation('spaces');
  const { formatDate } = useFormat();
  const [made, setMade] = useState<MadeInvitation | null>(null);
  const words = useCallback(({ code }: { code: string }) => (code === 'PT429' ? t('invite.tooMany') : null), [t]);
  const renewing = useServerAction(renewOne, { operation: t('invitations.renew'), changes: CHANGES, words });
  const revoking = useServerAction(revokeOne, { operation: t('invitations.revoke'), changes: CHANGES });
  const problem = renewing.problem ?? revoking.problem;
  const busy = renewing.busy || revoking.busy;
  const detailOf = (one: Invitation) => {
    const date = formatDate(new Date(one.expires_at));
    const isOpen = invitationState(one, now) === 'open';
    return `${t(`roles.${one.role}`)} · ${isOpen ? t('invitations.until', { date }) : t('invitations.over', { date })}`;
  };
  return (
    <>
      {problem && <Banner tone="bad" title={problem} />}
      <Card flush>
        <List label={t('invitations.tab')}>
          {shown.map(one => (
            <Row
              key={one.id}
              title={one.email ?? t('invitations.byLink')}
              detail={detailOf(one)}
              end={
                <span className="spaces-acts">
                  <Button size="sm" busy={busy} onClick={() => void renewing.run(one.id, setMade)}>
                    {t('invitations.renew')}
                  </Button>
                  <Button size="sm" variant="plain" busy={busy} onClick={() => void revoking.run(one.id)}>
                    {t('invitations.revoke')}
                  </Button>
                </span>
              }
            />
          ))}
        </List>
      </Card>
      {made && (
        <TokenOnce
          title={t('invite.made')}
          parameter="invitation_token"
          token={made.token}
          note={made.mailed ? t('invite.mailed', { email: made.email ?? '' }) : t('invite.handOn')}
          onClose={() => setMade(null)}
        />
      )}
    </>
  );
}
