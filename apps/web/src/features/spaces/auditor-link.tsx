import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link2 } from 'lucide-react';
import { organizationMembers } from '@cairn/core/spaces/members.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { useSpace } from '../../shared/session/space.ts';
import { dayOf } from './end-day.ts';
import { InviteSheet } from './invite-sheet.tsx';

/** How long an audit is let in where nobody says otherwise. */
const DAYS = 7;

/** Invites an auditor for a week, as a link to hand on; whoever follows it stands in the audit room. */
export function AuditorLink() {
  const { t } = useTranslation('spaces');
  const { organization, may } = useSpace();
  const live = useLive(organizationMembers(organization.id));
  const [inviting, setInviting] = useState(false);
  if (!may('people.manage')) return null;
  return (
    <>
      <Button icon={Link2} onClick={() => setInviting(true)}>
        {t('invite.auditor')}
      </Button>
      {inviting && live.status === 'ready' && (
        <InviteSheet sites={live.answer.sites} initial={auditorDraft()} onClose={() => setInviting(false)} />
      )}
    </>
  );
}

const auditorDraft = () => {
  const end = new Date();
  end.setDate(end.getDate() + DAYS);
  return { role: 'auditor' as const, siteIds: [], lastDay: dayOf(end.toISOString()) };
};
