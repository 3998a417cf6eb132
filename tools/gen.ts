// npm run gen: everything that is generated and committed.
import './gen-types.ts';
import './gen-functions.ts';
import './gen-requirements.ts';
