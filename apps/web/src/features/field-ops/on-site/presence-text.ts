import type { TFunction } from 'i18next';
import { placeReasons, scanReasons, type PresenceSummary } from '@cairn/core/on-site/presence.ts';
import { formatDate, formatNumber, formatTime } from '../../../shared/format/format.ts';

type PresenceTexts = TFunction<'presence'>;

/** The person's own words where there are any, else the reason they chose; a reason of a newer app as it is called there. */
function reasonText(
  t: PresenceTexts,
  part: 'scan' | 'place',
  { reason, words }: { reason: string; words: string | null },
): string {
  const scan = scanReasons.find(each => each === reason);
  const place = placeReasons.find(each => each === reason);
  const chosen = part === 'scan' ? scan && t(`scan.reasons.${scan}`) : place && t(`place.reasons.${place}`);
  return words ?? chosen ?? reason;
}

/** "27.11.2026, 09:12–09:31": from the first entry to the last, as the device's clock had it; both days where there are two. */
export function spanOfPresence(t: PresenceTexts, summary: PresenceSummary): string {
  const [from, to] = [new Date(summary.from), new Date(summary.to)];
  const [first, last] = [formatDate(from), formatDate(to)];
  const end = first === last ? formatTime(to) : `${last}, ${formatTime(to)}`;
  return t('card.span', { from: `${first}, ${formatTime(from)}`, to: end });
}

/** Whether the tag was scanned; null where there is none. */
export function scanText(t: PresenceTexts, { scan }: PresenceSummary, hasTag: boolean): string | null {
  if (scan?.state === 'impossible') return t('card.noScan', { reason: reasonText(t, 'scan', scan) });
  if (scan) return t(`scan.${scan.state}`);
  return hasTag ? t('card.notScanned') : null;
}

/** How far from the asset, and how exact the position is. */
export function placeText(t: PresenceTexts, { position }: PresenceSummary): string {
  if (position === null) return t('card.notTaken');
  if (position.state === 'impossible') return t('card.noPlace', { reason: reasonText(t, 'place', position) });
  const { metres, place } = position;
  const accuracy = place.accuracy === null ? null : t('card.accuracy', { metres: formatNumber(place.accuracy, 0) });
  const away = metres === null ? t('place.takenOnly') : t('card.away', { metres: formatNumber(metres, 0) });
  return [away, accuracy].filter(Boolean).join(', ');
}

/** Entries that have not arrived are no sign of anything yet; they are told apart from what was altered. */
export function chainState({ faults, endMissing }: PresenceSummary): 'broken' | 'gap' | 'endMissing' | 'whole' {
  if (faults.some(({ fault }) => fault !== 'missing')) return 'broken';
  if (faults.length > 0) return 'gap';
  return endMissing ? 'endMissing' : 'whole';
}

/** What is wrong with the chain in a word, or that it is whole. */
export const chainText = (t: PresenceTexts, summary: PresenceSummary): string => t(`card.${chainState(summary)}`);

/** All of it in a line: "09:12–09:31 · Tag scanned · 12 m from the asset, ± 5 m · 4 photos · Chain whole". */
export function presenceLine(t: PresenceTexts, summary: PresenceSummary, hasTag: boolean): string {
  const photos = summary.photos > 0 ? t('card.photos', { count: summary.photos }) : null;
  const parts = [
    spanOfPresence(t, summary),
    scanText(t, summary, hasTag),
    placeText(t, summary),
    photos,
    chainText(t, summary),
  ];
  return parts.filter(Boolean).join(' · ');
}
