import { useTranslation } from 'react-i18next';
import { localDay } from '@cairn/base/local-day.ts';
import { nextNumber, type PolicyVersion } from '@cairn/core/policies/version-states.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Pill, StatusChip } from '@cairn/ui/feedback/pill.tsx';
import { useFormat } from '../../../shared/format/format.ts';
import { useNow } from '../../../shared/format/use-now.ts';
import { useSpace } from '../../../shared/session/space.ts';
import type { PolicyOnScreen } from './policy-links.ts';
import { numberOf, STATE_FACES } from './policy-labels.ts';
import { worldKey } from './world-key.ts';

type Props = PolicyOnScreen & { compared: PolicyVersion | undefined; onCompare: (versionId: string | null) => void };

/** What this is, how far along, since when, whose. */
export function PolicyHead({ opened, shown, compared, onCompare }: Props) {
  const { t } = useTranslation('policies');
  const { world } = useSpace();
  const { policy, current, published } = opened;
  // The one before it: what a reader knows.
  const before = published[shown.major === null ? 0 : published.findIndex(({ id }) => id === shown.id) + 1];
  return (
    <header className="policy-head">
      <div className="row wrap">
        <StatusChip state={STATE_FACES[shown.state]}>{t(worldKey(`state.${shown.state}`, world))}</StatusChip>
        <Pill tone="line">
          {shown.major === null
            ? t('nextVersion', { number: nextNumber(current, shown.change) })
            : t('version', { number: numberOf(shown) })}
        </Pill>
        {policy.code !== null && <Pill tone="line">{policy.code}</Pill>}
        <Pill tone="line">{t(`classification.${policy.classification}`)}</Pill>
      </div>
      <h1>{shown.title}</h1>
      <Lede opened={opened} shown={shown} />
      {policy.summary !== null && <p className="muted">{policy.summary}</p>}
      {shown.changelog !== null && <p className="sm">{shown.changelog}</p>}
      {before && (
        <div className="row wrap">
          <Button
            size="sm"
            aria-pressed={compared !== undefined}
            onClick={() => onCompare(compared ? null : before.id)}
          >
            {t(compared ? 'diff.hide' : 'diff.show', { number: numberOf(before) })}
          </Button>
        </div>
      )}
    </header>
  );
}

function Lede({ opened: { policy, ownerName }, shown }: PolicyOnScreen) {
  const { t } = useTranslation('policies');
  const { formatDay } = useFormat();
  const now = useNow();
  const parts: string[] = [];
  if (ownerName !== null) parts.push(t('ownedBy', { name: ownerName }));
  if (shown.state === 'published' && shown.published_at !== null)
    parts.push(t('since', { day: formatDay(new Date(shown.published_at), now) }));
  const { review_by: reviewBy } = policy;
  if (reviewBy !== null && policy.state === 'published') {
    const day = formatDay(new Date(`${reviewBy}T12:00:00`), now);
    parts.push(t(reviewBy < localDay(now) ? 'reviewLate' : 'review', { day }));
  }
  return <p className="sm muted policy-lede">{parts.join(' · ')}</p>;
}
