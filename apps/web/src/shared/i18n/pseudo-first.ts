import { auth } from './en/auth.ts';
import { failure } from './en/failure.ts';
import { shellFirst } from './en/shell-first.ts';
import { pseudoTexts } from './pseudo.ts';
import type { FirstTexts } from './texts.ts';

export const first: FirstTexts = pseudoTexts({ shell: shellFirst, failure, auth });
