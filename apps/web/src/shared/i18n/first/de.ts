// What the first screen after sign-in says, German: one file to fetch instead of six. `FIRST` in load-texts.ts lists the same.
import shellFirst from '../de/shell-first.json';
import shellRest from '../de/shell.json';

export { default as dashboard } from '../de/dashboard.json';
export { default as modules } from '../de/modules.json';
export { default as notifications } from '../de/notifications.json';
export { default as sync } from '../de/sync.json';
export { default as welcome } from '../de/welcome.json';
export const shell = { ...shellFirst, ...shellRest };
