import type { RuleFault, RuleFields } from '@cairn/core/workflows/rule.ts';
import type { RuleChoices } from '@cairn/core/workflows/rules.ts';

/** What a part of the editor shows and changes. */
export type PartProps = {
  words: RuleFields;
  change: (part: Partial<RuleFields>) => void;
  choices: RuleChoices;
  /** What is wrong and where, once somebody tried to save. */
  faultAt: { fault: RuleFault; index: number } | null;
};
