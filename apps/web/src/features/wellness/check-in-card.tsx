import { useState } from 'react';
import { Check, Lock } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { addDays } from '@cairn/base/local-day.ts';
import { SKIP_REASONS } from '@cairn/core/wellness/check-in.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { DateInput } from '@cairn/ui/controls/date-input.tsx';
import { Select } from '@cairn/ui/controls/select.tsx';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { MoodStones } from '@cairn/ui/controls/mood-stones.tsx';
import { NumberInput } from '@cairn/ui/controls/number-input.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { formatDay, formatTime } from '../../shared/format/format.ts';
import { useToday } from '../../shared/format/use-today.ts';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import { CoachSays } from './coach-says.tsx';
import { LevelChoice } from './level-choice.tsx';
import { NotePart } from './note-part.tsx';
import { TagChoice } from './tag-choice.tsx';
import type { CheckInWork } from './use-check-in.ts';
import type { Notes } from './use-private-notes.ts';
import { useScaleLabels } from './wellness-labels.ts';

type Props = { work: CheckInWork; notes: Notes };

/** How are you: one tap saves the mood, everything after it is as one likes. */
export function CheckInCard({ work, notes }: Props) {
  const { t } = useTranslation('wellness');
  const words = useScaleLabels();
  const { draft, say, begin, failure } = work;
  const { answers, id } = draft;
  const today = useToday();
  const isToday = draft.day === today;
  const when = formatDay(new Date(`${draft.day}T12:00:00`));
  return (
    <Card label={t('checkIn.label')} className="parts">
      <p className="row sm muted">
        <Icon of={Lock} size="s" />
        {t('onlyYou')}
      </p>
      <h2 className="h2 check-in-question">
        {isToday ? t('checkIn.question') : t('checkIn.questionOf', { day: when })}
      </h2>
      <CoachSays mood={answers.mood ?? null} />
      <MoodStones
        label={t('checkIn.mood')}
        words={words.mood}
        value={answers.mood ?? null}
        onChange={mood => void say({ mood })}
      />
      <FailureLine failure={failure} />
      {id === null ? <Before work={work} /> : <More work={work} notes={notes} />}
      {id !== null && (
        <div className="check-in-end">
          <output className="saved sm">
            {draft.savedAt && (
              <>
                <Icon of={Check} size="s" />
                {t('checkIn.saved', { time: formatTime(draft.savedAt) })}
              </>
            )}
          </output>
          <Button variant="primary" size="lg" block onClick={() => begin(today)}>
            {t('checkIn.done')}
          </Button>
        </div>
      )}
    </Card>
  );
}

/** Before anything is said: another day, or why there is nothing to say. */
function Before({ work: { draft, begin, say } }: { work: CheckInWork }) {
  const { t, i18n } = useTranslation('wellness');
  const [open, setOpen] = useState(false);
  const today = useToday();
  if (!open) {
    return (
      <div className="row wrap between">
        <p className="muted sm">{t('checkIn.hint')}</p>
        <Button variant="plain" size="sm" onClick={() => setOpen(true)}>
          {t('checkIn.other')}
        </Button>
      </div>
    );
  }
  return (
    <div className="parts">
      <DateInput
        label={t('checkIn.day')}
        value={draft.day}
        min={addDays(today, -365)}
        max={today}
        locale={i18n.language}
        onChange={day => day !== null && day <= today && begin(day)}
      />
      <Select
        label={t('checkIn.skip')}
        placeholder={t('checkIn.skipNone')}
        choices={SKIP_REASONS.map(value => ({ value, label: t(`skipped.${value}`) }))}
        value={draft.answers.skipped ?? ''}
        onChange={event => {
          const skipped = SKIP_REASONS.find(each => each === event.target.value);
          if (skipped) void say({ skipped });
        }}
      />
    </div>
  );
}

function More({ work: { draft, say, keepNote }, notes }: Props) {
  const { t, i18n } = useTranslation('wellness');
  const words = useScaleLabels();
  const { answers } = draft;
  if (answers.skipped)
    return <p className="muted">{t('checkIn.skipped', { reason: t(`skipped.${answers.skipped}`) })}</p>;
  return (
    <>
      <LevelChoice
        label={t('energy.label')}
        look="bars"
        words={words.energy}
        value={answers.energy ?? null}
        onChange={energy => void say({ energy })}
      />
      <LevelChoice
        label={t('stress.label')}
        look="stones"
        words={words.stress}
        value={answers.stress ?? null}
        onChange={stress => void say({ stress })}
      />
      <div className="parts">
        <NumberInput
          label={t('sleep.hours')}
          value={answers.sleep_hours ?? null}
          onChange={hours => (hours === null || (hours >= 0 && hours <= 24)) && void say({ sleep_hours: hours })}
          locale={i18n.language}
          notANumber={t('sleep.notANumber')}
          unit="h"
          min={0}
          max={24}
          steps={{ less: t('sleep.less'), more: t('sleep.more'), step: answers.sleep_hours == null ? 7 : 0.5 }}
        />
        <LevelChoice
          label={t('sleep.label')}
          look="stones"
          words={words.sleep}
          value={answers.sleep_quality ?? null}
          onChange={quality => void say({ sleep_quality: quality })}
        />
      </div>
      <TagChoice tags={answers.tags ?? []} onChange={tags => void say({ tags })} />
      <NotePart key={draft.id} record={draft.id ?? ''} closed={answers.note ?? null} notes={notes} onNote={keepNote} />
    </>
  );
}
