// Answers at /functions/v1/account, where the app asks: the same service as api.
import '../api/index.ts';
