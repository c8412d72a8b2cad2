import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type pg from 'pg'
import type { FileStore } from '../src/integrations/storage/store.ts'
import { day } from './clock.ts'
import { makePdf, makePng } from './papers.ts'
import { createRandom, type Random, uuidv7 } from './random.ts'
import type { References } from './rows.ts'

type Person = { id: string; first_name: string; last_name: string; created_at: Date }
type Paper = {
  name: string
  mimeType: 'application/pdf' | 'image/png'
  bytes: Buffer
  documentType: string
  from: 'clinic' | 'patient'
  isShared: boolean
  reviewState: 'pending' | 'accepted' | 'rejected'
  rejectReason?: string
}

/** So many patients have documents; of every third one something is still to be reviewed. */
const patients = 24

/**
 * Gives those patients who came last, and have an e-mail address, the papers of a clinic: what it has shared with them, what it keeps, and what
 * they have sent. Bytes first, then rows; the caller's transaction.
 */
export async function addDocuments(client: pg.Client, files: FileStore, { staff }: References, seed: number, now: number): Promise<void> {
  const random = createRandom(seed)
  const { rows } = await client.query<Person>(
    `select id, first_name, last_name, created_at from contacts where email is not null and created_at < $1 order by seq desc limit $2`,
    [new Date(now - day), patients],
  )
  for (const [at, person] of rows.entries()) {
    const begun = Math.max(person.created_at.getTime(), now - 20 * day)
    for (const [order, paper] of papersOf(person, at, random).entries()) {
      const createdAt = Math.floor(begun + ((now - begun) * (order + 1)) / 8)
      await add(client, files, person, paper, createdAt, paper.from === 'clinic' ? staff.devon : null, random)
    }
  }
}

function papersOf({ first_name, last_name }: Person, at: number, random: Random): Paper[] {
  const name = `${first_name} ${last_name}`
  const ofClinic = { from: 'clinic', reviewState: 'accepted' } as const
  const sent = { from: 'patient', documentType: 'patient_upload', isShared: true } as const
  const papers: Paper[] = [
    { ...ofClinic, ...pdf('Consent to consultation', name, 2), documentType: 'consent', isShared: true },
    { ...ofClinic, ...pdf('Quote', name, 1), documentType: 'quote', isShared: true },
    { ...ofClinic, ...pdf('Notes from the consultation', name, 3), documentType: 'medical_history', isShared: false },
  ]
  if (at % 3 === 0) papers.push({ ...sent, ...photo('Front view', random), reviewState: 'pending' })
  if (at % 3 === 1) papers.push({ ...sent, ...pdf('Referral letter', name, 1), reviewState: 'accepted' })
  if (at % 6 === 2) {
    const rejectReason = 'It is too dark to see. Please send another.'
    papers.push({ ...sent, ...photo('Side view', random), reviewState: 'rejected', rejectReason })
  }
  return papers
}

function pdf(title: string, name: string, pages: number): Pick<Paper, 'name' | 'mimeType' | 'bytes'> {
  const lines = (page: number) => [
    title,
    plain(name),
    `Page ${page} of ${pages}`,
    '',
    'A paper of the demo clinic. It says nothing about anybody.',
  ]
  return {
    name: `${title}.pdf`,
    mimeType: 'application/pdf',
    bytes: makePdf(Array.from({ length: pages }, (_, page) => lines(page + 1))),
  }
}

/** The letters of the PDFs' own font. */
const plain = (text: string) => text.normalize('NFD').replace(/[^\x20-\x7e]/g, '')

/** Light that falls on a curve. */
function photo(title: string, random: Random): Pick<Paper, 'name' | 'mimeType' | 'bytes'> {
  const [warm, side] = [random.int(150, 200), random.int(80, 220)]
  const bytes = makePng(300, 400, (x, y) => {
    const light = Math.max(0, 1 - Math.hypot(x - side, y - 160) / 300)
    return [Math.round(60 + warm * light), Math.round(50 + (warm - 40) * light), Math.round(45 + (warm - 60) * light)]
  })
  return { name: `${title}.png`, mimeType: 'image/png', bytes }
}

async function add(
  client: pg.Client,
  files: FileStore,
  person: Person,
  paper: Paper,
  createdAt: number,
  uploadedBy: string | null,
  random: Random,
): Promise<void> {
  const id = uuidv7(createdAt, 0, random)
  const { name, bytes, from } = paper
  await files.delete(`documents/${id}`) // of a fill that was killed
  await files.put(`documents/${id}`, Readable.from([bytes]), { size: bytes.length })
  await client.query(
    `insert into documents (id, contact_id, name, mime_type, size, sha256, storage_key, upload_source, document_type, description, is_shared,
       review_state, reject_reason, scan_state, uploaded_by, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, 'off', $14, $15)`,
    [
      id, person.id, name, paper.mimeType, bytes.length, createHash('sha256').update(bytes).digest('hex'), `documents/${id}`, from,
      paper.documentType, from === 'patient' ? 'Document uploaded by patient' : null, paper.isShared, paper.reviewState,
      paper.rejectReason ?? null, uploadedBy, new Date(createdAt),
    ], // biome-ignore format: in the order of the columns
  )
  await client.query(
    `insert into interactions (contact_id, type, description, metadata, date, created_by) values ($1, 'document', $2, $3, $4, $5)`,
    [
      person.id,
      from === 'patient' ? `Sent by the patient: ${name}` : `Document added: ${name}`,
      { documentId: id },
      new Date(createdAt),
      uploadedBy,
    ],
  )
}
