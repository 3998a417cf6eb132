import type { World } from '../../../shared/app-state/app-state.ts';

/** Texts that are about a person's own principles: nobody publishes those, and nobody asks for them. */
const OWN = {
  missing: 'missingOwn',
  missingText: 'missingTextOwn',
  'views.inForce': 'views.inForceOwn',
  'empty.inForce': 'empty.inForceOwn',
  'empty.inForceText': 'empty.inForceTextOwn',
  'empty.makingText': 'empty.makingTextOwn',
  'state.published': 'state.publishedOwn',
  'status.none': 'status.noneOwn',
  'showing.draft': 'showing.draftOwn',
  'showing.current': 'showing.currentOwn',
  'manage.published': 'manage.publishedOwn',
  'manage.archiveTitle': 'manage.archiveTitleOwn',
  'manage.archiveText': 'manage.archiveTextOwn',
  'manage.removeText': 'manage.removeTextOwn',
} as const;

const hasOwn = (key: string): key is keyof typeof OWN => Object.hasOwn(OWN, key);

/** The key of a text as the world says it: of a policy, or of a principle of one's own. */
export const worldKey = <Key extends string>(key: Key, world: World): Key | (typeof OWN)[keyof typeof OWN] =>
  world === 'personal' && hasOwn(key) ? OWN[key] : key;
