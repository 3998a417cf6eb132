import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { newId } from '@cairn/base/id.ts';
import { readContents } from '@cairn/core/marketplace/pack-contents.ts';
import { nextNumber, type Pack, type PackVersion } from '@cairn/core/marketplace/pack.ts';
import { NO_CONTENTS } from '@cairn/core/marketplace/pack-writing.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import type { ServerCalls } from '../../shared/server/server-calls.ts';
import { saveVersion } from './save-version.ts';
import { useMarketAct } from './use-market.ts';

type Props = {
  pack: Pack;
  /** The newest first: each has a number after the ones before. */
  versions: readonly PackVersion[];
  onBegun: () => void;
};

/** Begins the next version with everything that is in the last one. */
export function NextVersion({ pack, versions, onBegun }: Props) {
  const { t } = useTranslation('marketplace');
  const [id] = useState(newId);
  const [last] = versions;
  const read = readContents(last?.contents);
  const contents = read.ok ? read.contents : NO_CONTENTS;
  const begin = useCallback(
    (calls: ServerCalls) => {
      const version = { id, packId: pack.id, number: nextNumber(last?.number ?? null), changelog: '' };
      return saveVersion(calls, version, contents);
    },
    [id, pack.id, last, contents],
  );
  const beginning = useMarketAct(begin);
  // Nothing is made of what nobody has seen.
  if (!read.ok) return <Banner tone="bad" title={t(`problem.${read.fault}`)} />;
  const press = async () => {
    if (await beginning.run()) onBegun();
  };
  return (
    <div className="row wrap">
      <Button busy={beginning.busy} onClick={() => void press()}>
        {t('desk.next')}
      </Button>
      {beginning.problem && <Banner tone="bad" title={beginning.problem} />}
    </div>
  );
}
