import { useTranslation } from 'react-i18next';
import type { UnfilledVariable } from '@cairn/core/policies/policy-variables.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';

/** More of them are counted. */
const MAX_LINES = 5;

type Props = { lacking: readonly UnfilledVariable[]; tone: 'info' | 'bad' };

/** Which names in a text stand for nothing, and where; nothing where there are none. */
export function UnfilledBanner({ lacking, tone }: Props) {
  const { t } = useTranslation('policyAuthoring');
  if (lacking.length === 0) return null;
  const more = lacking.length - MAX_LINES;
  const place = ({ where, line }: UnfilledVariable) =>
    where === 'body' ? t('variables.where.line', { line: line ?? 1 }) : t(`variables.where.${where}`);
  return (
    <Banner tone={tone} title={t('variables.lacking')}>
      <ul>
        {lacking.slice(0, MAX_LINES).map((each, index) => (
          <li key={index}>
            {place(each)}: <span className="mono variable-mark">{`{{${each.name}}}`}</span>
          </li>
        ))}
        {more > 0 && <li>{t('variables.more', { count: more })}</li>}
      </ul>
    </Banner>
  );
}
