import { useState } from 'react';
import { UserPlus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { organizationMembers, type Member, type Members } from '@cairn/core/spaces/members.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Avatar } from '@cairn/ui/images/avatar.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import { EmptyState } from '@cairn/ui/feedback/empty-state.tsx';
import { SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import { Card, List, rowClass, RowFace } from '@cairn/ui/layout/surface.tsx';
import { Tabs } from '@cairn/ui/layout/tabs.tsx';
import { useFormat } from '../../shared/format/format.ts';
import { useSpace } from '../../shared/session/space.ts';
import { InvitationList } from './invitation-list.tsx';
import { InviteSheet } from './invite-sheet.tsx';
import { MemberSheet } from './member-sheet.tsx';
import { NotAllowed } from './not-allowed.tsx';
import { PartnerLinks } from './partner-links.tsx';
import { ReviewQueue } from './review-queue.tsx';
import './spaces.css';

type Tab = 'members' | 'invitations' | 'links' | 'orphaned-edits';

type Props = {
  title: string;
  /** The person whose sheet is open at first. */
  shown: string | null;
};

/** Who belongs to the organisation, who is invited, and what removed members could not send. */
export function MembersScreen({ title, shown }: Props) {
  const { t } = useTranslation('spaces');
  const { organization, may } = useSpace();
  const live = useLive(organizationMembers(organization.id));
  const [tab, setTab] = useState<Tab>('members');
  const [inviting, setInviting] = useState(false);
  if (!may('people.manage')) return <NotAllowed />;
  if (live.status === 'loading') return <SkeletonRows label={t('loading')} />;
  const all = [
    { value: 'members', label: t('members.tab'), content: <MemberList {...live.answer} first={shown} /> },
    { value: 'invitations', label: t('invitations.tab'), content: <InvitationList /> },
    { value: 'links', label: t('links.tab'), content: <PartnerLinks />, permission: 'partner.link' },
    {
      value: 'orphaned-edits',
      label: t('orphanedEdits.tab'),
      content: <ReviewQueue />,
      permission: 'orphaned_edits.review',
    },
  ];
  return (
    <div className="spaces">
      <header className="page-head">
        <h1 className="h1">{title}</h1>
        <Button variant="primary" icon={UserPlus} onClick={() => setInviting(true)}>
          {t('invite.open')}
        </Button>
      </header>
      <Tabs
        label={title}
        tabs={all.filter(({ permission }) => permission === undefined || may(permission))}
        value={tab}
        onChange={value => setTab(value as Tab)}
      />
      {inviting && <InviteSheet sites={live.answer.sites} onClose={() => setInviting(false)} />}
    </div>
  );
}

function MemberList({ members, sites, first }: Members & { first: string | null }) {
  const { t } = useTranslation('spaces');
  const [search, setSearch] = useState('');
  const [open, setOpen] = useState(first);
  const wanted = search.trim().toLocaleLowerCase();
  const nameOf = (member: Member) => member.name ?? t('members.unnamed');
  const shown = members.filter(member => nameOf(member).toLocaleLowerCase().includes(wanted));
  const opened = members.find(({ userId }) => userId === open);
  return (
    <div className="stack spaces-part">
      <Input
        label={t('members.search')}
        labelHidden
        type="search"
        placeholder={t('members.search')}
        value={search}
        onChange={event => setSearch(event.target.value)}
      />
      {shown.length === 0 ? (
        <EmptyState title={t('members.none')}>{t('members.noneText')}</EmptyState>
      ) : (
        <Card flush>
          <List label={t('members.tab')}>
            {shown.map(member => (
              <li key={member.id}>
                <button type="button" className={rowClass} onClick={() => setOpen(member.userId)}>
                  <MemberFace member={member} name={nameOf(member)} sites={sites} />
                </button>
              </li>
            ))}
          </List>
        </Card>
      )}
      {opened && <MemberSheet key={opened.id} member={opened} sites={sites} onClose={() => setOpen(null)} />}
    </div>
  );
}

function MemberFace({ member, name, sites }: { member: Member; name: string; sites: Members['sites'] }) {
  const { t } = useTranslation('spaces');
  const { formatDate } = useFormat();
  const places = sites.filter(({ id }) => member.siteIds.includes(id)).map(site => site.name);
  const end = member.validUntil === null ? [] : [t('members.until', { date: formatDate(new Date(member.validUntil)) })];
  return (
    <RowFace
      start={<Avatar name={name} />}
      title={name}
      detail={[t(`roles.${member.role}`), ...places, ...end].join(' · ')}
    />
  );
}
