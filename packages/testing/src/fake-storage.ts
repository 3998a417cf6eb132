// A browser's database for tests outside of one; for whoever cannot name the package itself.
import 'fake-indexeddb/auto';
