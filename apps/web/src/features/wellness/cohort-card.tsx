import { useState } from 'react';
import { EyeOff } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { addDays } from '@cairn/base/local-day.ts';
import {
  byPlace,
  COHORT_MEASURES,
  FIGURE_WEEKS,
  rangeOf,
  reportedWeeks,
  workloadHint,
  type CohortFigure,
  type Employer,
  type CohortPlace,
  type PlaceFigures,
} from '@cairn/core/wellness/cohort.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { EmptyState } from '@cairn/ui/feedback/empty-state.tsx';
import { Select } from '@cairn/ui/controls/select.tsx';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { Card, CardHead } from '@cairn/ui/layout/surface.tsx';
import { formatDate } from '../../shared/format/format.ts';
import { ServerAnswer } from '../../shared/server/server-answer.tsx';
import { useNow } from '../../shared/format/use-now.ts';
import { useCohortSettings, useFigures } from './use-cohort.ts';

type Props = { employer: Employer; places: readonly CohortPlace[] };

const dayOf = (day: string): string => formatDate(new Date(`${day}T00:00:00`));

/** The figures of four weeks, place by place; where there are none it says why. */
export function CohortCard({ employer, places }: Props) {
  const { t } = useTranslation('cohort');
  const weeks = reportedWeeks(useNow().getTime());
  const [picked, setPicked] = useState<string | null>(null);
  const week = picked ?? weeks[0] ?? '';
  const settings = useCohortSettings(employer.id);
  return (
    <Card label={t('figures.title')} className="parts">
      <CardHead title={t('figures.title')} />
      {settings.data?.is_on === false ? (
        <EmptyState title={t('figures.off', { organisation: employer.name })}>{t('figures.offText')}</EmptyState>
      ) : (
        <>
          <Select
            label={t('figures.week')}
            choices={weeks.map(each => ({
              value: each,
              label: t('figures.span', { from: dayOf(each), until: dayOf(addDays(each, 7 * FIGURE_WEEKS - 1)) }),
            }))}
            value={week}
            onChange={event => setPicked(event.target.value)}
          />
          <p className="muted sm">{t('figures.chance')}</p>
          <Week employer={employer} places={places} week={week} />
        </>
      )}
    </Card>
  );
}

function Week({ employer, places, week }: Props & { week: string }) {
  const { t } = useTranslation('cohort');
  const figures = useFigures(employer.id, week);
  const words = {
    loading: t('loading'),
    offline: t('offline'),
    offlineText: t('offlineText'),
    failed: t('failed'),
    failedText: t('failedText'),
    again: t('again'),
  };
  return (
    <ServerAnswer query={figures} words={words} rows={5} level={3}>
      {({ now, earlier }) => (
        <ul className="cohort">
          {byPlace(places, now).map(place => (
            <PlaceRow key={`${place.kind}/${place.id}`} place={place} earlier={earlier} />
          ))}
        </ul>
      )}
    </ServerAnswer>
  );
}

function PlaceRow({ place, earlier }: { place: PlaceFigures; earlier: readonly CohortFigure[] }) {
  const { t } = useTranslation('cohort');
  const before = earlier.find(each => each.kind === place.kind && each.place_id === place.id) ?? null;
  const hint = workloadHint(place.stress, before);
  const figures = COHORT_MEASURES.flatMap(measure => place[measure] ?? []);
  const people = figures[0]?.people;
  return (
    <li>
      <h3 className="t">{place.name}</h3>
      <p className="muted xs">
        {t(`kind.${place.kind}`)}
        {people !== undefined && ` · ${t('people', { count: people })}`}
      </p>
      {people === undefined ? <NotEnough /> : <Estimates figures={figures} />}
      {hint && (
        <Banner title={t('hint.title')}>
          {t('hint.text', { from: hint.from, to: hint.to, before: hint.before, count: hint.overdue })}
        </Banner>
      )}
    </li>
  );
}

function NotEnough() {
  const { t } = useTranslation('cohort');
  return (
    <p className="muted sm cohort-hidden">
      <Icon of={EyeOff} size="s" />
      <span>{t('hidden')}</span>
    </p>
  );
}

function Estimates({ figures }: { figures: readonly CohortFigure[] }) {
  const { t } = useTranslation('cohort');
  return (
    <dl className="means">
      {figures.map(figure => (
        <div key={figure.measure}>
          <dt className="muted sm">{t(`measure.${figure.measure}`)}</dt>
          <dd className="sm">{t('estimate', { percent: figure.percent, ...rangeOf(figure) })}</dd>
        </div>
      ))}
    </dl>
  );
}
