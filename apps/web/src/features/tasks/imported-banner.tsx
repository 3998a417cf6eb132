import { useTranslation } from 'react-i18next';
import type { TaskImportResult } from '@cairn/core/tasks/import-task.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import { useUndoImport } from './use-import.ts';

type Props = { imported: readonly TaskImportResult[]; onAll: () => void };

/** Says that only what was imported is in sight; leads to everything, and back to before the import. */
export function ImportedBanner({ imported, onAll }: Props) {
  const { t } = useTranslation('taskFiles');
  const undoing = useUndoImport(onAll);
  return (
    <Banner
      tone="good"
      title={t('shown', { count: imported.length })}
      action={
        <>
          <Button onClick={onAll}>{t('showAll')}</Button>
          <Button variant="plain" busy={undoing.busy} onClick={() => undoing.run(imported)}>
            {t('undo')}
          </Button>
        </>
      }
    >
      <FailureLine failure={undoing.failure} />
    </Banner>
  );
}
