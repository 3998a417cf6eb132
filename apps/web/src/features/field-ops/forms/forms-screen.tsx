import { lazy, Suspense, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Plus, Upload } from 'lucide-react';
import { useLive } from '@cairn/sync/use-live.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { EmptyState } from '@cairn/ui/feedback/empty-state.tsx';
import { SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import { Card, List } from '@cairn/ui/layout/surface.tsx';
import { useSpace } from '../../../shared/session/space.ts';
import { FormRow } from './form-row.tsx';
import { allForms } from '../inspections/inspection-queries.ts';
import { NewFormSheet } from './new-form-sheet.tsx';
import './forms-screen.css';

/** Reads workbooks: loaded when somebody picks one. */
const FormImport = lazy(async () => ({ default: (await import('./form-import.tsx')).FormImport }));

type Props = {
  backLink: ReactNode;
  /** The way into the builder of one form, drawn by the route. */
  renderEdit: (formId: string, face: ReactNode) => ReactNode;
  /** A form was begun: its builder opens. */
  onBuilt: (formId: string) => void;
};

/** The organisation's forms, and the ways to make one and to bring one in. */
export function FormsScreen({ backLink, renderEdit, onBuilt }: Props) {
  const { t } = useTranslation('field');
  const { organization, playbook, may } = useSpace();
  const forms = useLive(allForms({ organizationId: organization.id, playbookId: playbook?.id ?? null }));
  const [open, setOpen] = useState<'import' | 'new' | null>(null);
  if (!may('form.manage')) {
    return (
      <EmptyState level={1} title={t('formList.notAllowed')} action={backLink}>
        {t('formList.notAllowedText')}
      </EmptyState>
    );
  }
  const close = () => setOpen(null);
  const acts = (
    <>
      <Button icon={Upload} onClick={() => setOpen('import')}>
        {t('formList.import')}
      </Button>
      <Button variant="primary" icon={Plus} onClick={() => setOpen('new')}>
        {t('formList.new')}
      </Button>
    </>
  );
  return (
    <div className="forms-page">
      <div className="page-head">
        <h1 className="h1">{t('formList.title')}</h1>
        <div className="row wrap">{acts}</div>
      </div>
      <p className="forms-back">{backLink}</p>
      {forms.status === 'loading' && <SkeletonRows label={t('formList.loading')} />}
      {forms.status === 'ready' && forms.answer.length === 0 && (
        <EmptyState title={t('formList.emptyTitle')} action={<div className="row wrap">{acts}</div>}>
          {t('formList.empty')}
        </EmptyState>
      )}
      {forms.status === 'ready' && forms.answer.length > 0 && (
        <Card flush label={t('formList.title')}>
          <List>
            {forms.answer.map(entry => (
              <FormRow key={entry.form.id} entry={entry} renderEdit={renderEdit} onBuilt={onBuilt} />
            ))}
          </List>
        </Card>
      )}
      {open === 'new' && <NewFormSheet onClose={close} onBuilt={onBuilt} />}
      {open === 'import' && (
        <Suspense fallback={null}>
          <FormImport onClose={close} />
        </Suspense>
      )}
    </div>
  );
}
