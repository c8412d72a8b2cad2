import { sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { insertContacts } from '../../../test/factories.ts'
import { useServer } from '../../../test/server.ts'
import { consenting } from './live-sql.ts'
import { consentBases, consentChannels, entriesFor, liveBasis, withdrawalSources } from './rules.ts'

const server = useServer()
const now = new Date('2026-06-01T12:00:00Z')
const instant = fc.integer({ min: -3, max: 3 }).map((days) => new Date(now.getTime() + days * 86_400_000))
const entry = fc.record({
  channel: fc.constantFrom(...consentChannels),
  basis: fc.constantFrom(...consentBases),
  givenAt: instant,
  expiresAt: fc.option(instant),
  withdrawnAt: fc.option(instant, { freq: 1 }),
  withdrawalSource: fc.constantFrom(...withdrawalSources),
})

it('finds for many patients the same ones as the rule for one, whatever their history (issue 28)', async () => {
  const histories = fc.sample(fc.array(entry, { maxLength: 4 }), { numRuns: 1_000 })
  const ids = await insertContacts(
    server,
    histories.map(() => ({})),
  )
  const rows = histories.flatMap((entries, index) => entries.map((one) => ({ ...one, contactId: ids[index] })))
  await server.rows(
    `insert into consents (contact_id, channel, basis, source, given_at, expires_at, withdrawn_at, withdrawal_source)
     select "contactId", channel, basis, 'record', "givenAt", "expiresAt", "withdrawnAt", case when "withdrawnAt" is not null then "withdrawalSource" end
     from jsonb_to_recordset($1) as given("contactId" uuid, channel text, basis text, "givenAt" timestamptz, "expiresAt" timestamptz, "withdrawnAt" timestamptz,
       "withdrawalSource" text)`,
    [JSON.stringify(rows)],
  )
  for (const channel of consentChannels) {
    const query = new PgDialect().sqlToQuery(consenting({ now: () => now }, channel, sql`select unnest(${sql.param(ids)}::uuid[])`))
    const found = await server.rows<{ contact_id: string }>(query.sql, query.params)
    const expected = ids.filter((_id, index) => liveBasis(entriesFor(histories[index]!, channel), now) !== null)
    expect(expected.length).toBeGreaterThan(20)
    expect(found.map(({ contact_id: id }) => id).toSorted()).toEqual(expected.toSorted())
  }
})
