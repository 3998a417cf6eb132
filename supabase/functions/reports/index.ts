// Answers at /functions/v1/reports, where the app and the project's clock ask: the same service as api.
import '../api/index.ts';
