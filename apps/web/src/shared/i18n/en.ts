import { actions } from './en/actions.ts';
import { auth } from './en/auth.ts';
import { dashboard } from './en/dashboard.ts';
import { errors } from './en/errors.ts';
import { failure } from './en/failure.ts';
import { field } from './en/field.ts';
import { modules } from './en/modules.ts';
import { notifications } from './en/notifications.ts';
import { shell } from './en/shell.ts';
import { sync } from './en/sync.ts';

/** Every English text, one namespace an area. */
export const en = { shell, modules, notifications, auth, dashboard, field, actions, sync, errors, failure } as const;
