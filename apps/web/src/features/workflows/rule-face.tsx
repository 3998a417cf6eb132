import { useTranslation } from 'react-i18next';
import type { Sentence } from './use-rule-texts.ts';

/** A rule as a sentence in three parts: when, if, then. */
export function RuleFace({ sentence: { when, ifs, thens } }: { sentence: Sentence }) {
  const { t } = useTranslation('workflows');
  return (
    <dl className="workflow-face sm">
      <dt>{t('when')}</dt>
      <dd>{when}</dd>
      {ifs.length > 0 && <dt>{t('if')}</dt>}
      {ifs.length > 0 && <Parts parts={ifs} />}
      <dt>{t('thenDo')}</dt>
      <Parts parts={thens} />
    </dl>
  );
}

function Parts({ parts }: { parts: readonly string[] }) {
  return (
    <dd>
      {parts.length === 1 ? (
        parts[0]
      ) : (
        <ul>
          {parts.map((part, index) => (
            <li key={index}>{part}</li>
          ))}
        </ul>
      )}
    </dd>
  );
}
