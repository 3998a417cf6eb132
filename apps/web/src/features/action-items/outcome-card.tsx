import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { mustLeaveCheck } from '@cairn/core/action-items/another-verifies.ts';
import { judgeOutcome, type Outcome } from '@cairn/core/action-items/change-action-item.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Textarea } from '@cairn/ui/controls/textarea.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { useFormat } from '../../shared/format/format.ts';
import { useSpace } from '../../shared/session/space.ts';
import { useAction } from '../../shared/errors/use-action.ts';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import type { Action } from './action-screen-queries.ts';

type Props = { item: Action; mayJudge: boolean; nameOf: (id: string | null) => string };

/** Of what is closed: whether it worked, said by somebody who did not do it. */
export function OutcomeCard({ item, mayJudge, nameOf }: Props) {
  const { t } = useTranslation('actions');
  const { formatDay, formatInstant } = useFormat();
  const { userId } = useSpace();
  const leave = useLive(mustLeaveCheck({ ...item, assignee_id: null }, userId));
  if (item.outcome !== null) {
    const recorded = {
      name: nameOf(item.outcome_by),
      when: item.outcome_at ? formatInstant(new Date(item.outcome_at)) : '',
    };
    return (
      <Card className="stack" label={t('outcome.title')}>
        <h2 className="h2">{t('outcome.title')}</h2>
        <p>{t(`outcome.${item.outcome}`)}</p>
        {item.outcome_note !== null && <p className="sm action-words">{item.outcome_note}</p>}
        <p className="sm muted">{t('outcome.by', recorded)}</p>
      </Card>
    );
  }
  if (item.status !== 'closed') return null;
  const mayNow = mayJudge && leave.status === 'ready' && !leave.answer;
  return (
    <Card className="stack" label={t('outcome.title')}>
      <h2 className="h2">{t('outcome.title')}</h2>
      <p className="sm muted">
        {item.check_on === null
          ? t('outcome.anyDay')
          : t('outcome.on', { day: formatDay(new Date(`${item.check_on}T12:00:00`)) })}
      </p>
      {mayNow && <Judging item={item} />}
    </Card>
  );
}

function Judging({ item }: { item: Action }) {
  const { t } = useTranslation('actions');
  const store = useStore();
  const { userId } = useSpace();
  const [note, setNote] = useState('');
  const [lacks, setLacks] = useState(false);
  const judging = useAction(async (outcome: Outcome['outcome']) => {
    await store.write('action-items.judge', tx =>
      judgeOutcome(tx, { id: item.id, outcome, note, by: userId, at: new Date().toISOString() }),
    );
    toast({ title: t('saved') });
  });
  const judge = (outcome: Outcome['outcome']) => {
    const isMute = outcome === 'not_effective' && note.trim() === '';
    setLacks(isMute);
    if (!isMute) judging.run(outcome);
  };
  return (
    <>
      <Textarea
        label={t('outcome.note')}
        value={note}
        maxLength={2000}
        error={lacks ? t('outcome.noteNeeded') : undefined}
        onChange={event => setNote(event.target.value)}
      />
      <FailureLine failure={judging.failure} />
      <div className="row wrap">
        <Button busy={judging.busy} onClick={() => judge('effective')}>
          {t('outcome.worked')}
        </Button>
        <Button busy={judging.busy} onClick={() => judge('not_effective')}>
          {t('outcome.failed')}
        </Button>
      </div>
    </>
  );
}
