import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type pg from 'pg'
import type { FileStore } from '../../src/integrations/storage/store.ts'
import { day } from '../clock.ts'
import { type Letter, makeLetter } from './letter-pdfs.ts'
import { drawPortrait, type View } from './portraits.ts'
import { createRandom, type Random, uuidv7 } from '../random.ts'
import type { References } from '../rows.ts'

type Person = { id: string; first_name: string; last_name: string; created_at: Date; procedure: string }
type PatientFile = {
  name: string
  mimeType: 'application/pdf' | 'image/jpeg'
  bytes: Buffer
  documentType: string
  from: 'clinic' | 'patient'
  isShared: boolean
  reviewState: 'pending' | 'accepted' | 'rejected'
  rejectReason?: string
}

/** Number of patients with documents; every third one has something to review. */
const patientCount = 24

/**
 * Gives the newest patients with an email address the documents of a clinic: shared ones, internal ones, and patient uploads. Stores the
 * bytes first, then the rows, in the caller's transaction.
 */
export async function addDocuments(client: pg.Client, files: FileStore, { staff }: References, seed: number, now: number): Promise<void> {
  const random = createRandom(seed)
  const { rows } = await client.query<Person>(
    `select c.id, first_name, last_name, c.created_at, coalesce(procedures.name, procedure_text, 'Consultation') as procedure
     from contacts as c left join procedures on procedures.id = procedure_of_interest
     where email is not null and c.created_at < $1 order by seq desc limit $2`,
    [new Date(now - day), patientCount],
  )
  for (const [index, person] of rows.entries()) {
    const startsAt = Math.max(person.created_at.getTime(), now - 20 * day)
    for (const [order, document] of (await documentsOf(person, index, random, new Date(startsAt))).entries()) {
      const createdAt = Math.floor(startsAt + ((now - startsAt) * (order + 1)) / 8)
      await add(client, files, person, document, createdAt, document.from === 'clinic' ? staff.devon : null, random)
    }
  }
}

async function documentsOf({ first_name, last_name, procedure }: Person, index: number, random: Random, on: Date): Promise<PatientFile[]> {
  const letter = { patient: `${first_name} ${last_name}`, on, procedure }
  const ofClinic = { from: 'clinic', reviewState: 'accepted' } as const
  const sent = { from: 'patient', documentType: 'patient_upload', isShared: true } as const
  const documents: PatientFile[] = [
    { ...ofClinic, ...pdf('Consent to consultation', 'consent', letter), documentType: 'consent', isShared: true },
    { ...ofClinic, ...pdf('Quote', 'quote', letter), documentType: 'quote', isShared: true },
    { ...ofClinic, ...pdf('Notes from the consultation', 'notes', letter), documentType: 'medical_history', isShared: false },
  ]
  if (index % 3 === 0) documents.push({ ...sent, ...(await photo('Front view', 'front', random)), reviewState: 'pending' })
  if (index % 3 === 1) documents.push({ ...sent, ...pdf('Referral letter', 'referral', letter), reviewState: 'accepted' })
  if (index % 6 === 2) {
    const rejectReason = 'The photo is too dark. Please send another.'
    documents.push({ ...sent, ...(await photo('Side view', 'side', random)), reviewState: 'rejected', rejectReason })
  }
  return documents
}

const pdf = (title: string, kind: Letter['kind'], letter: Omit<Letter, 'kind'>): Pick<PatientFile, 'name' | 'mimeType' | 'bytes'> => ({
  name: `${title}.pdf`,
  mimeType: 'application/pdf',
  bytes: makeLetter({ kind, ...letter }),
})

async function photo(title: string, view: View, random: Random): Promise<Pick<PatientFile, 'name' | 'mimeType' | 'bytes'>> {
  return { name: `${title}.jpg`, mimeType: 'image/jpeg', bytes: await drawPortrait(view, random) }
}

async function add(
  client: pg.Client,
  files: FileStore,
  person: Person,
  document: PatientFile,
  createdAt: number,
  uploadedBy: string | null,
  random: Random,
): Promise<void> {
  const id = uuidv7(createdAt, 0, random)
  const { name, bytes, from } = document
  await files.delete(`documents/${id}`) // left over from a fill that was killed
  await files.put(`documents/${id}`, Readable.from([bytes]), { size: bytes.length })
  await client.query(
    `insert into documents (id, contact_id, name, mime_type, size, sha256, storage_key, upload_source, document_type, description, is_shared,
       review_state, reject_reason, scan_state, uploaded_by, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, 'off', $14, $15)`,
    [
      id,
      person.id,
      name,
      document.mimeType,
      bytes.length,
      createHash('sha256').update(bytes).digest('hex'),
      `documents/${id}`,
      from,
      document.documentType,
      from === 'patient' ? 'Document uploaded by patient' : null,
      document.isShared,
      document.reviewState,
      document.rejectReason ?? null,
      uploadedBy,
      new Date(createdAt),
    ],
  )
  await client.query(
    `insert into interactions (contact_id, type, description, metadata, date, created_by) values ($1, 'document', $2, $3, $4, $5)`,
    [
      person.id,
      from === 'patient' ? `Patient uploaded: ${name}` : `Document added: ${name}`,
      { documentId: id },
      new Date(createdAt),
      uploadedBy,
    ],
  )
}
