import { Link } from '@tanstack/react-router';
import { ClipboardCheck, Flag } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { ComplianceOverview } from '@cairn/core/dashboard/compliance.ts';
import { Avatar } from '@cairn/ui/images/avatar.tsx';
import { Sheet } from '@cairn/ui/overlays/dialog.tsx';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { StatusChip } from '@cairn/ui/feedback/pill.tsx';
import { List, Row, RowFace, RowIcon, rowClass } from '@cairn/ui/layout/surface.tsx';
import { formatDay, formatNumber } from '../../shared/format/format.ts';
import { useMembers } from './use-people.ts';
import { workPath } from './work-path.ts';

type Props = { onClose: () => void };

/** Rows drawn; the sheet says how many there are in all. */
const SHOWN = 200;

/** The duties behind the compliance rate, those not met first; each opens its record. */
export function DutiesSheet({ overview, now, onClose }: Props & { overview: ComplianceOverview; now: Date }) {
  const { t } = useTranslation('dashboard');
  const { duties, met, due } = overview;
  return (
    <Sheet
      open
      onOpenChange={open => !open && onClose()}
      title={t('duties.title')}
      description={due === 0 ? t('duties.none') : t('duties.count', { met: formatNumber(met), due: formatNumber(due) })}
      closeLabel={t('members.close')}
    >
      <List>
        {duties.slice(0, SHOWN).map(duty => (
          <li key={duty.id}>
            <Link to={workPath(duty)} className={rowClass}>
              <RowFace
                start={
                  <RowIcon>
                    <Icon of={duty.kind === 'inspection' ? ClipboardCheck : Flag} />
                  </RowIcon>
                }
                title={duty.title}
                detail={[t(`today.${duty.kind}`), formatDay(new Date(duty.dueAt ?? ''), now)].join(' · ')}
                end={
                  <StatusChip state={duty.met ? 'done' : 'overdue'}>
                    {t(duty.met ? 'duties.met' : 'duties.missed')}
                  </StatusChip>
                }
              />
            </Link>
          </li>
        ))}
      </List>
      {due > SHOWN && (
        <p className="muted sm">{t('duties.more', { shown: formatNumber(SHOWN), total: formatNumber(due) })}</p>
      )}
    </Sheet>
  );
}

/** Who is counted as a team member. */
export function MembersSheet({ onClose }: Props) {
  const { t } = useTranslation('dashboard');
  const members = useMembers() ?? [];
  return (
    <Sheet open onOpenChange={open => !open && onClose()} title={t('members.title')} closeLabel={t('members.close')}>
      <List>
        {members.map(({ id, name, role, isMe }) => (
          <Row
            key={id}
            start={<Avatar name={name ?? '–'} />}
            title={name ?? t('members.unnamed')}
            detail={isMe ? `${t(`roles.${role}`)} · ${t('members.you')}` : t(`roles.${role}`)}
          />
        ))}
      </List>
    </Sheet>
  );
}
