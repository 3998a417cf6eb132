import { useTranslation } from 'react-i18next';
import type { AuditEntry, AuditPage } from '@cairn/core/audit/audit-log.ts';
import { subjectOf, subjectTitles } from '@cairn/core/audit/subject-titles.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Avatar } from '@cairn/ui/images/avatar.tsx';
import { EmptyState } from '@cairn/ui/feedback/empty-state.tsx';
import { Card, RowFace } from '@cairn/ui/layout/surface.tsx';
import { VirtualRows } from '@cairn/ui/data/virtual-rows.tsx';
import { useFormat } from '../../shared/format/format.ts';
import { useAuditLabels } from './use-audit-labels.ts';

type Props = { pages: readonly AuditPage[]; isFiltered: boolean };

export function AuditEntries({ pages, isFiltered }: Props) {
  const { t } = useTranslation('audit');
  const names: Record<string, string> = Object.assign({}, ...pages.map(({ people }) => people));
  const rows = pages.flatMap(({ entries }) => entries.map(entry => ({ ...entry, id: String(entry.seq) })));
  const titles = useLive(subjectTitles(rows));
  if (rows.length === 0)
    return <EmptyState title={t(isFiltered ? 'empty' : 'none')}>{t(isFiltered ? 'emptyText' : 'noneText')}</EmptyState>;
  return (
    <Card flush>
      <VirtualRows
        rows={rows}
        estimate={72}
        label={t('list')}
        renderRow={entry => (
          <EntryRow entry={entry} names={names} titles={titles.status === 'ready' ? titles.answer : {}} />
        )}
      />
    </Card>
  );
}

type RowProps = { entry: AuditEntry; names: Record<string, string>; titles: Record<string, string> };

function EntryRow({ entry, names, titles }: RowProps) {
  const { t } = useTranslation('audit');
  const { formatInstant } = useFormat();
  const words = useAuditLabels();
  const who = entry.actor_id === null ? t('system') : (names[entry.actor_id] ?? entry.actor_id.slice(0, 8));
  const whom = entry.subject_table === 'people' ? names[entry.subject_id] : undefined;
  const about = whom && entry.subject_id !== entry.actor_id ? t('about', { name: whom }) : null;
  return (
    <div className="item audit-entry">
      <RowFace
        start={<Avatar name={who} />}
        title={[words.act(entry), about, titles[subjectOf(entry)?.[1] ?? '']].filter(Boolean).join(' · ')}
        detail={[who, formatInstant(new Date(entry.at)), ...words.details(entry, names)].join(' · ')}
        end={<span className="muted sm mono">{t('number', { seq: entry.seq })}</span>}
      />
    </div>
  );
}
