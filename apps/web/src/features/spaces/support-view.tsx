import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@cairn/ui/controls/button.tsx';
import { EmptyState } from '@cairn/ui/feedback/empty-state.tsx';
import { Select } from '@cairn/ui/controls/select.tsx';
import { SideScroll } from '@cairn/ui/layout/side-scroll.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { loggedRead } from '../../shared/server/logged-read.ts';
import type { ServerCalls } from '../../shared/server/server-calls.ts';
import { FromServer } from './from-server.tsx';
import { useServerQuery } from './use-server.ts';

export type Company = { id: string; name: string; members: number };

type Cells = Record<string, unknown>;
type Page = { rows: Cells[]; next: string | null };

/** What support looks into, in the order questions come. */
const TABLES = [
  'organizations',
  'people',
  'organization_members',
  'playbooks',
  'sites',
  'forms',
  'inspections',
  'action_items',
] as const;
type Table = (typeof TABLES)[number];

/** Of every table what helps to answer a question; ids stand last. */
const FIRST = ['name', 'title', 'display_name', 'role', 'status', 'type', 'plan', 'created_at', 'user_id', 'id'];

type Props = { company: Company; reason: string; onBack: () => void };

/** One company, page by page; nothing here can be changed. */
export function SupportView({ company, reason, onBack }: Props) {
  const { t } = useTranslation('spaces');
  const [table, setTable] = useState<Table>('organizations');
  const [after, setAfter] = useState<string | null>(null);
  const { id } = company;
  const query = useServerQuery(
    ['support', id, table, after ?? '', reason],
    useCallback(
      (calls: ServerCalls) =>
        loggedRead<Page>(calls, 'support_read', {
          p_organization: id,
          p_table: table,
          p_reason: reason,
          p_after: after,
        }),
      [after, id, reason, table],
    ),
  );
  const choose = (value: string) => {
    setTable(TABLES.find(each => each === value) ?? 'organizations');
    setAfter(null);
  };
  return (
    <div className="spaces">
      <header className="page-head">
        <h1 className="h1">{company.name}</h1>
        <Button onClick={onBack}>{t('support.back')}</Button>
      </header>
      <p className="muted sm">{t('support.readOnly', { reason })}</p>
      <Select
        label={t('support.table')}
        value={table}
        onChange={event => choose(event.target.value)}
        choices={TABLES.map(value => ({ value, label: t(`support.tables.${value}`) }))}
      />
      <FromServer query={query}>
        {page =>
          page.rows.length === 0 ? (
            <EmptyState title={t('support.empty')}>{t('support.emptyText')}</EmptyState>
          ) : (
            <>
              <Rows rows={page.rows} label={t(`support.tables.${table}`)} />
              {page.next !== null && <Button onClick={() => setAfter(page.next)}>{t('support.more')}</Button>}
            </>
          )
        }
      </FromServer>
    </div>
  );
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === null || value === undefined ? '' : JSON.stringify(value);

function Rows({ rows, label }: { rows: readonly Cells[]; label: string }) {
  const columns = FIRST.filter(column => rows.some(row => column in row));
  return (
    <Card flush>
      <SideScroll label={label}>
        <table className="support-table">
          <thead>
            <tr>
              {columns.map(column => (
                <th key={column} scope="col" className="sm muted">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(row => (
              <tr key={textOf(row['id'])}>
                {columns.map(column => (
                  <td key={column}>{textOf(row[column])}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </SideScroll>
    </Card>
  );
}
