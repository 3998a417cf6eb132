import type { FriendlyCode } from '@cairn/base/friendly-error.ts';
import { FAULT_CODES, type FaultCode } from '@cairn/sync/transport/fault.ts';

/** What may be told of an event, by kind. Nothing here can hold a word that somebody wrote. */
export type EventData = {
  /** Pattern of a route, e.g. `/field/$inspectionId`; never an address with an id in it. */
  route?: string;
  feature?: Feature;
  error_code?: FriendlyCode;
  /** What sync put right by itself, or could not; `count` says of how many records or edits. */
  fault?: FaultCode;
  /** ms */
  duration_ms?: number;
  count?: number;
  online?: boolean;
};

/** Everything the app counts the use of. A new one is added here, so that no free text becomes one. */
export const FEATURES = [
  'install',
  'update',
  'share_target',
  'command_palette',
  'search',
  'switch_space',
  'inspection',
  'form_import',
  'action_item',
  'export',
] as const;
export type Feature = (typeof FEATURES)[number];

export const EVENT_CATEGORY = {
  page_view: 'navigation',
  feature_used: 'feature',
  error: 'error',
  sync_fault: 'error',
  session_start: 'system',
  network_change: 'system',
} as const;
export type EventType = keyof typeof EVENT_CATEGORY;

/** What the app runs on, coarse enough to say nothing of a person. */
export type DeviceInfo = {
  version: string;
  platform: 'web' | 'ios' | 'android';
  /** Width class of the screen: below 480, 768, 1024, 1280, 1536 px, or wider. */
  screen: 'xs' | 'sm' | 'md' | 'lg' | 'xl' | '2xl';
  touch: boolean;
  /** Opened from the home screen. */
  installed: boolean;
};

/** What the platform says of the network. */
export type NetworkInfo = { online: boolean; effective_type: '4g' | '3g' | '2g' | 'slow-2g' | null };

/** One event as it is queued and stored (R3.40), and its id. */
export type AnalyticsEvent = {
  id: string;
  event_type: EventType;
  event_category: (typeof EVENT_CATEGORY)[EventType];
  event_data: EventData;
  /** ISO 8601, device time. */
  timestamp: string;
  user_id: string;
  session_id: string;
  device_info: DeviceInfo;
  network_info: NetworkInfo;
};

/** One figure (R3.41), with who and when it belongs to. The name ends in its unit. */
export type Metric = {
  id: string;
  metric_name: MetricName;
  value: number;
  /** ISO 8601, device time. */
  timestamp: string;
  user_id: string;
  session_id: string;
};

export const METRIC_NAMES = [
  'first_byte_ms',
  'first_paint_ms',
  'largest_paint_ms',
  'slowest_interaction_ms',
  'layout_shift_score',
  'long_tasks_count',
  'long_tasks_ms',
] as const;
export type MetricName = (typeof METRIC_NAMES)[number];

/** Version the app reports (R9.18). */
export const APP_VERSION = '1.0.0';

/** What an event takes from around it. */
export type EventContext = Pick<AnalyticsEvent, 'id' | 'timestamp' | 'user_id' | 'session_id'> & {
  device_info: DeviceInfo;
  network_info: NetworkInfo;
};

/** A pattern has only names and `$parameters`: letters and dashes, no digit, so no id and no sentence fits in. */
const ROUTE_PATTERN = /^\/(?:[a-z-]{1,24}(?:\/\$?[a-zA-Z-]{1,24}){0,4})?$/;
const CODES: ReadonlySet<unknown> = new Set<FriendlyCode>([
  'SESSION_EXPIRED',
  'PERMISSION_DENIED',
  'NETWORK_ERROR',
  'DUPLICATE_ERROR',
  'NOT_FOUND',
  'USER_EXISTS',
  'STALE_VERSION',
  'STORAGE_FULL',
  'INVALID',
  'UNEXPECTED',
]);
const isFigure = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value) && value >= 0;

const FITS: { readonly [Key in keyof Required<EventData>]: (value: unknown) => boolean } = {
  route: value => typeof value === 'string' && ROUTE_PATTERN.test(value),
  feature: value => (FEATURES as readonly unknown[]).includes(value),
  error_code: value => CODES.has(value),
  fault: value => (FAULT_CODES as readonly unknown[]).includes(value),
  duration_ms: isFigure,
  count: isFigure,
  online: value => typeof value === 'boolean',
};

/** Only the fields that may be told, each only with a value it may have; everything else is left out without a word. */
export function tellable(data: unknown): EventData {
  if (typeof data !== 'object' || data === null) return {};
  const told = Object.entries(FITS).flatMap(([key, fits]) => {
    const value: unknown = Object.hasOwn(data, key) ? Reflect.get(data, key) : undefined;
    if (!fits(value)) return [];
    return [[key, typeof value === 'number' ? Math.round(value) : value]];
  });
  return Object.fromEntries(told) as EventData;
}

/** An event of this type; of the data only what is tellable goes in. */
export function analyticsEvent(type: EventType, data: EventData, context: EventContext): AnalyticsEvent {
  const { id, timestamp, user_id, session_id, device_info, network_info } = context;
  return {
    id,
    event_type: type,
    event_category: EVENT_CATEGORY[type],
    event_data: tellable(data),
    timestamp,
    user_id,
    session_id,
    device_info,
    network_info,
  };
}
