/** The steps of a consent form that its page of evidence lists. `revised`: a newer version of its text took the place of the one before. `recorded`: signed on paper. */
export const eventKinds = [
  'sent',
  'revised',
  'opened',
  'asked',
  'signed',
  'declined',
  'countersigned',
  'withdrawn',
  'cancelled',
  'recorded',
] as const
export type EventKind = (typeof eventKinds)[number]

/** What the patient used for a step: a tablet that `givenBy` opened in the practice, or another device, after a code from an email. */
export type PatientDevice = { used: 'tablet'; givenBy: string } | { used: 'own device' }

/** Of a step's detail. Null: a step of staff, or one from before this was kept. */
export function deviceOf({ used, givenBy }: Record<string, unknown>): PatientDevice | null {
  if (used === 'own device') return { used }
  return used === 'tablet' && typeof givenBy === 'string' ? { used, givenBy } : null
}
