import { useState, type ReactNode } from 'react';
import { useInfiniteQuery, type InfiniteData, type UseInfiniteQueryResult } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { AUDIT_AREAS, type AuditArea, type AuditPage } from '@cairn/core/audit/audit-log.ts';
import { organizationMembers } from '@cairn/core/spaces/members.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { DateInput } from '@cairn/ui/controls/date-input.tsx';
import { Select } from '@cairn/ui/controls/select.tsx';
import { StateBlock } from '@cairn/ui/feedback/state-block.tsx';
import { AS_OF_NOW } from '../../shared/server/query-rule.ts';
import { loggedRead } from '../../shared/server/logged-read.ts';
import { ServerAnswer } from '../../shared/server/server-answer.tsx';
import { ServerRefusal, useServerCalls } from '../../shared/server/server-calls.ts';
import { useSpace } from '../../shared/session/space.ts';
import { AuditEntries } from './audit-entries.tsx';
import { VerifyCard } from './verify-card.tsx';
import './audit.css';

type Filters = { area: AuditArea | null; person: string | null; until: string | null };
type Pages = UseInfiniteQueryResult<InfiniteData<AuditPage>>;

/** The midnight that ends a local day, as an instant. */
function endOf(day: string): string {
  const next = new Date(`${day}T00:00:00`);
  next.setDate(next.getDate() + 1);
  return next.toISOString();
}

/** What was done in the organisation, newest first, and whether the log of it is whole. */
export function AuditScreen({ backLink }: { backLink: ReactNode }) {
  const { t } = useTranslation('audit');
  const { organization, may, world } = useSpace();
  const calls = useServerCalls();
  const [filters, setFilters] = useState<Filters>({ area: null, person: null, until: null });
  const isAllowed = may('audit.read') && world === 'company';
  const { area, person, until } = filters;
  const pages = useInfiniteQuery({
    enabled: isAllowed,
    queryKey: ['audit', organization.id, filters],
    initialPageParam: null as number | null,
    queryFn: ({ pageParam }) =>
      loggedRead<AuditPage>(calls, 'read_audit_log', {
        p_organization: organization.id,
        p_before: pageParam,
        p_act: area,
        p_actor: person,
        p_until: until && endOf(until),
      }),
    getNextPageParam: (last: AuditPage) => last.next,
    ...AS_OF_NOW,
  });
  return (
    <div className="parts foot-room">
      {backLink}
      <div className="page-head">
        <h1 className="h1">{t('title')}</h1>
      </div>
      {isAllowed && (
        <>
          <p className="muted audit-text">{t('text')}</p>
          <VerifyCard />
          <FilterBar filters={filters} onChange={setFilters} />
        </>
      )}
      <Answered pages={pages} isAllowed={isAllowed} isFiltered={Boolean(area ?? person ?? until)} />
    </div>
  );
}

function FilterBar({ filters, onChange }: { filters: Filters; onChange: (filters: Filters) => void }) {
  const { t, i18n } = useTranslation('audit');
  const { organization } = useSpace();
  const known = useLive(organizationMembers(organization.id));
  const people = known.status === 'ready' ? known.answer.members : [];
  return (
    <div className="audit-filters">
      <Select
        label={t('filters.area')}
        placeholder={t('filters.everything')}
        choices={AUDIT_AREAS.map(value => ({ value, label: t(`area.${value}`) }))}
        value={filters.area ?? ''}
        onChange={event =>
          onChange({ ...filters, area: AUDIT_AREAS.find(each => each === event.target.value) ?? null })
        }
      />
      <Select
        label={t('filters.person')}
        placeholder={t('filters.everybody')}
        choices={people.map(({ userId, name }) => ({ value: userId, label: name ?? userId }))}
        value={filters.person ?? ''}
        onChange={event => onChange({ ...filters, person: event.target.value || null })}
      />
      <DateInput
        label={t('filters.until')}
        value={filters.until}
        locale={i18n.language}
        onChange={until => onChange({ ...filters, until })}
      />
    </div>
  );
}

type AnsweredProps = { pages: Pages; isAllowed: boolean; isFiltered: boolean };

function Answered({ pages, isAllowed, isFiltered }: AnsweredProps) {
  const { t } = useTranslation('audit');
  if (!isAllowed || (pages.error instanceof ServerRefusal && pages.error.code === '42501'))
    return (
      <StateBlock state="not-allowed" title={t('notAllowed')}>
        {t('notAllowedText')}
      </StateBlock>
    );
  const words = {
    loading: t('loading'),
    offline: t('offline'),
    offlineText: t('offlineText'),
    failed: t('failed'),
    failedText: t('failedText'),
    again: t('again'),
  };
  return (
    <ServerAnswer query={pages} words={words} rows={6}>
      {read => (
        <>
          <AuditEntries pages={read.pages} isFiltered={isFiltered} />
          {pages.hasNextPage && (
            <div className="row">
              <Button busy={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
                {t('more')}
              </Button>
            </div>
          )}
        </>
      )}
    </ServerAnswer>
  );
}
