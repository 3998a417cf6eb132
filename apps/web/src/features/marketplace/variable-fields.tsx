import { useTranslation } from 'react-i18next';
import type { PackContents, PackVariable } from '@cairn/core/marketplace/pack-contents.ts';
import { withVariableTexts } from '@cairn/core/marketplace/pack-writing.ts';
import { Input } from '@cairn/ui/controls/field.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';

type Props = { contents: PackContents; onChange: (contents: PackContents) => void };

/** The words that are asked for when the pack is installed: one for each mark `{{…}}` in a text. */
export function VariableFields({ contents, onChange }: Props) {
  const { t } = useTranslation('marketplace');
  const { variables } = withVariableTexts(contents);
  if (variables.length === 0) return null;
  const change = (changed: PackVariable) => {
    const others = contents.variables.filter(({ key }) => key !== changed.key);
    onChange({ ...contents, variables: [...others, changed] });
  };
  return (
    <Card label={t('write.words')}>
      <div className="stack market-stack">
        <h2 className="h2">{t('write.words')}</h2>
        <p className="sm muted">{t('write.wordsText')}</p>
        {variables.map(variable => (
          <fieldset key={variable.key} className="market-word">
            <legend className="mono sm">{`{{${variable.key}}}`}</legend>
            <Input
              label={t('write.wordLabel')}
              maxLength={100}
              value={variable.label}
              onChange={event => change({ ...variable, label: event.target.value })}
            />
            <Input
              label={t('write.wordExample')}
              maxLength={200}
              value={variable.value ?? ''}
              onChange={event => change({ ...variable, value: event.target.value })}
            />
          </fieldset>
        ))}
      </div>
    </Card>
  );
}
