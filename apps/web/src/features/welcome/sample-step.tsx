import { useCallback, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Trash2 } from 'lucide-react';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { failureText } from '../../shared/errors/failure-text.ts';
import { useAction } from '../../shared/errors/use-action.ts';
import { StepFrame, type StepProps } from './step-frame.tsx';
import type { FirstRun } from './use-first-run.ts';
import { useAddSample, useRemovePersonalSample } from './use-set-up.ts';

/** @throws {Failure} `not_allowed`, `offline` */
export type RemoveSampleCompany = (organizationId: string) => Promise<void>;

type Props = StepProps & {
  run: FirstRun;
  kind: 'company' | 'personal';
  onOpen: (organizationId: string) => void;
  removeCompany: RemoveSampleCompany;
  /** Keeps this step on the screen although it is done: what was added can be opened or removed here. */
  onStay: () => void;
};

/** Real rows to look around with, kept apart from one's own and removed in one act. */
export function SampleStep({ run, kind, onOpen, removeCompany, onStay, onSkip, onDone }: Props) {
  const { t } = useTranslation('welcome');
  const added = useCallback(() => toast({ title: t('sample.added') }), [t]);
  const adding = useAddSample(run.personal?.id ?? null, added);
  const { hasSample } = run.facts;
  const add = () => {
    onStay();
    adding.run(kind);
  };
  return (
    <StepFrame
      title={t('sample.title')}
      text={t(`sample.${kind}`)}
      go={t(hasSample ? 'next' : 'sample.add')}
      onGo={() => (hasSample ? onDone() : add())}
      onSkip={onSkip}
      busy={adding.busy}
      failure={adding.failure}
    >
      {hasSample && kind === 'personal' && run.personal && <PersonalSample playbookId={run.personal.id} />}
      {hasSample && kind === 'company' && run.sampleCompany && (
        <CompanySample
          organizationId={run.sampleCompany.id}
          isOpen={run.sampleIsOpen}
          onOpen={onOpen}
          remove={removeCompany}
        />
      )}
    </StepFrame>
  );
}

function PersonalSample({ playbookId }: { playbookId: string }) {
  const { t } = useTranslation('welcome');
  const removed = useCallback(() => toast({ title: t('sample.removed') }), [t]);
  const removing = useRemovePersonalSample(playbookId, removed);
  return (
    <Banner
      tone="good"
      title={t('sample.there')}
      action={
        <Button icon={Trash2} busy={removing.busy} onClick={() => removing.run()}>
          {t('sample.remove')}
        </Button>
      }
    />
  );
}

type CompanyProps = {
  organizationId: string;
  isOpen: boolean;
  onOpen: (organizationId: string) => void;
  remove: RemoveSampleCompany;
};

function CompanySample({ organizationId, isOpen, onOpen, remove }: CompanyProps) {
  const { t } = useTranslation('welcome');
  const removing = useAction(async () => {
    await remove(organizationId);
    toast({ title: t('sample.removed') });
  });
  const acts: ReactNode = isOpen && (
    <>
      <Button onClick={() => onOpen(organizationId)}>{t('sample.open')}</Button>
      <Button icon={Trash2} busy={removing.busy} onClick={() => removing.run()}>
        {t('sample.remove')}
      </Button>
    </>
  );
  return (
    <Banner tone="good" title={t('sample.there')} action={acts}>
      {!isOpen && t('sample.waits')}
      {removing.failure && <FailedRemoval code={removing.failure.code} />}
    </Banner>
  );
}

function FailedRemoval({ code }: { code: keyof typeof failureText }) {
  const { t } = useTranslation('failure');
  return (
    <p className="err" role="alert">
      {t(failureText[code])}
    </p>
  );
}
