import { codes } from './parts/record-codes.ts';
import { fields } from './parts/record-fields.ts';

export const recordWords = { fields, codes } as const;
