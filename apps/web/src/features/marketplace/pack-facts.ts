import type { Pack } from '@cairn/core/marketplace/pack.ts';

export const NO_FACTS = {
  name: '',
  summary: '',
  kind: 'compliance',
  licence: 'CC-BY-4.0',
  locale: 'en',
  industry: 'any',
  frameworks: '',
  is_template: true,
};
export type Facts = typeof NO_FACTS;

/** Facts as the server takes them. */
export const sentFacts = (facts: Facts) => ({
  ...facts,
  name: facts.name.trim(),
  frameworks: facts.frameworks
    .split(',')
    .map(name => name.trim())
    .filter(Boolean),
});

export type SentFacts = ReturnType<typeof sentFacts>;

/** What is said of a pack, as it is typed. */
export const factsOf = (pack: Pack): Facts => ({
  name: pack.name,
  summary: pack.summary,
  kind: pack.kind,
  licence: pack.licence,
  locale: pack.locale,
  industry: pack.industry,
  frameworks: pack.frameworks.join(', '),
  is_template: pack.is_template,
});
