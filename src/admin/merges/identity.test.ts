import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { childRowsOf, insertChildRow, childTables } from '../../../test/crm/child-rows.ts'
import { type Client, useServer } from '../../../test/server.ts'
import { mergeFieldNames } from '../../crm/contacts/derived-fields.ts'

const server = useServer()
let admin: Client
let procedure: string
let source: string
beforeAll(async () => {
  admin = await server.as('admin')
  procedure = (await admin.procedures.create({ name: 'Rhinoplasty' })).name
  source = (await admin.leadSources.create({ name: 'Referral' })).name
})

const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null })
const words = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).filter((text) => !text.includes('\0') && text.trim() !== '')
const day = fc.integer({ min: 0, max: 3000 }).map((days) => new Date(Date.UTC(2024, 0, 1 + days)).toISOString().slice(0, 10))
const instant = day.map((text) => `${text}T12:34:56.789Z`)

const contact = fc.record(
  {
    city: maybe(words),
    phone: maybe(words),
    notes: maybe(words),
    company: maybe(words),
    surgicalDate: maybe(day),
    revenueCents: maybe(fc.integer({ min: 0, max: 10 ** 10 })),
    procedureOfInterest: fc.constantFrom(null, 'Rhinoplasty', 'something else'),
    leadSource: fc.constantFrom(null, 'Referral', 'a friend'),
    funnelStage: fc.constantFrom('lead', 'quote_sent', 'surgery_booked', 'cold_lead'),
    weightLossMedication: maybe(words),
    nextFollowUpDate: maybe(instant),
    consentToCommunicate: fc.boolean(),
    metadata: maybe(
      fc.dictionary(fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 5 }), fc.double({ noNaN: true }), { maxKeys: 2 }),
    ),
  },
  { requiredKeys: [] },
)
/** How many rows to create in each table. */
const children = fc.record(Object.fromEntries(childTables.map((table) => [table, fc.nat(2)])))
const choices = fc.dictionary(fc.constantFrom(...mergeFieldNames), fc.constantFrom('target' as const, 'source' as const))

async function snapshotOf(ids: readonly string[]) {
  const contacts = await server.rows<{ row: Record<string, unknown> }>('select to_jsonb(c) as row from contacts as c where id = any($1)', [
    ids,
  ])
  const rows = await childRowsOf(server, ids)
  // Timeline entries about the merge and its undo stay with the target, and its version never goes back.
  const kept = rows.filter(({ row }) => row.type !== 'contact_merged')
  const mergeEntries = rows.length - kept.length
  const plain = contacts.map(({ row: { version, updated_at: _at, ...row } }) => (row.id === ids[0] ? row : { ...row, version }))
  return { mergeEntries, rows: [...plain, ...kept].map((row) => JSON.stringify(row)).toSorted() }
}

it('restores both patients exactly when a merge is undone, for any data and any choices', async () => {
  await fc.assert(
    fc.asyncProperty(contact, contact, children, children, children, choices, async (one, two, ofTarget, ofSource, ofBoth, chosen) => {
      expect([procedure, source]).toEqual(['Rhinoplasty', 'Referral'])
      const target = await admin.contacts.create({ firstName: 'Target', lastName: 'Test', ...one })
      const from = await admin.contacts.create({ firstName: 'Source', lastName: 'Test', ...two })
      const ids = [target.id, from.id]
      for (const table of childTables) {
        for (let i = 0; i < (ofTarget[table] ?? 0); i++) await insertChildRow(server, table, target.id)
        for (let i = 0; i < (ofSource[table] ?? 0); i++) await insertChildRow(server, table, from.id)
        for (let i = 0; i < (ofBoth[table] ?? 0); i++) for (const id of ids) await insertChildRow(server, table, id, `${target.id} ${i}`)
      }
      const before = await snapshotOf(ids)
      const { mergeId } = await admin.contacts.merge({ id: target.id, version: 1, sourceId: from.id, sourceVersion: 1, choices: chosen })
      expect(await server.rows('select 1 from contacts where id = $1', [from.id])).toEqual([])
      await admin.contacts.undoMerge({ id: mergeId })
      const after = await snapshotOf(ids)
      expect(after.rows).toEqual(before.rows)
      expect(after.mergeEntries - before.mergeEntries).toBe(2)
    }),
    { numRuns: Number(process.env.MERGE_RUNS ?? 25) },
  )
}, 300_000)
