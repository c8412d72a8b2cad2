import { drizzle } from 'drizzle-orm/node-postgres'
import { hashToken } from '../src/kernel/tokens.ts'
import type pg from 'pg'
import { createActiveAccount } from '../src/platform/auth/service.ts'
import { roomNames } from './diary.ts'
import { stageValues } from './patients/journey.ts'
import { priceList } from './billing/price-lists.ts'
import { instructionsFor } from './instructions.ts'
import { procedures } from './procedures.ts'
import type { References } from './rows.ts'
import { demoWebhookKey, sourceNames } from './sources.ts'
import { demoPassword, staff } from './staff.ts'
import { tagNames } from './patients/tags.ts'

export const vocabularyTables = ['profiles', 'accounts', 'funnel_stages', 'lead_sources', 'source_spend', 'procedures', 'tags'] as const

/**
 * Creates the records that patients refer to, in the caller's transaction: accounts, lead sources, procedures and tags. Stages and rooms
 * exist already.
 */
export async function insertVocabulary(client: pg.Client): Promise<References> {
  const tx = drizzle(client)
  const members: [string, string][] = []
  for (const [key, member] of Object.entries(staff))
    members.push([key, await createActiveAccount(tx, { ...member, password: demoPassword })])

  const insertNames = async (table: 'lead_sources' | 'procedures' | 'tags', wanted: readonly string[]) => {
    await client.query(`insert into ${table} (name) select unnest($1::text[]) on conflict do nothing`, [wanted])
    const { rows } = await client.query<{ name: string; id: string }>(`select name, id from ${table}`)
    return Object.fromEntries(rows.map(({ name, id }) => [name, id]))
  }
  const stages = await client.query<{ value: string; id: string }>('select value, id from funnel_stages where value = any($1)', [
    stageValues,
  ])
  const rooms = await client.query<{ name: string; id: string }>('select name, id from rooms where name = any($1)', [roomNames])
  const sources = await insertNames('lead_sources', sourceNames)
  await client.query('update lead_sources set webhook_key_hash = $1 where name = $2', [hashToken(demoWebhookKey), 'Website Form'])
  const procedureIds = await insertNames(
    'procedures',
    procedures.map(({ name }) => name),
  )
  await client.query(
    `update procedures set name_fr = given.name_fr, price_cents = given.price * 100, is_surgical = given.price >= 2000
     from unnest($1::text[], $2::text[], $3::int[]) as given(name, name_fr, price) where procedures.name = given.name`,
    [procedures.map(({ name }) => name), procedures.map(({ nameFr }) => nameFr), procedures.map(({ from }) => from)],
  )
  await client.query(
    `insert into procedure_prices (procedure_id, position, kind, description, quantity, unit_price_cents, changed_at)
     select procedures.id, given.position, given.kind, given.description, given.quantity, given.cents, now()
     from jsonb_to_recordset($1) as given(procedure text, position int, kind text, description text, quantity int, cents int)
     join procedures on procedures.name = given.procedure`,
    [JSON.stringify(procedures.flatMap(priceList))],
  )
  await client.query(
    `insert into procedure_instructions (procedure_id, preparation_en, preparation_fr, aftercare_en, aftercare_fr)
     select procedures.id, given.preparation_en, given.preparation_fr, given.aftercare_en, given.aftercare_fr
     from jsonb_to_recordset($1) as given(procedure text, preparation_en text, preparation_fr text, aftercare_en text, aftercare_fr text)
     join procedures on procedures.name = given.procedure`,
    [JSON.stringify(procedures.flatMap(instructionsFor))],
  )
  return {
    staff: Object.fromEntries(members) as References['staff'],
    stages: Object.fromEntries(stages.rows.map(({ value, id }) => [value, id])) as References['stages'],
    rooms: Object.fromEntries(rooms.rows.map(({ name, id }) => [name, id])) as References['rooms'],
    sources: sources as References['sources'],
    procedures: procedureIds,
    tags: (await insertNames('tags', tagNames)) as References['tags'],
  }
}
