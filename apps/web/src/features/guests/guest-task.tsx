import { useTranslation } from 'react-i18next';
import type { GuestTask } from '@cairn/core/guests/guest-reply.ts';
import { Check, ThumbsUp, X } from 'lucide-react';
import { Facts } from '@cairn/ui/data/facts.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { Timeline } from '@cairn/ui/data/timeline.tsx';
import { useFormat } from '../../shared/format/format.ts';
import { GuestPictures } from './guest-pictures.tsx';
import type { OutsideCalls } from '../../shared/server/send-stored.ts';

type Props = { token: string; task: GuestTask; calls: () => Promise<OutsideCalls> };

/** What is asked, by whom, where and until when. */
export function GuestTaskFacts({ token, task, calls }: Props) {
  const { t } = useTranslation('guest');
  const { formatDate, formatDay } = useFormat();
  const { organization, by } = task;
  return (
    <>
      <header className="stack">
        <p className="sm muted">
          {by === null ? t('asks', { organization }) : t('asksBy', { organization, name: by })}
        </p>
        <h1 className="h1 guest-words">{task.title}</h1>
      </header>
      <Card className="stack" label={t('what')}>
        {task.description !== null && <p className="guest-words">{task.description}</p>}
        <Facts
          look="under"
          facts={[
            [t('due'), task.due_at === null ? t('noDue') : formatDay(new Date(task.due_at))],
            [t('where'), task.site],
            [t('until'), formatDate(new Date(`${task.until}T12:00:00`))],
          ]}
        />
        {task.photos.length > 0 && <GuestPictures token={token} photos={task.photos} calls={calls} />}
      </Card>
    </>
  );
}

const ICONS = { accept: ThumbsUp, decline: X, done: Check } as const;

/** What this guest said so far. */
export function GuestReplies({ replies }: { replies: GuestTask['replies'] }) {
  const { t } = useTranslation('guest');
  const { formatInstant } = useFormat();
  if (replies.length === 0) return null;
  return (
    <Card className="stack" label={t('said')}>
      <h2 className="h2">{t('said')}</h2>
      <Timeline
        label={t('said')}
        moments={replies.map(({ act, at, text }, index) => ({
          id: String(index),
          icon: ICONS[act],
          title: t(`act.${act}`),
          when: formatInstant(new Date(at)),
          at,
          detail: text === null ? undefined : <span className="guest-words">{text}</span>,
        }))}
      />
    </Card>
  );
}
