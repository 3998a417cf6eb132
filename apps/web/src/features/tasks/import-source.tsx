import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MAX_ROWS } from '@cairn/core/tasks/read-tasks-csv.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Textarea } from '@cairn/ui/controls/textarea.tsx';
import { FileDrop } from '@cairn/ui/controls/file-drop.tsx';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import { useAction } from '../../shared/errors/use-action.ts';
import type { TaskReading } from './use-task-reading.ts';

/** Bytes; 5,000 rows of the longest notes are not brought by hand. */
const MAX_BYTES = 5 * 1024 * 1024;

/** Takes a file that is chosen or dropped, or rows that are pasted. */
export function ImportSource({ reading }: { reading: TaskReading }) {
  const { t } = useTranslation('taskFiles');
  const [pasted, setPasted] = useState('');
  const { problem, read, readFile, refuse } = reading;
  const opening = useAction(readFile);
  return (
    <>
      <FileDrop
        label={t('pick')}
        hint={t('pickHint', { count: MAX_ROWS })}
        maxBytes={MAX_BYTES}
        multiple={false}
        disabled={opening.busy}
        onFiles={([picked]) => picked && opening.run(picked)}
        onRefused={([first]) => refuse(first?.reason === 'size' ? 'tooLong' : 'empty')}
      />
      <details className="task-paste">
        <summary className="tap">{t('paste')}</summary>
        <div className="stack">
          <Textarea
            label={t('pasted')}
            hint={t('pastedHint')}
            rows={6}
            spellCheck={false}
            maxLength={MAX_BYTES}
            value={pasted}
            onChange={event => setPasted(event.target.value)}
          />
          <Button disabled={pasted.trim() === ''} onClick={() => read(pasted)}>
            {t('readPasted')}
          </Button>
        </div>
      </details>
      {problem && <Banner tone="bad" title={t(`problem.${problem}`, { count: MAX_ROWS })} />}
      <FailureLine failure={opening.failure} />
    </>
  );
}
