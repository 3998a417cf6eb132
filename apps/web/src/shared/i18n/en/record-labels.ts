import { codes } from './parts/record-codes.ts';
import { fields } from './parts/record-fields.ts';

export const recordLabels = { fields, codes } as const;
