import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@cairn/ui/button.tsx';
import { Confirm } from '@cairn/ui/confirm.tsx';
import { toast } from '@cairn/ui/toast.ts';
import { useSignedIn } from '../../shared/session.ts';
import { useAction } from '../../shared/use-action.ts';
import { contentsWords } from './contents-words.ts';
import { kindWord, lineName } from './kind-words.ts';
import type { OutboxLine } from './outbox-lines.ts';

type Props = { line: OutboxLine; lines: readonly OutboxLine[] };

/** Lets go of a line that waits, and of all that belongs together with it; only after a question that names it. */
export function LetGo({ line, lines }: Props) {
  const { t } = useTranslation('sync');
  const { engine } = useSignedIn();
  const [asking, setAsking] = useState(false);
  const lettingGo = useAction(async () => {
    const [{ key } = line] = line.items;
    const end = await engine.discard(key);
    if (end === 'on_its_way') toast({ title: t('discard.late'), description: t('discard.lateText') });
  });
  const all = lines.filter(each => each.whole === line.whole);
  const items = all.flatMap(each => each.items);
  const isUnborn = line.items.some(
    ({ operation, under, recordId }) => operation === 'insert' && under.endsWith(recordId),
  );
  return (
    <>
      <Button size="sm" variant="plain" busy={lettingGo.busy} onClick={() => setAsking(true)}>
        {t(items.length > 1 ? 'failed.discardAll' : 'failed.discard')}
      </Button>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title={t(items.length > 1 ? 'discard.allTitle' : 'discard.title')}
        confirmLabel={t('discard.yes')}
        cancelLabel={t('discard.keep')}
        onConfirm={() => lettingGo.run()}
        danger
      >
        <div className="stack">
          <p>{t(textOf(line, isUnborn), { name: line.title ?? kindWord(line, t) })}</p>
          {items.length > 1 && <Going lines={all} />}
          {items.some(({ attempts }) => attempts > 0) && <p>{t('discard.maybe')}</p>}
        </div>
      </Confirm>
    </>
  );
}

/** All that goes, as the outbox names it. */
function Going({ lines }: { lines: readonly OutboxLine[] }) {
  const { t } = useTranslation('sync');
  return (
    <>
      <p>{t('discard.together')}</p>
      <ul className="going">
        {lines.map(line => (
          <li key={line.key}>{[lineName(line, t), contentsWords(line.parts, t)].filter(Boolean).join(' · ')}</li>
        ))}
      </ul>
    </>
  );
}

function textOf({ kind }: OutboxLine, isUnborn: boolean) {
  if (kind === 'file') return 'discard.file';
  return isUnborn ? 'discard.unsent' : 'discard.text';
}
