import { ListPlus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { takeOn, type NextStep } from '@cairn/core/support-circle/sessions.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import { formatDate } from '../../shared/format/format.ts';
import { useSignedIn } from '../../shared/session/session.ts';
import { useAction } from '../../shared/errors/use-action.ts';

type Props = { steps: readonly NextStep[]; /** Null for a helper. */ taken: ReadonlySet<string> | null };

/** The instant a local day ends. */
const endOf = (day: string): string => new Date(`${day}T23:59:59.999`).toISOString();

/** What was agreed; the person makes action items of it. */
export function SessionSteps({ steps, taken }: Props) {
  const { t } = useTranslation('circle');
  const store = useStore();
  const { user } = useSignedIn();
  const left = taken ? steps.filter(({ id }) => !taken.has(id)) : [];
  const taking = useAction(async (wanted: readonly NextStep[]) => {
    const count = await store.write('support-circle.takeOn', tx => takeOn(tx, { steps: wanted, by: user.id, endOf }));
    toast({ title: t('sessions.took', { count }) });
  });
  if (steps.length === 0) return null;
  return (
    <>
      <ul className="circle-steps" aria-label={t('sessions.steps')}>
        {steps.map(step => (
          <li key={step.id} className="sm">
            {step.title}
            {step.due_on && ` · ${t('sessions.due', { date: formatDate(new Date(`${step.due_on}T00:00:00`)) })}`}
            {taken?.has(step.id) && ` · ${t('sessions.taken')}`}
          </li>
        ))}
      </ul>
      <FailureLine failure={taking.failure} />
      {left.length > 0 && (
        <Button size="sm" icon={ListPlus} busy={taking.busy} onClick={() => taking.run(left)}>
          {t('sessions.take', { count: left.length })}
        </Button>
      )}
    </>
  );
}
