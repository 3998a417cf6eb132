import { useTranslation } from 'react-i18next';
import { Button } from '@cairn/ui/controls/button.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { FailureLine } from '../../../shared/errors/failure-line.tsx';
import { useSignedIn } from '../../../shared/session/session.ts';
import { useAction } from '../../../shared/errors/use-action.ts';
import { DiscardAsked } from './discard-asked.tsx';
import { OpenRecord, type AddressResolver } from './open-record.tsx';
import { isChoice, isNeverSynced, type Parent } from '../lists/outbox-lines.ts';
import { refusedCopy, saveAsFile } from '../conflicts/own-copy.ts';
import { arePhotos, filesIn, isFile, saveFiles } from './refused-files.ts';
import { isTooLate, isWithoutBytes } from './refusal-text.ts';
import { useLatest } from '../lists/use-latest.ts';
import { useSend } from './use-send.ts';
import type { RefusedGroup } from './waiting-work.ts';

type Props = {
  items: RefusedGroup;
  /** What they make up is called. */
  name: string;
  parent: Parent | undefined;
  addressOf: AddressResolver;
};

/** The ways on from a refusal: again, a copy of what was written or taken, the record itself, or to let it go. */
export function RefusedActs({ items, name, parent, addressOf }: Props) {
  const { t } = useTranslation('sync');
  const { engine } = useSignedIn();
  const retrying = useSend(async () => {
    for (const { key } of items) await engine.retry(key);
  });
  const copying = useAction(async () => saveAsFile(await refusedCopy(engine, items)));
  const [first] = items;
  const named = (act: string) => ({ size: 'sm' as const, 'aria-label': t('named', { act, name }) });
  return (
    <>
      <div className="row wrap item-acts">
        {!items.every(item => isTooLate(item) || isWithoutBytes(item)) && (
          <Button {...named(t('failed.retry'))} busy={retrying.busy} onClick={() => retrying.run()}>
            {t('failed.retry')}
          </Button>
        )}
        {!items.every(isFile) && (
          <Button {...named(t('failed.save'))} busy={copying.busy} onClick={() => copying.run()}>
            {t('failed.save')}
          </Button>
        )}
        <SaveFiles items={items} name={name} />
        <OpenRecord item={first} name={name} parent={parent} addressOf={addressOf} />
        <Discard items={items} name={name} />
      </div>
      <FailureLine failure={retrying.failure ?? copying.failure} />
    </>
  );
}

/** What lies on this phone alone can be taken elsewhere before it is let go. */
function SaveFiles({ items, name }: Pick<Props, 'items' | 'name'>) {
  const { t } = useTranslation('sync');
  const { engine } = useSignedIn();
  const ids = filesIn(items);
  const isPhoto = useLatest(ids.length > 0 ? arePhotos(ids) : null, true);
  const saving = useAction(async () => {
    const saved = await saveFiles(engine.store, ids, name);
    if (saved < ids.length) toast({ title: t('took.notHere'), description: t('took.notHereText'), tone: 'bad' });
  });
  if (ids.length === 0) return null;
  const [one, several] = isPhoto ? (['photo', 'photos'] as const) : (['file', 'files'] as const);
  const act = ids.length === 1 ? t(`took.${one}`) : t(`took.${several}`, { number: ids.length });
  return (
    <>
      <Button size="sm" aria-label={t('named', { act, name })} busy={saving.busy} onClick={() => saving.run()}>
        {act}
      </Button>
      <FailureLine failure={saving.failure} />
    </>
  );
}

function Discard({ items, name }: Pick<Props, 'items' | 'name'>) {
  const { t } = useTranslation('sync');
  const { engine } = useSignedIn();
  // The last made first: nothing is left that belongs to something thrown away.
  const discarding = useAction(async () => {
    let isLeft = false;
    for (const { key } of items.toReversed()) isLeft = (await engine.discard(key)) === 'on_its_way' || isLeft;
    if (isLeft) toast({ title: t('discard.late'), description: t('discard.lateText') });
  });
  const title = items.every(isFile) ? 'took.title' : items.length > 1 ? 'discard.allTitle' : 'discard.title';
  return (
    <DiscardAsked count={items.length} name={name} title={t(title)} discarding={discarding}>
      <p>{t(lossOf(items), { name })}</p>
      {items.some(isFile) && !items.every(isFile) && <p>{t('took.too')}</p>}
    </DiscardAsked>
  );
}

/** What is lost with it: bytes nobody else has, a record the server has never had, or what was changed of one it has. */
function lossOf(items: RefusedGroup) {
  if (items.every(isFile)) return 'discard.file';
  if (items.every(isChoice)) return 'discard.choice';
  if (items.some(isNeverSynced)) return 'discard.unsent';
  return items.length > 1 ? 'discard.all' : 'discard.text';
}
