/** Whom a visit is for. */
export const patientKinds = ['all', 'new', 'known'] as const
export type PatientKind = (typeof patientKinds)[number]

/** What someone does in a visit. */
export type VisitPart = 'provider' | 'second'

export const visitLimits = {
  /** In minutes. */
  buffer: 120,
  /** In hours: 30 days. */
  notice: 720,
  /** In days. */
  horizon: 365,
  /** Of a deposit, a price or a fee. */
  cents: 1_000_000,
  maxPerDay: 100,
  /** Visits of a series. */
  seriesVisits: 20,
  /** Weeks between two visits of a series. */
  seriesWeeks: 26,
  people: 100,
  rooms: 100,
  visitTypes: 200,
  equipment: 200,
  equipmentOfVisit: 10,
  formsOfVisit: 5,
  /** Pieces of one kind of equipment at a location. */
  units: 50,
} as const

export const hoursLimits = {
  /** Spans of the regular hours of one person. */
  spans: 100,
  /** Exceptions of one person that are not over. */
  exceptions: 200,
  /** Days of one exception. */
  days: 366,
} as const
