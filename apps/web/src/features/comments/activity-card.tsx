import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ArrowRight, CalendarClock, Pencil, UserRound } from 'lucide-react';
import { activityFields } from '@cairn/core/comments/activity-fields.ts';
import type { Subject } from '@cairn/core/comments/subject.ts';
import { thread } from '@cairn/core/comments/queries.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import type { IconComponent } from '@cairn/ui/controls/icon.tsx';
import { SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { Timeline, type Moment } from '@cairn/ui/data/timeline.tsx';
import { useFormat } from '../../shared/format/format.ts';
import { isAway } from '../../shared/server/is-away.ts';
import { useServerCalls } from '../../shared/server/server-calls.ts';
import { useSpace } from '../../shared/session/space.ts';

/** One change as the server noted it. `at`: server time, ISO 8601; of words only that they changed. */
type Change = {
  id: number;
  at: string;
  by: string | null;
  field: string;
  before: string | null;
  after: string | null;
  /** The name of whoever did it without an account. */
  outside: string | null;
  /** Who brought it in that person's name, out of a rescue file. */
  submitted_by: string | null;
};

const PAGE = 50;
const ICONS: Record<string, IconComponent> = {
  status: ArrowRight,
  state: ArrowRight,
  owner_id: UserRound,
  assignee_id: UserRound,
  reviewer_id: UserRound,
  due_at: CalendarClock,
};
const PEOPLE: ReadonlySet<string> = new Set(['assignee_id', 'reviewer_id', 'owner_id']);

type Props = {
  subject: Subject & { table: 'action_items' | 'tasks' | 'issue_reports' | 'findings' };
  /** What a state, priority or the like is called on this record's screen. */
  wordOf: (field: string, value: string) => string | null;
};

/** What changed on a record, who did it and when, the newest first; the server keeps it. */
export function ActivityCard({ subject, wordOf }: Props) {
  const { t } = useTranslation('comments');
  const { t: tShell } = useTranslation('shell');
  const { call } = useServerCalls();
  const { organization, userId } = useSpace();
  const { formatDay, formatInstant } = useFormat();
  const people = useLive(thread(subject, organization.id, userId));
  const names = people.status === 'ready' ? people.answer.names : new Map<string, string>();
  const version = people.status === 'ready' ? people.answer.version : null;
  const query = useInfiniteQuery({
    enabled: version !== null,
    // With each change of the record it is asked for anew.
    queryKey: ['record-activity', subject.table, subject.id, version],
    initialPageParam: null as number | null,
    queryFn: ({ pageParam }) =>
      call<Change[]>('record_activity', { p_table: subject.table, p_id: subject.id, p_before: pageParam }),
    getNextPageParam: last => (last.length < PAGE ? null : (last.at(-1)?.id ?? null)),
  });
  const nameOf = (id: string | null) => names.get(id ?? '') || t('somebody');
  const shown = (field: string, value: string | null): string => {
    if (value === null) return t('activity.none');
    if (PEOPLE.has(field)) return nameOf(value);
    if (field === 'check_on' || field === 'risk_until') return formatDay(new Date(`${value}T12:00:00`));
    return field === 'due_at' ? formatInstant(new Date(value)) : (wordOf(field, value) ?? value);
  };
  const whoOf = ({ by, outside, submitted_by: submitter }: Change): string => {
    if (outside) return t('activity.by', { name: t('outside', { name: outside }) });
    if (by === null) return t('activity.bySystem');
    const text = t('activity.by', { name: nameOf(by) });
    return submitter ? `${text} · ${tShell('brought.by', { name: nameOf(submitter) })}` : text;
  };
  const momentOf = (change: Change): Moment => {
    const field = activityFields.find(each => each === change.field);
    const what = t(`activity.field.${field ?? 'other'}`);
    const told = change.before !== null || change.after !== null;
    return {
      id: String(change.id),
      icon: ICONS[change.field] ?? Pencil,
      title:
        told && field !== 'site_id' ? `${what}: ${shown(change.field, change.after)}` : t('activity.changed', { what }),
      when: formatInstant(new Date(change.at)),
      at: change.at,
      detail: whoOf(change),
    };
  };
  const changes = query.data?.pages.flat() ?? [];
  if (version === null) return null;
  return (
    <Card className="stack" label={t('activity.title')}>
      <h2 className="h2">{t('activity.title')}</h2>
      {query.isLoading && <SkeletonRows label={t('loading')} rows={2} />}
      {isAway(query) && <p className="sm muted">{t('activity.offline')}</p>}
      {query.isSuccess && changes.length === 0 && <p className="sm muted">{t('activity.empty')}</p>}
      {changes.length > 0 && <Timeline label={t('activity.title')} moments={changes.map(momentOf)} />}
      {query.hasNextPage && (
        <div>
          <Button variant="plain" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {t('activity.more')}
          </Button>
        </div>
      )}
    </Card>
  );
}
