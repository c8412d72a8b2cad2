/** What a practice can start from, in the order of the menu. */
export const starterNames = {
  'new-lead': 'New lead, 14 days',
  'no-show': 'Missed appointment',
  quote: 'Quote follow-up',
  'pre-op': 'Before surgery',
  'post-op': 'After surgery',
  reactivation: 'No contact for a year',
} as const
export type StarterKey = keyof typeof starterNames
export const starterKeys = Object.keys(starterNames) as [StarterKey, ...StarterKey[]]
