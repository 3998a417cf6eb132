import { useEffect, useState, type ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { TableName } from '@cairn/schema';
import type { OutboxItem } from '@cairn/sync/outbox/outbox-item.ts';
import type { SubmittedEdit } from '@cairn/sync/push/submitted-edits.ts';
import type { Query } from '@cairn/sync/store.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { StatusChip } from '@cairn/ui/feedback/pill.tsx';
import { Card, List, Row } from '@cairn/ui/layout/surface.tsx';
import { AS_OF_NOW } from '../../../shared/server/query-rule.ts';
import { isAway } from '../../../shared/server/is-away.ts';
import { useServerCalls } from '../../../shared/server/server-calls.ts';
import { useSignedIn } from '../../../shared/session/session.ts';
import { exactly } from '../conflicts/field-text.ts';
import {
  submittedByOrganization,
  type SubmittedEdits,
  type ReviewState,
  type SubmittedGroup,
  type QueuedEdit,
} from './submitted-groups.ts';
import { kindLabel } from '../lists/kind-label.ts';
import { useOutbox } from '../lists/use-engine-lists.ts';
import { isHanding } from '../outbox/wait-text.ts';

const CHIPS = {
  waiting: 'waiting',
  accepted: 'done',
  declined: 'open',
  refused: 'due',
  partly: 'review',
  unknown: 'open',
} as const satisfies Record<ReviewState, string>;

const names: Query<Map<string, string>> = {
  key: 'sync/organization-names',
  tables: ['organizations'],
  read: async tx => new Map((await tx.all('organizations')).map(({ id, name }) => [id, name])),
};

/** Organisations, by id, whose administrators are about to get what waits. */
function organizationIdsOf(items: readonly OutboxItem[]): Query<string[]> {
  return {
    key: `sync/handing/${items.map(({ key }) => key).join(',')}`,
    // A read names at least one table, also while nothing waits.
    tables: [...new Set<TableName>(['organizations', ...items.map(({ table }) => table)])],
    async read(tx) {
      const rows = await Promise.all(items.map(({ table, recordId }) => tx.get(table, recordId)));
      const ids = rows.map(row => (row && 'organization_id' in row ? row.organization_id : null));
      return [...new Set(ids)].filter(id => typeof id === 'string');
    },
  };
}

function useSubmitted(): SubmittedEdit[] | null {
  const { engine } = useSignedIn();
  const [edits, setEdits] = useState<SubmittedEdit[] | null>(null);
  useEffect(() => engine.watchSubmitted(setEdits), [engine]);
  return edits;
}

/** What became of work for organisations that this person was removed from; nothing where there is none. */
export function SubmittedSection() {
  const calls = useServerCalls();
  const edits = useSubmitted();
  const query = useQuery({
    queryKey: ['sync', 'given', edits?.length],
    queryFn: () => calls.call<QueuedEdit[]>('my_submitted_edits'),
    enabled: edits !== null,
    // Whoever follows the notice that it was decided wants that decision.
    ...AS_OF_NOW,
  });
  const known = useLive(names);
  const nameOf = (id: string) => (known.status === 'ready' ? (known.answer.get(id) ?? null) : null);
  return (
    <>
      <Submitting nameOf={nameOf} />
      {submittedByOrganization(edits ?? [], query.data ?? null).map(given => (
        <GivenTo key={given.organizationId} given={given} name={given.name ?? nameOf(given.organizationId)}>
          {query.data === undefined && <Unheard query={query} />}
        </GivenTo>
      ))}
    </>
  );
}

/** What still waits to be handed over stands in the outbox; here, to whom it goes. */
function Submitting({ nameOf }: { nameOf: (id: string) => string | null }) {
  const { t } = useTranslation('sync');
  const organizationIds = useLive(organizationIdsOf((useOutbox().told ?? []).filter(isHanding)));
  if (organizationIds.status !== 'ready') return null;
  return organizationIds.answer.map(id => (
    <Banner key={id} title={t('given.handing', { name: nameOf(id) ?? t('given.somewhere') })} />
  ));
}

type FailedQuery = Parameters<typeof isAway>[0] & { refetch: () => Promise<unknown> };

/** In place of what the server has not said: that it is being asked, or why not. */
function Unheard({ query }: { query: FailedQuery }) {
  const { t } = useTranslation('sync');
  if (!isAway(query)) return <output className="sm muted">{t('given.loading')}</output>;
  if (query.status === 'pending') return <Banner title={t('given.offline')} />;
  return (
    <Banner
      tone="warn"
      title={t('given.failed')}
      action={
        <Button size="sm" onClick={() => void query.refetch()}>
          {t('given.again')}
        </Button>
      }
    />
  );
}

type GivenProps = { given: SubmittedEdits; name: string | null; children: ReactNode };

function GivenTo({ given: { things, elsewhere }, name, children }: GivenProps) {
  const { t } = useTranslation('sync');
  const title = t('given.title', { name: name ?? t('given.somewhere') });
  return (
    <>
      <div className="sect">
        <h2 className="h3">{title}</h2>
      </div>
      {children}
      <Card flush label={title}>
        <List>
          {things.map(thing => (
            <Thing key={thing.aggregateKey} thing={thing} />
          ))}
          {elsewhere.map(({ state, count }) => (
            <Row
              key={state}
              title={t('given.elsewhere', { count })}
              end={<StatusChip state={CHIPS[state]}>{t(`given.state.${state}`)}</StatusChip>}
            />
          ))}
        </List>
      </Card>
    </>
  );
}

function Thing({ thing: { aggregateKey, at, state } }: { thing: SubmittedGroup }) {
  const { t } = useTranslation('sync');
  const kind = kindLabel({ table: aggregateKey.split('/')[0] as TableName, kind: 'record' }, t);
  return (
    <Row
      title={kind}
      detail={t('given.when', { when: exactly(at) })}
      end={<StatusChip state={CHIPS[state]}>{t(`given.state.${state}`)}</StatusChip>}
    />
  );
}
