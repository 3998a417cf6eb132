import { useTranslation } from 'react-i18next';
import { newId } from '@cairn/base/id.ts';
import { beCounted, type Employer } from '@cairn/core/wellness/cohort.ts';
import { MAX_RELEASES } from '@cairn/core/wellness/cohort-privacy.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { Switch } from '@cairn/ui/controls/choice.tsx';
import { Card, CardHead } from '@cairn/ui/layout/surface.tsx';
import { useSignedIn } from '../../shared/session/session.ts';
import { useAction } from '../../shared/errors/use-action.ts';
import { FailureLine } from '../../shared/errors/failure-line.tsx';

/** The person's own yes or no to being counted; offline too. */
export function CountMeCard({ employer, isCounted }: { employer: Employer; isCounted: boolean }) {
  const { t } = useTranslation('cohort');
  const store = useStore();
  const { user } = useSignedIn();
  const saving = useAction((wanted: boolean) => {
    const counting = { id: newId(), userId: user.id, employerId: employer.id, isCounted: wanted };
    return store.write('wellness.beCounted', tx => beCounted(tx, { ...counting, at: new Date().toISOString() }));
  });
  return (
    <Card label={t('count.title')} className="parts">
      <CardHead title={t('count.title')} />
      <Switch
        label={t('count.switch', { organisation: employer.name })}
        checked={isCounted}
        onChange={wanted => saving.run(wanted)}
      />
      <p className="muted sm">
        {t(isCounted ? 'count.yes' : 'count.no', { organisation: employer.name, life: MAX_RELEASES })}
      </p>
      <FailureLine failure={saving.failure} />
    </Card>
  );
}
