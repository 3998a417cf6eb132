import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { readContents, type PackContents } from '@cairn/core/marketplace/pack-contents.ts';
import type { Pack, PackVersion } from '@cairn/core/marketplace/pack.ts';
import { installedDocuments, planUpdate } from '@cairn/core/marketplace/pack-update.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { EmptyState } from '@cairn/ui/feedback/empty-state.tsx';
import { SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { useSpace } from '../../shared/session/space.ts';
import { DocumentCard } from './document-card.tsx';
import { VariableFields } from './install-sheet.tsx';
import { PackGate, useMarketRights } from './market-gate.tsx';
import type { PackLinks } from './pack-links.ts';
import { PackAnswered, PackMissing } from './pack-screen.tsx';
import type { Install } from './use-market.ts';
import './marketplace.css';

type Props = { packId: string; backLink: ReactNode; allLink: ReactNode } & Pick<PackLinks, 'renderMarkdown'>;

/** A later version of a pack beside what an organisation made of the earlier one: document by document, nothing by itself. */
export function UpdateScreen({ packId, backLink, allLink, ...links }: Props) {
  const rights = useMarketRights(false);
  const missing = <PackMissing backLink={allLink} />;
  return (
    <PackGate packId={packId} rights={rights} missing={missing}>
      <div className="parts foot-room marketplace">
        <PackAnswered packId={packId} missing={missing}>
          {(pack, versions, installs) => {
            const install = installs.at(-1);
            return (
              <>
                {backLink}
                {install ? <Update {...{ pack, versions, install }} {...links} /> : <Nothing pack={pack} />}
              </>
            );
          }}
        </PackAnswered>
      </div>
    </PackGate>
  );
}

function Nothing({ pack }: { pack: Pack }) {
  const { t } = useTranslation('marketplace');
  return (
    <EmptyState level={1} title={t('update.none', { name: pack.name })}>
      {t('update.noneText')}
    </EmptyState>
  );
}

type UpdateProps = { pack: Pack; versions: readonly PackVersion[]; install: Install } & Pick<
  PackLinks,
  'renderMarkdown'
>;

/** Contents of the versions that can be read, by their id. */
function basesOf(versions: readonly PackVersion[]): ReadonlyMap<string, PackContents> {
  return new Map(
    versions.flatMap(({ id, contents }) => {
      const read = readContents(contents);
      return read.ok ? [[id, read.contents] as const] : [];
    }),
  );
}

function Update({ pack, versions, install, renderMarkdown }: UpdateProps) {
  const { t } = useTranslation('marketplace');
  const { organization } = useSpace();
  const live = useLive(installedDocuments(organization.id, pack.id));
  const [typed, setTyped] = useState<Record<string, string>>({});
  const bases = basesOf(versions);
  const next = versions.find(({ id }) => id === pack.current_version_id);
  const contents = next && bases.get(next.id);
  if (!next || !contents) return <Nothing pack={pack} />;
  if (live.status === 'loading') return <SkeletonRows label={t('loading')} rows={5} />;
  const values = { ...typed, ...install.variables };
  const asked = contents.variables.filter(({ key }) => !Object.hasOwn(install.variables, key));
  const plan = planUpdate(live.answer, bases, { next: { id: next.id, contents }, values });
  // What asks for a decision stands first.
  const inOrder = plan.toSorted((a, b) => Number(a.is === 'unchanged') - Number(b.is === 'unchanged'));
  if (plan.length === 0) return <Nothing pack={pack} />;
  return (
    <>
      <header className="stack market-stack market-head">
        <h1 className="h1">{t('update.title', { name: pack.name, number: next.number })}</h1>
        <p className="muted">{t('update.text')}</p>
        {next.changelog && <p>{t('fact.changelog', { text: next.changelog })}</p>}
      </header>
      {asked.length > 0 && (
        <Card label={t('update.words')}>
          <div className="stack market-stack">
            <Banner title={t('update.words')} />
            <VariableFields variables={asked} values={typed} isTried={false} onChange={setTyped} />
          </div>
        </Card>
      )}
      {inOrder.map(update => (
        <DocumentCard
          key={`${update.kind}/${update.key}`}
          update={update}
          versionId={next.id}
          values={values}
          asked={asked}
          renderMarkdown={renderMarkdown}
        />
      ))}
    </>
  );
}
