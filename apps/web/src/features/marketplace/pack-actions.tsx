import { useCallback, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { newId } from '@cairn/base/id.ts';
import { whoMoves, type Pack, type PackVersion, type VersionState } from '@cairn/core/marketplace/pack.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Textarea } from '@cairn/ui/controls/textarea.tsx';
import { Pill } from '@cairn/ui/feedback/pill.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import type { ServerCalls } from '../../shared/server/server-calls.ts';
import { useSpace } from '../../shared/session/space.ts';
import type { MarketRights } from './market-gate.tsx';
import { DropDraft } from './drop-draft.tsx';
import { NextVersion } from './next-version.tsx';
import { savePackFile } from './pack-file.ts';
import { LocalDraftNotice } from './local-draft-notice.tsx';
import { useMarketAct } from './use-market.ts';

type Props = {
  pack: Pack;
  versions: readonly PackVersion[];
  rights: MarketRights;
  onForked: (packId: string) => void;
  /** The way to where the version that is being made is written. */
  renderWrite: (face: string) => ReactNode;
  onWrite: () => void;
  /** The pack is gone, with the only version it had. */
  onGone: () => void;
};

/** What makers and reviewers do with a pack: begin their own with it, write the next version, move one on. */
export function PackActions(props: Props) {
  const { pack, versions, rights } = props;
  const { organization } = useSpace();
  const isOwn = rights.mayMake && pack.organization_id === organization.id;
  // Nobody reviews what their own company made.
  const isReviewer = rights.mayReview && pack.is_template && pack.organization_id !== organization.id;
  const moving = versions.filter(version => movesOf(version, pack, { isOwn, isReviewer }).length > 0);
  return (
    <>
      {(isOwn || (isReviewer && moving.length > 0)) && <Actions {...props} {...{ isOwn, isReviewer }} />}
      {rights.mayMake && pack.status === 'active' && (isOwn || pack.licence !== 'all-rights-reserved') && (
        <Fork {...props} />
      )}
    </>
  );
}

type PackRole = { isOwn: boolean; isReviewer: boolean };
const STATES: readonly VersionState[] = ['in_review', 'listed', 'submitted', 'draft', 'withdrawn'];

function movesOf(
  { state }: PackVersion,
  { is_template: isTemplate }: Pack,
  { isOwn, isReviewer }: PackRole,
): VersionState[] {
  return STATES.filter(to => {
    const who = whoMoves(state, to, isTemplate);
    return (isOwn && (who === 'maker' || who === 'either')) || (isReviewer && (who === 'reviewer' || who === 'either'));
  });
}

function Actions({ pack, versions, isOwn, isReviewer, ...ways }: Props & PackRole) {
  const { t } = useTranslation('marketplace');
  const open = versions.find(({ state }) => state !== 'listed' && state !== 'withdrawn');
  const title = t(isOwn ? 'desk.title' : 'desk.reviewTitle');
  return (
    <Card label={title}>
      <div className="stack market-stack">
        <h2 className="h2">{title}</h2>
        {versions.map(version => (
          <VersionRow key={version.id} {...{ pack, version }} moves={movesOf(version, pack, { isOwn, isReviewer })} />
        ))}
        {isOwn && open?.state === 'draft' && (
          <div className="row wrap">
            {ways.renderWrite(t('desk.edit'))}
            <DropDraft version={open} isOnly={versions.length === 1} onGone={ways.onGone} />
          </div>
        )}
        {isOwn && open?.state !== 'draft' && (
          <LocalDraftNotice packId={pack.id} way={ways.renderWrite(t('adrift.open'))} />
        )}
        {isOwn && !open && <NextVersion pack={pack} versions={versions} onBegun={ways.onWrite} />}
      </div>
    </Card>
  );
}

type RowProps = { pack: Pack; version: PackVersion; moves: readonly VersionState[] };

function VersionRow({ pack, version, moves }: RowProps) {
  const { t } = useTranslation('marketplace');
  const [note, setNote] = useState('');
  const { id } = version;
  const move = useCallback(
    (calls: ServerCalls, to: VersionState, why: string | null) =>
      calls.call('move_pack_version', { p_version: id, p_to: to, p_note: why }),
    [id],
  );
  const moving = useMarketAct(move);
  const isReason = (to: VersionState) => to === 'withdrawn' || (to === 'draft' && version.state === 'in_review');
  const go = async (to: VersionState) => {
    if (await moving.run(to, isReason(to) ? note.trim() : null))
      toast({ title: t('desk.moved', { number: version.number, state: t(`state.${to}`) }) });
  };
  const save = () => savePackFile(pack.name, version.number, version.contents);
  return (
    <section className="stack market-stack" aria-label={t('version', { number: version.number })}>
      <div className="row wrap">
        <h3 className="strong">{t('version', { number: version.number })}</h3>
        <Pill>{t(`state.${version.state}`)}</Pill>
      </div>
      {version.review_note && <p className="sm">{t('desk.sentBack', { note: version.review_note })}</p>}
      {moves.some(to => isReason(to)) && (
        <Textarea
          label={t('desk.note')}
          hint={t('desk.noteHint')}
          maxLength={2000}
          value={note}
          onChange={event => setNote(event.target.value)}
        />
      )}
      {moving.problem && <Banner tone="bad" title={moving.problem} />}
      <div className="row wrap">
        {moves.map(to => (
          <Button
            key={to}
            {...(!isReason(to) && to !== 'draft' && { variant: 'primary' as const })}
            busy={moving.busy}
            disabled={isReason(to) && note.trim() === ''}
            onClick={() => void go(to)}
          >
            {t(to === 'draft' && isReason(to) ? 'desk.to.sendBack' : `desk.to.${to}`)}
          </Button>
        ))}
        <Button onClick={save}>{t('desk.save')}</Button>
      </div>
    </section>
  );
}

function Fork({ pack, onForked }: Props) {
  const { t } = useTranslation('marketplace');
  const { organization } = useSpace();
  // The same fork, pressed twice or sent again after a lost answer, is one fork.
  const [id] = useState(newId);
  const version = pack.current_version_id;
  const fork = useCallback(
    (calls: ServerCalls) => calls.call('fork_pack', { p_id: id, p_version: version, p_organization: organization.id }),
    [id, version, organization.id],
  );
  const forking = useMarketAct(fork);
  const begin = async () => {
    if (!(await forking.run())) return;
    toast({ title: t('desk.forkDone') });
    onForked(id);
  };
  return (
    <div className="row wrap">
      <Button busy={forking.busy} onClick={() => void begin()}>
        {t('desk.fork')}
      </Button>
      {forking.problem && <Banner tone="bad" title={forking.problem} />}
    </div>
  );
}
