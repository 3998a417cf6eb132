import type { FirstTexts } from '../texts.ts';

export const shellFirst: FirstTexts = {
  appName: 'Cairn',
  loading: 'Wird geladen',
  close: 'Schließen',
  dismiss: 'Ausblenden',
  notifications: 'Meldungen',
  update: { ready: 'Eine neue Version ist bereit', now: 'Jetzt nehmen' },
  error: {
    title: 'Etwas ist schiefgegangen',
    text: 'Was du auf diesem Gerät gespeichert hast, ist sicher. Versuche es noch einmal; kommt es wieder, sag uns, was unter den Einzelheiten steht.',
    retry: 'Noch einmal',
    dashboard: 'Zur Übersicht',
    reload: 'Seite neu laden',
    details: 'Technische Einzelheiten',
  },
};
