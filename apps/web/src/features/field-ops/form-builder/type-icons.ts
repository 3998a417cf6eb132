import { Layers, Repeat, type LucideIcon } from 'lucide-react';
import type { Group } from '@cairn/core/forms/definition/form-definition.ts';
import type { QuestionType } from '@cairn/core/forms/question-types/question-types.ts';
import { typeEditors } from './type-editors.ts';

/** A drawing for a kind of question or section; its name always stands with it. */
export const iconOf = (type: QuestionType | Group['type']): LucideIcon =>
  type === 'group' ? Layers : type === 'repeat' ? Repeat : typeEditors[type].icon;
