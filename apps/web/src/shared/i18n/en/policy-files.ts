export const policyFiles = {
  loading: 'Opening the file',
  original: '{{name}} · {{size}}',
  download: 'Download the original',
  elsewhere: 'The file is not on this device yet',
  elsewhereText: 'It comes with the next signal and then opens without any. Until then it cannot be acknowledged here.',
  altered:
    'What this device holds is not the file that was published. It is not shown, and cannot be acknowledged here.',
  broken: 'This file cannot be shown here. Download the original, or ask whoever answers for it.',
  pages: 'Pages of the file',
  page: 'Page {{number}} of {{all}}',
  seen: '{{read}} of {{all}} pages seen',
  sections: '{{read}} of {{all}} sections read',
  mode: 'Pages or words',
  asPages: 'Pages',
  asWords: 'Words only',
  zoom: '{{percent}} %',
  smaller: 'Smaller',
  larger: 'Larger',
  goTo: 'Page',
  go: 'Go to page',
  noPage: 'There are {{all}} pages.',
  noWords: 'This page holds no words, only a picture.',
  ack: {
    notHere: 'This cannot be acknowledged yet: the file is not open on this device.',
    notHereText:
      'You sign for what was before you. As soon as the file is open here, also without signal, you can sign.',
  },
  diff: {
    noText:
      'These versions cannot be compared word by word: at least one of them is a file without words, such as a scan. Open both and look.',
    note: 'Compared are the words of the files, not their pictures and layout.',
  },
  upload: {
    link: 'Upload a file',
    title: 'Upload a PDF or Word file',
    act: 'Upload a PDF or Word file',
    pick: 'Choose a file',
    hint: 'PDF or Word (.docx), up to 25 MB. It is looked at on this device first.',
    reading: 'Looking at the file',
    field: 'What is it called?',
    fieldNeeded: 'Give it a name first.',
    keep: 'Keep as draft',
    kept: 'The document is added',
    found_one: '{{name}} · {{size}} · {{count}} page',
    found_other: '{{name}} · {{size}} · {{count}} pages',
    foundWord: '{{name}} · {{size}} · Word',
    noText: 'It holds no words, only pictures. It can be read and signed, and cannot be searched or compared.',
    refused: '{{name}} was not taken',
  },
  problem: {
    empty: 'The file is empty.',
    too_large: 'It is too large. A policy may have 25 MB and 2,000 pages, so that every phone can open it.',
    old_word:
      'This is a Word file of the old kind (.doc), or one with a password. Save it in Word as .docx without a password, or as PDF.',
    unknown: 'This is neither a PDF nor a Word file (.docx), whatever it is called.',
    encrypted: 'It is closed with a password. Save it without one and upload it again.',
    macros: 'It holds macros: programs that run when it is opened. Save it as .docx without macros, or as PDF.',
    active:
      'It holds a program, attached files, or something that is fetched from elsewhere. Print it to PDF and upload that.',
    bomb: 'Unpacked it is far larger than it looks. Save it anew, with smaller pictures.',
    changes:
      'It holds tracked changes that nobody has accepted or rejected. Settle them in Word (Review) and upload it again.',
    hidden: 'It holds hidden text, which would be shown here. Delete it in Word, or print the file to PDF.',
    formulas: 'It holds formulas, which cannot be shown here. Print it to PDF and upload that.',
    linked:
      'It takes words from elsewhere in the file (a control bound to data, or an inserted document), which Word may show otherwise. Turn them into plain text, or print the file to PDF.',
    variants:
      'It holds a drawing in two variants that do not say the same. Insert it anew as a picture, or print the file to PDF.',
    unshown:
      'It holds something that cannot be shown here as Word shows it: a diagram, a drawing with words, a field Word draws itself, words around list numbers, or text struck through by a style. Print it to PDF and upload that.',
    damaged: 'It is damaged, or built in a way that cannot be checked. Save or print it to PDF anew.',
  },
  card: {
    title: 'The file',
    text: 'This version is the file below. Readers see the file itself; it is searched and compared by its words.',
    sending: 'It is not on the server yet. It can be sent for approval once it is.',
    refused: 'The server did not take it: it is not what it says it is. Choose another file.',
    replace: 'Choose another file',
    remove: 'Write the words here instead',
    removeText: 'The file goes, and its words stay as the text to write on.',
    cancel: 'Cancel',
  },
} as const;
