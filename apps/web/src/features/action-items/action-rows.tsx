import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Check, Flag } from 'lucide-react';
import { isEnded } from '@cairn/core/action-items/action-status.ts';
import { Avatar } from '@cairn/ui/avatar.tsx';
import { Icon } from '@cairn/ui/icon.tsx';
import { Card, RowFace, RowIcon } from '@cairn/ui/surface.tsx';
import { useFormat } from '../../shared/format.ts';
import { VirtualRows } from '@cairn/ui/virtual-rows.tsx';
import type { Action } from './action-screen-queries.ts';
import { StatusPill } from './status-pill.tsx';

type Props = {
  rows: readonly Action[];
  /** Of people, by id. */
  names: ReadonlyMap<string, string>;
  /** Of assets, by id. */
  assets: ReadonlyMap<string, string>;
  now: Date;
  label: string;
  renderAction: (id: string, face: ReactNode) => ReactNode;
};

/** Only the rows in sight are drawn, however many there are. */
export function ActionRows({ rows, names, assets, now, label, renderAction }: Props) {
  return (
    <Card flush>
      <VirtualRows
        rows={rows}
        estimate={68}
        className="action-list"
        label={label}
        renderRow={row => renderAction(row.id, <ActionFace row={row} names={names} assets={assets} now={now} />)}
      />
    </Card>
  );
}

type FaceProps = Pick<Props, 'names' | 'assets' | 'now'> & { row: Action };

function ActionFace({ row, names, assets, now }: FaceProps) {
  const { t } = useTranslation('actions');
  const { formatDay, formatDue } = useFormat();
  const ended = isEnded(row.status);
  const due = row.due_at && !ended ? formatDue(new Date(row.due_at), now) : null;
  const asset = assets.get(row.asset_id ?? '');
  const who = row.assignee_id ? names.get(row.assignee_id) : undefined;
  const urgent = row.priority === 'critical' || row.priority === 'high';
  return (
    <RowFace
      start={
        <RowIcon tone={ended ? 'good' : urgent ? 'bad' : 'neutral'}>
          <Icon of={ended ? Check : Flag} />
        </RowIcon>
      }
      title={row.title}
      detail={
        <>
          {asset && `${asset} · `}
          {t('row.priority', { priority: t(`priority.${row.priority}`) })}
          {due && (
            <>
              {' · '}
              <span className={`due ${due.state}`}>{t('row.due', { when: due.text })}</span>
            </>
          )}
          {ended && row.closed_at && ` · ${formatDay(new Date(row.closed_at), now)}`}
        </>
      }
      end={
        <>
          <StatusPill status={row.status} />
          {who && (
            <span className="action-who">
              <Avatar name={who} />
              <span className="sr">{t('row.who', { name: who })}</span>
            </span>
          )}
        </>
      }
    />
  );
}
