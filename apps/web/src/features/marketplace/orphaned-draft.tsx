import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { newId } from '@cairn/base/id.ts';
import { nextNumber, type Pack, type PackVersion } from '@cairn/core/marketplace/pack.ts';
import { withVariableTexts } from '@cairn/core/marketplace/pack-writing.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Confirm } from '@cairn/ui/overlays/confirm.tsx';
import { SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import type { ServerCalls } from '../../shared/server/server-calls.ts';
import { useSpace } from '../../shared/session/space.ts';
import type { RenderMarkdown } from './document-fields.tsx';
import { DraftEditor } from './draft-editor.tsx';
import type { DraftStore } from './draft-store.ts';
import { sentFacts } from './pack-facts.ts';
import { faultText, type PackDraft } from './pack-draft.ts';
import { savePackFile } from './pack-file.ts';
import { saveVersion } from './save-version.ts';
import { useDraftStore, useOpenDraftStore } from './use-draft-store.ts';
import { useMarketAct } from './use-market.ts';

/** The pack whose draft is no longer open, as far as it is still shown to this person. */
type ShownPack = { pack: Pack; versions: readonly PackVersion[]; isOwn: boolean };
type Props = {
  packId: string;
  shown: ShownPack | null;
  /** Stands where nothing was typed. */
  none: ReactNode;
  onBegun: (packId: string) => void;
  renderWords: RenderMarkdown;
};

/** Where no draft is open: what was typed of one and is in no version, with the ways out; or that there is nothing. */
export function OrphanedDraft({ packId, none, ...rest }: Props) {
  const { t } = useTranslation('marketplace');
  const { store } = useOpenDraftStore(packId, null, true);
  if (store === undefined) return <SkeletonRows label={t('loading')} rows={5} />;
  return store ? <OrphanedDraftText store={store} none={none} {...rest} /> : none;
}

type WordsProps = Omit<Props, 'packId'> & { store: DraftStore };

function OrphanedDraftText({ store, shown, none, onBegun, renderWords }: WordsProps) {
  const { t } = useTranslation('marketplace');
  const writing = useDraftStore(store, null);
  const [isCarried, setCarried] = useState(false);
  const { draft, fault, isOnDevice } = writing;
  const { number } = shown?.versions.find(({ id }) => id === store.versionId) ?? draft;
  const onCarried = () => {
    setCarried(true);
    store.discard();
  };
  if (isCarried) return <SkeletonRows label={t('loading')} rows={5} />;
  if (writing.isKept) return none;
  return (
    <>
      <h1 className="h1">{t('write.heading', { name: shown?.pack.name ?? draft.facts.name, number })}</h1>
      <Told>
        <Banner
          tone="warn"
          title={t(`adrift.${whatBecame(shown, store.versionId)}`, { number })}
          action={
            <>
              <WayOn {...{ shown, draft, onCarried, onBegun }} isFit={fault === null} />
              <Button onClick={() => savePackFile(draft.facts.name, draft.number, withVariableTexts(draft.contents))}>
                {t('desk.save')}
              </Button>
              <ThrowAway onConfirm={() => store.discard()} />
            </>
          }
        >
          {t(isOnDevice ? 'adrift.text' : 'write.unsavedNowhere')}
          {fault && ` ${t(faultText(fault))}`}
        </Banner>
      </Told>
      <DraftEditor
        {...writing}
        mayChangeFacts={shown === null}
        isForked={shown?.pack.forked_from_id != null}
        renderWords={renderWords}
      />
    </>
  );
}

/** Comes into sight by itself: whoever was writing further down is told as well. */
function Told({ children }: { children: ReactNode }) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => frame.current?.focus(), []);
  return (
    <div ref={frame} tabIndex={-1} className="market-told">
      {children}
    </div>
  );
}

