import { useState, type ReactNode } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { Lock, UserPlus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { circle, isHelping, type CircleEntry } from '@cairn/core/support-circle/queries.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Avatar } from '@cairn/ui/images/avatar.tsx';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { EmptyState } from '@cairn/ui/feedback/empty-state.tsx';
import { SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import { Card, CardHead, List, RowFace } from '@cairn/ui/layout/surface.tsx';
import { useSignedIn } from '../../shared/session/session.ts';
import { useSpace } from '../../shared/session/space.ts';
import { AccessLog } from './access-log.tsx';
import { useCircleLabels } from './circle-labels.ts';
import { InviteSheet } from './invite-sheet.tsx';
import { INVITATIONS, OpenInvitations } from './open-invitations.tsx';
import './support-circle.css';

type Props = {
  title: string;
  renderPerson: (relationshipId: string, face: ReactNode) => ReactNode;
  /** To the weekly briefs. */
  briefsLink: ReactNode;
};

/** Who helps whom. It belongs to the person, not to the open organisation. */
export function CircleScreen({ title, renderPerson, briefsLink }: Props) {
  const { t } = useTranslation('circle');
  const { user } = useSignedIn();
  const { world, organization } = useSpace();
  const queries = useQueryClient();
  const found = useLive(circle(user.id));
  const [inviting, setInviting] = useState(false);
  const make = (
    <Button variant="primary" icon={UserPlus} onClick={() => setInviting(true)}>
      {t('invite.title')}
    </Button>
  );
  const helpers = found.status === 'ready' ? found.answer.helpers : [];
  const helping = helpers.filter(({ relationship }) => isHelping(relationship));
  const paused = helpers.filter(({ relationship }) => !isHelping(relationship));
  const helped = found.status === 'ready' ? found.answer.helped : [];
  return (
    <div className="parts foot-room">
      <div className="page-head">
        <h1 className="h1">{title}</h1>
        <div className="row wrap">
          {briefsLink}
          {make}
        </div>
      </div>
      {world === 'company' && (
        <Banner icon={Lock} title={t('place.title')}>
          {t('place.text', { organisation: organization.name })}
        </Banner>
      )}
      <div className="parts circle-columns">
        <div className="parts">
          {found.status === 'loading' && <SkeletonRows label={t('loading')} />}
          {found.status === 'ready' && helpers.length === 0 && (
            <EmptyState title={t('empty.title')}>{t('empty.text')}</EmptyState>
          )}
          {helping.length > 0 && <People title={t('helpers')} entries={helping} isMine renderPerson={renderPerson} />}
          {paused.length > 0 && (
            <People title={t('helpersPaused')} entries={paused} isMine renderPerson={renderPerson} />
          )}
          <OpenInvitations />
          {helped.length > 0 && (
            <People title={t('helped')} entries={helped} isMine={false} renderPerson={renderPerson} />
          )}
        </div>
        <div className="parts">
          <AccessLog helpers={helpers} />
        </div>
      </div>
      {inviting && (
        <InviteSheet
          onClose={() => setInviting(false)}
          onMade={() => void queries.invalidateQueries({ queryKey: INVITATIONS })}
        />
      )}
    </div>
  );
}

type PeopleProps = {
  title: string;
  entries: readonly CircleEntry[];
  /** They help the signed-in person. */
  isMine: boolean;
  renderPerson: Props['renderPerson'];
};

function People({ title, entries, isMine, renderPerson }: PeopleProps) {
  const { t } = useTranslation('circle');
  const words = useCircleLabels();
  return (
    <Card flush label={title}>
      <CardHead title={title} />
      <List>
        {entries.map(({ relationship, grants }) => {
          const name = (isMine ? relationship.helper_name : relationship.subject_name) ?? t('unnamed');
          const role = words.role(relationship.role);
          const shown = t('grantsCount', { count: grants.length });
          const state = relationship.state === 'paused' ? t('paused') : shown;
          return (
            <li key={relationship.id}>
              {renderPerson(
                relationship.id,
                <RowFace start={<Avatar name={name} />} title={name} detail={`${role} · ${state}`} />,
              )}
            </li>
          );
        })}
      </List>
    </Card>
  );
}
