import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { StatusChip } from '@cairn/ui/pill.tsx';
import { useFormat } from '../../shared/format.ts';

type Props = {
  level: 1 | 2;
  title: string;
  /** Whole per cent; null when nothing counts. */
  percent: number | null;
  result: 'pass' | 'fail' | null;
  line: string;
  children?: ReactNode;
};

/** The outcome in one figure, with the word beside it. */
export function ScoreHead({ level, title, percent, result, line, children }: Props) {
  const { t } = useTranslation('field');
  const { formatNumber } = useFormat();
  const Heading = `h${level}` as const;
  return (
    <div className="score-head">
      {percent !== null && (
        <p className="score-figure num">
          {formatNumber(percent)}
          <small> %</small>
        </p>
      )}
      <div className="grow stack">
        <Heading className="h1">{title}</Heading>
        <p className="row wrap sm muted">
          {result && <StatusChip state={result === 'pass' ? 'done' : 'finding'}>{t(`result.${result}`)}</StatusChip>}
          {line}
        </p>
        {children}
      </div>
    </div>
  );
}
