// Answers at /functions/v1/people, where the app asks: the same service as api.
import '../api/index.ts';
