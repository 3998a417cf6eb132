// Builds the app when its sources are newer than what is built; the size check is `npm run build`'s.
import { buildWeb } from './build-web.ts';

await buildWeb();
