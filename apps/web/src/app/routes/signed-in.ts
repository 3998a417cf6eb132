// The frame of a signed-in person and the screen that opens first are one file: a start asks for each file on its own.
export { SignedInLayout } from '../shell/signed-in-layout.tsx';
export { DashboardRoute } from './dashboard.tsx';
export { readStartAhead } from './read-ahead.ts';
import { texts as frameTexts } from '../shell/signed-in-layout.tsx';
import { texts as dashboardTexts } from './dashboard.tsx';

export const texts = Promise.all([frameTexts, dashboardTexts]).then(() => undefined);
