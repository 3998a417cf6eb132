import type { TextsOf } from '../texts.ts';
import { codes } from './parts/record-codes.ts';
import { fields } from './parts/record-fields.ts';

export const recordLabels: TextsOf<'recordLabels'> = { fields, codes };
