import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { briefLinesOf, type BriefLine, type LineKind } from '@cairn/core/triad-intelligence/brief-line.ts';
import { countedItems, type LineRow } from '@cairn/core/triad-intelligence/queries.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { useBriefTexts } from './brief-texts.ts';

/** Links to where a line comes from. */
export type SourceLinks = {
  /** The person's own goals, habits, check-ins or tasks. */
  renderOwn: (kind: LineKind, words: string) => ReactNode;
  /** One goal, habit or task that was counted. */
  renderItem: (kind: LineKind, id: string, title: string) => ReactNode;
  /** What somebody shows of themselves, to the signed-in person. */
  renderPerson: (relationshipId: string, words: string) => ReactNode;
};

type Props = { line: BriefLine; children?: ReactNode };

/** A line: what it is about, its figures as a sentence, the operator's words, and where it comes from. */
export function LineView({ line, children }: Props) {
  const { t } = useTranslation('triad');
  const words = useBriefTexts();
  return (
    <div className="brief-line">
      <p className="muted xs">{t(`kind.${line.kind}`)}</p>
      <p>{words.line(line)}</p>
      {line.wording && <blockquote className="sm">{line.wording}</blockquote>}
      {children}
    </div>
  );
}

const SHOWN = 8;

/** For the person themselves: the link to their own records, and which of them were counted. */
export function OwnSource({ row, links }: { row: LineRow; links: SourceLinks }) {
  const { t } = useTranslation('triad');
  const found = useLive(countedItems(row.kind, row.item_ids));
  const items = found.status === 'ready' ? found.answer : [];
  const shown = items.slice(0, SHOWN);
  return (
    <div className="brief-source sm">
      {links.renderOwn(row.kind, t('source.open', { kind: t(`kind.${row.kind}`) }))}
      {items.length > 0 && (
        <details>
          <summary>{t('source.counted', { count: items.length })}</summary>
          <ul>
            {shown.map(({ id, title }) => (
              <li key={id}>{links.renderItem(row.kind, id, title)}</li>
            ))}
          </ul>
          {items.length > SHOWN && <p className="muted">{t('source.more', { count: items.length - SHOWN })}</p>}
        </details>
      )}
    </div>
  );
}

/** A row of this device as the line it says; null for one this version does not know. */
export const lineOf = (row: LineRow): BriefLine | null => briefLinesOf([row])[0] ?? null;
