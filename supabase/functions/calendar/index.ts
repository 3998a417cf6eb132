// Answers at /functions/v1/calendar, where the app and calendars ask: the same service as api.
import '../api/index.ts';
