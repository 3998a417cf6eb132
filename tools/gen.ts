// npm run gen: everything that is generated and committed.
import './gen-types.ts';
import './gen-requirements.ts';
