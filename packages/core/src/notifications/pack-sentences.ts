/** What the types of the marketplace say; see `sentences.ts`. */
export const packSentences = {
  en: {
    'pack.waits': { full: '“{{title}}” {{number}} needs your review', plain: 'A pack needs your review' },
    'pack.listed': { full: '“{{title}}” {{number}} is listed', plain: 'Your pack is listed' },
    'pack.sent_back': { full: '“{{title}}” {{number}} was sent back', plain: 'Your pack was sent back' },
    'pack.withdrawn': { full: '“{{title}}” {{number}} was withdrawn', plain: 'Your pack was withdrawn' },
    'pack.later': {
      full: 'Version {{number}} of “{{title}}” is available',
      plain: 'There is a new version of a pack you use',
    },
  },
  de: {
    'pack.waits': {
      full: '„{{title}}“ {{number}} wartet auf deine Durchsicht',
      plain: 'Ein Paket wartet auf deine Durchsicht',
    },
    'pack.listed': { full: '„{{title}}“ {{number}} ist gelistet', plain: 'Dein Paket ist gelistet' },
    'pack.sent_back': { full: '„{{title}}“ {{number}} wurde zurückgegeben', plain: 'Dein Paket wurde zurückgegeben' },
    'pack.withdrawn': { full: '„{{title}}“ {{number}} wurde zurückgezogen', plain: 'Dein Paket wurde zurückgezogen' },
    'pack.later': {
      full: 'Version {{number}} von „{{title}}“ ist verfügbar',
      plain: 'Es gibt eine neue Version eines Pakets, das ihr nutzt',
    },
  },
};
