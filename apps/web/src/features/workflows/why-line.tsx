import { useTranslation } from 'react-i18next';
import type { RuleFields } from '@cairn/core/workflows/rule.ts';
import type { RuleChoices } from '@cairn/core/workflows/rules.ts';
import type { RunOutcome, Verdict } from '@cairn/core/workflows/runs.ts';
import { useRuleTexts } from './use-rule-texts.ts';

type Props = {
  word: Verdict | RunOutcome;
  /** Of each condition as it was then, whether it held. */
  checks: readonly boolean[];
  words: RuleFields;
  choices: RuleChoices;
};

/** Why a rule fired or did not: which condition held, which did not. */
export function WhyLine({ word, checks, words, choices }: Props) {
  const { t } = useTranslation('workflows');
  const { condition } = useRuleTexts(choices);
  // A rule that was changed since has other conditions than those that were looked at.
  const known = checks.length === words.conditions.length ? words.conditions : [];
  const told = known.map((each, index) => t(checks[index] === true ? 'held' : 'heldNot', { what: condition(each) }));
  const reason = word === 'made' || word === 'right' || word === 'plan' ? [t(`why.${word}`)] : [];
  const all = [...reason, ...told];
  return all.length === 0 ? null : <p className="sm muted workflow-why">{all.join(' · ')}</p>;
}
