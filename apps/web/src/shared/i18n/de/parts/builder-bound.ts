import type { bound as en } from '../../en/parts/builder-bound.ts';

/** Why a form is past a bound; `most`: the bound. */
export const bound = {
  form_bytes: 'Das Formular ist größer als 2 MB. Teile es in zwei, oder kürze seine Listen.',
  form_items: 'Das Formular hat mehr als {{most}} Fragen und Abschnitte. Teile es in zwei.',
  form_name_characters: 'Ein Name hier ist länger als {{most}} Zeichen.',
  form_nesting: 'Abschnitte stehen hier mehr als {{most}} tief ineinander.',
  form_repeat_nesting: 'Mehr als {{most}} wiederholte Abschnitte stehen hier ineinander.',
  form_expression_characters: 'Eine Formel hier ist länger als {{most}} Zeichen.',
  form_expression_references: 'Eine Formel hier nennt mehr als {{most}} Antworten.',
  form_expressions_characters: 'Die Formeln bis hierher sind zusammen länger als {{most}} Zeichen.',
  form_expressions_references: 'Die Formeln bis hierher nennen zusammen mehr als {{most}} Antworten.',
  form_choices: 'Die Auswahllisten haben zusammen mehr als {{most}} Antworten.',
} as const satisfies Record<keyof typeof en, string>;
