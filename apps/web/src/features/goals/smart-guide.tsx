import { Check, Circle } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { smart, SMART, type GoalText } from '@cairn/core/goals/smart.ts';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { formatNumber } from '../../shared/format/format.ts';
import { useToday } from '../../shared/format/use-today.ts';

/** Five questions beside a goal that is being written: which it answers, and the one to think about next. */
export function SmartGuide({ words }: { words: GoalText }) {
  const { t } = useTranslation('goals');
  const today = useToday();
  const { met, next, vague, pace } = smart(words, today);
  const ask = () => {
    if (next === null) return t('smart.whole');
    if (next === 'specific' && vague !== null) return t('smart.ask.vague', { word: vague });
    if (next === 'achievable' && pace !== null) {
      return t('smart.ask.achievablePace', { pace: formatNumber(pace, 1), unit: words.unit });
    }
    return t(`smart.ask.${next}`);
  };
  return (
    <div className="smart-guide">
      <ul aria-label={t('smart.label')}>
        {SMART.map(part => (
          <li key={part} data-met={met[part] ? '' : undefined}>
            <Icon of={met[part] ? Check : Circle} size="s" />
            {t(`smart.${part}`)}
            <span className="sr">{t(met[part] ? 'smart.answered' : 'smart.open')}</span>
          </li>
        ))}
      </ul>
      <output className="sm">{ask()}</output>
    </div>
  );
}
