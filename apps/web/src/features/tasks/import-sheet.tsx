import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Failure } from '@cairn/base/failure.ts';
import { newId } from '@cairn/base/id.ts';
import { deviceZone } from '@cairn/base/wall-clock.ts';
import { bringTask, type Brought } from '@cairn/core/tasks/bring-task.ts';
import {
  MOST_ROWS,
  readTasksCsv,
  type BroughtFile,
  type BroughtRow,
  type RowProblem,
} from '@cairn/core/tasks/tasks-csv.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { Banner } from '@cairn/ui/banner.tsx';
import { Button } from '@cairn/ui/button.tsx';
import { Sheet } from '@cairn/ui/dialog.tsx';
import { FileDrop } from '@cairn/ui/file-drop.tsx';
import { useAction } from '../../shared/use-action.ts';
import { FailureLine } from '../../shared/failure-line.tsx';
import { useTaskSpace } from './task-space.ts';

/** Bytes; 5,000 rows of the longest notes are not brought by hand. */
const MOST_BYTES = 5 * 1024 * 1024;
const SHOWN_ROWS = 200;

/** What a row came to: read, brought, or why not. */
type Line = { line: number; title: string; result: Brought | 'notTaken' | RowProblem };

/** Brings tasks from a CSV file: first says what it would take, then takes it and says what became of each row. */
export function ImportSheet({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('tasks');
  const { people } = useTaskSpace();
  const [file, setFile] = useState<BroughtFile | null>(null);
  const [done, setDone] = useState<readonly Line[] | null>(null);
  const bring = useBringing();
  const reading = useAction(async (picked: File) => {
    setDone(null);
    setFile(readTasksCsv(await picked.text(), people, deviceZone()));
  });
  const bringing = useAction(async (rows: readonly BroughtRow[]) => setDone(await bring(rows)));
  const rows = file && 'rows' in file ? file.rows : [];
  const good = rows.filter(row => 'task' in row);
  const failure = reading.failure ?? bringing.failure;
  return (
    <Sheet
      open
      onOpenChange={open => !open && onClose()}
      title={t('files.importTitle')}
      description={t('files.importText')}
      closeLabel={t('close')}
      actions={
        done === null ? (
          <Button
            variant="primary"
            size="lg"
            block
            busy={bringing.busy}
            disabled={good.length === 0}
            onClick={() => bringing.run(rows)}
          >
            {t('files.bring', { count: good.length })}
          </Button>
        ) : (
          <Button variant="primary" size="lg" block onClick={onClose}>
            {t('close')}
          </Button>
        )
      }
    >
      <div className="stack">
        {done === null && (
          <FileDrop
            label={t('files.pick')}
            hint={t('files.pickHint', { count: MOST_ROWS })}
            maxBytes={MOST_BYTES}
            disabled={reading.busy || bringing.busy}
            onFiles={([picked]) => picked && reading.run(picked)}
            onRefused={() => setFile({ problem: 'tooLong' })}
          />
        )}
        {file && 'problem' in file && (
          <Banner tone="bad" title={t(`files.problem.${file.problem}`, { count: MOST_ROWS })} />
        )}
        <FailureLine failure={failure} />
        {done ? <Report lines={done} /> : <Preview rows={rows} good={good.length} />}
      </div>
    </Sheet>
  );
}

/** Brings row by row, so that one that is refused keeps no other from being taken. */
function useBringing() {
  const store = useStore();
  const { space, userId, may } = useTaskSpace();
  const manages = may('task.manage');
  return async (rows: readonly BroughtRow[]): Promise<Line[]> => {
    const lines: Line[] = [];
    for (const row of rows) {
      const { line, title } = row;
      if ('problem' in row) {
        lines.push({ line, title, result: row.problem });
        continue;
      }
      const at = new Date().toISOString();
      const bringing = { ...space, task: row.task, id: newId(), by: userId, manages, at };
      try {
        lines.push({ line, title, result: await store.write('tasks.bring', tx => bringTask(tx, bringing)) });
      } catch (error) {
        // A full phone refuses every row: the rest is not tried.
        if (!(error instanceof Failure) || error.code === 'storage_full') throw error;
        lines.push({ line, title, result: 'notTaken' });
      }
    }
    return lines;
  };
}

function Preview({ rows, good }: { rows: readonly BroughtRow[]; good: number }) {
  const { t } = useTranslation('tasks');
  const bad = rows.flatMap(row =>
    'problem' in row ? [{ line: row.line, title: row.title, result: row.problem }] : [],
  );
  if (rows.length === 0) return null;
  return (
    <>
      <p aria-live="polite">{t('files.found', { count: good })}</p>
      {bad.length > 0 && <Lines label={t('files.bad', { count: bad.length })} lines={bad} />}
    </>
  );
}

function Report({ lines }: { lines: readonly Line[] }) {
  const { t } = useTranslation('tasks');
  const count = (result: Brought) => lines.filter(line => line.result === result).length;
  const bad = lines.filter(({ result }) => result !== 'made' && result !== 'changed' && result !== 'same');
  return (
    <>
      <p aria-live="polite">
        {t('files.done', { made: count('made'), changed: count('changed'), same: count('same'), bad: bad.length })}
      </p>
      {bad.length > 0 && <Lines label={t('files.bad', { count: bad.length })} lines={bad} />}
    </>
  );
}

function Lines({ label, lines }: { label: string; lines: readonly Line[] }) {
  const { t } = useTranslation('tasks');
  return (
    <section aria-label={label} className="stack">
      <h3 className="h3">{label}</h3>
      <ul className="task-import-lines sm">
        {lines.slice(0, SHOWN_ROWS).map(({ line, title, result }) => (
          <li key={line}>
            {t('files.line', { line, title: title || t('files.untitled') })}: {t(`files.row.${result}`)}
          </li>
        ))}
      </ul>
      {lines.length > SHOWN_ROWS && <p className="sm muted">{t('files.more', { count: lines.length - SHOWN_ROWS })}</p>}
    </section>
  );
}
