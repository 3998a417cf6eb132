/** Why a form is past a bound; `most`: the bound. */
export const bound = {
  form_bytes: 'The form is larger than 2 MB. Split it into two, or shorten its lists.',
  form_items: 'The form has more than {{most}} questions and sections. Split it into two.',
  form_name_characters: 'A name here is longer than {{most}} characters.',
  form_nesting: 'Sections stand in each other more than {{most}} deep here.',
  form_repeat_nesting: 'More than {{most}} repeated sections stand in each other here.',
  form_expression_characters: 'A formula here is longer than {{most}} characters.',
  form_expression_references: 'A formula here names more than {{most}} answers.',
  form_expressions_characters: 'The formulas up to here are longer than {{most}} characters together.',
  form_expressions_references: 'The formulas up to here name more than {{most}} answers together.',
  form_choices: 'The sets of answers have more than {{most}} answers together.',
} as const;
