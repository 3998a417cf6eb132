import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { EmptyState } from '@cairn/ui/feedback/empty-state.tsx';
import { Card, CardHead, List, Row } from '@cairn/ui/layout/surface.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { useFormat } from '../../shared/format/format.ts';
import type { ServerCalls } from '../../shared/server/server-calls.ts';
import { useSpace } from '../../shared/session/space.ts';
import { FromServer } from './from-server.tsx';
import { orphanedGroups, type OrphanedEditRow, type OrphanedGroup } from './orphaned-groups.ts';
import { useServerAction, useServerQuery } from './use-server.ts';

/** The server decides over at most this many pieces a call. */
const MAX_DECIDED = 50;
const CHANGES = ['orphaned-edits'];
/** What the server answers to a piece that stays in the review queue. */
const STAYS = new Set(['rejected', 'conflict']);

type Decision = { results?: { mid: string; st: string }[]; media?: string[] };

/** All of the review queue in one state; the server gives it in pages. */
async function readReviewQueue(calls: ServerCalls, organizationId: string, state: string): Promise<OrphanedEditRow[]> {
  const all: OrphanedEditRow[] = [];
  for (;;) {
    const after = { p_organization: organizationId, p_state: state, p_after: all.at(-1)?.n ?? 0 };
    const page = await calls.call<OrphanedEditRow[]>('orphaned_edits', after);
    if (page.length === 0) return all;
    all.push(...page);
  }
}

/** What removed members did offline and could not send: an administrator takes it over or declines it, thing by thing. */
export function ReviewQueue() {
  const { t } = useTranslation('spaces');
  const { organization } = useSpace();
  const id = organization.id;
  const accepting = useDeciding(id, true);
  const declining = useDeciding(id, false);
  const problem = accepting.problem ?? declining.problem;
  const query = useServerQuery(
    ['orphaned-edits', id],
    useCallback(
      async (calls: ServerCalls) => [
        ...(await readReviewQueue(calls, id, 'waiting')),
        ...(await readReviewQueue(calls, id, 'refused')),
      ],
      [id],
    ),
  );
  return (
    <div className="spaces-part">
      <p className="muted sm">{t('orphanedEdits.text')}</p>
      {problem && <Banner tone="bad" title={problem} />}
      <FromServer query={query}>
        {all => {
          if (all.length === 0)
            return <EmptyState title={t('orphanedEdits.none')}>{t('orphanedEdits.noneText')}</EmptyState>;
          const authors = Map.groupBy(all, ({ user_id: author }) => author);
          return [...authors].map(([author, own]) => (
            <Author
              key={author}
              name={own[0]?.name ?? t('members.unnamed')}
              things={orphanedGroups(own)}
              busy={accepting.busy || declining.busy}
              onDecide={(thing, accept) => void (accept ? accepting : declining).run(author, thing)}
            />
          ));
        }}
      </FromServer>
    </div>
  );
}

/** Takes over what somebody could not send, or declines it. */
function useDeciding(organizationId: string, accept: boolean) {
  const { t } = useTranslation('spaces');
  const decide = useCallback(
    async (calls: ServerCalls, author: string, { mids }: OrphanedGroup) => {
      let refused = 0;
      for (let left: readonly string[] = mids; left.length > 0;) {
        const asked = left.slice(0, MAX_DECIDED);
        const answer = await calls.call<Decision>('decide_orphaned_edits', {
          p_organization: organizationId,
          p_user: author,
          p_mids: asked,
          p_accept: accept,
        });
        // What was saved together was decided together, and is more than was asked for.
        const decided = new Set((answer.results ?? []).map(({ mid }) => mid));
        const undecided = (some: readonly string[]) => some.filter(mid => !decided.has(mid));
        // More than the server takes at once; what it leaves out altogether is not asked for again.
        const goesOn = accept && asked.some(mid => decided.has(mid));
        left = [...(goesOn ? undecided(asked) : []), ...undecided(left.slice(MAX_DECIDED))];
        refused += (answer.results ?? []).filter(({ st }) => STAYS.has(st)).length;
        // Their author may still be bringing the bytes: the file shows as not arrived yet, and their device has it confirmed.
        for (const media of answer.media ?? []) await calls.send('media/confirm', { id: media }).catch(() => undefined);
      }
      if (refused > 0) toast({ title: t('orphanedEdits.refused', { count: refused }), tone: 'bad' });
      else toast({ title: accept ? t('orphanedEdits.accepted') : t('orphanedEdits.declined') });
    },
    [accept, organizationId, t],
  );
  return useServerAction(decide, {
    operation: t(accept ? 'orphanedEdits.accept' : 'orphanedEdits.decline'),
    changes: CHANGES,
  });
}

type AuthorProps = {
  name: string;
  things: readonly OrphanedGroup[];
  busy: boolean;
  onDecide: (thing: OrphanedGroup, accept: boolean) => void;
};

function Author({ name, things, busy, onDecide }: AuthorProps) {
  const { t } = useTranslation('spaces');
  const { formatInstant } = useFormat();
  return (
    <Card flush label={name}>
      <CardHead title={name} count={<span className="count">{things.length}</span>} />
      <List label={name}>
        {things.map(thing => (
          <Row
            key={thing.key}
            title={thing.title ?? t(`orphanedEdits.kind.${thing.kind}`)}
            detail={[
              t(`orphanedEdits.kind.${thing.kind}`),
              t('orphanedEdits.pieces', { count: thing.mids.length }),
              formatInstant(new Date(thing.submittedAt)),
              ...(thing.submittedBy === null ? [] : [t('orphanedEdits.submitted', { name: thing.submittedBy })]),
              ...(thing.refused
                ? [
                    t('orphanedEdits.wasRefused', {
                      what: thing.refused.what,
                      why: t(`orphanedEdits.because.${thing.refused.why}`),
                    }),
                  ]
                : []),
            ].join(' · ')}
            end={
              <span className="spaces-acts">
                <Button size="sm" variant="primary" busy={busy} onClick={() => onDecide(thing, true)}>
                  {t('orphanedEdits.accept')}
                </Button>
                <Button size="sm" variant="plain" busy={busy} onClick={() => onDecide(thing, false)}>
                  {t('orphanedEdits.decline')}
                </Button>
              </span>
            }
          />
        ))}
      </List>
    </Card>
  );
}
