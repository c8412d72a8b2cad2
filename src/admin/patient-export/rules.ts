/** Why a file of a patient's is named in their record, and not in it. */
export const withheldReasons = {
  pending: 'Not scanned for viruses yet.',
  infected: 'The virus scanner has found something in it.',
  missing: 'It cannot be found where files are kept.',
  undrawn: 'It could not be drawn.',
} as const
export type Withheld = keyof typeof withheldReasons
