import { useTranslation } from 'react-i18next';
import type { TaskImportResult } from '@cairn/core/tasks/import-task.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import { BadRows, LeftRows, UnknownNames } from './import-rows.tsx';
import { useUndoImport, type Outcome } from './use-import.ts';

type Props = { outcome: Outcome; onClose: () => void; onShow: (imported: readonly TaskImportResult[]) => void };

/** What became of each row, the way to the tasks, and the way back. */
export function ImportReport({ outcome, onClose, onShow }: Props) {
  const { t } = useTranslation('taskFiles');
  const undoing = useUndoImport(onClose);
  const imported = outcome.flatMap(({ imported: each }) => (each ? [each] : []));
  const count = (result: TaskImportResult['result']) => imported.filter(each => each.result === result).length;
  const touched = imported.filter(({ result }) => result === 'made' || result === 'changed');
  const rows = outcome.map(({ row }) => row);
  const refused = outcome.filter(each => each.imported?.result === 'refused').map(({ row }) => row);
  const untried = outcome.filter(each => each.imported === null && 'task' in each.row).map(({ row }) => row);
  const left = rows.length - imported.length + refused.length;
  return (
    <>
      <p aria-live="polite">
        {t('done', { made: count('made'), changed: count('changed'), same: count('kept'), bad: left })}
      </p>
      <div className="stack">
        {touched.length > 0 && (
          <>
            <Button variant="primary" block onClick={() => onShow(touched)}>
              {t('show', { count: touched.length })}
            </Button>
            <Button block busy={undoing.busy} onClick={() => undoing.run(touched)}>
              {t('undo')}
            </Button>
          </>
        )}
        <Button block onClick={onClose}>
          {t('close')}
        </Button>
      </div>
      <FailureLine failure={undoing.failure} />
      <BadRows rows={rows} />
      <LeftRows label={t('refused', { count: refused.length })} rows={refused} />
      <LeftRows label={t('untried', { count: untried.length })} rows={untried} />
      <UnknownNames rows={rows} />
    </>
  );
}
