import { useTranslation } from 'react-i18next';
import { taskFields } from '@cairn/core/tasks/csv-columns.ts';
import { Segmented } from '@cairn/ui/controls/choice.tsx';
import { Select } from '@cairn/ui/controls/select.tsx';
import type { TaskReading } from './use-task-reading.ts';

/** Rows of the file that stand beside each column. */
const SAMPLES = 3;

/** What each column of the file stands for, with what its first rows say, to be changed. */
export function ImportColumns({ reading }: { reading: TaskReading }) {
  const { t } = useTranslation('taskFiles');
  const { source, map, order, readDays } = reading;
  if (!source) return null;
  const { head, lines } = source.table;
  const choices = taskFields.map(value => ({ value, label: t(`field.${value}`) }));
  const firstOf = (column: number) =>
    lines
      .slice(0, SAMPLES)
      .map(({ cells }) => cells[column]?.trim() || '–')
      .join(' · ');
  return (
    <section className="stack" aria-labelledby="import-columns">
      <h3 className="h3" id="import-columns">
        {t('columns')}
      </h3>
      <ul className="task-import-columns">
        {head.map((name, column) => (
          // oxlint-disable-next-line react/no-array-index-key -- a file may name two columns alike; they keep their places
          <li key={column}>
            <Select
              label={name === '' ? t('nameless', { number: column + 1 }) : name}
              hint={firstOf(column)}
              placeholder={t('leaveOut')}
              value={source.mapping[column] ?? ''}
              choices={choices}
              onChange={event => map(column, taskFields.find(each => each === event.target.value) ?? null)}
            />
          </li>
        ))}
      </ul>
      {order && (
        <Segmented
          label={t('slashes')}
          labelHidden={false}
          value={order}
          onChange={value => readDays(value === 'month-day' ? 'month-day' : 'day-month')}
          options={[
            { value: 'day-month', label: t('dayMonth') },
            { value: 'month-day', label: t('monthDay') },
          ]}
        />
      )}
    </section>
  );
}
