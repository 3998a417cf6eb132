import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Pack, PackVersion } from '@cairn/core/marketplace/pack.ts';
import { documentsOf } from '@cairn/core/marketplace/pack-update.ts';
import { Banner } from '@cairn/ui/banner.tsx';
import { Button } from '@cairn/ui/button.tsx';
import { EmptyState } from '@cairn/ui/empty-state.tsx';
import { Input, Textarea } from '@cairn/ui/field.tsx';
import { Card } from '@cairn/ui/surface.tsx';
import { useSpace } from '../../shared/space.ts';
import { AddDocuments } from './add-documents.tsx';
import { AskedWords } from './asked-words.tsx';
import { DocumentFields, type RenderWords } from './document-fields.tsx';
import { FactFields } from './fact-fields.tsx';
import { MarketGate, useMarketRights } from './market-gate.tsx';
import { PackAnswered } from './pack-screen.tsx';
import { usePackDraft, type PackDraft } from './use-pack-draft.ts';
import './marketplace.css';

type Props = { packId: string; backLink: ReactNode; renderWords: RenderWords };

/** Where the next version of a pack is written: what it is, its documents, the words it asks for. */
export function WriteScreen({ packId, backLink, renderWords }: Props) {
  const { t } = useTranslation('marketplace');
  const { organization } = useSpace();
  const rights = useMarketRights(false);
  return (
    <MarketGate rights={rights}>
      <div className="parts foot-room marketplace">
        {backLink}
        <PackAnswered packId={packId}>
          {(pack, versions) => {
            const draft = versions.find(({ state }) => state === 'draft');
            const isOwn = rights.mayMake && pack.organization_id === organization.id;
            if (draft && isOwn) return <Writing key={draft.id} {...{ pack, versions, draft, renderWords }} />;
            return (
              <EmptyState level={1} title={t('write.none', { name: pack.name })}>
                {t('write.noneText')}
              </EmptyState>
            );
          }}
        </PackAnswered>
      </div>
    </MarketGate>
  );
}

type WritingProps = {
  pack: Pack;
  versions: readonly PackVersion[];
  draft: PackVersion;
  renderWords: RenderWords;
};

function Writing({ pack, versions, draft: version, renderWords }: WritingProps) {
  const { t } = useTranslation('marketplace');
  // What people chose it by stays as it was once a version left the draft.
  const mayChangeFacts = versions.every(({ state }) => state === 'draft');
  const writing = usePackDraft(pack, version, mayChangeFacts);
  const { draft, change } = writing;
  return (
    <>
      <header className="page-head">
        <h1 className="h1">{t('write.heading', { name: pack.name, number: draft.number })}</h1>
        <Saved {...writing} />
      </header>
      {version.review_note && <Banner title={t('desk.sentBack', { note: version.review_note })} />}
      <VersionCard draft={draft} fault={writing.fault} onChange={change} />
      {mayChangeFacts && (
        <Card label={t('write.facts')}>
          <div className="stack market-stack">
            <h2 className="h2">{t('write.facts')}</h2>
            <FactFields
              facts={draft.facts}
              error={writing.fault === 'name' ? t('desk.needName') : undefined}
              isForked={pack.forked_from_id !== null}
              onChange={facts => change({ facts })}
            />
          </div>
        </Card>
      )}
      <section className="stack market-stack">
        <h2 className="h2">{t('documents', { count: documentsOf(draft.contents).length })}</h2>
        <DocumentFields
          contents={draft.contents}
          onChange={contents => change({ contents })}
          renderWords={renderWords}
        />
      </section>
      <AskedWords contents={draft.contents} onChange={contents => change({ contents })} />
      <AddDocuments contents={draft.contents} onAdd={writing.add} />
      <Trouble {...writing} />
    </>
  );
}

type VersionProps = { draft: PackDraft; fault: string | null; onChange: (part: Partial<PackDraft>) => void };

function VersionCard({ draft, fault, onChange }: VersionProps) {
  const { t } = useTranslation('marketplace');
  return (
    <Card label={t('write.version')}>
      <div className="stack market-stack">
        <h2 className="h2">{t('write.version')}</h2>
        <Input
          label={t('desk.number')}
          hint={t('desk.numberHint')}
          value={draft.number}
          error={fault === 'number' ? t('desk.numberHint') : undefined}
          onChange={event => onChange({ number: event.target.value })}
        />
        <Textarea
          label={t('desk.changelog')}
          hint={t('write.changelogHint')}
          maxLength={2000}
          value={draft.changelog}
          onChange={event => onChange({ changelog: event.target.value })}
        />
      </div>
    </Card>
  );
}

type SavedProps = Pick<
  ReturnType<typeof usePackDraft>,
  'isKept' | 'busy' | 'fault' | 'problem' | 'isOutrun' | 'keepNow' | 'takeTheirs'
>;

function Saved({ isKept, busy, fault, problem }: Pick<SavedProps, 'isKept' | 'busy' | 'fault' | 'problem'>) {
  const { t } = useTranslation('marketplace');
  const state = busy ? 'saving' : isKept ? 'saved' : fault || problem ? 'unsaved' : 'saving';
  return <output className="sm muted">{t(`write.${state}`)}</output>;
}

/** Why what is typed is not on the server yet, within sight wherever one writes. */
function Trouble({ isKept, busy, fault, problem, ...way }: SavedProps) {
  const { t } = useTranslation('marketplace');
  if (isKept || (fault === null && problem === null)) return null;
  const title = fault === null ? problem : fault === 'name' ? t('desk.needName') : t(`problem.${fault}`);
  return (
    <div className="market-trouble">
      <Banner
        tone="bad"
        title={title}
        action={
          fault === null && (
            <>
              <Button busy={busy} onClick={way.keepNow}>
                {t(way.isOutrun ? 'write.overTheirs' : 'again')}
              </Button>
              {way.isOutrun && <Button onClick={way.takeTheirs}>{t('write.takeTheirs')}</Button>}
            </>
          )
        }
      >
        {t('write.unsavedText')}
      </Banner>
    </div>
  );
}
