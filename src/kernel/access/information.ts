import type { Role } from './rules.ts'

type Roles = readonly Role[]

/**
 * The kinds of clinical information, and the roles that read and write each. The permission matrix, events, exports and the policies of the
 * features take the roles from here, so that a kind is as protected in one place as in another.
 */
export const information = {
  /** The health card and its whole number. */
  healthCard: { read: ['admin', 'provider', 'front_desk'], write: ['admin', 'provider', 'front_desk'] },
  /** What shows staff that they have the right patient. */
  portrait: { read: ['admin', 'provider', 'front_desk'], write: ['admin', 'provider', 'front_desk'] },
  /** What everyone who looks after the patient must see first: allergies and alerts. */
  alerts: { read: ['admin', 'provider', 'front_desk'], write: ['admin', 'provider', 'front_desk'] },
  /** Medications, conditions, past surgeries, habits and measurements. */
  healthSummary: { read: ['admin', 'provider'], write: ['admin', 'provider'] },
  photo: { read: ['admin', 'provider'], write: ['admin', 'provider'] },
  /** Taking photos without seeing those of the chart. */
  photoCapture: { read: ['admin', 'provider', 'front_desk'], write: ['admin', 'provider', 'front_desk'] },
  /** Implants and other devices that were opened, placed or taken out, with their serial numbers. */
  implant: { read: ['admin', 'provider'], write: ['admin', 'provider'] },
  /** What the team answers in the operating room. How far the checklist is belongs to the surgery. */
  safetyChecklist: { read: ['admin', 'provider'], write: ['admin', 'provider'] },
  /** The register of adverse events, and their rates. */
  adverseEvent: { read: ['admin', 'provider'], write: ['admin', 'provider'] },
  clinicalNote: { read: ['admin', 'provider'], write: ['admin', 'provider'] },
  /** What patients answered in intake forms. */
  formAnswer: { read: ['admin', 'provider'], write: ['admin', 'provider'] },
  /** Which forms a patient was sent, and how far they are. */
  formStatus: { read: ['admin', 'provider', 'front_desk'], write: ['admin', 'provider', 'front_desk'] },
  /** What consent forms say, who signed them and how. */
  consentForm: { read: ['admin', 'provider'], write: ['admin', 'provider'] },
  /** Which consent forms a patient was given, and which are signed, declined or withdrawn. */
  consentStatus: { read: ['admin', 'provider', 'front_desk'], write: ['admin', 'provider', 'front_desk'] },
} as const satisfies Record<string, { read: Roles; write: Roles }>
export type InformationKind = keyof typeof information

/** Whether this person may see information of a kind. The system itself (null) may. */
export const maySee = (actor: { role: Role } | null, kind: InformationKind): boolean =>
  actor === null || (information[kind].read as Roles).includes(actor.role)
