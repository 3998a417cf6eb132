import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { GuestTask } from '@cairn/core/guests/guest-reply.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { SkeletonHeading } from '@cairn/ui/feedback/skeleton.tsx';
import { StateBlock } from '@cairn/ui/feedback/state-block.tsx';
import { GuestForm, type RenderPhotos } from './guest-form.tsx';
import { GuestReplies, GuestTaskFacts } from './guest-task.tsx';
import { GuestWaiting } from './guest-waiting.tsx';
import { isOwed, type OutsideCalls } from '../../shared/server/send-stored.ts';
import { useGuestTask, type GuestTaskState } from './use-guest-task.ts';
import { useGuestReplies } from './use-guest-replies.ts';
import { drafts, type Draft, type WaitingReply } from './waiting-replies.ts';
import './guest.css';

type Props = {
  /** What stands in the link. */
  token: string;
  /** @throws {Failure} `offline` when what is asked with cannot be loaded */
  calls: () => Promise<OutsideCalls>;
  renderPhotos: RenderPhotos;
};

/** What opens from a guest link: one action item for somebody outside, with or without a signal. */
export function GuestScreen({ token, calls, renderPhotos }: Props) {
  const { t } = useTranslation('guest');
  const { asked, again } = useGuestTask(token, calls);
  const { words, say, sendNow } = useGuestReplies(token, calls, again);
  const { draft, keepDraft } = useDraft(token);
  if (asked.kind === 'asking' || words === null || draft === null) return <SkeletonHeading label={t('loading')} />;
  const waiting = <GuestWaiting words={words} onSend={sendNow} />;
  if (asked.kind === 'over')
    return (
      <div className="parts foot-room">
        <Over why={asked.why} onAgain={again} />
        {waiting}
      </div>
    );
  const task = asked.task === null ? null : withWaiting(asked.task, words);
  return (
    <div className="parts foot-room">
      {asked.kind === 'offline' && (
        <Banner tone="warn" title={t('offline')}>
          {t(task === null ? 'offlineText' : 'offlineKept')}
        </Banner>
      )}
      {task !== null && <GuestTaskFacts token={token} task={task} calls={calls} />}
      {waiting}
      {task !== null && !isSilent(words) && (
        <GuestForm task={task} draft={draft} onDraft={keepDraft} say={say} renderPhotos={renderPhotos} />
      )}
      {task !== null && <GuestReplies replies={task.replies} />}
    </div>
  );
}

/** A yes that still waits here is a yes. */
function withWaiting(task: GuestTask, words: readonly WaitingReply[]): GuestTask {
  const isAccepted = words.some(word => isOwed(word) && word.body.act === 'accept');
  return isAccepted && task.step === 'asked' ? { ...task, step: 'accepted' } : task;
}

/** What was said and still waits ends what can be said. */
const isSilent = (words: readonly WaitingReply[]): boolean =>
  words.some(word => word.state === 'waiting' && word.body.act !== 'accept');

function Over({ why, onAgain }: { why: Extract<GuestTaskState, { kind: 'over' }>['why']; onAgain: () => void }) {
  const { t } = useTranslation('guest');
  return (
    <StateBlock
      state="not-found"
      level={1}
      title={t(`over.${why}`)}
      action={<Button onClick={onAgain}>{t('over.again')}</Button>}
    >
      {t(`over.${why}Text`)}
    </StateBlock>
  );
}

/** What is typed stays on this phone until it is said, whatever happens to the page; null until that was read. */
function useDraft(token: string) {
  const [draft, setDraft] = useState<Draft | null>(null);
  const [fault, setFault] = useState<unknown>(null);
  const isRead = useRef(false);
  if (fault !== null) throw fault;
  useEffect(() => {
    const empty = { key: token, madeAt: '', text: '', reason: '', photos: [] };
    const read = (all: Draft[]) => {
      const kept = all.find(({ key }) => key === token);
      // What is on the screen is newer than what was read; only that it was said empties it.
      if (!isRead.current || kept === undefined) setDraft(kept ?? empty);
      isRead.current = true;
    };
    const look = () => void drafts.all().then(read, setFault);
    look();
    return drafts.watch(look);
  }, [token]);
  const keepDraft = useCallback((next: Draft) => {
    const row = { ...next, madeAt: new Date().toISOString() };
    setDraft(row);
    void drafts.keep(row).catch(setFault);
  }, []);
  return { draft, keepDraft };
}
