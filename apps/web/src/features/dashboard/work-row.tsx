import { Link } from '@tanstack/react-router';
import { ClipboardCheck, Flag, OctagonX } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Checkbox } from '@cairn/ui/controls/choice.tsx';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { RowFace, RowIcon, rowClass } from '@cairn/ui/layout/surface.tsx';
import { useFormat } from '../../shared/format/format.ts';
import { useTickTask } from './use-tick-task.ts';
import { workPath } from './work-path.ts';
import type { Work } from './work-queries.ts';

type Props = {
  work: Work;
  now: Date;
  /** Runs before the row opens. */
  onOpen?: () => void;
};

/** One thing to do: name, where, when. */
export function WorkRow({ work, now, onOpen }: Props) {
  const { t } = useTranslation('dashboard');
  const { formatDue } = useFormat();
  const due = work.dueAt && formatDue(work.dueAt, now);
  const origin = work.fromInspection ? t('today.fromInspection') : t(`today.${work.kind}`);
  const kind = work.isCritical ? `${t('next.critical')} · ${origin}` : origin;
  const tick = useTickTask();
  return (
    <li className={work.kind === 'task' ? 'work-task' : undefined}>
      {work.kind === 'task' && onOpen === undefined && (
        <Checkbox
          look="done"
          label={t('today.tick', { title: work.title })}
          labelHidden
          checked={false}
          disabled={tick.busy}
          onChange={() => tick.run(work)}
        />
      )}
      <Link to={workPath(work)} className={rowClass} onClick={onOpen}>
        <RowFace
          start={
            work.kind !== 'task' && (
              <RowIcon tone={work.isCritical ? 'bad' : work.kind === 'inspection' ? 'accent' : 'neutral'}>
                <Icon of={work.isCritical ? OctagonX : work.kind === 'inspection' ? ClipboardCheck : Flag} />
              </RowIcon>
            )
          }
          title={work.title}
          detail={work.place === null ? kind : `${kind} · ${work.place}`}
          end={due && <span className={`due ${due.state}`}>{due.text}</span>}
        />
      </Link>
    </li>
  );
}
