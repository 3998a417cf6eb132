import { useTranslation } from 'react-i18next';
import { localDay } from '@cairn/base/local-day.ts';
import type { CirclePage } from '@cairn/core/support-circle/queries.ts';
import { setCadence } from '@cairn/core/support-circle/sessions.ts';
import { nextSessionDay } from '@cairn/core/support-circle/shown-sessions.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { Select } from '@cairn/ui/controls/select.tsx';
import { formatDate } from '../../shared/format/format.ts';
import { useAction } from '../../shared/errors/use-action.ts';
import { FailureLine } from '../../shared/errors/failure-line.tsx';

const RHYTHMS = [7, 14, 28, 90] as const;

type Props = {
  relationship: CirclePage['relationship'];
  /** When the two last talked, ISO 8601. */
  last: string | null;
  /** One is planned already: nothing is due. */
  isPlanned: boolean;
};

/** How often the two talk, and when the next time is due. */
export function SessionRhythm({ relationship, last, isPlanned }: Props) {
  const { t } = useTranslation('circle');
  const store = useStore();
  const saving = useAction((days: number | null) =>
    store.write('support-circle.cadence', tx => setCadence(tx, relationship.id, days)),
  );
  const next = isPlanned ? null : nextSessionDay(last && localDay(new Date(last)), relationship.cadence_days);
  return (
    <div className="parts">
      <Select
        label={t('sessions.rhythm')}
        placeholder={t('sessions.noRhythm')}
        hint={
          next
            ? t('sessions.next', { date: formatDate(new Date(`${next}T00:00:00`)) })
            : relationship.cadence_days === null
              ? undefined
              : t('sessions.reminds')
        }
        choices={RHYTHMS.map(days => ({ value: String(days), label: t(`sessions.every.${days}`) }))}
        value={relationship.cadence_days === null ? '' : String(relationship.cadence_days)}
        onChange={event => saving.run(event.target.value === '' ? null : Number(event.target.value))}
      />
      <FailureLine failure={saving.failure} />
    </div>
  );
}
