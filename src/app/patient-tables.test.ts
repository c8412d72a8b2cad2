import { beforeAll, describe, expect, it } from 'vitest'
import { childTables } from '../../test/crm/child-rows.ts'
import { useServer } from '../../test/server.ts'
import { allContactTables, allPatientTables } from '../kernel/patient-tables/rules.ts'
import { contactTables, deletedTables } from '../kernel/patient-tables/registry.ts'
import { patientTables } from './patient-tables.ts'

interface ForeignKey {
  table: string
  column: string
  target: string
  /** What the database does with the row when its target is deleted: `c` deletes it, `n` empties the column, `a` refuses. */
  onDelete: 'a' | 'c' | 'n'
}

/** Ids without a foreign key in tables that need no declaration, and why. */
const otherIds: Record<string, string> = {
  'booking_holds.appointment_id': 'What a booking became; a day later its row is deleted',
  'booking_holds.equipment_unit_ids': 'Equipment',
  'booking_holds.form_ids': 'What a booking sent; a day later its row is deleted',
  'booking_holds.offer_id': 'An offer from the waiting list that is being accepted; a day later its row is deleted',
  'busy_times.resource_id': 'A person of the staff or a room',
  'contact_counts.funnel_stage': 'Counts patients, names none',
  'contact_day_counts.funnel_stage': 'Counts patients, names none',
  'contact_day_counts.procedure_of_interest': 'Counts patients, names none',
  'contact_source_counts.lead_source': 'Counts patients, names none',
  'idempotent_requests.attempt': 'A request',
  'import_files.document_id': 'A document of a file that is imported at this moment',
  'lead_claims.entry_id': 'A lead form',
  'saved_reports.recipient_ids': 'Staff',
  'sequence_signals.subject_id': 'A patient to whom something happened: no data, and deleted within moments',
  'stock_levels.surgery_device_id': 'What was opened for a surgery: its stock stays known when the patient is deleted',
  'stock_movements.surgery_device_id': 'The same: the ledger of stock stays',
  'webhook_deliveries.subject_id': 'What an event was about, perhaps a patient: no data, and deleted after 30 days',
}

describe('the registry of patient tables is complete', () => {
  const server = useServer()
  const order = Object.keys(patientTables)
  let keys: ForeignKey[]
  beforeAll(async () => {
    keys = await server.rows<ForeignKey>(
      `select conrelid::regclass::text as table, attname as column, confrelid::regclass::text as target, confdeltype as "onDelete"
       from pg_constraint join pg_attribute on attrelid = conrelid and attnum = any(conkey)
       where contype = 'f' and connamespace = 'public'::regnamespace order by 1, 2`,
    )
  })

  it('lists each table that refers to contacts, with a row of each in test/crm/child-rows.ts', () => {
    const toContacts = keys.filter(({ target }) => target === 'contacts')
    expect(
      toContacts.filter(({ column }) => column !== 'contact_id'),
      'the column is called contact_id',
    ).toEqual([])
    const tables = toContacts.map(({ table }) => table)
    expect(allContactTables.toSorted(), 'kernel/patient-tables/rules.ts names the rows of each').toEqual(tables)
    expect(childTables.toSorted(), 'test/crm/child-rows.ts has a maker for each').toEqual(tables)
  })

  it('lists each table that refers to one of those, directly or indirectly', () => {
    const theirs = new Set(['contacts'])
    for (const _ of keys) for (const { table, target } of keys) if (theirs.has(target)) theirs.add(table)
    expect([...theirs].filter((table) => !order.includes(table))).toEqual([])
  })

  it('lists each table with an id that has no foreign key, or explains why not', async () => {
    const found = await server.rows<{ table: string; column: string }>(
      `select attrelid::regclass::text as table, attname as column from pg_attribute
       join pg_class on pg_class.oid = attrelid and relkind in ('r', 'p') and relnamespace = 'public'::regnamespace
       where atttypid in ('uuid'::regtype, 'uuid[]'::regtype) and attnum > 0 and not attisdropped and attname <> 'id'
         and not exists (select 1 from pg_constraint where contype = 'f' and conrelid = attrelid and attnum = any(conkey)) order by 1, 2`,
    )
    const unregistered = found.filter(({ table }) => !order.includes(table)).map(({ table, column }) => `${table}.${column}`)
    expect(unregistered).toEqual(Object.keys(otherIds).toSorted())
    const named = await server.rows<{ table: string }>(
      `select distinct table_name as table from information_schema.columns where table_schema = 'public' and column_name ~ '(contact|patient)_ids?$'`,
    )
    expect(named.filter(({ table }) => !order.includes(table))).toEqual([])
  })

  it('lists only existing tables, and each is in the vocabulary', async () => {
    const tables = await server.rows<{ name: string }>("select tablename as name from pg_tables where schemaname = 'public'")
    expect(order.filter((table) => !tables.some(({ name }) => name === table))).toEqual([])
    expect(order.toSorted()).toEqual(allPatientTables.toSorted())
  })

  it('lists each table after those it refers to, so rows can be deleted and restored in this order', () => {
    const wrong = keys.filter(
      ({ table, target }) => table !== target && order.includes(target) && order.indexOf(table) < order.indexOf(target),
    )
    expect(wrong).toEqual([])
  })

  it('deletes each row with its parent through a foreign key, and includes nothing that the database refuses to delete', () => {
    const deleted = deletedTables().map(({ table }) => table as string)
    for (const [table, { owner, deletion }] of Object.entries(patientTables)) {
      if (owner === null || owner === 'contact') continue
      const key = keys.find((one) => one.table === table && one.column === owner.column && one.target === owner.table)
      expect([table, key?.table], 'the owner is the target of a foreign key').toEqual([table, table])
      if (deletion === 'cascade') expect([table, key?.onDelete]).toEqual([table, 'c'])
    }
    const refused = keys.filter(({ table, target, onDelete }) => onDelete === 'a' && deleted.includes(target) && !deleted.includes(table))
    expect(refused).toEqual([])
  })

  it('lists every unique constraint that includes the patient', async () => {
    const indexes = await server.rows<{ table: string; columns: string[] }>(
      `select indrelid::regclass::text as table, array_agg(attname::text order by attname) as columns from pg_index
       join pg_attribute on attrelid = indrelid and attnum = any(indkey)
       where indisunique and indrelid = any($1::regclass[]) group by indexrelid, indrelid having bool_or(attname = 'contact_id')`,
      [allContactTables],
    )
    const others = (columns: string[]) => columns.filter((column) => column !== 'contact_id')
    const unique = indexes.map(({ table, columns }) => [table, ...(columns.length > 1 ? others(columns) : columns)].join('.'))
    const listed = contactTables().flatMap(({ table, merge }) => (merge.unique ? [`${table}.${merge.unique}`] : []))
    expect(listed.toSorted()).toEqual(unique.toSorted())
  })
})
