import { actions } from './en/actions.ts';
import { auth } from './en/auth.ts';
import { dashboard } from './en/dashboard.ts';
import { errors } from './en/errors.ts';
import { failure } from './en/failure.ts';
import { field } from './en/field.ts';
import { share } from './en/share.ts';
import { shell } from './en/shell.ts';
import { sync } from './en/sync.ts';

/** Every English text, one namespace an area. */
export const en = { shell, auth, dashboard, field, actions, sync, share, errors, failure } as const;
