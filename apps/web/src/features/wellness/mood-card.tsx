import type { ReactNode } from 'react';
import { Check, Lock } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { MoodStones } from '@cairn/ui/controls/mood-stones.tsx';
import { Card, CardHead } from '@cairn/ui/layout/surface.tsx';
import { formatTime } from '../../shared/format/format.ts';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import { useToday } from '../../shared/format/use-today.ts';
import { LevelChoice } from './level-choice.tsx';
import { QuietOffer } from './quiet-offer.tsx';
import { useCheckIn } from './use-check-in.ts';
import { useTodaysCheckIn } from './use-todays-check-in.ts';
import { useScaleLabels } from './wellness-labels.ts';
import './wellness.css';

type Props = {
  /** To all check-ins; with `goesOn` the one just begun is taken up there. */
  renderLink: (goesOn: boolean, text: string) => ReactNode;
};

/** Two taps on the dashboard: mood, then energy. The first one saves. */
export function MoodCard({ renderLink }: Props) {
  const { t } = useTranslation('wellness');
  const words = useScaleLabels();
  const { draft, say, failure } = useCheckIn();
  const today = useToday();
  const checkIn = useTodaysCheckIn();
  const last = checkIn.status === 'ready' ? checkIn.answer.findLast(row => row.mood !== null) : undefined;
  const begun = draft.id !== null;
  return (
    <Card flush label={t('checkIn.label')}>
      <CardHead title={t('checkIn.question')} />
      <div className="mood-card">
        <MoodStones
          label={t('checkIn.mood')}
          words={words.mood}
          value={draft.answers.mood ?? null}
          onChange={mood => void say({ mood })}
        />
        {begun && (
          <LevelChoice
            label={t('energy.label')}
            look="bars"
            words={words.energy}
            value={draft.answers.energy ?? null}
            onChange={energy => void say({ energy })}
          />
        )}
        <FailureLine failure={failure} />
        {checkIn.status === 'ready' && <QuietOffer rows={checkIn.answer} today={today} />}
        <output className="row sm muted">
          <Icon of={draft.savedAt ? Check : Lock} size="s" />
          {draft.savedAt
            ? t('checkIn.saved', { time: formatTime(draft.savedAt) })
            : last?.mood
              ? t('card.again', { word: words.mood[last.mood - 1] ?? '' })
              : t('onlyYou')}
        </output>
      </div>
      <div className="card-foot">{renderLink(begun, t(begun ? 'card.more' : 'card.all'))}</div>
    </Card>
  );
}
