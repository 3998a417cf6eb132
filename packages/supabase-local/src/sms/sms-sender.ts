/** A text message to one number: digits without the `+`, country code first (E.164). */
export type Sms = { to: string; text: string };

/**
 * A text message that the provider did not take. `refused`: it said no for good. `later`: it surely was not taken this time.
 * `unknown`: it may have been. The message holds no number, no key and nothing of the text.
 */
export class SmsFailure extends Error {
  override name = 'SmsFailure';
  readonly kind: 'refused' | 'later' | 'unknown';

  constructor(kind: SmsFailure['kind'], options?: ErrorOptions) {
    super(`a text message was not taken by the provider (${kind})`, options);
    this.kind = kind;
  }
}

/** Takes a text message for one person. */
export interface SmsSender {
  /** What `GET /settings` calls it. */
  readonly name: string;
  /** Whether messages leave this machine. */
  readonly leaves: boolean;
  /** @throws {SmsFailure} when the provider did not take it */
  send(sms: Sms): Promise<void>;
}
