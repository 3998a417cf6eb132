import type { TextsOf } from '../texts.ts';

export const coach: TextsOf<'coach'> = {
  says: {
    'friendly-professional': {
      ask: 'Atme kurz durch. Ein Tipp genügt.',
      low: 'Danke, dass du es sagst. Geh heute sanft mit dir um; eine kleine Sache genügt.',
      middle: 'Ist notiert. Auch ein gewöhnlicher Tag ist es wert.',
      high: 'Das freut mich. Was hat geholfen? Ein Stichwort hält es fest.',
    },
    'calm-mentor': {
      ask: 'Es eilt nicht. Wie ist es, gerade jetzt?',
      low: 'Das darf schwer sein, und es geht vorbei. In dieser Minute muss nichts gelöst werden.',
      middle: 'Weder oben noch unten. Bleib einen Moment dabei.',
      high: 'Lass es eine Weile gut sein.',
    },
    'energetic-coach': {
      ask: 'Bereit? Dein Tag, dein Wort!',
      low: 'Das zu sagen kostet Kraft. Halte es heute klein: Wasser, Luft, ein Mensch.',
      middle: 'Auch gleichmäßig zählt! Weiter in deinem Tempo.',
      high: 'Ja! Nimm das mit in den Rest des Tages.',
    },
    'wise-guide': {
      ask: 'Wenn heute ein Wetter wäre, welches?',
      low: 'Was würdest du einem Freund sagen, dem es so geht?',
      middle: 'Was würde diesen Tag ein wenig leichter machen?',
      high: 'Was hat dafür Platz gemacht?',
    },
    'playful-companion': {
      ask: 'Psst, welches Gesicht ist heute deins?',
      low: 'Ich sitze ein bisschen bei dir. Für mich musst du nicht fröhlich sein.',
      middle: 'Ein rundum okayes Okay.',
      high: 'Dieses Lächeln steht dem Tag!',
    },
    'straight-talker': {
      ask: 'Wie geht’s?',
      low: 'Hart. Danke für die klaren Worte. Mach heute langsam.',
      middle: 'Okay ist okay.',
      high: 'Gut. Behalt es.',
    },
  },
};
