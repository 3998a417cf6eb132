import type { Action } from './action-screen-queries.ts';

export const PRIORITIES = ['low', 'medium', 'high', 'critical'] as const satisfies readonly Action['priority'][];

/** What a select gives back, as a priority. */
export const priorityFrom = (value: string): Action['priority'] => PRIORITIES.find(each => each === value) ?? 'medium';
