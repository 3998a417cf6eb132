import type { FirstTexts } from '../texts.ts';
import { auth } from './auth.ts';
import { failure } from './failure.ts';
import { shellFirst } from './shell-first.ts';

export const first: FirstTexts = { shell: shellFirst, failure, auth };
