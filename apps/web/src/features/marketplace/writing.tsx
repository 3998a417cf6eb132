import { useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { readContents } from '@cairn/core/marketplace/pack-contents.ts';
import type { Pack, PackVersion } from '@cairn/core/marketplace/pack.ts';
import { offeredKeys, withVariableTexts, withWholeKeys } from '@cairn/core/marketplace/pack-writing.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { useServerCalls } from '../../shared/server/server-calls.ts';
import type { RenderMarkdown } from './document-fields.tsx';
import { DraftEditor } from './draft-editor.tsx';
import type { DraftStore, Wires } from './draft-store.ts';
import { sentFacts } from './pack-facts.ts';
import { faultText } from './pack-draft.ts';
import { saveVersion } from './save-version.ts';
import { useDraftStore, useOwnIds } from './use-draft-store.ts';
import { useReadAnew } from './use-market.ts';

type Props = {
  pack: Pack;
  versions: readonly PackVersion[];
  /** The draft as the server has it. */
  version: PackVersion;
  store: DraftStore;
  /** Begins anew with what the server has. */
  onReopen: () => void;
  renderWords: RenderMarkdown;
};

/** The page of a draft that is open: it goes to the server as it is typed. */
export function Writing({ pack, versions, version, store, onReopen, renderWords }: Props) {
  const { t } = useTranslation('marketplace');
  const mayChangeFacts = versions.every(({ state }) => state === 'draft');
  const writing = useDraftStore(store, useWires(pack.id, versions, version));
  useSendAgain(writing.problem === 'offline', () => void store.send());
  const { draft } = writing;
  const name = mayChangeFacts ? draft.facts.name : pack.name;
  return (
    <>
      <header className="page-head">
        <h1 className="h1">{t('write.heading', { name, number: draft.number })}</h1>
        <Saved {...writing} />
      </header>
      {writing.isRestored && <Banner title={t('write.restored')}>{t('write.restoredText')}</Banner>}
      {version.review_note && <Banner title={t('desk.sentBack', { note: version.review_note })} />}
      <DraftEditor
        {...writing}
        mayChangeFacts={mayChangeFacts}
        isForked={pack.forked_from_id !== null}
        renderWords={renderWords}
      />
      <Trouble
        {...writing}
        // Somebody else wrote the draft since: one of the two has to go.
        isOutrun={writing.problem !== null && !store.hasSeen(version.draft_hash)}
        onKeep={() => void store.send(version.draft_hash)}
        onTakeTheirs={() => {
          store.discard();
          onReopen();
        }}
      />
    </>
  );
}

function useWires(packId: string, versions: readonly PackVersion[], { id }: PackVersion): Wires {
  const calls = useServerCalls();
  const own = useOwnIds();
  const readAnew = useReadAnew();
  return {
    send: ({ facts, number, changelog, contents }, seen) => {
      const out = versions.filter(({ state }) => state !== 'draft').map(each => readContents(each.contents));
      const offered = offeredKeys(out.flatMap(read => (read.ok ? [read.contents] : [])));
      const whole = withWholeKeys(withVariableTexts(contents), own, offered);
      const given = { seen, facts: out.length === 0 ? sentFacts(facts) : null };
      return saveVersion(calls, { id, packId, number, changelog }, whole, given);
    },
    onSent: isDone => void readAnew(isDone),
  };
}

/** Tries once more when there is a signal again. */
function useSendAgain(isDue: boolean, send: () => void): void {
  const again = useEffectEvent(send);
  useEffect(() => {
    if (!isDue) return undefined;
    const listen = () => again();
    addEventListener('online', listen);
    return () => removeEventListener('online', listen);
  }, [isDue]);
}

type State = ReturnType<typeof useDraftStore>;

function Saved({ isKept, busy, fault, problem }: Pick<State, 'isKept' | 'busy' | 'fault' | 'problem'>) {
  const { t } = useTranslation('marketplace');
  const state = busy ? 'saving' : isKept ? 'saved' : fault || problem ? 'unsaved' : 'saving';
  return <output className="sm muted">{t(`write.${state}`)}</output>;
}

type TroubleProps = Pick<State, 'isKept' | 'busy' | 'fault' | 'problem' | 'isOnDevice'> & {
  isOutrun: boolean;
  onKeep: () => void;
  onTakeTheirs: () => void;
};

/** Why what is typed is not on the server yet, within sight wherever one writes. */
function Trouble({ isKept, busy, fault, problem, isOnDevice, isOutrun, onKeep, onTakeTheirs }: TroubleProps) {
  const { t } = useTranslation('marketplace');
  if (isKept || (fault === null && problem === null)) return null;
  const title = fault ? t(faultText(fault)) : t(`problem.${problem ?? 'refused'}`);
  return (
    <div className="market-trouble">
      <Banner
        tone="bad"
        title={title}
        action={
          fault === null && (
            <>
              <Button busy={busy} onClick={onKeep}>
                {t(isOutrun ? 'write.overTheirs' : 'again')}
              </Button>
              {isOutrun && <Button onClick={onTakeTheirs}>{t('write.takeTheirs')}</Button>}
            </>
          )
        }
      >
        {t(isOnDevice ? 'write.unsavedText' : 'write.unsavedNowhere')}
      </Banner>
    </div>
  );
}
