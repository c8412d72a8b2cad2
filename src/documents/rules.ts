/** What the clinic files a document under; what a patient sends comes as `patient_upload` (spec 3). */
export const documentTypes = [
  'consent', 'photo', 'medical_history', 'lab_result', 'imaging', 'referral', 'quote', 'insurance', 'identification', 'other',
  'patient_upload',
] as const // biome-ignore format: a list reads better in rows
export type DocumentType = (typeof documentTypes)[number]

export const uploadSources = ['patient', 'clinic'] as const
export const reviewStates = ['pending', 'accepted', 'rejected'] as const
export type ReviewState = (typeof reviewStates)[number]
/** `off`: no scanner is configured. Nothing is handed out before it is clean, or is not scanned at all. */
export const scanStates = ['pending', 'clean', 'infected', 'off'] as const
export type ScanState = (typeof scanStates)[number]

/** What is taken, by what the bytes are; the names that such a file may have, the usual one first (spec 2: PDF, Word, JPEG, PNG, HEIC). */
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
/** What one patient may have sent in all. */
export const patientQuota = { bytes: 300 * 1024 * 1024, files: 200 }

const maxNameLength = 150

/** What the extension of a name says the file is; null for a name that says nothing we take. */
export function kindOfName(name: string): FileKind | null {
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  return fileKindNames.find((kind) => (fileKinds[kind].extensions as readonly string[]).includes(extension)) ?? null
}

// Characters that are not seen, turn the direction of what follows, or mean something to a file system.
// oxlint-disable-next-line no-control-regex -- these are what is taken out
const unsafe = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff"*:<>?|\\/]+/g

/**
 * A name as it is shown and as a file may be called on any computer: without folders and without what is not seen, at most 150 characters (in
 * UTF-16, as the contract counts) of which the extension is never lost. Windows gives some names to devices. A safe name is its own safe name.
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
    .replace(/[\ud800-\udbff]$/, '') // half of a character that was cut
    .replace(/[. ]+$/, '')
  const named = stem === '' ? fallback : /^(con|prn|aux|nul|com\d|lpt\d)$/i.test(stem) ? `${stem}_` : stem
  const name = `${named}${extension}`
  // A name that was cut may end in what is an extension only now.
  return name === given ? name : safeName(name)
}

/** The same name for each of several files would replace one by the other: 'scan.pdf', 'scan (2).pdf'. Case does not tell names apart. */
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

/** Of spec 7's upload form; what it says of the patient is not believed, the session is. */
export const uploadDescription = 'Document uploaded by patient'
