import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { CheckCheck } from 'lucide-react';
import { moduleName } from '@cairn/core/notifications/module-names.ts';
import type { Inbox } from '@cairn/core/notifications/queries.ts';
import type { Row } from '@cairn/schema';
import { Button } from '@cairn/ui/controls/button.tsx';
import { FilterChip } from '@cairn/ui/controls/chip.tsx';
import { EmptyState } from '@cairn/ui/feedback/empty-state.tsx';
import { SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { VirtualRows } from '@cairn/ui/data/virtual-rows.tsx';
import { useNow } from '../../shared/format/use-now.ts';
import { NotificationRow } from './notification-row.tsx';
import { useInbox } from './use-inbox.ts';

type RenderLink = (row: Row<'notifications'>, face: ReactNode, onOpen: () => void) => ReactNode;

/** Everything that was told, newest first, by module, read or not; all of it on this device. */
export function InboxPanel({ renderLink }: { renderLink: RenderLink }) {
  const { t } = useTranslation('notifications');
  const [module, setModule] = useState<string | null>(null);
  const [unreadOnly, setUnreadOnly] = useState(false);
  const { told, mark, markAll } = useInbox({ ...(module !== null && { module }), unreadOnly });
  const now = useNow();
  if (told.status === 'loading') return <SkeletonRows label={t('loading')} />;
  const { rows, unread } = told.answer;
  const inAll = () => setUnreadOnly(false);
  return (
    <>
      <InboxTools
        unread={unread}
        module={module}
        onModule={setModule}
        unreadOnly={unreadOnly}
        onUnreadOnly={setUnreadOnly}
        onMarkAll={() => void markAllWithUndo(markAll(module ?? undefined))}
      />
      {rows.length > 0 ? (
        <Card flush>
          <VirtualRows
            key={`${module}/${unreadOnly}`}
            rows={rows}
            estimate={72}
            label={t('title')}
            renderRow={row => (
              <NotificationRow
                row={row}
                now={now}
                onMark={isRead => void mark([row.id], isRead)}
                renderLink={(each, face) => renderLink(each, face, () => void mark([each.id], true))}
              />
            )}
          />
        </Card>
      ) : (
        <NothingHere unreadOnly={unreadOnly && unread.size > 0} onAll={inAll} />
      )}
    </>
  );

  async function markAllWithUndo(marking: Promise<string[]>) {
    const ids = await marking;
    if (ids.length === 0) return;
    const undo = { label: t('undo'), onPress: () => void mark(ids, false) };
    toast({ title: t('marked', { count: ids.length }), action: undo });
  }
}

type ToolsProps = {
  unread: Inbox['unread'];
  module: string | null;
  onModule: (module: string | null) => void;
  unreadOnly: boolean;
  onUnreadOnly: (unreadOnly: boolean) => void;
  onMarkAll: () => void;
};

function InboxTools({ unread, module, onModule, unreadOnly, onUnreadOnly, onMarkAll }: ToolsProps) {
  const { t, i18n } = useTranslation('notifications');
  const modules = [...unread.keys()].toSorted();
  const open = [...unread].reduce((sum, [each, n]) => (module === null || module === each ? sum + n : sum), 0);
  if (modules.length === 0) return null;
  return (
    <div className="inbox-tools">
      <ul className="row wrap inbox-filters" aria-label={t('filter.label')}>
        <li>
          <FilterChip pressed={unreadOnly} onChange={onUnreadOnly}>
            {t('filter.unread')}
          </FilterChip>
        </li>
        {modules.length > 1 &&
          modules.map(each => (
            <li key={each}>
              <FilterChip pressed={module === each} onChange={on => onModule(on ? each : null)}>
                {moduleName(each, i18n.language)}
              </FilterChip>
            </li>
          ))}
      </ul>
      {open > 0 && (
        <Button icon={CheckCheck} onClick={onMarkAll}>
          {t('markAll')}
        </Button>
      )}
    </div>
  );
}

function NothingHere({ unreadOnly, onAll }: { unreadOnly: boolean; onAll: () => void }) {
  const { t } = useTranslation('notifications');
  if (!unreadOnly) return <EmptyState title={t('empty.inbox')}>{t('empty.inboxText')}</EmptyState>;
  return (
    <EmptyState title={t('empty.unread')} action={<Button onClick={onAll}>{t('empty.all')}</Button>}>
      {t('empty.unreadText')}
    </EmptyState>
  );
}
