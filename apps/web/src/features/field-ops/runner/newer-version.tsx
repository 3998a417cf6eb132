import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ArrowUpCircle } from 'lucide-react';
import type { CompiledForm } from '@cairn/core/forms/definition/compiled-form.ts';
import { inLanguage } from '@cairn/core/forms/definition/words.ts';
import { planVersionMove, type LostAnswer, type VersionMove } from '@cairn/core/inspections/version-move.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Sheet } from '@cairn/ui/overlays/dialog.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { useAction } from '../../../shared/errors/use-action.ts';
import { compiledVersion } from '../inspections/compiled-version.ts';
import { FailureLine } from '../../../shared/errors/failure-line.tsx';
import { formVersion, type InspectionRecord } from '../inspections/inspection-queries.ts';
import { plainAnswerText } from '../answers/answer-text.ts';
import { questionLabel } from '../answers/question-label.ts';
import type { Runner } from './use-runner.ts';
import './runner.css';

type Props = { record: InspectionRecord; compiled: CompiledForm; runner: Runner };

/** A draft stays on its version; where its form has a newer one, the person may go on with that. */
export function NewerVersion({ record, compiled, runner }: Props) {
  const { inspection, form } = record;
  const current = form?.current_version_id ?? null;
  const isNewer = form?.state === 'published' && current !== null && current !== inspection.form_version_id;
  if (!isNewer || inspection.status !== 'in_progress') return null;
  return <Offer versionId={current} compiled={compiled} runner={runner} />;
}

function Offer({ versionId, compiled, runner }: Omit<Props, 'record'> & { versionId: string }) {
  const { t } = useTranslation('review');
  const version = useLive(formVersion(versionId));
  const [open, setOpen] = useState(false);
  const to = version.status === 'ready' ? compiledVersion(version.answer) : null;
  if (version.status === 'loading' || !version.answer || !to) return null;
  return (
    <div className="discard">
      <Button size="sm" variant="plain" icon={ArrowUpCircle} onClick={() => setOpen(true)}>
        {t('newer.offer', { number: version.answer.number })}
      </Button>
      {open && (
        <MoveSheet
          number={version.answer.number}
          changes={version.answer.changes}
          from={compiled}
          to={to}
          runner={runner}
          versionId={versionId}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  );
}

type MoveProps = {
  number: number;
  changes: string | null;
  from: CompiledForm;
  to: CompiledForm;
  runner: Runner;
  versionId: string;
  onClose: () => void;
};

/** What would come along, what is new and what would be lost; only then the move. */
function MoveSheet({ number, changes, from, to, runner, versionId, onClose }: MoveProps) {
  const { t } = useTranslation('review');
  const { answers } = runner.form.values;
  const plan = useMemo(() => planVersionMove(from, to, answers), [from, to, answers]);
  const moving = useAction(async () => {
    await runner.moveTo(to, versionId);
    toast({ title: t('newer.moved', { number }) });
    onClose();
  });
  return (
    <Sheet
      open
      onOpenChange={open => !open && onClose()}
      title={t('newer.title', { number })}
      {...(changes !== null && { description: changes })}
      closeLabel={t('newer.close')}
      actions={
        <>
          <Button onClick={onClose}>{t('newer.stay')}</Button>
          <Button variant="primary" busy={moving.busy} onClick={moving.run}>
            {t('newer.move')}
          </Button>
        </>
      }
    >
      <div className="parts">
        <p>{t('newer.text')}</p>
        <Plan plan={plan} language={to.form.languages[0] ?? ''} />
        <FailureLine failure={moving.failure} />
      </div>
    </Sheet>
  );
}

function Plan({ plan, language }: { plan: VersionMove; language: string }) {
  const { t } = useTranslation('review');
  return (
    <>
      <Banner tone="good" title={t('newer.carried', { count: plan.carried.length })} />
      {plan.fresh.length > 0 && (
        <Banner title={t('newer.fresh', { count: plan.fresh.length })}>
          <ul className="move-list">
            {plan.fresh.map(item => (
              <li key={item.path}>{questionLabel(item.question, language)}</li>
            ))}
          </ul>
        </Banner>
      )}
      {plan.lost.length > 0 && (
        <Banner tone="warn" title={t('newer.lost', { count: plan.lost.length })}>
          <ul className="move-list">
            {plan.lost.map(lost => (
              <Lost key={lost.from} lost={lost} language={language} />
            ))}
          </ul>
        </Banner>
      )}
    </>
  );
}

function Lost({ lost, language }: { lost: LostAnswer; language: string }) {
  const { t } = useTranslation('review');
  const { t: tf } = useTranslation('field');
  const { item, answer, why } = lost;
  const label =
    item.kind === 'question'
      ? questionLabel(item.question, language)
      : inLanguage(item.group.label, language) || item.group.name.replaceAll('_', ' ');
  const lines = [
    item.kind === 'question' && answer.value !== null
      ? plainAnswerText({ question: item.question, item, value: answer.value }, language, tf)
      : null,
    answer.note,
    answer.mediaIds.length > 0 && tf('runner.photoWord', { count: answer.mediaIds.length }),
  ].filter(Boolean);
  return (
    <li>
      {lines.length > 0 ? `${label}: ${lines.join(', ')}` : label} ({t(`newer.why.${why}`)})
    </li>
  );
}
