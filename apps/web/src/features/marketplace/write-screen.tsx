import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Pack, PackVersion } from '@cairn/core/marketplace/pack.ts';
import { NO_CONTENTS } from '@cairn/core/marketplace/pack-writing.ts';
import { EmptyState } from '@cairn/ui/feedback/empty-state.tsx';
import { SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import { useSpace } from '../../shared/session/space.ts';
import { OrphanedDraft } from './orphaned-draft.tsx';
import type { RenderMarkdown } from './document-fields.tsx';
import { factsOf } from './pack-facts.ts';
import { PackGate, useMarketRights } from './market-gate.tsx';
import { serverDraft } from './pack-draft.ts';
import { PackAnswered, PackMissing } from './pack-screen.tsx';
import { UnreadableDraft } from './unreadable-draft.tsx';
import { useOpenDraftStore } from './use-draft-store.ts';
import { usePack, useVersions } from './use-market.ts';
import { Writing } from './writing.tsx';
import './marketplace.css';

type Props = {
  packId: string;
  backLink: ReactNode;
  allLink: ReactNode;
  /** A pack was begun with words whose own pack is gone. */
  onBegun: (packId: string) => void;
  renderWords: RenderMarkdown;
};

/** Where the next version of a pack is written: what it is, its documents, the words it asks for. */
export function WriteScreen({ packId, backLink, allLink, onBegun, renderWords }: Props) {
  const { organization } = useSpace();
  const rights = useMarketRights(false);
  const adrift = { packId, onBegun, renderWords };
  const missing = <PackMissing backLink={allLink} />;
  return (
    <PackGate packId={packId} rights={rights} missing={missing}>
      <div className="parts foot-room marketplace">
        <PackAnswered packId={packId} missing={<OrphanedDraft {...adrift} shown={null} none={missing} />}>
          {(pack, versions) => {
            const version = versions.find(({ state }) => state === 'draft');
            const isOwn = rights.mayMake && pack.organization_id === organization.id;
            return (
              <>
                {backLink}
                {version && isOwn ? (
                  <OpenDraft key={version.id} {...{ pack, versions, version, renderWords }} />
                ) : (
                  <OrphanedDraft {...adrift} shown={{ pack, versions, isOwn }} none={<NoDraft pack={pack} />} />
                )}
              </>
            );
          }}
        </PackAnswered>
      </div>
    </PackGate>
  );
}

function NoDraft({ pack }: { pack: Pack }) {
  const { t } = useTranslation('marketplace');
  return (
    <EmptyState level={1} title={t('write.none', { name: pack.name })}>
      {t('write.noneText')}
    </EmptyState>
  );
}

type OpenProps = Pick<Props, 'renderWords'> & {
  pack: Pack;
  versions: readonly PackVersion[];
  version: PackVersion;
};

function OpenDraft(props: OpenProps) {
  const { t } = useTranslation('marketplace');
  const { pack, version } = props;
  const isFresh = ![usePack(pack.id), useVersions(pack.id)].some(({ isFetching }) => isFetching);
  const there = serverDraft(pack, version);
  // What cannot be read is begun anew by somebody's act alone.
  const [isAnew, setAnew] = useState(false);
  const empty = { facts: factsOf(pack), number: version.number, changelog: version.changelog, contents: NO_CONTENTS };
  const { store, reopen } = useOpenDraftStore(
    pack.id,
    isAnew ? { ...there, draft: there.draft ?? empty } : there,
    isFresh,
  );
  if (store === undefined) return <SkeletonRows label={t('loading')} rows={5} />;
  const begin = (isAnew: boolean) => {
    setAnew(isAnew);
    reopen();
  };
  if (store) return <Writing {...props} store={store} onReopen={() => begin(false)} />;
  return <UnreadableDraft pack={pack} version={version} onAnew={() => begin(true)} />;
}
