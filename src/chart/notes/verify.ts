import { and, asc, eq, gt, inArray, sql } from 'drizzle-orm'
import type { Env } from '../../kernel/env.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import { isIntact } from './read.ts'
import { clinicalNotes, noteAddenda } from './table.ts'

const notesAtOnce = 200

export interface NotesVerdict {
  /** One sentence each, without a text of a note. */
  problems: string[]
  /** Number of signed notes that are as they were signed, with their addenda. */
  intact: number
}

/**
 * Compares each signed note with its seal, and the audit log's entries of signatures and addenda with the notes: what was signed is still there,
 * unless its patient was deleted, and nothing was sealed that the log does not know of.
 */
export async function verifyNotes(db: Db, env: Env): Promise<NotesVerdict> {
  const problems: string[] = []
  let intact = 0
  for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
    const notes = await db
      .select()
      .from(clinicalNotes)
      .where(and(eq(clinicalNotes.status, 'signed'), gt(clinicalNotes.id, after)))
      .orderBy(asc(clinicalNotes.id))
      .limit(notesAtOnce)
    if (notes.length === 0) break
    const ids = notes.map(({ id }) => id)
    const addenda = await db.select().from(noteAddenda).where(inArray(noteAddenda.noteId, ids)).orderBy(asc(noteAddenda.id))
    for (const note of notes) {
      const own = addenda.filter(({ noteId }) => noteId === note.id)
      if (await isIntact(db, env, note, own)) intact++
      else problems.push(`Clinical note ${note.id} was altered, or moved to another patient`)
    }
    after = ids.at(-1)!
  }
  const isLogged = sql`entry.kind = 'clinical note' and entry.action = 'changed'`
  const isKept = sql`exists (select 1 from contacts where id = entry.contact_ids[1])`
  const { rows } = await db.execute<{ problem: string }>(sql`
    select 'Clinical note ' || (after->>'id') || ' was removed, or sealed again' as problem from audit_log as entry
    where ${isLogged} and after ? 'seal' and ${isKept}
      and not exists (select 1 from clinical_notes where id = (after->>'id')::uuid and seal = after->>'seal')
    union all
    select 'Addendum ' || (after->>'addendum') || ' was removed, or sealed again' from audit_log as entry
    where ${isLogged} and after ? 'addendum' and ${isKept}
      and not exists (select 1 from note_addenda where id = (after->>'addendum')::uuid and seal = after->>'addendumSeal')
    union all
    select 'The audit log does not know the signature of clinical note ' || notes.id from clinical_notes as notes
    where notes.status = 'signed' and not exists (select 1 from audit_log as entry where ${isLogged} and after->>'seal' = notes.seal)`)
  return { problems: [...problems, ...rows.map(({ problem }) => problem)], intact }
}
