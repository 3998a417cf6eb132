/** Seconds a code or a link of an email can be used. */
export const EMAIL_LIFE_S = 3600;
/** Seconds a code of a text message can be used: it is read where it is typed. */
export const SMS_LIFE_S = 600;
