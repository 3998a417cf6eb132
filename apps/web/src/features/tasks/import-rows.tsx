import { useTranslation } from 'react-i18next';
import type { RowNote } from '@cairn/core/tasks/csv-row.ts';
import type { ImportRow } from '@cairn/core/tasks/read-tasks-csv.ts';

const SHOWN_ROWS = 200;

type RowsProps = { label: string; lines: readonly { key: string | number; text: string }[] };

/** A list of what is said of rows. */
function RowLines({ label, lines }: RowsProps) {
  const { t } = useTranslation('taskFiles');
  if (lines.length === 0) return null;
  return (
    <section aria-label={label} className="stack">
      <h3 className="h3">{label}</h3>
      <ul className="task-import-lines sm">
        {lines.slice(0, SHOWN_ROWS).map(({ key, text }) => (
          <li key={key}>{text}</li>
        ))}
      </ul>
      {lines.length > SHOWN_ROWS && <p className="sm muted">{t('more', { count: lines.length - SHOWN_ROWS })}</p>}
    </section>
  );
}

/** The rows that are left out, each with its number, its column and what is wrong. */
export function BadRows({ rows }: { rows: readonly ImportRow[] }) {
  const { t } = useTranslation('taskFiles');
  const lines = rows.flatMap(row => {
    if (!('problem' in row)) return [];
    const { code, field, value } = row.problem;
    const what = t(`row.${code}`, { value });
    return [{ key: row.line, text: t('line', { line: row.line, field: t(`field.${field}`), what }) }];
  });
  return <RowLines label={t('bad', { count: lines.length })} lines={lines} />;
}

/** Rows whose tasks could not be changed, or that were not reached. */
export function LeftRows({ label, rows }: { label: string; rows: readonly ImportRow[] }) {
  const { t } = useTranslation('taskFiles');
  const lines = rows.map(({ line, title }) => ({ key: line, text: t('titled', { line, title }) }));
  return <RowLines label={label} lines={lines} />;
}

/** Names that are not known here, each once, with how many rows have it. */
export function UnknownNames({ rows }: { rows: readonly ImportRow[] }) {
  const { t } = useTranslation('taskFiles');
  const notes = rows.flatMap(row => ('task' in row ? row.notes : []));
  const groups = Map.groupBy(notes, ({ field, value }: RowNote) => `${field}/${value.toLowerCase()}`);
  const lines = [...groups].flatMap(([key, [first, ...more]]) =>
    first ? [{ key, text: t(`note.${first.field}`, { name: first.value, count: more.length + 1 }) }] : [],
  );
  return <RowLines label={t('unknown')} lines={lines} />;
}
