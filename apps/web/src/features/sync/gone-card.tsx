import { useTranslation } from 'react-i18next';
import { Split } from 'lucide-react';
import type { Conflict } from '@cairn/sync/engine.ts';
import { standsAlone } from '@cairn/sync/stands-alone.ts';
import { Button } from '@cairn/ui/button.tsx';
import { Pill } from '@cairn/ui/pill.tsx';
import { Card } from '@cairn/ui/surface.tsx';
import { useSignedIn } from '../../shared/session.ts';
import { useAction } from '../../shared/use-action.ts';
import { copyWhole, isWhole } from '@cairn/sync/whole-copy.ts';
import { copyOf, saveAsFile } from './own-copy.ts';

/** Deleted, moved out of sight, or edited where this phone deleted it. */
export function GoneCard({ conflict }: { conflict: Conflict }) {
  const { t } = useTranslation('sync');
  const { engine } = useSignedIn();
  const settling = useAction((keep: 'mine' | 'theirs') => engine.resolve(conflict.id, { keep }));
  const saving = useAction(async () => saveAsFile(await copyOf(engine.store, conflict)));
  const kind = conflict.kind === 'fields' ? 'missing_or_hidden' : conflict.kind;
  const anew = useAction(async () => {
    await copyWhole(engine.store, conflict);
    await engine.resolve(conflict.id, { keep: 'theirs' });
  });
  // An inspection is its answers and photos: alone it would come back as an empty one with a signature.
  const whole = (kind === 'deleted_remotely' || kind === 'missing_or_hidden') && isWhole(conflict.table);
  const partial = kind !== 'edited_remotely' && !whole && !standsAlone(conflict.table);
  return (
    <Card className="conflict-gone stack" label={t('conflict.label')}>
      <div>
        <Pill tone="warn" icon={Split}>
          {t('conflict.two')}
        </Pill>
      </div>
      <h3 className="h2">{conflict.title ?? t('conflict.thisRecord')}</h3>
      <p className="sm">{t(`gone.${kind}.text`)}</p>
      {partial && <p className="sm">{t('gone.partial')}</p>}
      <div className="row wrap">
        <Button variant="plain" busy={settling.busy} onClick={() => settling.run('theirs')}>
          {t(`gone.${kind}.theirs`)}
        </Button>
        {whole && (
          <Button variant="primary" busy={anew.busy} onClick={() => anew.run()}>
            {t('gone.whole')}
          </Button>
        )}
        {partial ? (
          <Button variant="primary" busy={saving.busy} onClick={() => saving.run()}>
            {t('gone.save')}
          </Button>
        ) : (
          !whole &&
          kind !== 'access_revoked' && (
            <Button variant="primary" busy={settling.busy} onClick={() => settling.run('mine')}>
              {t(`gone.${kind}.mine`)}
            </Button>
          )
        )}
      </div>
    </Card>
  );
}
