/** The categories of documents; patient uploads start as `patient_upload` (spec 3). */
export const documentTypes = [
  'consent',
  'photo',
  'medical_history',
  'lab_result',
  'imaging',
  'referral',
  'quote',
  'insurance',
  'identification',
  'other',
  'patient_upload',
] as const
export type DocumentType = (typeof documentTypes)[number]

export const uploadSources = ['patient', 'clinic'] as const
export const reviewStates = ['pending', 'accepted', 'rejected'] as const
export type ReviewState = (typeof reviewStates)[number]
/** `off`: no scanner is configured. Files can only be opened if they are `clean` or `off`. */
export const scanStates = ['pending', 'clean', 'infected', 'off'] as const
export type ScanState = (typeof scanStates)[number]

/** The accepted kinds by content, with the allowed extensions, most common first (spec 2: PDF, Word, JPEG, PNG, HEIC). */
export const fileKinds = {
  'application/pdf': { name: 'PDF', extensions: ['pdf'] },
  'application/msword': { name: 'Word', extensions: ['doc'] },
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': { name: 'Word', extensions: ['docx'] },
  'image/jpeg': { name: 'Photo', extensions: ['jpg', 'jpeg', 'jpe', 'jfif'] },
  'image/png': { name: 'Image', extensions: ['png'] },
  'image/heic': { name: 'Photo', extensions: ['heic', 'heif'] },
} as const satisfies Record<string, { name: string; extensions: readonly [string, ...string[]] }>
export type FileKind = keyof typeof fileKinds
export const fileKindNames = Object.keys(fileKinds) as [FileKind, ...FileKind[]]

/** In bytes. Spec 9: 10 MB from a patient; the clinic's own scans may be larger. */
export const patientFileLimit = 10 * 1024 * 1024
export const clinicFileLimit = 50 * 1024 * 1024
/** The total that one patient may upload. */
export const patientQuota = { bytes: 300 * 1024 * 1024, files: 200 }

const maxNameLength = 150

/** The kind of a file by the extension of its name; null if it is not accepted. */
export function kindOfName(name: string): FileKind | null {
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  return fileKindNames.find((kind) => (fileKinds[kind].extensions as readonly string[]).includes(extension)) ?? null
}

// Invisible characters, characters that change the text direction, and characters with a meaning in file systems.
// oxlint-disable-next-line no-control-regex -- these characters are removed
const unsafe = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff"*:<>?|\\/]+/g

/**
 * Turns a name into one that can be shown and used on any operating system: without folders, invisible characters and the device names of
 * Windows, at most 150 characters (UTF-16, as the contract counts), with its extension. Applying it again changes nothing.
 */
export function safeName(given: string, fallback = 'document'): string {
  const last = given.toWellFormed().normalize('NFC').split(/[\\/]/).at(-1) ?? ''
  const plain = last
    .replace(unsafe, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+|[. ]+$/g, '')
  const extension = /\.[a-z0-9]{1,8}$/i.exec(plain)?.[0] ?? ''
  const stem = plain
    .slice(0, plain.length - extension.length)
    .slice(0, maxNameLength - extension.length)
    .replace(/[\ud800-\udbff]$/, '') // half of a truncated character
    .replace(/[. ]+$/, '')
  const named = stem === '' ? fallback : /^(con|prn|aux|nul|com\d|lpt\d)$/i.test(stem) ? `${stem}_` : stem
  const name = `${named}${extension}`
  // Truncation may have produced a new extension.
  return name === given ? name : safeName(name)
}

/** Numbers duplicate names so that no file replaces another: 'scan.pdf', 'scan (2).pdf'. Names that differ only in case are duplicates. */
export function numberedNames(names: readonly string[]): string[] {
  const taken = new Set<string>()
  return names.map((name) => {
    const extension = /\.[a-z0-9]{1,8}$/i.exec(name)?.[0] ?? ''
    const stem = name.slice(0, name.length - extension.length)
    let next = name
    for (let n = 2; taken.has(next.toLowerCase()); n++) next = `${stem} (${n})${extension}`
    taken.add(next.toLowerCase())
    return next
  })
}

/** The description of portal uploads (spec 7). The patient is taken from the session, not from the form. */
export const uploadDescription = 'Document uploaded by patient'
