// What the first screen after sign-in says, English: one file to fetch instead of six. `FIRST` in load-texts.ts lists the same.
export { dashboard } from '../en/dashboard.ts';
export { modules } from '../en/modules.ts';
export { notifications } from '../en/notifications.ts';
export { shell } from '../en/shell.ts';
export { sync } from '../en/sync.ts';
export { welcome } from '../en/welcome.ts';
