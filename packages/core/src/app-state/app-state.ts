/** A message in the app, as its module lists it: no words of it, they stay with the record `id` names. */
export type AppNotification = {
  id: string;
  /** ISO 8601. */
  timestamp: string;
  read: boolean;
  /** e.g. `field`, `tasks`, `security`. */
  module: string;
};

/** How often something was begun and done; the rate is done ÷ begun. */
export type Completion = { begun: number; done: number };

/** Counts kept on this device: names of routes and features, never what somebody wrote. */
export type AnalyticsTotals = {
  pageViews: Record<string, number>;
  /** e.g. seconds in the app, sessions. */
  userEngagement: Record<string, number>;
  featureUsage: Record<string, number>;
  completionRates: Record<string, Completion>;
};

export type SystemSettings = {
  theme: 'system' | 'light' | 'dark';
  notifications: { email: boolean; push: boolean; inApp: boolean };
  /** Whether changes are written to the browser as they happen. */
  autoSave: boolean;
  language: string;
};

/** Steps done, courses opened at, tips dismissed: ids and figures by key. */
export type Progress = Record<string, string | number | boolean | string[]>;

/** What the app keeps in the browser beside the records. */
export type AppState = {
  /** By person. */
  userProgress: Record<string, Progress>;
  notifications: AppNotification[];
  analytics: AnalyticsTotals;
  systemSettings: SystemSettings;
  /** By key, e.g. `playbooks`; not kept over a restart. */
  loading: Record<string, boolean>;
  /** Codes of errors by key; not kept over a restart. */
  errors: Record<string, string>;
};

/** Notifications kept; the oldest go. */
export const NOTIFICATIONS_KEPT = 200;

export const FRESH_APP_STATE: AppState = {
  userProgress: {},
  notifications: [],
  analytics: { pageViews: {}, userEngagement: {}, featureUsage: {}, completionRates: {} },
  systemSettings: {
    theme: 'system',
    notifications: { email: true, push: true, inApp: true },
    autoSave: true,
    language: 'en',
  },
  loading: {},
  errors: {},
};

type Json = Record<string, unknown>;

const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const recordIn = (state: unknown, key: string): Json => {
  const value = isRecord(state) ? state[key] : null;
  return isRecord(value) ? value : {};
};
const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && value >= 0;

function only<Value>(record: Json, fits: (value: unknown) => value is Value): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).filter((entry): entry is [string, Value] => fits(entry[1])));
}

const isCompletion = (value: unknown): value is Completion =>
  isRecord(value) && isCount(value['begun']) && isCount(value['done']);

const isNotification = (value: unknown): value is AppNotification =>
  isRecord(value) &&
  ['id', 'timestamp', 'module'].every(key => typeof value[key] === 'string') &&
  typeof value['read'] === 'boolean';

const isStep = (value: unknown): value is Progress[string] =>
  ['string', 'number', 'boolean'].includes(typeof value) ||
  (Array.isArray(value) && value.every(each => typeof each === 'string'));
const isProgress = (value: unknown): value is Progress => isRecord(value) && Object.values(value).every(isStep);

const flag = (value: unknown, otherwise: boolean): boolean => (typeof value === 'boolean' ? value : otherwise);

function settingsOf(kept: Json): SystemSettings {
  const fresh = FRESH_APP_STATE.systemSettings;
  const channels = recordIn(kept, 'notifications');
  return {
    theme: kept['theme'] === 'light' || kept['theme'] === 'dark' ? kept['theme'] : fresh.theme,
    notifications: {
      email: flag(channels['email'], fresh.notifications.email),
      push: flag(channels['push'], fresh.notifications.push),
      inApp: flag(channels['inApp'], fresh.notifications.inApp),
    },
    autoSave: flag(kept['autoSave'], fresh.autoSave),
    language: typeof kept['language'] === 'string' ? kept['language'] : fresh.language,
  };
}

/** The state out of what was kept, whatever that is: a part that is not what it should be starts clean. */
export function appStateFrom(kept: unknown): AppState {
  const analytics = recordIn(kept, 'analytics');
  const notifications = isRecord(kept) ? kept['notifications'] : null;
  return {
    userProgress: only(recordIn(kept, 'userProgress'), isProgress),
    notifications: Array.isArray(notifications) ? notifications.filter(isNotification) : [],
    analytics: {
      pageViews: only(recordIn(analytics, 'pageViews'), isCount),
      userEngagement: only(recordIn(analytics, 'userEngagement'), isCount),
      featureUsage: only(recordIn(analytics, 'featureUsage'), isCount),
      completionRates: only(recordIn(analytics, 'completionRates'), isCompletion),
    },
    systemSettings: settingsOf(recordIn(kept, 'systemSettings')),
    loading: {},
    errors: {},
  };
}
