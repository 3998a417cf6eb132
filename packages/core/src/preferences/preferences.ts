import { defaults, type Json, type Row } from '@cairn/schema';

/** One person's preferences, as stored. */
export type Preferences = Row<'user_preferences'>;

/** What a person may change: everything but what the server keeps. */
export type PreferenceChange = Partial<
  Omit<Preferences, 'id' | 'user_id' | 'created_at' | 'updated_at' | 'deleted_at' | 'version'>
>;

/** The values offered, in the order of the screen; what is stored beyond them is kept and shown as it is. */
export const PREFERENCE_CHOICES = {
  theme_mode: ['system', 'light', 'dark'],
  primary_color: ['blue', 'indigo', 'violet', 'rose', 'amber', 'green', 'teal', 'slate'],
  font_size: ['small', 'medium', 'large', 'extra-large'],
  date_format: ['MM/dd/yyyy', 'dd/MM/yyyy', 'dd.MM.yyyy', 'yyyy-MM-dd'],
  time_format: ['12h', '24h'],
  week_start: ['auto', 'monday', 'saturday', 'sunday'],
  profile_visibility: ['public', 'members', 'private'],
  preferred_playbook_type: ['company', 'personal'],
  wellness_coach_avatar: [
    'friendly-professional',
    'calm-mentor',
    'energetic-coach',
    'wise-guide',
    'playful-companion',
    'straight-talker',
  ],
  /** Megabytes of received files kept on a device; null keeps as much as fits. */
  storage_limit_mb: [null, 250, 1000, 4000],
  photo_size: ['original', 'large', 'small'],
} as const;

/** Which parts of the dashboard show, and what it opens with. */
export type DashboardConfig = {
  show_wellness_widgets: boolean;
  show_compliance_overview: boolean;
  default_view: string;
};

/** Which messages a person wants, beside the matrix of types and channels. */
export type NotificationSettings = {
  email_enabled: boolean;
  push_enabled: boolean;
  wellness_reminders: boolean;
  task_deadlines: boolean;
};

/** What holds for a person who never chose anything (R3.23–R3.27): the database's own defaults, one place for both. */
export function defaultPreferences(userId: string): Preferences {
  return {
    ...(defaults.user_preferences as Omit<
      Preferences,
      | 'id'
      | 'user_id'
      | 'custom_avatar_url'
      | 'storage_limit_mb'
      | 'created_at'
      | 'updated_at'
      | 'deleted_at'
      | 'version'
    >),
    id: userId,
    user_id: userId,
    custom_avatar_url: null,
    storage_limit_mb: null,
    created_at: '',
    updated_at: '',
    deleted_at: null,
    version: 0,
  };
}

const isObject = (value: Json): value is { [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The stored part of `known` over its defaults; a value of another type counts as none. */
function over<T extends object>(stored: Json, known: T): T {
  if (!isObject(stored)) return known;
  const fitting = Object.entries(known).map(([key, value]) => {
    const kept = stored[key];
    return [key, typeof kept === typeof value ? kept : value];
  });
  return Object.fromEntries(fitting) as T;
}

/** The dashboard's parts; what is missing or of another type takes its default. */
export function dashboardConfig({ dashboard_config }: Pick<Preferences, 'dashboard_config'>): DashboardConfig {
  return over(dashboard_config, {
    show_wellness_widgets: true,
    show_compliance_overview: true,
    default_view: 'today',
  });
}

/** The wanted messages; what is missing or of another type counts as wanted. */
export function notificationSettings({
  notification_settings,
}: Pick<Preferences, 'notification_settings'>): NotificationSettings {
  return over(notification_settings, {
    email_enabled: true,
    push_enabled: true,
    wellness_reminders: true,
    task_deadlines: true,
  });
}

/** What of the preferences follows the browser until the person chooses; `timezone`, whose default means the device's own, does too. */
export type Locale = Pick<Preferences, 'language' | 'date_format' | 'time_format'>;

/** The way of writing dates and times that goes with a language, until a person chooses another. */
const USUAL: Record<string, Omit<Locale, 'language'>> = {
  en: { date_format: 'MM/dd/yyyy', time_format: '12h' },
  de: { date_format: 'dd.MM.yyyy', time_format: '24h' },
};

/**
 * What a browser that speaks `language` shows where nobody chose.
 * @param language one of the app's
 * @param tag the browser's locale, a BCP 47 tag: dates and times are written as people there write them
 */
export function localeOf(language: string, tag: string): Locale {
  const sample = new Intl.DateTimeFormat(tag, { dateStyle: 'short', timeStyle: 'short', calendar: 'gregory' });
  const parts = sample.formatToParts(new Date(0));
  const order = parts.map(({ type }) => type).filter(type => ['day', 'month', 'year'].includes(type));
  const isDotted = parts.some(({ type, value }) => type === 'literal' && value.startsWith('.'));
  return {
    language,
    date_format:
      order[0] === 'year' ? 'yyyy-MM-dd' : order[0] === 'month' ? 'MM/dd/yyyy' : isDotted ? 'dd.MM.yyyy' : 'dd/MM/yyyy',
    time_format: sample.resolvedOptions().hour12 ? '12h' : '24h',
  };
}

/**
 * A person's preferences as they are shown: as stored, but in the browser's locale until they chose one (R3.22). A row that came before
 * the column says nothing of it and counts as chosen.
 */
export function shownPreferences(stored: Preferences, locale: Locale): Preferences {
  return isLocaleChosen(stored) ? stored : { ...stored, ...locale };
}

/** Whether the person chose language, zone or formats themselves. */
export const isLocaleChosen = ({ locale_chosen }: Partial<Pick<Preferences, 'locale_chosen'>>): boolean =>
  locale_chosen !== false;

/** A change of language; dates and times follow it as long as nobody chose them or they stand as usual in the language before. */
export function languageChange(present: Preferences, language: string): PreferenceChange {
  const before = USUAL[present.language];
  const after = USUAL[language];
  const isUsual = before?.date_format === present.date_format && before.time_format === present.time_format;
  return { language, ...((isUsual || !isLocaleChosen(present)) && after) };
}
