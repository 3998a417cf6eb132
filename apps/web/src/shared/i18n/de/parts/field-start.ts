import type { TextsOf } from '../../texts.ts';

/** Starting an inspection, of the area `field`. */
export const startSheet: TextsOf<'field'>['startSheet'] = {
  other: 'Andere Prüfung',
  title: 'Eine Prüfung beginnen',
  titleOf: '{{asset}} prüfen',
  form: 'Welches Formular?',
  formSearch: 'Formulare suchen',
  asset: 'Welches Objekt?',
  assetSearch: 'Objekte nach Name, Code oder Ort suchen',
  assetNeeded: 'Wähle, was du prüfst, oder „Kein Objekt“.',
  noAsset: 'Kein Objekt',
  noAssetHint: 'Für einen Ort oder eine Tätigkeit',
  noForms: 'Es gibt noch kein Formular zum Ausfüllen',
  noFormsText:
    'Sobald eine Leitung ein Formular veröffentlicht, kommt es von selbst hier an und bleibt auf diesem Gerät.',
  noFormsFound: 'Kein Formular passt',
  noAssetsFound: 'Kein Objekt passt. Du kannst ohne eines weitermachen.',
  change: 'Anderes Formular wählen',
  minutes_one: 'etwa {{count}} Minute',
  minutes_other: 'etwa {{count}} Minuten',
  close: 'Schließen',
  notAllowed: 'Du kannst Prüfungen hier lesen, aber nicht machen. Frag eine Leitung dieser Organisation.',
};
