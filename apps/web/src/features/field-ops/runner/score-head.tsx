import type { ReactNode, Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { StatusChip } from '@cairn/ui/feedback/pill.tsx';
import { useFormat } from '../../../shared/format/format.ts';

type Props = {
  /** Takes the heading, where the focus goes to it. */
  heading?: Ref<HTMLHeadingElement>;
  level: 1 | 2;
  title: string;
  /** Whole per cent; null when nothing counts. */
  percent: number | null;
  result: 'pass' | 'fail' | null;
  line: string;
  children?: ReactNode;
};

/** The outcome in one figure, with the word beside it. */
export function ScoreHead({ heading, level, title, percent, result, line, children }: Props) {
  const { t } = useTranslation('field');
  const { formatNumber } = useFormat();
  const Heading = `h${level}` as const;
  return (
    <div className="score-head">
      {percent !== null && (
        <p className="score-figure num">
          {formatNumber(percent)}
          <small>{t('row.percent', { percent: '' })}</small>
        </p>
      )}
      <div className="grow stack">
        <Heading ref={heading} tabIndex={heading ? -1 : undefined} className="h1">
          {title}
        </Heading>
        <p className="row wrap sm muted">
          {result && <StatusChip state={result === 'pass' ? 'done' : 'finding'}>{t(`result.${result}`)}</StatusChip>}
          {line}
        </p>
        {children}
      </div>
    </div>
  );
}
