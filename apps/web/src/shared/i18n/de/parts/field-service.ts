import type { TextsOf } from '../../texts.ts';

/** That a critical failure keeps an asset out of service, of the area `field`. */
export const service: TextsOf<'field'>['service'] = {
  out: '{{asset}} ist außer Betrieb',
  since: 'Seit {{when}}: {{title}}',
  more_one: 'und {{count}} weiterer kritischer Mangel',
  more_other: 'und {{count}} weitere kritische Mängel',
  release: 'Es ist wieder betriebsbereit, sobald jemand geprüft hat, was dagegen getan wurde.',
  inspect: 'Du kannst es trotzdem prüfen.',
  short: 'Außer Betrieb',
  open: 'Maßnahme öffnen',
};
