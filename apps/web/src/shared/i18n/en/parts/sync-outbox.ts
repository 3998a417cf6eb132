/** How what waits and what was set aside stands, of the area `sync`. */
export const outboxTexts = {
  named: '{{act}}: {{name}}',
  more: 'Show more',
  trouble: {
    network: 'No connection to the server, or no answer from it. It goes by itself.',
    slow: 'The connection was too slow: no answer came in time. It goes by itself.',
    busy: 'The server was busy. It goes by itself in a moment.',
    long: 'The server took too long over it. It goes by itself in a moment.',
    server: 'The server has a problem. It goes by itself once that is over.',
    auth: 'You need to sign in again',
    version:
      'The app on this phone and the server have different versions. Open the app again with a connection: it fetches the new version.',
    behind:
      'The server was put back to an earlier state and waits for older work from other phones. It goes by itself, within a day.',
    anew: 'The server did not get the photo or file whole. It is sent again by itself.',
    changed: 'The photo or file changed on its way. It is sent again by itself.',
    sorting: 'Something sent together with it was not accepted. It is sent in smaller parts next.',
    full: 'This phone is full, so the answer of the server could not be kept. Free some space: it goes by itself then.',
    interrupted: 'Sending was interrupted. It goes by itself.',
    other: 'It did not go through. It goes by itself; if it stays here, show someone the details.',
    staying: 'You stay offline because you want it so. It is sent when you switch "Stay offline" off.',
    none: 'Not sent yet',
  },
  aside: {
    title: 'Set aside by this phone',
    state: 'Set aside',
    crash:
      'The app closed several times while this was being sent, so this phone set it aside. Send it again; if it happens again, show someone the details.',
    bytes_missing:
      'The photo or file itself is not on this phone any more, so it cannot be sent. Discard this, and take it again if you can.',
    not_a_member:
      'You no longer belong to this organisation. What you did is handed to the people who run it, with the next connection.',
    id_collision:
      'The server has something else under the same number. This phone gives it a new one and sends it again by itself.',
    reused: 'The server took this for something it already has. Save a copy, discard this and enter it again.',
  },
  send: {
    noSignal: 'No connection: it goes by itself',
    noSignalText: 'It is kept on this phone and sent as soon as there is a connection.',
    staying: 'You stay offline because you want it so',
    stayingText: 'It is kept on this phone and sent when you switch "Stay offline" off.',
  },
  notRead: {
    outbox: 'What waits could not be read',
    conflicts: 'What needs your choice could not be read',
    receipts: 'The receipts could not be read',
    text: 'This phone did not answer. Nothing was discarded.',
    again: 'Try again',
  },
  took: {
    title: 'Discard what you took?',
    too: 'The photos and files among it are lost for good: the server does not have them.',
    photo: 'Save the photo',
    photos: 'Save the {{number}} photos',
    file: 'Save the file',
    files: 'Save the {{number}} files',
    notHere: 'Not everything could be saved',
    notHereText: 'Some of it is not on this phone any more.',
  },
} as const;
