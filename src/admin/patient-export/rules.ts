/** Why a file is listed in the export but not included. */
export const withheldReasons = {
  pending: 'Not scanned for viruses yet.',
  infected: 'The virus scanner found a threat.',
  missing: 'The file is missing from storage.',
  renderFailed: 'The PDF could not be created.',
} as const
export type Withheld = keyof typeof withheldReasons
