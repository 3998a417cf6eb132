import { actions } from './en/actions.ts';
import { assets } from './en/assets.ts';
import { auth } from './en/auth.ts';
import { authSteps } from './en/auth-steps.ts';
import { builder } from './en/builder.ts';
import { capture } from './en/capture.ts';
import { dashboard } from './en/dashboard.ts';
import { diagnostics } from './en/diagnostics.ts';
import { errors } from './en/errors.ts';
import { failure } from './en/failure.ts';
import { field } from './en/field.ts';
import { issueReports } from './en/issue-reports.ts';
import { lock } from './en/lock.ts';
import { modules } from './en/modules.ts';
import { notifications } from './en/notifications.ts';
import { profile } from './en/profile.ts';
import { review } from './en/review.ts';
import { rescue } from './en/rescue.ts';
import { schedules } from './en/schedules.ts';
import { security } from './en/security.ts';
import { settings } from './en/settings.ts';
import { share } from './en/share.ts';
import { shell } from './en/shell.ts';
import { spaces } from './en/spaces.ts';
import { sync } from './en/sync.ts';
import { welcome } from './en/welcome.ts';

/** Every English text, one namespace an area. */
export const en = {
  actions,
  assets,
  auth,
  authSteps,
  builder,
  capture,
  dashboard,
  diagnostics,
  errors,
  failure,
  field,
  issueReports,
  lock,
  modules,
  notifications,
  profile,
  review,
  rescue,
  schedules,
  security,
  settings,
  share,
  shell,
  spaces,
  sync,
  welcome,
} as const;
