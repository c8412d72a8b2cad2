/** Spec 9: a code has six digits and is good for 15 minutes. */
export const codeLength = 6
export const codeSeconds = 900
/** A code dies of so many wrong tries. */
export const maxWrongTries = 5

/** Milliseconds: a session ends when nothing was asked for so long, and in any case after an hour. */
export const [idleLimit, sessionLimit] = [15 * 60_000, 60 * 60_000]

/** Milliseconds for which a link to a file works. */
export const linkLimit = 60_000

/** Spec 2: the first two characters, ***, then the domain. */
export function maskedEmail(email: string): string {
  const at = email.lastIndexOf('@')
  return at < 0 ? '***' : `${email.slice(0, Math.min(2, at))}***${email.slice(at)}`
}

/** Spec 5, 8: what the patient reads. */
export const portalMessages = {
  emailRequired: 'Please enter your email address',
  emailInvalid: 'Please enter a valid email address',
  badCode: 'Invalid verification code',
  sessionOver: 'Your session has ended. Please verify your email address again.',
  tooMany: 'Too many attempts. Please wait 15 minutes and try again.',
  codeNotSent: 'Failed to send verification code',
  unexpected: 'Something went wrong. Please try again.',
  downloadFailed: 'Failed to download document',
  zipFailed: 'Failed to download documents',
  idle: 'For your safety you were signed out after 15 minutes without activity.',
} as const