/** What became of the version that was written. */
function whatBecame(shown: ShownPack | null, versionId: string) {
  if (!shown) return 'packGone';
  const state = shown.versions.find(({ id }) => id === versionId)?.state ?? 'gone';
  return state === 'draft' ? 'notAllowed' : state;
}

type WayProps = {
  shown: ShownPack | null;
  draft: PackDraft;
  isFit: boolean;
  onCarried: () => void;
  onBegun: (packId: string) => void;
};

/** Where what was written can go: a new pack, the next version, or the same one taken back. */
function WayOn({ shown, ...way }: WayProps) {
  if (!shown) return <AsPack {...way} />;
  const { pack, versions, isOwn } = shown;
  const open = versions.find(({ state }) => state !== 'listed' && state !== 'withdrawn');
  if (!isOwn) return null;
  if (!open) return <AsNext pack={pack} last={versions[0]} {...way} />;
  return open.state === 'submitted' ? <TakeBack version={open} /> : null;
}

function AsPack({ draft, isFit, onCarried, onBegun }: Omit<WayProps, 'shown'>) {
  const { t } = useTranslation('marketplace');
  const { organization } = useSpace();
  const [ids] = useState(() => ({ pack: newId(), version: newId() }));
  const make = useCallback(
    async (calls: ServerCalls) => {
      const { facts, number, changelog, contents } = draft;
      await calls.call('save_pack', { p_id: ids.pack, p_organization: organization.id, p_facts: sentFacts(facts) });
      await saveVersion(calls, { id: ids.version, packId: ids.pack, number, changelog }, withVariableTexts(contents));
      onCarried();
    },
    [ids, organization.id, draft, onCarried],
  );
  const making = useMarketAct(make);
  const begin = async () => {
    if (await making.run()) onBegun(ids.pack);
  };
  return <Way {...making} label={t('adrift.pack')} isFit={isFit} onPress={() => void begin()} />;
}

type NextProps = Omit<WayProps, 'shown'> & { pack: Pack; last: PackVersion | undefined };

function AsNext({ pack, last, draft, isFit, onCarried }: NextProps) {
  const { t } = useTranslation('marketplace');
  const [id] = useState(newId);
  const begin = useCallback(
    async (calls: ServerCalls) => {
      const version = { id, packId: pack.id, number: nextNumber(last?.number ?? null), changelog: draft.changelog };
      await saveVersion(calls, version, withVariableTexts(draft.contents));
      onCarried();
    },
    [id, pack.id, last, draft, onCarried],
  );
  const beginning = useMarketAct(begin);
  return <Way {...beginning} label={t('adrift.next')} isFit={isFit} onPress={() => void beginning.run()} />;
}

function TakeBack({ version: { id } }: { version: PackVersion }) {
  const { t } = useTranslation('marketplace');
  const move = useCallback(
    (calls: ServerCalls) => calls.call('move_pack_version', { p_version: id, p_to: 'draft', p_note: null }),
    [id],
  );
  const moving = useMarketAct(move);
  return <Way {...moving} label={t('adrift.takeBack')} isFit onPress={() => void moving.run()} />;
}

type ButtonProps = { label: string; isFit: boolean; busy: boolean; problem: string | null; onPress: () => void };

function Way({ label, isFit, busy, problem, onPress }: ButtonProps) {
  return (
    <>
      {problem && <p role="alert">{problem}</p>}
      <Button variant="primary" busy={busy} disabled={!isFit} onClick={onPress}>
        {label}
      </Button>
    </>
  );
}

function ThrowAway({ onConfirm }: { onConfirm: () => void }) {
  const { t } = useTranslation('marketplace');
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button variant="plain" onClick={() => setAsking(true)}>
        {t('adrift.drop')}
      </Button>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title={t('adrift.dropTitle')}
        confirmLabel={t('adrift.drop')}
        cancelLabel={t('drop.cancel')}
        onConfirm={onConfirm}
        danger
      >
        {t('adrift.dropText')}
      </Confirm>
    </>
  );
}
