// What the first screen after sign-in says, German: one file to fetch instead of six. `FIRST` in load-texts.ts lists the same.
export { dashboard } from '../de/dashboard.ts';
export { modules } from '../de/modules.ts';
export { notifications } from '../de/notifications.ts';
export { shell } from '../de/shell.ts';
export { sync } from '../de/sync.ts';
export { welcome } from '../de/welcome.ts';
