import { type SQL, sql } from 'drizzle-orm'
import { slot } from '../slot.ts'
import { allContactTables, type ContactTable, type ExportedTable, type PatientTable } from './rules.ts'

/*
 * What happens to the rows of a patient when the patient is merged, deleted, restored, exported or no longer needed. Each feature declares
 * it for its tables in patient-tables.ts, src/app/patient-tables.ts collects the declarations, and everything that concerns all data of a
 * patient walks them. See docs/decisions/patient-tables.md.
 */

/** Rows that refer to a patient by `contact_id`: deleted and restored with the patient. */
export interface OfContact {
  owner: 'contact'
  merge: Merge
  /** `also` selects rows without a patient that are deleted with these: each `id`, and as `owner` the patient's. */
  deletion: 'with-patient' | { also: (ids: SQL) => SQL }
  /** An appointment or surgery is restored as cancelled if its time was given to someone else. */
  restore: 'unchanged' | 'cancelled-if-taken'
  /** A lead with any row keeps its data, except for rows (`child`) that came with its form, received before a moment. */
  retention: 'keeps-lead' | { cameWithForm: (before: SQL) => SQL }
  /** The undo of an import keeps a patient with any row, except for rows that each new patient has. */
  importUndo: 'keeps-patient' | 'deletes-rows'
  /** Which rows are of a clinical record, which only administrators delete; none unless stated. */
  clinicalRecord?: SQL
}

interface Merge {
  /** The column that identifies a row within a patient. */
  key: 'id' | 'tag_id'
  /**
   * Unique together with contact_id: if the target has the same already, the source's row is dropped. `contact_id`: a patient has one row at
   * most, and the target's wins.
   */
  unique?: 'automation' | 'tag_id' | 'contact_id'
  /** Undoing a merge keeps later changes without asking, because an appointment's old time may be booked by now, or because consent was withdrawn. */
  keepsChanges?: true
  /** A title for a row (in JSON), for a person who has to decide about it. */
  title: (row: SQL) => SQL
}

/** Rows that belong to rows of another of these tables, and move, are deleted and restored with them. */
export interface OfRow {
  owner: { table: PatientTable; column: string }
  /** `cascade`: the database deletes them, and they are not restored. */
  deletion: 'with-owner' | 'cascade'
}

/** Rows that refer to a patient but follow their own rules. The reasons are documentation for readers of the code. */
export interface Separate {
  owner: null
  merge: { stays: string }
  /** `rows` selects what is deleted and restored with these patients: each `id`, and as `owner` the patient's. */
  deletion: { rows: (ids: SQL) => SQL } | { stays: string }
  /** How long they are kept. */
  retention: string
}

/** Whose record is exported. */
export interface Subject {
  contactId: string
  /** With those of patients who were merged into this one, as long as that is known (30 days). */
  ids: string[]
  /** Selects their email addresses, in lower case, as `address`. */
  addresses: SQL
}

type Where = (subject: Subject) => SQL
/** Tables from which an export takes the name instead of an id. */
export type NamedTable = 'profiles' | 'funnel_stages' | 'lead_sources' | 'procedures' | 'rooms' | 'tags'

interface Export {
  /** Which rows (`mine`); all that belong to the patient unless stated. */
  where?: Where
  /** A row (`mine`) in JSON; all its columns unless stated. Columns that leave with no record are removed anyway. */
  row?: SQL
  /** The column by which rows are sorted; `id`, which rises with time, unless stated. */
  order?: string
  /** Columns that contain an id of another table without a foreign key. */
  names?: Record<string, NamedTable>
  /** A sealed column (kernel/seal.ts) that is opened for this purpose, because it belongs to the patient, and its name in the record. */
  sealed?: { column: string; purpose: string; as: string }
}
interface LeftOut {
  leftOut: string
}

