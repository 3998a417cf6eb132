// Answers at /functions/v1/schedules, where the project's clock asks: the same service as api.
import '../api/index.ts';
