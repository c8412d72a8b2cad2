import type { Route } from '../../kernel/access/policy.ts'

/** How long a key and its answer are stored. */
export const keyLifetimeMs = 24 * 3_600_000

/** Visible ASCII, as the header's draft standard has it. */
export const isKey = (key: string): boolean => /^[\x21-\x7e]{1,200}$/.test(key)

export const keyRefusals = {
  INVALID_IDEMPOTENCY_KEY: { status: 400, message: 'An Idempotency-Key has 1 to 200 visible ASCII characters, without spaces' },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    message: 'This Idempotency-Key was already used for a different request. Nothing was changed. Use a new key.',
  },
  IDEMPOTENCY_KEY_IN_USE: { status: 409, message: 'The first request with this Idempotency-Key is still running. Try again in a second.' },
  OUTCOME_UNKNOWN: {
    status: 409,
    message: 'This request was already carried out, but its answer is no longer available. Check what was saved before you send it again.',
  },
} as const
export type KeyRefusal = keyof typeof keyRefusals

/** Their answers contain a secret shown once, so they are not stored: a repeat is answered with OUTCOME_UNKNOWN. */
export const answersWithSecrets: ReadonlySet<Route> = new Set<Route>([
  'apiKeys.create',
  'signingKeys.export',
  'calendarFeeds.create',
  'leadSources.create',
  'leadSources.rotateKey',
  'webhooks.create',
  'webhooks.rotateSecret',
])

const read = 'Only reads'
const session = 'Signs in or out; a stored answer would hand out a session'
const oneTimeLink = 'The link or code works once'
const secret = 'Its answer is a secret, and starting over replaces it'
const vendor = 'Asks another system and changes nothing'
const oauth = 'The state of the sign-in works once'

/** POST routes that ignore an `Idempotency-Key`, with the reason. All others honour it. */
export const ignoresKeys: ReadonlyMap<Route, string> = new Map<Route, string>([
  ['auth.signIn', session],
  ['auth.secondStep', session],
  ['auth.askForPasskey', oauth],
  ['auth.passkeySignIn', session],
  ['auth.beginSso', oauth],
  ['auth.beginSsoProof', oauth],
  ['auth.finishSso', oauth],
  ['auth.stepUp', session],
  ['auth.activity', session],
  ['auth.signOut', session],
  ['auth.signUp', 'An address can sign up only once'],
  ['auth.requestPasswordReset', 'A new link replaces the old one'],
  ['auth.resendVerification', 'A new link replaces the old one'],
  ['auth.updatePassword', oneTimeLink],
  ['auth.verifyEmail', oneTimeLink],
  ['auth.createFirstAdmin', oneTimeLink],
  ['auth.acceptInvitation', oneTimeLink],
  ['account.beginPasskey', oauth],
  ['account.addPasskey', oauth],
  ['account.beginTwoFactor', secret],
  ['account.confirmTwoFactor', secret],
  ['account.renewRecoveryCodes', secret],
  ['account.turnOffTwoFactor', 'Repeats have no further effect'],
  ['textLinks.open', 'Its link opens again for a few minutes'],
  ['textLinks.renew', 'Carries a key in its body; the caller has no account to scope a header to'],
  ['prepaid.giftCard', 'Only looks up a gift card, however often it is sent'],
  ['cardTerminal.check', 'Only asks Stripe what became of a payment, however often it is sent'],
  ['payLinks.start', 'Carries a key in its body; the caller has no account to scope a header to'],
  ['payLinks.stopAutomatic', 'Stops once, however often it is sent'],
  ['payLinks.check', 'Only asks Stripe what became of a payment, however often it is sent'],
  ['appointmentLinks.confirm', 'An appointment is confirmed once, however often it is sent'],
  ['appointmentLinks.cancel', 'An appointment is cancelled once, however often it is sent'],
  ['appointmentLinks.move', 'The link of an appointment that was moved changes nothing any more'],
  ['appointmentLinks.askForAnother', 'Carries a key in its body; the caller has no account to scope a header to'],
  ['selfBooking.begin', 'Carries a key in its body; the caller has no account to scope a header to'],
  ['selfBooking.resend', 'A new code replaces the old one'],
  ['selfBooking.prove', 'An address is proved once, however often the code is sent'],
  ['selfBooking.hold', 'A booking holds one time at most'],
  ['selfBooking.holdOffer', 'An offer has one booking under way, which holds one time'],
  ['selfBooking.pay', 'A booking has one payment, however often it is sent'],
  ['selfBooking.confirm', 'A booking is confirmed once, however often it is sent'],
  ['selfBooking.wait', 'A booking joins the waiting list once, however often it is sent'],
  ['selfBooking.free', 'A time that is free stays free'],
  ['selfBooking.leave', 'A booking ends once'],
  ['waitingOffers.accept', 'An offer is accepted once, however often it is sent'],
  ['waitingOffers.decline', 'An offer is declined once, however often it is sent'],
  ['waitingOffers.leave', 'A patient leaves the list once, however often it is sent'],
  ['portal.requestAccess', 'A new code replaces the old one'],
  ['portal.verifyAccess', oneTimeLink],
  ['portal.fetchDocuments', read],
  ['portal.fetchQuotes', read],
  ['portal.acceptQuote', 'A quote is accepted once, however often it is sent'],
  ['portal.fetchForm', read],
  ['portal.saveForm', 'It names the revision that it was written for'],
  ['portal.submitForm', 'A form is submitted once, however often it is sent'],
  ['portal.fetchConsents', read],
  ['portal.fetchConsent', read],
  ['portal.signConsent', 'A consent form is signed once, however often it is sent'],
  ['portal.askAboutConsent', 'A question is asked once, however often it is sent'],
  ['portal.declineConsent', 'A consent form is declined once, however often it is sent'],
  ['portal.withdrawConsent', 'A consent is withdrawn once, however often it is sent'],
  ['portal.declineQuote', 'A quote is declined once, however often it is sent'],
  ['portal.fetchHome', read],
  ['portal.confirmAppointment', 'An appointment is confirmed once, however often it is sent'],
  ['portal.requestAppointment', 'Carries a key in its body; the caller has no account to scope a header to'],
  ['portal.signOut', session],
  ['tablet.open', secret],
  ['tablet.end', 'A session ends once'],
  ['tablet.pair', oneTimeLink],
  ['tablet.fetch', read],
  ['duplicates.similar', read],
  ['emailTemplates.preview', read],
  ['emailTemplates.frame', read],
  ['contacts.export', read],
  ['photoUses.download', read],
  ['seals.verify', read],
  ['connections.test', vendor],
  ['mailbox.test', vendor],
  ['mailbox.connect', oauth],
  ['mailbox.finish', oauth],
  ['quickbooks.connect', oauth],
  ['quickbooks.finish', oauth],
])
