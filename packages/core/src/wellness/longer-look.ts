import type { FormDefinition } from '../forms/definition/form-definition.ts';
import { ownForm } from '../onboarding/starter-form.ts';
import { inTongue, type StarterLanguage, type Text } from '../onboarding/text.ts';

/** Our own words: published indices such as the WHO's may not be copied into an app; whoever may use one imports it. */
const TITLE: Text = ['The last two weeks', 'Die letzten zwei Wochen'];
const INTRO: Text = [
  'How often was it so in the last two weeks? This is no medical test: it only shows you your own line.',
  'Wie oft war es in den letzten zwei Wochen so? Das ist kein medizinischer Test: Er zeigt dir nur deinen eigenen Verlauf.',
];
const STATEMENTS: readonly { name: string; label: Text }[] = [
  {
    name: 'strength',
    label: ['I had strength for what I wanted to do.', 'Ich hatte Kraft für das, was ich vorhatte.'],
  },
  { name: 'let_go', label: ['I could put my worries down.', 'Ich konnte meine Sorgen ablegen.'] },
  { name: 'nights', label: ['My nights gave me rest.', 'Meine Nächte haben mich erholt.'] },
  { name: 'people', label: ['I was with people who do me good.', 'Ich war mit Menschen zusammen, die mir guttun.'] },
  { name: 'sense', label: ['What I did made sense to me.', 'Was ich tat, hatte für mich Sinn.'] },
];
const STEPS: readonly Text[] = [
  ['Never', 'Nie'],
  ['Seldom', 'Selten'],
  ['At times', 'Manchmal'],
  ['Often', 'Oft'],
  ['Nearly always', 'Fast immer'],
];

/** The longer questionnaire that comes along: five statements, 0 to 4 each, so that its score is 0 to 100. */
export function longerLookForm(language: StarterLanguage): FormDefinition {
  const say = (text: Text) => inTongue(text, language);
  return ownForm({
    format: 1,
    title: say(TITLE),
    // Nobody fails it.
    pass_percent: 0,
    choice_lists: {
      often: STEPS.map((step, score) => ({ name: `step_${score}`, label: say(step), score })),
    },
    items: [
      {
        type: 'group',
        name: 'weeks',
        label: say(TITLE),
        items: [
          { type: 'note', name: 'intro', label: say(INTRO) },
          ...STATEMENTS.map(({ name, label }) => ({
            type: 'select_one' as const,
            name,
            label: say(label),
            list: 'often',
            appearance: 'likert',
            required: true,
          })),
        ],
      },
    ],
  });
}
