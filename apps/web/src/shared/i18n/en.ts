import { actions } from './en/actions.ts';
import { assets } from './en/assets.ts';
import { audit } from './en/audit.ts';
import { auth } from './en/auth.ts';
import { authSteps } from './en/auth-steps.ts';
import { builder } from './en/builder.ts';
import { capture } from './en/capture.ts';
import { certificate } from './en/certificate.ts';
import { circle } from './en/circle.ts';
import { coach } from './en/coach.ts';
import { comments } from './en/comments.ts';
import { cohort } from './en/cohort.ts';
import { insights } from './en/insights.ts';
import { controls } from './en/controls.ts';
import { countersign } from './en/countersign.ts';
import { dashboard } from './en/dashboard.ts';
import { diagnostics } from './en/diagnostics.ts';
import { errors } from './en/errors.ts';
import { evidence } from './en/evidence.ts';
import { failure } from './en/failure.ts';
import { field } from './en/field.ts';
import { findings } from './en/findings.ts';
import { goals } from './en/goals.ts';
import { guest } from './en/guest.ts';
import { habits } from './en/habits.ts';
import { issueReports } from './en/issue-reports.ts';
import { kiosk } from './en/kiosk.ts';
import { lock } from './en/lock.ts';
import { maps } from './en/maps.ts';
import { presence } from './en/presence.ts';
import { marketplace } from './en/marketplace.ts';
import { modules } from './en/modules.ts';
import { notifications } from './en/notifications.ts';
import { policies } from './en/policies.ts';
import { policyAuthoring } from './en/policy-authoring.ts';
import { policyFiles } from './en/policy-files.ts';
import { profile } from './en/profile.ts';
import { quiz } from './en/quiz.ts';
import { rates } from './en/rates.ts';
import { review } from './en/review.ts';
import { recordLabels } from './en/record-labels.ts';
import { rescue } from './en/rescue.ts';
import { schedules } from './en/schedules.ts';
import { security } from './en/security.ts';
import { settings } from './en/settings.ts';
import { share } from './en/share.ts';
import { shell } from './en/shell.ts';
import { spaces } from './en/spaces.ts';
import { sync } from './en/sync.ts';
import { taskFiles } from './en/task-files.ts';
import { tasks } from './en/tasks.ts';
import { triad } from './en/triad.ts';
import { verify } from './en/verify.ts';
import { welcome } from './en/welcome.ts';
import { wellness } from './en/wellness.ts';
import { workflows } from './en/workflows.ts';

/** Every English text, one namespace an area. */
export const en = {
  actions,
  assets,
  audit,
  auth,
  authSteps,
  builder,
  capture,
  certificate,
  circle,
  coach,
  comments,
  cohort,
  countersign,
  insights,
  controls,
  dashboard,
  diagnostics,
  errors,
  evidence,
  failure,
  field,
  findings,
  goals,
  guest,
  habits,
  issueReports,
  kiosk,
  lock,
  maps,
  presence,
  marketplace,
  modules,
  notifications,
  policies,
  policyAuthoring,
  policyFiles,
  profile,
  quiz,
  rates,
  review,
  recordLabels,
  rescue,
  schedules,
  security,
  settings,
  share,
  shell,
  spaces,
  sync,
  taskFiles,
  tasks,
  triad,
  verify,
  welcome,
  wellness,
  workflows,
} as const;
