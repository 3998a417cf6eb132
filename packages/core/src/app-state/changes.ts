import {
  NOTIFICATIONS_KEPT,
  type AppNotification,
  type AppState,
  type Progress,
  type SystemSettings,
} from './app-state.ts';

export type Change = (state: AppState) => AppState;

/** Keeps one step of a person's way through the app. */
export const withProgress =
  (userId: string, key: string, value: Progress[string]): Change =>
  state => ({
    ...state,
    userProgress: { ...state.userProgress, [userId]: { ...state.userProgress[userId], [key]: value } },
  });

/** Says that something is being loaded, or no longer. */
export const withLoading =
  (key: string, loading: boolean): Change =>
  state => ({ ...state, loading: { ...state.loading, [key]: loading } });

/** Keeps the code of what went wrong under a key; null takes it away. */
export const withError =
  (key: string, code: string | null): Change =>
  state => {
    const { [key]: _gone, ...others } = state.errors;
    return { ...state, errors: code === null ? others : { ...others, [key]: code } };
  };

/** The person's notifications as their module lists them now: the newest first, at most `NOTIFICATIONS_KEPT`. */
export const withNotifications =
  (notifications: readonly AppNotification[]): Change =>
  state => ({
    ...state,
    notifications: notifications
      .toSorted((a, b) => b.timestamp.localeCompare(a.timestamp))
      .slice(0, NOTIFICATIONS_KEPT),
  });

const counted = (counts: Record<string, number>, key: string, by: number) => ({
  ...counts,
  [key]: (counts[key] ?? 0) + by,
});

/** Counts a view of a route (its pattern, e.g. `/field/$inspectionId`). */
export const withPageView =
  (route: string): Change =>
  state => ({ ...state, analytics: { ...state.analytics, pageViews: counted(state.analytics.pageViews, route, 1) } });

/** Adds to a figure of engagement, e.g. `sessions` by 1, `seconds` by 30. */
export const withEngagement =
  (kind: string, by: number): Change =>
  state => ({
    ...state,
    analytics: { ...state.analytics, userEngagement: counted(state.analytics.userEngagement, kind, by) },
  });

/** Counts a use of a feature. */
export const withFeatureUse =
  (feature: string): Change =>
  state => ({
    ...state,
    analytics: { ...state.analytics, featureUsage: counted(state.analytics.featureUsage, feature, 1) },
  });

/** Counts that something was begun or done, e.g. `inspection`. */
export const withCompletion =
  (what: string, step: 'begun' | 'done'): Change =>
  state => {
    const before = state.analytics.completionRates[what] ?? { begun: 0, done: 0 };
    const completionRates = { ...state.analytics.completionRates, [what]: { ...before, [step]: before[step] + 1 } };
    return { ...state, analytics: { ...state.analytics, completionRates } };
  };

/** Changes some system settings and keeps the rest. */
export const withSettings =
  (change: Partial<SystemSettings>): Change =>
  state => ({ ...state, systemSettings: { ...state.systemSettings, ...change } });
