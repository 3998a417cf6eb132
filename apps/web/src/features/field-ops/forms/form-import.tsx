import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FileSpreadsheet } from 'lucide-react';
import { newId } from '@cairn/base/id.ts';
import { addFormPictures } from '@cairn/core/forms/definition/form-pictures.ts';
import { importForm } from '@cairn/core/forms/draft/import-form.ts';
import { publishForm } from '@cairn/core/forms/draft/publish-form.ts';
import { findingText, type Finding } from '@cairn/core/workbook/sheet-table.ts';
import type { ImportedForm, RefusedForm } from '@cairn/core/odk/checked-form.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Sheet } from '@cairn/ui/overlays/dialog.tsx';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { useSignedIn } from '../../../shared/session/session.ts';
import { useSpace } from '../../../shared/session/space.ts';
import { useAction } from '../../../shared/errors/use-action.ts';
import { FailureLine } from '../../../shared/errors/failure-line.tsx';
import { FormPreview } from './form-preview.tsx';
import { readForm } from './read-form.ts';
import { formWithPictures, ImportPictures, type PickedPicture } from './import-pictures.tsx';

type State =
  | { at: 'choose' }
  | { at: 'reading'; name: string }
  | { at: 'refused'; result: RefusedForm }
  | { at: 'read'; result: ImportedForm; pictures: readonly PickedPicture[] };

/** A workbook becomes a form in three looks: choose it, see what was understood, then save. */
export function FormImport({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('field');
  const [state, setState] = useState<State>({ at: 'choose' });
  const saving = useSaving(onClose);

  async function read(files: readonly File[]) {
    setState({ at: 'reading', name: files.map(({ name }) => name).join(', ') });
    const { result, pictures: found } = await readForm(files).catch((error: unknown) => {
      // Whatever ended it, another file can be chosen.
      setState({ at: 'choose' });
      throw error;
    });
    const pictures = found.map(({ name, bytes }) => ({ name, content: new Blob([new Uint8Array(bytes)]) }));
    setState(result.ok ? { at: 'read', result, pictures } : { at: 'refused', result });
  }
  const reading = useAction(read);

  return (
    <Sheet
      open
      onOpenChange={open => !open && onClose()}
      title={state.at === 'read' ? state.result.title : t('import.title')}
      closeLabel={t('import.close')}
      actions={
        state.at === 'read' && (
          <>
            <Button busy={saving.busy} busyText={t('import.saving')} onClick={() => saving.run(state, false)}>
              {t('import.saveDraft')}
            </Button>
            <Button
              variant="primary"
              busy={saving.busy}
              busyText={t('import.saving')}
              onClick={() => saving.run(state, true)}
            >
              {t('import.publish')}
            </Button>
          </>
        )
      }
    >
      <div className="parts">
        {state.at === 'reading' && <output className="muted">{t('import.reading', { name: state.name })}</output>}
        {state.at === 'refused' && (
          <Banner tone="bad" title={t('import.failed')}>
            <Findings findings={state.result.problems} />
            <p>{t('import.failedText')}</p>
          </Banner>
        )}
        {state.at === 'read' && (
          <>
            <ImportPictures
              form={state.result.form}
              picked={state.pictures}
              onPick={files => setState({ ...state, pictures: [...state.pictures, ...files.map(named)] })}
            />
            <Understood result={state.result} />
          </>
        )}
        {state.at !== 'reading' && <FilePick again={state.at !== 'choose'} onPick={files => reading.run(files)} />}
        <FailureLine failure={reading.failure ?? saving.failure} />
      </div>
    </Sheet>
  );
}

type ReadState = Extract<State, { at: 'read' }>;

const named = (file: File): PickedPicture => ({ name: file.name, content: file });

function useSaving(onDone: () => void) {
  const { t } = useTranslation('field');
  const store = useStore();
  const { user } = useSignedIn();
  const { organization, playbook } = useSpace();
  return useAction(async ({ result, pictures: picked }: ReadState, publish: boolean) => {
    const [formId, versionId] = [newId(), newId()];
    const { title, source } = result;
    const { form, pictures } = await formWithPictures(result.form, picked);
    await store.write(
      'field-ops.import-form',
      async tx => {
        await addFormPictures(tx, { organizationId: organization.id, pictures });
        await importForm(tx, {
          formId,
          versionId,
          organizationId: organization.id,
          playbookId: playbook?.id ?? null,
          name: title,
          definition: form,
          source,
          by: user.id,
        });
        if (publish) await publishForm(tx, { formId, versionId });
      },
      { together: true },
    );
    toast({ title: t(publish ? 'import.savedPublished' : 'import.savedDraft', { name: title }) });
    onDone();
  });
}

function FilePick({ again, onPick }: { again: boolean; onPick: (files: readonly File[]) => void }) {
  const { t } = useTranslation('field');
  const id = useId();
  return (
    <div className="stack">
      <label className="import-pick" htmlFor={id}>
        <input
          id={id}
          type="file"
          multiple
          className="sr"
          accept=".xlsx,.xls,.xml,.json,.zip,.csv,.geojson,image/*,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
          onChange={event => {
            // Live: emptied below.
            const files = [...(event.target.files ?? [])];
            event.target.value = '';
            if (files.length > 0) onPick(files);
          }}
        />
        <Icon of={FileSpreadsheet} size="l" />
        <span>{again ? t('import.another') : t('import.file')}</span>
      </label>
      {!again && <p className="hint">{t('import.hint')}</p>}
    </div>
  );
}

function Understood({ result }: { result: ImportedForm }) {
  const { t } = useTranslation('field');
  const { notUnderstood } = result;
  return (
    <>
      {notUnderstood.length > 0 ? (
        <Banner tone="warn" title={t('import.notUnderstood', { count: notUnderstood.length })}>
          <Findings findings={notUnderstood} />
          <p>{t('import.notUnderstoodText')}</p>
        </Banner>
      ) : (
        <Banner tone="good" title={t('import.allUnderstood')} />
      )}
      <h3 className="h3">
        {t('import.preview')} · {t('formList.questions', { count: result.questions })}
      </h3>
      <FormPreview form={result.form} />
    </>
  );
}

function Findings({ findings }: { findings: readonly Finding[] }) {
  return (
    <ul className="findings">
      {findings.map((finding, index) => (
        <li key={index}>{findingText(finding)}</li>
      ))}
    </ul>
  );
}
