import { useTranslation } from 'react-i18next';
import type { Condition, RuleFields, Step, Target } from '@cairn/core/workflows/rule.ts';
import type { NamedRow, RuleChoices } from '@cairn/core/workflows/rules.ts';

export type Sentence = { when: string; ifs: string[]; thens: string[] };

/** A rule as people say it: when, if, then. */
export function useRuleTexts(choices: RuleChoices) {
  const { t } = useTranslation('workflows');
  const named = (rows: readonly NamedRow[], id: string) => rows.find(row => row.id === id)?.name ?? t('gone');
  const who = (to: Target | undefined): string => {
    if (to === undefined || to === 'responsible') return t('who.responsible');
    if (to.startsWith('person:')) return named(choices.people, to.slice(7));
    return t(`who.${to.slice(5) as 'admin' | 'manager' | 'member' | 'auditor'}`);
  };
  const value = ({ field, value: compared }: Condition): string => {
    if (field === 'site') return named(choices.sites, compared);
    if (field === 'asset') return named(choices.assets, compared);
    if (field === 'form') return named(choices.forms, compared);
    if (field === 'label' || field === 'title') return compared;
    return t(`value.${compared as 'low'}`);
  };
  const condition = (each: Condition): string =>
    t(`asked.${each.op}`, { field: t(`field.${each.field}`), value: value(each) });
  const step = (each: Step): string => {
    const title = each.title?.replaceAll('{title}', t('itsTitle')) ?? '';
    const days = each.days ? t('days', { count: each.days }) : t('today');
    return t(`does.${each.kind}`, { who: who(each.to), title, text: each.text ?? '', days });
  };
  const sentence = ({ trigger, matching, conditions, steps }: RuleFields): Sentence => ({
    when: t(`trigger.${trigger}`),
    ifs: conditions.map((each, index) =>
      index === 0 ? condition(each) : t(`joined.${matching}`, { what: condition(each) }),
    ),
    thens: steps.map(step),
  });
  return { sentence, condition };
}
