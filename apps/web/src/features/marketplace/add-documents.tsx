import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PackContents } from '@cairn/core/marketplace/pack-contents.ts';
import { documentsOf } from '@cairn/core/marketplace/pack-update.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import type { ServerCalls } from '../../shared/server/server-calls.ts';
import { useServerAct } from '../../shared/server/use-server-act.ts';
import { useSpace } from '../../shared/session/space.ts';
import { ContentsPicker, isEmpty, NOTHING, type ContentsSelection } from './contents-picker.tsx';
import { contentsPicked } from './save-version.ts';
import { useMarketProblem } from './use-market.ts';

type Props = { contents: PackContents; onAdd: (added: PackContents) => void };

/** Adds what the organisation has, or a file; what is in the pack already is taken anew as it stands now. */
export function AddDocuments({ contents, onAdd }: Props) {
  const { t } = useTranslation('marketplace');
  const { organization } = useSpace();
  const [picked, setPicked] = useState(NOTHING);
  const read = useCallback(
    (calls: ServerCalls, wanted: ContentsSelection) => contentsPicked(calls, organization.id, wanted),
    [organization.id],
  );
  const { run, busy, problem } = useServerAct(read, useMarketProblem());
  const add = async () => {
    const done = await run(picked);
    if (!done) return;
    onAdd(done.answer);
    setPicked(NOTHING);
    toast({ title: t('write.added', { count: documentsOf(done.answer).length }) });
  };
  return (
    <Card label={t('write.add')}>
      <div className="stack market-stack">
        <h2 className="h2">{t('write.add')}</h2>
        <ContentsPicker picked={picked} onPick={setPicked} within={contents} />
        {problem && <Banner tone="bad" title={problem} />}
        <div className="row">
          <Button busy={busy} disabled={isEmpty(picked)} onClick={() => void add()}>
            {t('write.addAct')}
          </Button>
        </div>
      </div>
    </Card>
  );
}
