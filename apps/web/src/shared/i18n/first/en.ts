// What the first screen after sign-in says, English: one file to fetch instead of six. `FIRST` in load-texts.ts lists the same.
import shellFirst from '../en/shell-first.json';
import shellRest from '../en/shell.json';

export { default as dashboard } from '../en/dashboard.json';
export { default as modules } from '../en/modules.json';
export { default as notifications } from '../en/notifications.json';
export { default as sync } from '../en/sync.json';
export { default as welcome } from '../en/welcome.json';
export const shell = { ...shellFirst, ...shellRest };
