import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { policyFileOf } from '@cairn/core/policies/policy-file.ts';
import { unfilled } from '@cairn/core/policies/policy-variables.ts';
import { colleagues, openedPolicy, type OpenedPolicy } from '@cairn/core/policies/queries.ts';
import { isEditable, nextNumber, type PolicyVersion } from '@cairn/core/policies/version-states.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Segmented } from '@cairn/ui/controls/choice.tsx';
import { EmptyState } from '@cairn/ui/feedback/empty-state.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import { SkeletonHeading, SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { useFormat } from '../../../shared/format/format.ts';
import { useSpace } from '../../../shared/session/space.ts';
import { FailureLine } from '../../../shared/errors/failure-line.tsx';
import { DocumentCard, UploadButton } from './document-card.tsx';
import { QuizEditor } from '../quiz/quiz-editor.tsx';
import { useDraft, type DraftState } from './use-draft.ts';
import { UnfilledBanner } from './unfilled-banner.tsx';
import { useKnownValues } from './use-known-values.ts';
import { useEditLock, type EditLock } from './use-edit-lock.ts';
import { TextEditor, type TextEditorProps } from './text-editor.tsx';
import '../document/policies.css';

type Props = { policyId: string; backLink: ReactNode; onDone: (versionId: string) => void };

/** Where the next version of a policy is written. */
export function EditScreen({ policyId, backLink, onDone }: Props) {
  const { t } = useTranslation('policyAuthoring');
  const { organization, userId, may } = useSpace();
  const found = useLive(openedPolicy(policyId, { organizationId: organization.id, userId }));
  if (found.status === 'loading') {
    return (
      <div className="parts foot-room">
        <SkeletonHeading label={t('loading')} />
        <SkeletonRows label={t('loading')} rows={6} start={false} />
      </div>
    );
  }
  const next = found.answer?.next;
  if (!found.answer || !next || !may('policy.author')) {
    return (
      <EmptyState level={1} title={t('missing')} action={backLink}>
        {t('missingText')}
      </EmptyState>
    );
  }
  if (!isEditable(next.state)) {
    return (
      <EmptyState level={1} title={next.title} action={backLink}>
        {t('edit.frozen')}
      </EmptyState>
    );
  }
  // With another file, what was typed before it is no word of this text.
  const file = policyFileOf(next)?.id ?? '';
  return <Writing key={next.id + file} opened={found.answer} version={next} backLink={backLink} onDone={onDone} />;
}

type WritingProps = Omit<Props, 'policyId'> & { opened: OpenedPolicy; version: PolicyVersion };

function Writing({ opened, version, backLink, onDone }: WritingProps) {
  const { t } = useTranslation('policyAuthoring');
  const { draft, edit, flush, state, failure } = useDraft(version);
  const lock = useEditLock(version);
  const { organization } = useSpace();
  const values = useKnownValues();
  const isHeld = lock.status === 'held';
  return (
    <div className="parts foot-room">
      {backLink}
      <div className="page-head">
        <h1 className="h1">{draft.title.trim() === '' ? t('edit.title') : draft.title}</h1>
        <div className="row wrap">
          <Saved state={state} />
          <Button variant="primary" onClick={() => void flush().then(() => onDone(version.id))}>
            {t('edit.done')}
          </Button>
        </div>
      </div>
      <EditLockBanner lock={lock} version={version} />
      <FailureLine failure={failure} />
      <Card className="parts policy-edit-facts">
        <Input
          label={t('edit.title')}
          value={draft.title}
          maxLength={200}
          readOnly={isHeld}
          error={draft.title.trim() === '' ? t('edit.titleNeeded') : undefined}
          onChange={event => edit({ title: event.target.value })}
        />
        {opened.current && (
          <>
            <ChangeChoice current={opened.current} value={draft.change} onChange={change => edit({ change })} />
            <Input
              label={t('edit.changelog')}
              value={draft.changelog ?? ''}
              maxLength={2000}
              readOnly={isHeld}
              onChange={event => edit({ changelog: event.target.value || null })}
            />
          </>
        )}
      </Card>
      <UnfilledBanner lacking={unfilled(draft, values)} tone="info" />
      <Words version={draft} values={values} readOnly={isHeld} onChange={body => edit({ body })} />
      {organization.kind === 'company' && (
        <QuizEditor quiz={draft.quiz} body={draft.body} readOnly={isHeld} onChange={quiz => edit({ quiz })} />
      )}
    </div>
  );
}

type WordsProps = Omit<TextEditorProps, 'body'> & { version: PolicyVersion };

/** The words, or the file they are in. */
function Words({ version, ...rest }: WordsProps) {
  const { t } = useTranslation('policyFiles');
  if ((version.file ?? null) !== null) return <DocumentCard version={version} readOnly={rest.readOnly} />;
  return (
    <>
      {!rest.readOnly && (
        <div className="row">
          <UploadButton versionId={version.id} label={t('upload.act')} />
        </div>
      )}
      <TextEditor body={version.body} {...rest} />
    </>
  );
}

function Saved({ state }: { state: DraftState }) {
  const { t } = useTranslation('policyAuthoring');
  return <output className="sm muted">{t(`edit.${state}`)}</output>;
}

function EditLockBanner({ lock, version }: { lock: EditLock; version: PolicyVersion }) {
  const { t } = useTranslation('policyAuthoring');
  const { formatTime } = useFormat();
  const { organization } = useSpace();
  const people = useLive(colleagues(organization.id));
  if (lock.status === 'unknown') return <Banner title={t('edit.penUnknown')} />;
  if (lock.status === 'mine') return null;
  const known = people.status === 'ready' ? people.answer.find(({ id }) => id === version.editing_by) : undefined;
  const who = { name: known?.name ?? t('somebody'), time: formatTime(new Date(version.editing_since ?? '')) };
  return (
    <Banner
      tone="warn"
      title={t('edit.penHeld', who)}
      action={<Button onClick={lock.takeOver}>{t('edit.takeOver')}</Button>}
    >
      {t('edit.penHeldText')}
    </Banner>
  );
}

type ChangeProps = {
  current: PolicyVersion;
  value: PolicyVersion['change'];
  onChange: (change: PolicyVersion['change']) => void;
};

function ChangeChoice({ current, value, onChange }: ChangeProps) {
  const { t } = useTranslation('policyAuthoring');
  return (
    <div className="stack">
      <Segmented
        label={t('edit.change')}
        labelHidden={false}
        value={value}
        onChange={chosen => onChange(chosen === 'major' ? 'major' : 'minor')}
        options={(['minor', 'major'] as const).map(each => ({
          value: each,
          label: t(`edit.${each}`, { number: nextNumber(current, each) }),
        }))}
      />
      <p className="hint">{t(value === 'major' ? 'edit.majorText' : 'edit.minorText')}</p>
    </div>
  );
}
