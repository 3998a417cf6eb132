import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { readContents, type PackContents } from '@cairn/core/marketplace/pack-contents.ts';
import type { Pack, PackVersion } from '@cairn/core/marketplace/pack.ts';
import { documentsOf } from '@cairn/core/marketplace/pack-update.ts';
import { knownVariables } from '@cairn/core/policies/policy-variables.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { EmptyState } from '@cairn/ui/feedback/empty-state.tsx';
import { useSpace } from '../../shared/session/space.ts';
import { Answered } from './answered.tsx';
import { InstallSheet } from './install-sheet.tsx';
import { InstalledCard } from './installed-card.tsx';
import { PackGate, useMarketRights, type MarketRights } from './market-gate.tsx';
import { hasReadableForms, PackDocuments } from './pack-documents.tsx';
import { PackHead } from './pack-head.tsx';
import type { PackLinks } from './pack-links.ts';
import { useInstalls, usePack, useVersions, type Install } from './use-market.ts';
import './marketplace.css';

type Props = PackLinks & { packId: string; mayReview: boolean };

/** One pack: what it is, every document in it, and taking it over. */
export function PackScreen(props: Props) {
  const rights = useMarketRights(props.mayReview);
  const { packId, backLink } = props;
  return (
    <PackGate packId={packId} rights={rights} missing={<PackMissing backLink={backLink} />}>
      <div className="parts foot-room marketplace">
        <PackAnswered packId={packId} missing={<PackMissing backLink={backLink} />}>
          {(pack, versions, installs) => (
            <>
              {backLink}
              <Loaded {...props} {...{ pack, versions, rights }} install={installs.at(-1) ?? null} />
            </>
          )}
        </PackAnswered>
      </div>
    </PackGate>
  );
}

type AnsweredProps = {
  packId: string;
  /** Stands where there is no such pack, or none that is shown to this person. */
  missing: ReactNode;
  children: (pack: Pack, versions: readonly PackVersion[], installs: readonly Install[]) => ReactNode;
};

export function PackMissing({ backLink }: { backLink: ReactNode }) {
  const { t } = useTranslation('marketplace');
  return (
    <EmptyState level={1} title={t('missing')} action={backLink}>
      {t('missingText')}
    </EmptyState>
  );
}

/** A pack with its versions and what this organisation has of it, once the server has answered all three. */
export function PackAnswered({ packId, missing, children }: AnsweredProps) {
  const { organization } = useSpace();
  const [pack, versions, installs] = [usePack(packId), useVersions(packId), useInstalls(organization.id, packId)];
  return (
    <Answered query={pack}>
      {([found]) =>
        found ? (
          <Answered query={versions}>
            {all => (
              <Answered query={installs}>{had => (all.length > 0 ? children(found, all, had) : missing)}</Answered>
            )}
          </Answered>
        ) : (
          missing
        )
      }
    </Answered>
  );
}

type LoadedProps = Props & {
  pack: Pack;
  versions: readonly PackVersion[];
  install: Install | null;
  rights: MarketRights;
};

/** The version that is offered; for its maker or a reviewer, where none is, the one on its way. */
const shownOf = (pack: Pack, versions: readonly PackVersion[], install: Install | null): PackVersion | undefined =>
  versions.find(({ id }) => id === pack.current_version_id) ??
  versions.find(({ id }) => id === install?.version_id) ??
  versions[0];

function Loaded({ pack, versions, install, rights, ...links }: LoadedProps) {
  const { t } = useTranslation('marketplace');
  const waiting = versions.find(({ state }) => state === 'submitted' || state === 'in_review');
  const [isNext, setNext] = useState(false);
  const shown = isNext && waiting ? waiting : shownOf(pack, versions, install);
  if (!shown) return null;
  const read = readContents(shown.contents);
  const actions = links.renderActions(pack, versions, rights);
  if (!read.ok)
    return (
      <>
        <Banner tone="bad" title={t(`problem.${read.fault}`)} />
        {actions}
      </>
    );
  return (
    <>
      <Offered {...{ pack, shown, install, rights }} contents={read.contents} {...links} />
      {waiting && waiting.id !== pack.current_version_id && pack.current_version_id !== null && (
        <Button aria-pressed={isNext} onClick={() => setNext(!isNext)}>
          {t(isNext ? 'desk.showCurrent' : 'desk.showWaiting', { number: waiting.number })}
        </Button>
      )}
      {actions}
    </>
  );
}

type OfferedProps = Pick<LoadedProps, 'pack' | 'install' | 'rights'> &
  PackLinks & { shown: PackVersion; contents: PackContents };

function Offered({ pack, shown, contents, install, rights, ...links }: OfferedProps) {
  const { t } = useTranslation('marketplace');
  const { world, organization } = useSpace();
  const [typed, setValues] = useState<Record<string, string>>(install?.variables ?? {});
  // What the organisation's own texts name is known already.
  const known = useLive(knownVariables(organization.id));
  const values = install || known.status === 'loading' ? typed : { ...known.answer.values, ...typed };
  const [asking, setAsking] = useState(false);
  const documents = documentsOf(contents).length;
  const isWhole = hasReadableForms(contents);
  const mayTake =
    rights.mayInstall &&
    pack.status === 'active' &&
    shown.state === 'listed' &&
    install === null &&
    world === 'company';
  const acts = mayTake && isWhole && (
    <div className="row wrap">
      <Button variant="primary" onClick={() => setAsking(true)}>
        {t('install.open')}
      </Button>
    </div>
  );
  return (
    <>
      <PackHead pack={pack} version={shown} acts={acts} />
      {mayTake && !isWhole && <Banner tone="warn" title={t('install.unreadable')} />}
      {install && pack.status === 'withdrawn' && <Banner title={t('withdrawnHere')} />}
      {install && <InstalledCard pack={pack} install={install} mayRate={rights.mayInstall} {...links} />}
      <section className="stack market-stack">
        <h2 className="h2">{t('documents', { count: documents })}</h2>
        <PackDocuments contents={contents} values={values} renderMarkdown={links.renderMarkdown} />
      </section>
      {asking && (
        <InstallSheet
          pack={pack}
          versionId={shown.id}
          contents={contents}
          documents={documents}
          values={values}
          onValues={setValues}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
