import type { ReactNode } from 'react';
import { Check, Flag } from 'lucide-react';
import { isEnded } from '@cairn/core/action-items/action-status.ts';
import { Avatar } from '@cairn/ui/images/avatar.tsx';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { StatusChip } from '@cairn/ui/feedback/pill.tsx';
import { Card, RowFace, RowIcon } from '@cairn/ui/layout/surface.tsx';
import { VirtualRows } from '@cairn/ui/data/virtual-rows.tsx';
import { SubmittedByLine } from '../../shared/records/submitted-by.tsx';
import type { Action } from './action-screen-queries.ts';
import { type ActionLabels, useActionLabels } from './action-labels.ts';
import { STATUS_FACES } from './status-pill.tsx';

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
  const words = useActionLabels();
  return (
    <Card flush>
      <VirtualRows
        rows={rows}
        estimate={68}
        className="action-list"
        label={label}
        renderRow={row => renderAction(row.id, <ActionFace {...{ row, names, assets, now, words }} />)}
      />
    </Card>
  );
}

type FaceProps = Pick<Props, 'names' | 'assets' | 'now'> & { row: Action; words: ActionLabels };

function ActionFace({ row, names, assets, now, words }: FaceProps) {
  const { formatDay, formatDue } = words.format;
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
          {words.priority(row.priority)}
          {due && (
            <>
              {' · '}
              <span className={`due ${due.state}`}>{words.due(due.text)}</span>
            </>
          )}
          {ended && row.closed_at && ` · ${formatDay(new Date(row.closed_at), now)}`}
          <SubmittedByLine row={row} />
        </>
      }
      end={
        <>
          <StatusChip state={STATUS_FACES[row.status]}>{words.status(row.status)}</StatusChip>
          {who && (
            <span className="action-who">
              <Avatar name={who} />
              <span className="sr">{words.who(who)}</span>
            </span>
          )}
        </>
      }
    />
  );
}
