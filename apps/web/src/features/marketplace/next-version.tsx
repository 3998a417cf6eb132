import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { newId } from '@cairn/base/id.ts';
import { readContents } from '@cairn/core/marketplace/pack-contents.ts';
import { nextNumber, type Pack, type PackVersion } from '@cairn/core/marketplace/pack.ts';
import { NO_CONTENTS } from '@cairn/core/marketplace/pack-writing.ts';
import { Banner } from '@cairn/ui/banner.tsx';
import { Button } from '@cairn/ui/button.tsx';
import type { ServerCalls } from '../../shared/server-calls.ts';
import { saveVersion } from './save-version.ts';
import { useMarketAct } from './use-market.ts';

type Props = { pack: Pack; versions: readonly PackVersion[]; onBegun: () => void };

const newest = (versions: readonly PackVersion[]): PackVersion | undefined =>
  versions.toSorted((a, b) => comparedRank(b, a))[0];

function comparedRank(a: PackVersion, b: PackVersion): number {
  for (const place of [0, 1, 2]) {
    const by = (a.rank[place] ?? 0) - (b.rank[place] ?? 0);
    if (by !== 0) return by;
  }
  return 0;
}

/** Begins the next version with everything that is in the last one. */
export function NextVersion({ pack, versions, onBegun }: Props) {
  const { t } = useTranslation('marketplace');
  const [id] = useState(newId);
  const last = newest(versions);
  const begin = useCallback(
    (calls: ServerCalls) => {
      const read = readContents(last?.contents);
      const version = { id, packId: pack.id, number: nextNumber(last?.number ?? null), changelog: '' };
      return saveVersion(calls, version, read.ok ? read.contents : NO_CONTENTS);
    },
    [id, pack.id, last],
  );
  const beginning = useMarketAct(begin);
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
