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
import { unsentThings, type UnsentRow, type UnsentThing } from './unsent-things.ts';
import { useServerAction, useServerQuery } from './use-server.ts';

/** The server decides over at most this many pieces a call. */
const MAX_DECIDED = 50;
const CHANGES = ['unsent'];
/** What the server answers to a piece that stays in the tray. */
const STAYS = new Set(['rejected', 'conflict']);

type Decision = { results?: { mid: string; st: string }[]; media?: string[] };

/** All of the tray in one state; the server gives it in pages. */
async function readTray(calls: ServerCalls, organizationId: string, state: string): Promise<UnsentRow[]> {
  const all: UnsentRow[] = [];
  for (;;) {
    const after = { p_organization: organizationId, p_state: state, p_after: all.at(-1)?.n ?? 0 };
    const page = await calls.call<UnsentRow[]>('unsent_work', after);
    if (page.length === 0) return all;
    all.push(...page);
  }
}

/** What removed members did offline and could not send: an administrator takes it over or declines it, thing by thing. */
export function UnsentTray() {
  const { t } = useTranslation('spaces');
  const { organization } = useSpace();
  const id = organization.id;
  const accepting = useDeciding(id, true);
  const declining = useDeciding(id, false);
  const problem = accepting.problem ?? declining.problem;
  const query = useServerQuery(
    ['unsent', id],
    useCallback(
      async (calls: ServerCalls) => [
        ...(await readTray(calls, id, 'waiting')),
        ...(await readTray(calls, id, 'refused')),
      ],
      [id],
    ),
  );
  return (
    <div className="spaces-part">
      <p className="muted sm">{t('unsent.text')}</p>
      {problem && <Banner tone="bad" title={problem} />}
      <FromServer query={query}>
        {all => {
          if (all.length === 0) return <EmptyState title={t('unsent.none')}>{t('unsent.noneText')}</EmptyState>;
          const authors = Map.groupBy(all, ({ user_id: author }) => author);
          return [...authors].map(([author, own]) => (
            <Author
              key={author}
              name={own[0]?.name ?? t('members.unnamed')}
              things={unsentThings(own)}
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
    async (calls: ServerCalls, author: string, { mids }: UnsentThing) => {
      let refused = 0;
      for (let left: readonly string[] = mids; left.length > 0;) {
        const asked = left.slice(0, MAX_DECIDED);
        const answer = await calls.call<Decision>('decide_unsent_work', {
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
      if (refused > 0) toast({ title: t('unsent.refused', { count: refused }), tone: 'bad' });
      else toast({ title: accept ? t('unsent.accepted') : t('unsent.declined') });
    },
    [accept, organizationId, t],
  );
  return useServerAction(decide, { operation: t(accept ? 'unsent.accept' : 'unsent.decline'), changes: CHANGES });
}

type AuthorProps = {
  name: string;
  things: readonly UnsentThing[];
  busy: boolean;
  onDecide: (thing: UnsentThing, accept: boolean) => void;
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
            title={thing.title ?? t(`unsent.kind.${thing.kind}`)}
            detail={[
              t(`unsent.kind.${thing.kind}`),
              t('unsent.pieces', { count: thing.mids.length }),
              formatInstant(new Date(thing.submittedAt)),
              ...(thing.broughtBy === null ? [] : [t('unsent.brought', { name: thing.broughtBy })]),
              ...(thing.refused
                ? [t('unsent.wasRefused', { what: thing.refused.what, why: t(`unsent.because.${thing.refused.why}`) })]
                : []),
            ].join(' · ')}
            end={
              <span className="spaces-acts">
                <Button size="sm" variant="primary" busy={busy} onClick={() => onDecide(thing, true)}>
                  {t('unsent.accept')}
                </Button>
                <Button size="sm" variant="plain" busy={busy} onClick={() => onDecide(thing, false)}>
                  {t('unsent.decline')}
                </Button>
              </span>
            }
          />
        ))}
      </List>
    </Card>
  );
}
