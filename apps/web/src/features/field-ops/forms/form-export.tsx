import { useTranslation } from 'react-i18next';
import { Download } from 'lucide-react';
import type { FormDefinition } from '@cairn/core/forms/definition/form-definition.ts';
import type { NamedFile } from '@cairn/core/files/form-package.ts';
import { formPictures, pictureFiles, pictureIds } from '@cairn/core/forms/definition/form-pictures.ts';
import type { Row } from '@cairn/schema';
import { useStore } from '@cairn/sync/store-context.ts';
import { IconButton } from '@cairn/ui/controls/button.tsx';
import { Menu } from '@cairn/ui/overlays/menu.tsx';
import { saveFile } from '../../../shared/files/save-file.ts';
import { useAction } from '../../../shared/errors/use-action.ts';
import { compiledVersion } from '../inspections/compiled-version.ts';
import { finishedOf } from '../inspections/inspection-queries.ts';
import { FailureLine } from '../../../shared/errors/failure-line.tsx';
import { pictureBytes } from '../answers/form-picture.ts';

type Kind = 'xlsx' | 'json' | 'csv';

/** A form as a file, for people and for other programs; and what was answered on its newest version. */
export function FormExport({ form, newest }: { form: Row<'forms'>; newest: Row<'form_versions'> }) {
  const { t } = useTranslation('field');
  const store = useStore();
  const exporting = useAction(async (kind: Kind) => {
    const compiled = compiledVersion(newest);
    if (!compiled) return;
    const name = form.name.replaceAll(/[^\p{L}\p{N} _-]/gu, '').trim() || 'form';
    if (kind !== 'csv') {
      const file = await formFile(compiled.form, kind);
      const pictures = await store.read(formPictures(pictureIds(compiled.form)));
      if (pictures.size === 0) return saveFile(`${name}.${kind}`, file);
      const files = pictureFiles(compiled.form).flatMap(({ id, name: own }) => {
        const picture = pictures.get(id);
        return picture ? [{ name: own, bytes: pictureBytes(picture) }] : [];
      });
      return saveFile(`${name}.zip`, await withItsPictures(`${name}.${kind}`, file, files));
    }
    const inspections = await store.read(finishedOf(newest.id));
    const { answersCsv } = await import('@cairn/core/forms/answers/answers-csv.ts');
    // The mark tells spreadsheet programs that the text is UTF-8.
    saveFile(`${name}.csv`, new Blob(['\uFEFF', answersCsv(compiled, inspections)], { type: 'text/csv' }));
  });
  const entry = (kind: Kind) => ({ label: t(`formList.export.${kind}`), onSelect: () => exporting.run(kind) });
  return (
    <>
      <Menu
        trigger={<IconButton icon={Download} label={t('formList.export.title', { name: form.name })} />}
        entries={[entry('xlsx'), entry('json'), entry('csv')]}
      />
      <FailureLine failure={exporting.failure} />
    </>
  );
}

/** The form and its pictures, as one file. */
async function withItsPictures(name: string, file: Blob, pictures: readonly NamedFile[]): Promise<Blob> {
  const { formPackage } = await import('@cairn/core/files/form-package.ts');
  const form = { name, bytes: new Uint8Array(await file.arrayBuffer()) };
  return new Blob([formPackage(form, pictures)], { type: 'application/zip' });
}

/** The writers are fetched when somebody wants a file. */
async function formFile(form: FormDefinition, kind: 'xlsx' | 'json'): Promise<Blob> {
  const { formJson, xlsFormFile } = await import('@cairn/core/xlsform/form-file.ts');
  return kind === 'xlsx' ? xlsFormFile(form) : new Blob([formJson(form)], { type: 'application/json' });
}