type Exported<Table, Needed = unknown> = { export: Table extends ExportedTable ? Export & Needed : LeftOut }
/** What the features declare. */
export type PatientTables = {
  [Table in PatientTable]: Table extends ContactTable
    ? OfContact & Exported<Table>
    : (OfRow & Exported<Table>) | (Separate & Exported<Table, { where: Where }>)
}
type Declared = { table: PatientTable } & (OfContact | OfRow | Separate)

/** The declarations, in an order in which a table comes after those that it refers to. */
export const patientTables = slot<() => PatientTables>('patientTables')

const declared = (): Declared[] => Object.entries(patientTables()).map(([table, rest]) => ({ table: table as PatientTable, ...rest }))

/** The tables that refer to a patient by `contact_id`, in display order. */
export const contactTables = (): ({ table: ContactTable } & OfContact)[] =>
  allContactTables.map((table) => ({ table, ...patientTables()[table] }))

export type MergedTable = { table: ContactTable } & Merge
/** The tables that a merge moves, in the same order. */
export const mergedTables = (): MergedTable[] => contactTables().map(({ table, merge }) => ({ table, ...merge }))

/** Selects those of these patients, a `uuid[]`, who have a clinical record, as `id`. */
export const withClinicalRecord = (ids: SQL): SQL =>
  sql.join(
    contactTables().flatMap(({ table, clinicalRecord }) =>
      clinicalRecord ? sql`select contact_id as id from ${sql.identifier(table)} where contact_id = any(${ids}) and ${clinicalRecord}` : [],
    ),
    sql` union `,
  )

/** The tables whose rows are deleted and restored with a patient, in an order in which a table comes after those that it refers to. */
export const deletedTables = (): Declared[] => declared().filter(isDeleted)

function isDeleted({ owner, deletion }: Declared): boolean {
  if (owner === 'contact') return true
  return owner === null ? typeof deletion === 'object' && 'rows' in deletion : deletion === 'with-owner'
}

/** The tables of rows that belong to rows of this table, directly or not, sorted in the same way. */
export function tablesUnder(root: PatientTable): Declared[] {
  const found = new Set<PatientTable>([root])
  return deletedTables().filter(({ table, owner }) => {
    const isUnder = owner !== null && owner !== 'contact' && found.has(owner.table)
    if (isUnder) found.add(table)
    return isUnder
  })
}

/** Rows with these ids, a `uuid[]`. */
type Root = { table: PatientTable; ids: SQL }

/** Selects the rows of a table that belong to the rows of the root: each `id`, and as `owner` the id in the root. */
export function ownedRows(table: PatientTable, root: Root): SQL {
  if (table === root.table) return sql`select id as owner, id from unnest(${root.ids}) as id`
  const declaration = patientTables()[table]
  const name = sql.identifier(table)
  if (declaration.owner === 'contact') return sql`select contact_id as owner, id from ${name} where contact_id = any(${root.ids})`
  if (declaration.owner) {
    const { owner } = declaration
    return sql`
      select theirs.owner, rows.id from ${name} as rows
      join (${ownedRows(owner.table, root)}) as theirs on rows.${sql.identifier(owner.column)} = theirs.id`
  }
  if ('stays' in declaration.deletion) throw new Error(`The rows of ${table} belong to no one`)
  return declaration.deletion.rows(root.ids)
}

/** Statements that delete the rows (`mine`) of a table that belong to the rows of the root (`theirs.owner`). */
export function deletionsOf({ table, owner, deletion }: Declared, root: Root): SQL[] {
  const from = (theirs: SQL, isTheirs: SQL) =>
    sql`delete from ${sql.identifier(table)} as mine using (${theirs}) as theirs where ${isTheirs}`
  if (owner === 'contact') {
    const own = from(sql`select unnest(${root.ids}) as owner`, sql`mine.contact_id = theirs.owner`)
    return deletion === 'with-patient' ? [own] : [own, from(deletion.also(root.ids), sql`mine.id = theirs.id`)]
  }
  if (owner) return [from(ownedRows(owner.table, root), sql`mine.${sql.identifier(owner.column)} = theirs.id`)]
  return [from(ownedRows(table, root), sql`mine.id = theirs.id`)]
}
