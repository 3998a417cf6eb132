import { useTranslation } from 'react-i18next';
import {
  changeSection,
  freshName,
  namesIn,
  renameNode,
  type SectionHead,
} from '@cairn/core/forms/draft/form-outline.ts';
import { isMadeUpName, nameFromText } from '@cairn/core/forms/draft/new-question.ts';
import { inLanguage } from '@cairn/core/forms/definition/words.ts';
import { Segmented } from '@cairn/ui/controls/choice.tsx';
import { NumberInput } from '@cairn/ui/controls/number-input.tsx';
import { ConditionField } from './condition-field.tsx';
import { ExpressionField } from './expression-field.tsx';
import { NameField } from './name-field.tsx';
import { namesFor } from './question-parts.ts';
import type { BuilderPart } from './use-builder.ts';
import { TranslatedField } from './translated-field.tsx';

type Props = BuilderPart & { nodeKey: string; section: SectionHead; isNew: boolean };

/** A section, or one that is answered once for each thing. */
export function SectionEditor({ outline, problems, edit, nodeKey, section, isNew }: Props) {
  const { t, i18n } = useTranslation('builder');
  const { languages } = outline.head;
  const set = (change: Partial<SectionHead>) =>
    edit(before => changeSection(before, nodeKey, { ...section, ...change }));
  const problemAt = (field: string) => problems.find(each => each.key === nodeKey && each.field === field);
  const nameIt = () => {
    const name = nameFromText(inLanguage(section.label, languages[0]));
    if (!isMadeUpName(section.name) || name === '') return;
    edit(before => renameNode(before, nodeKey, freshName(namesIn(before), name)));
  };
  return (
    <div className="parts">
      <TranslatedField
        label={t('section.label')}
        value={section.label}
        languages={languages}
        onChange={label => set({ label })}
        onBlur={nameIt}
        focused={isNew}
      />
      <Segmented
        label={t('section.kind')}
        labelHidden={false}
        options={[
          { value: 'group', label: t('section.once') },
          { value: 'repeat', label: t('section.repeat') },
        ]}
        value={section.type}
        onChange={type => set(type === 'repeat' ? { type: 'repeat' } : { type: 'group', count: undefined })}
      />
      {section.type === 'repeat' && (
        <ExpressionField
          label={t('section.count')}
          hint={t('section.countHint')}
          value={section.count}
          onChange={count => set({ count })}
          names={namesFor(outline, section.name)}
          problem={problemAt('count')}
        />
      )}
      <ConditionField
        label={t('section.relevant')}
        outline={outline}
        own={section.name}
        value={section.relevant}
        onChange={relevant => set({ relevant })}
        problem={problemAt('relevant')}
      />
      <NumberInput
        label={t('section.weight')}
        hint={t('section.weightHint')}
        value={section.weight ?? null}
        min={0}
        max={1000}
        locale={i18n.resolvedLanguage ?? 'en'}
        notANumber={t('number')}
        onChange={weight => set({ weight: weight === null ? undefined : Math.min(1000, Math.max(0, weight)) })}
      />
      <NameField edit={edit} nodeKey={nodeKey} name={section.name} problem={problemAt('name')} />
    </div>
  );
}
