import { lazy, Suspense, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { FileText, Upload } from 'lucide-react';
import { publishForm } from '@cairn/core/field-ops/publish-form.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Button } from '@cairn/ui/button.tsx';
import { EmptyState } from '@cairn/ui/empty-state.tsx';
import { Icon } from '@cairn/ui/icon.tsx';
import { Pill, StatusChip } from '@cairn/ui/pill.tsx';
import { SkeletonRows } from '@cairn/ui/skeleton.tsx';
import { Card, List, RowFace, RowIcon } from '@cairn/ui/surface.tsx';
import { toast } from '@cairn/ui/toast.ts';
import { useSpace } from '../../shared/space.ts';
import { useAction } from '../../shared/use-action.ts';
import { FormExport } from './form-export.tsx';
import { FailureLine } from './failure-line.tsx';
import { allForms, type FormEntry } from './inspection-queries.ts';
import { compiledVersion } from './compiled-version.ts';
import './forms-screen.css';

/** Reads workbooks: loaded when somebody picks one. */
const FormImport = lazy(async () => ({ default: (await import('./form-import.tsx')).FormImport }));

/** The organisation's forms, and the way to bring one in. */
export function FormsScreen({ backLink }: { backLink: ReactNode }) {
  const { t } = useTranslation('field');
  const { organization, playbook, may } = useSpace();
  const forms = useLive(allForms({ organizationId: organization.id, playbookId: playbook?.id ?? null }));
  const [importing, setImporting] = useState(false);
  if (!may('form.manage')) {
    return (
      <EmptyState level={1} title={t('formList.notAllowed')} action={backLink}>
        {t('formList.notAllowedText')}
      </EmptyState>
    );
  }
  const open = () => setImporting(true);
  return (
    <div className="forms-page">
      <div className="page-head">
        <h1 className="h1">{t('formList.title')}</h1>
        <Button variant="primary" icon={Upload} onClick={open}>
          {t('formList.import')}
        </Button>
      </div>
      <p className="forms-back">{backLink}</p>
      {forms.status === 'loading' && <SkeletonRows label={t('formList.loading')} />}
      {forms.status === 'ready' && forms.answer.length === 0 && (
        <EmptyState title={t('formList.emptyTitle')} action={<Button onClick={open}>{t('formList.import')}</Button>}>
          {t('formList.empty')}
        </EmptyState>
      )}
      {forms.status === 'ready' && forms.answer.length > 0 && (
        <Card flush label={t('formList.title')}>
          <List>
            {forms.answer.map(entry => (
              <FormRow key={entry.form.id} entry={entry} />
            ))}
          </List>
        </Card>
      )}
      {importing && (
        <Suspense fallback={null}>
          <FormImport onClose={() => setImporting(false)} />
        </Suspense>
      )}
    </div>
  );
}

function FormRow({ entry: { form, newest } }: { entry: FormEntry }) {
  const { t } = useTranslation('field');
  const store = useStore();
  const publishing = useAction(async (versionId: string) => {
    await store.write('field-ops.publish-form', tx => publishForm(tx, { formId: form.id, versionId }));
    toast({ title: t('formList.published', { name: form.name }) });
  });
  const unpublished = newest && form.current_version_id !== newest.id;
  const questions = compiledVersion(newest)?.questions.length ?? 0;
  return (
    <li className="item form-row">
      <RowFace
        start={
          <RowIcon>
            <Icon of={FileText} />
          </RowIcon>
        }
        title={form.name}
        detail={[
          t('formList.questions', { count: questions }),
          newest && t('formList.version', { number: newest.number }),
          form.category,
        ]
          .filter(Boolean)
          .join(' · ')}
        end={
          <span className="row wrap">
            {form.state === 'published' ? (
              <StatusChip state="done">{t('formList.state.published')}</StatusChip>
            ) : (
              <Pill>{t(`formList.state.${form.state}`)}</Pill>
            )}
            {unpublished && (
              <Button size="sm" busy={publishing.busy} onClick={() => publishing.run(newest.id)}>
                {t('formList.publish')}
              </Button>
            )}
            {newest && <FormExport form={form} newest={newest} />}
          </span>
        }
      />
      <FailureLine failure={publishing.failure} />
    </li>
  );
}
