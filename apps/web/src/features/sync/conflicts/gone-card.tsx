import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Split } from 'lucide-react';
import { isIndependent } from '@cairn/sync/access/is-independent.ts';
import { copyAggregate, isAggregate } from '@cairn/sync/recovery/aggregate-copy.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Confirm } from '@cairn/ui/overlays/confirm.tsx';
import { Facts } from '@cairn/ui/data/facts.tsx';
import { Pill } from '@cairn/ui/feedback/pill.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { FailureLine } from '../../../shared/errors/failure-line.tsx';
import { useSignedIn } from '../../../shared/session/session.ts';
import { useAction } from '../../../shared/errors/use-action.ts';
import { writtenHere } from './gone-text.ts';
import { copyOf, saveAsFile } from './own-copy.ts';
import type { ConflictTexts } from './use-conflict-texts.ts';

type Kind = Exclude<ConflictTexts['conflict']['kind'], 'fields'>;

/** Deleted, moved out of sight, or edited where this phone deleted it. */
export function GoneCard({ words }: { words: ConflictTexts }) {
  const { t } = useTranslation('sync');
  const { conflict, name, telling } = words;
  const kind = conflict.kind === 'fields' ? 'missing_or_hidden' : conflict.kind;
  const isPart = kind !== 'edited_remotely' && !canComeBack(words, kind) && !isIndependent(conflict.table);
  return (
    <Card className="conflict-gone stack" label={t('conflict.label', { name })}>
      <div>
        <Pill tone="warn" icon={Split}>
          {t('conflict.two')}
        </Pill>
      </div>
      <h3 className="h2">{name}</h3>
      {telling.question && <p className="sm muted">{t('failed.within', { name: telling.question.within })}</p>}
      <p className="sm">{t(`gone.${kind}.text`)}</p>
      {isPart && <p className="sm">{t('gone.partial')}</p>}
      <Written words={words} />
      <Acts words={words} kind={kind} />
    </Card>
  );
}

/** An inspection is its answers and photos: alone it would come back as an empty one with a signature. */
const canComeBack = ({ conflict }: ConflictTexts, kind: Kind): boolean =>
  (kind === 'deleted_remotely' || kind === 'missing_or_hidden') && isAggregate(conflict.table);

/** What would leave with it. */
function Written({ words }: { words: ConflictTexts }) {
  const { t } = useTranslation('sync');
  const { facts, more } = writtenHere(words);
  if (facts.length === 0 && more === 0) return null;
  return (
    <div>
      <p className="sm strong">{t('goneMore.wrote')}</p>
      <Facts look="across" facts={facts} />
      {more > 0 && <p className="sm muted">{t('told.more', { count: more })}</p>}
    </div>
  );
}

function Acts({ words, kind }: { words: ConflictTexts; kind: Kind }) {
  const { t } = useTranslation('sync');
  const { engine } = useSignedIn();
  const { conflict } = words;
  const settling = useAction((keep: 'mine' | 'theirs') => engine.resolve(conflict.id, { keep }));
  const saving = useAction(async () => saveAsFile(await copyOf(engine.store, conflict)));
  const anew = useAction(async () => {
    await copyAggregate(engine.store, conflict);
    await engine.resolve(conflict.id, { keep: 'theirs' });
  });
  const isWholeAnew = canComeBack(words, kind);
  const mayKeep = kind === 'edited_remotely' || (kind !== 'access_revoked' && isIndependent(conflict.table));
  const isLosing = kind !== 'edited_remotely';
  const { facts, more } = writtenHere(words);
  return (
    <>
      <div className="row wrap">
        {isLosing ? (
          <LetGo words={words} kind={kind} busy={settling.busy} onLetGo={() => settling.run('theirs')} />
        ) : (
          <Button variant="plain" busy={settling.busy} onClick={() => settling.run('theirs')}>
            {t(`gone.${kind}.theirs`)}
          </Button>
        )}
        {(isLosing || facts.length + more > 0) && (
          <Button
            variant={isWholeAnew || mayKeep ? 'quiet' : 'primary'}
            busy={saving.busy}
            onClick={() => saving.run()}
          >
            {t('gone.save')}
          </Button>
        )}
        {isWholeAnew && (
          <Button variant="primary" busy={anew.busy} onClick={() => anew.run()}>
            {t('gone.whole')}
          </Button>
        )}
        {!isWholeAnew && mayKeep && (
          <Button variant="primary" busy={settling.busy} onClick={() => settling.run('mine')}>
            {t(`gone.${kind}.mine`)}
          </Button>
        )}
      </div>
      <FailureLine failure={settling.failure} />
      <FailureLine failure={saving.failure} />
      <FailureLine failure={anew.failure} invalid={t('goneMore.tooMany')} />
    </>
  );
}

type LetGoProps = { words: ConflictTexts; kind: Kind; busy: boolean; onLetGo: () => void };

/** Nothing but the question says that what was written leaves the device. */
function LetGo({ words, kind, busy, onLetGo }: LetGoProps) {
  const { t } = useTranslation('sync');
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button variant="plain" busy={busy} onClick={() => setAsking(true)}>
        {t(`gone.${kind}.theirs`)}
      </Button>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title={t('goneMore.letTitle')}
        confirmLabel={t('goneMore.letYes')}
        cancelLabel={t('goneMore.letNo')}
        onConfirm={onLetGo}
        danger
      >
        {t('goneMore.letText', { name: words.name })}
      </Confirm>
    </>
  );
}
