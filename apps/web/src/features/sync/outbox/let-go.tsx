import { useTranslation } from 'react-i18next';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { useSignedIn } from '../../../shared/session/session.ts';
import { useAction } from '../../../shared/errors/use-action.ts';
import { contentsText } from './contents-text.ts';
import { DiscardAsked } from './discard-asked.tsx';
import { kindLabel, lineName } from '../lists/kind-label.ts';
import { isChoice, isNeverSynced, type OutboxLine } from '../lists/outbox-lines.ts';

type Props = {
  line: OutboxLine;
  /** The lines that go with it, itself among them. */
  together: readonly OutboxLine[];
};

/** Lets go of a line that waits, and of all that belongs together with it; only after a question that names it. */
export function LetGo({ line, together }: Props) {
  const { t } = useTranslation('sync');
  const { engine } = useSignedIn();
  const lettingGo = useAction(async () => {
    const [{ key } = line] = line.items;
    const end = await engine.discard(key);
    if (end === 'on_its_way') toast({ title: t('discard.late'), description: t('discard.lateText') });
  });
  const items = together.flatMap(each => each.items);
  const title = items.length > 1 ? 'discard.allTitle' : line.kind === 'file' ? 'took.title' : 'discard.title';
  return (
    <DiscardAsked
      count={items.length}
      name={lineName(line, t)}
      title={t(title)}
      discarding={lettingGo}
      isOnItsWay={line.state === 'sending'}
    >
      <p>{t(textOf(line), { name: line.title ?? kindLabel(line, t) })}</p>
      {items.length > 1 && <Going lines={together} />}
      {items.some(({ attempts }) => attempts > 0) && <p>{t('discard.maybe')}</p>}
    </DiscardAsked>
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
          <li key={line.key}>{[lineName(line, t), contentsText(line.parts, t)].filter(Boolean).join(' · ')}</li>
        ))}
      </ul>
    </>
  );
}

function textOf({ kind, items }: OutboxLine) {
  if (kind === 'file') return 'discard.file';
  if (items.every(isChoice)) return 'discard.choice';
  return items.some(isNeverSynced) ? 'discard.unsent' : 'discard.text';
}
