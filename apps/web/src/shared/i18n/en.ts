import { actions } from './en/actions.ts';
import { auth } from './en/auth.ts';
import { dashboard } from './en/dashboard.ts';
import { failure } from './en/failure.ts';
import { field } from './en/field.ts';
import { profile } from './en/profile.ts';
import { settings } from './en/settings.ts';
import { shell } from './en/shell.ts';
import { sync } from './en/sync.ts';

/** Every English text, one namespace an area. */
export const en = { shell, auth, dashboard, field, actions, sync, failure, settings, profile } as const;
