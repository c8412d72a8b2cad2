/** A code has six digits and is valid for 15 minutes (spec 9). */
export const codeLength = 6
export const codeSeconds = 900
/** What a code is asked for, other than the portal. */
export const codeTargetKinds = ['form', 'consent form'] as const
/** Wrong attempts after which a code stops working. */
export const maxWrongTries = 5

/** Milliseconds: a session ends after 15 minutes without a call, and in any case after one hour. */
export const [idleLimit, sessionLimit] = [15 * 60_000, 60 * 60_000]

/** How long a link to a file works, in milliseconds. */
export const linkLimit = 60_000

/** The first two characters, ***, then the domain (spec 2). */
export function maskedEmail(email: string): string {
  const at = email.lastIndexOf('@')
  return at < 0 ? '***' : `${email.slice(0, Math.min(2, at))}***${email.slice(at)}`
}

/** Messages shown to the patient (spec 5 and 8). */
export const portalMessages = {
  emailRequired: 'Please enter your email address',
  emailInvalid: 'Please enter a valid email address',
  badCode: 'Invalid verification code',
  sessionOver: 'Your session has ended. Please verify your email address again.',
  tooMany: 'Too many attempts. Please wait 15 minutes and try again.',
  tooManyMessages: 'You have written many messages in the last hour. Please call us.',
  formChanged: 'This form was changed on another device',
  formIncomplete: 'Some questions still need an answer',
  consentChanged: 'The text has changed since you opened it. Please read it again.',
  consentIncomplete: 'Something is still missing',
  consentNotSigned: 'There is nothing to withdraw',
} as const
