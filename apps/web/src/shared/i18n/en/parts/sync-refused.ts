/** What the server refused, of the area `sync`. */
export const refused = {
  failed: {
    title: 'Refused by the server',
    retry: 'Send again',
    retryAll: 'Send all again',
    discard: 'Discard',
    discardAll: 'Discard all of it',
    save: 'Save a copy',
    within: 'In: {{name}}',
    what: 'Kind',
    when: 'Saved',
    attempts: 'Attempts',
    code: 'Code',
    said: 'The server said',
  },
  refused: {
    decided:
      'It was finished or decided on before this arrived, and stays as it is. Sending it again changes nothing: save a copy if you want to keep what you wrote, then discard it.',
    came_with:
      'What it came with was finished or decided on before this arrived, so it was not taken either. Save a copy if you want to keep what you wrote, then discard it.',
    not_allowed: 'You may no longer change this. Ask a manager of this organisation, then send it again.',
    parent_gone: 'What this belongs to has not arrived or was removed. Send everything again.',
    exists: 'The same thing exists already on the server. Discard this one, or change it.',
    too_large: 'This is too large for the server. Make it smaller, then send it again.',
    mismatch: 'The file changed on its way. Send it again.',
    wrong_type:
      'This file is not what it says it is, such as a photo that is no picture. Discard it and add the right one.',
    quiz: 'The quiz of this policy is asked for and was not passed. Discard this, open the policy, answer the quiz and sign again.',
    many: 'There are as many of these as there may be already. Discard this one; save a copy first if you want to keep what you wrote.',
    photo_named:
      'A photo of this report stands on another record, which would give your name away. Discard it, and report it with a new photo.',
    invalid: 'The server did not accept a value in it. Open it, check what you entered, then send it again.',
    unknown: 'The server refused this. Send it again; if it comes back, show someone the details.',
  },
  discard: {
    title: 'Discard this change?',
    text: '"{{name}}" goes back to what the server has. What you entered here is lost for good.',
    all: 'All that was refused of "{{name}}" goes back to what the server has. What you entered here is lost for good.',
    allTitle: 'Discard all of this?',
    unsent: '"{{name}}" was never received by the server. What you entered here is lost for good.',
    choice: 'Your choice is taken back. Both versions of "{{name}}" stay, and you are asked again.',
    file: 'What you took is lost for good. The place it was taken for stays empty.',
    together: 'This belongs together and goes with it:',
    maybe: 'It was sent before and no answer came. Should the server have it all the same, it comes back from there.',
    late: 'It is being sent just now',
    lateText: 'Nothing was discarded. If it is still here in a moment, you can discard it then.',
    keep: 'Keep it',
    yes: 'Discard',
  },
} as const;
