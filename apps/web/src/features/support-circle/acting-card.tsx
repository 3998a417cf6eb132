import { useState } from 'react';
import { Check, Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { newId } from '@cairn/base/id.ts';
import { isEnded, type ActionStatus } from '@cairn/core/action-items/action-status.ts';
import type { SharedPart } from '@cairn/core/support-circle/shared-view.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { emptied } from '../../shared/input/emptied.ts';
import { formatDate, formatDay } from '../../shared/format/format.ts';
import type { ServerCalls } from '../../shared/server/server-calls.ts';
import { useCircleCall } from './use-circle-calls.ts';

export type ActingPart = Extract<SharedPart, { scope: 'tasks'; level: 'full' | 'act' }>;

type Act = { relationshipId: string; act: 'task_added' | 'task_done'; item: string; title?: string };

const actFor = (calls: ServerCalls, { relationshipId, act, item, title }: Act) =>
  calls.call<string>('act_for', {
    p_relationship: relationshipId,
    p_act: act,
    p_item: item,
    ...(title !== undefined && { p_title: title }),
  });

type Props = { part: ActingPart; relationshipId: string; other: string; onDone: () => void };

/** Tasks of somebody one acts for: each act is theirs, and both read who did it. Needs a network: the server writes it down. */
export function ActingCard({ part, relationshipId, other, onDone }: Props) {
  const { t } = useTranslation('circle');
  const [title, setTitle] = useState('');
  const acting = useCircleCall(actFor);
  const run = async (act: Omit<Act, 'relationshipId'>) => {
    if (!(await acting.run({ relationshipId, ...act }))) return;
    setTitle(emptied(act.title));
    onDone();
  };
  const open = part.data.filter(({ status }) => !isEnded(status as ActionStatus));
  return (
    <Card label={t('acting.title', { name: other })} className="parts">
      <h2 className="h2">{t('acting.title', { name: other })}</h2>
      <p className="muted sm">
        {t('acting.text', { name: other })}
        {part.until && ` ${t('acting.until', { date: formatDate(new Date(part.until)) })}`}
      </p>
      {acting.problem && <Banner tone="bad" title={acting.problem} />}
      {open.length === 0 && <p className="muted sm">{t('acting.none')}</p>}
      <ul className="circle-grants">
        {open.map(task => (
          <li key={task.id}>
            <span className="grow">{task.title}</span>
            {task.due_at && <span className="muted sm">{formatDay(new Date(task.due_at))}</span>}
            <Button
              size="sm"
              icon={Check}
              busy={acting.busy}
              aria-label={t('acting.doneOf', { title: task.title })}
              onClick={() => void run({ act: 'task_done', item: task.id })}
            >
              {t('acting.done')}
            </Button>
          </li>
        ))}
      </ul>
      <form
        className="parts"
        onSubmit={event => {
          event.preventDefault();
          void run({ act: 'task_added', item: newId(), title });
        }}
      >
        <Input
          label={t('acting.new', { name: other })}
          value={title}
          maxLength={200}
          onChange={event => setTitle(event.target.value)}
        />
        <Button type="submit" icon={Plus} busy={acting.busy} disabled={title.trim() === ''}>
          {t('acting.add')}
        </Button>
      </form>
    </Card>
  );
}
