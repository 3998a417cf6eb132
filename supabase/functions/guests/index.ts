// Answers at /functions/v1/guests, where the app asks: the same service as api.
import '../api/index.ts';
