export const bookingLimits = {
  /** Minutes from the first step until everything about an unfinished booking is erased. */
  minutes: 60,
  /** Minutes that a code is valid. */
  codeMinutes: 10,
  codeLength: 6,
  wrongTries: 5,
  /** Upcoming visits of one patient; further ones are booked by the practice. */
  upcoming: 3,
  words: 1_000,
  /** Days for which accepted terms of a booking that came to nothing are kept: a payment can be disputed for 120. */
  termsDays: 180,
} as const

/** Names under which the page says where a patient came from, as lead forms do. */
export const attributionNames = [
  'source',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
  'landing_page',
  'referrer',
  'gclid',
  'fbclid',
] as const
export type AttributionName = (typeof attributionNames)[number]

/**
 * `open`: no time is held, because the patient has not proved their address yet, or chooses another time. `held`: until `heldUntil`.
 * `booked`: it became an appointment. `over`: abandoned, and its personal data is erased.
 */
export const bookingStatuses = ['open', 'held', 'booked', 'over'] as const
export type BookingStatus = (typeof bookingStatuses)[number]

export const bookingMessages = {
  firstName: 'Enter your first name',
  lastName: 'Enter your last name',
  email: 'Enter your email address',
  emailInvalid: 'Enter a valid email address',
  phone: 'Enter a phone number with its area code',
  badCode: 'This code is wrong or no longer valid',
  tooMany: 'Too many attempts. Please wait 15 minutes, or call us.',
  taken: 'This time was just taken. Please choose another one.',
  over: 'This booking has ended. Please start again.',
  notForYou: 'This visit cannot be booked online with your address. Please call us.',
  tooManyVisits: 'You have several visits booked already. Please call us.',
  terms: 'Accept the terms of this visit',
  unpaid: 'The payment did not go through. Please try again.',
  processing: 'Your bank has not answered yet. Please wait a moment.',
  noDeposit: 'This visit needs no deposit',
  noPayments: 'Payments are not available at the moment. Nothing was charged. Please try again in a few minutes.',
  noVisit: 'This visit can no longer be booked online',
} as const
