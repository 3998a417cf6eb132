import { useTranslation } from 'react-i18next';
import {
  inLanguage,
  isGroup,
  type FormDefinition,
  type FormItem,
} from '@cairn/core/forms/definition/form-definition.ts';
import { questionLabel } from '../answers/question-label.ts';

/** Every question of a form in its order, with its type and choices. */
export function FormPreview({ form }: { form: FormDefinition }) {
  return <Items items={form.items} form={form} />;
}

function Items({ items, form }: { items: readonly FormItem[]; form: FormDefinition }) {
  return (
    <ol className="preview">
      {items.map(item => (
        <li key={item.name}>
          <Item item={item} form={form} />
        </li>
      ))}
    </ol>
  );
}

function Item({ item, form }: { item: FormItem; form: FormDefinition }) {
  const { t } = useTranslation('field');
  const language = form.languages[0] ?? '';
  if (isGroup(item)) {
    return (
      <>
        <p className="strong">{inLanguage(item.label, language) || item.name}</p>
        {item.type === 'repeat' && <p className="sm muted">{t('import.repeat')}</p>}
        <Items items={item.items} form={form} />
      </>
    );
  }
  const choices = item.list ? (form.choice_lists[item.list] ?? []) : [];
  return (
    <>
      <p>
        {questionLabel(item, language)}
        {item.required ? <span className="question-star"> *</span> : null}
      </p>
      <p className="sm muted">
        {t(`types.${item.type}.name`)}
        {choices.length > 0 &&
          `: ${choices
            .slice(0, 8)
            .map(choice => inLanguage(choice.label, language) || choice.name)
            .join(', ')}${choices.length > 8 ? ' …' : ''}`}
      </p>
    </>
  );
}
