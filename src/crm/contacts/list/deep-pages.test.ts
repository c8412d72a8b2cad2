import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { insertContacts } from '../../../../test/factories.ts'
import { type Client, useServer } from '../../../../test/server.ts'
import { contactSorts } from '../list-contract.ts'

const total = 5_003
/** The same orders in plain, slow SQL. */
const plain: Record<(typeof contactSorts)[number], string> = {
  newest: 'seq desc',
  oldest: 'seq',
  name: 'contact_sort_name(first_name, last_name), seq',
  'name-desc': 'contact_sort_name(first_name, last_name) desc, seq desc',
  'last-contact': 'last_contact_date desc nulls last, seq',
  'follow-up': 'next_follow_up_date asc nulls last, seq',
}

const server = useServer()
let client: Client
let leadId: string

beforeAll(async () => {
  client = await server.as('admin')
  leadId = (await client.pipeline.stages()).find(({ value }) => value === 'lead')?.id ?? ''
  await insertContacts(
    server,
    Array.from({ length: total }, (_, i) => ({
      firstName: ['Ana', 'Émile', 'Zoë'][i % 3],
      lastName: `N${i % 97}`,
      stage: i % 11 === 0 ? 'contacted' : 'lead',
    })),
  )
  // Many dates are equal, and many are null.
  await server.rows(`update contacts set last_contact_date = case when seq % 3 = 0 then timestamptz '2026-01-01' + (seq % 50) * interval '1 day' end,
    next_follow_up_date = case when seq % 5 < 2 then timestamptz '2026-02-01' + (seq % 40) * interval '1 day' end`)
})

it('returns the rows of a plain query at any depth, in every order and with a filter', async () => {
  const asked = fc.record({
    sort: fc.constantFrom(...contactSorts),
    page: fc.integer({ min: 1, max: Math.ceil(total / 50) + 2 }),
    limit: fc.constantFrom(50, 50, 50, 7),
    stageId: fc.option(fc.constant(leadId), { nil: undefined }),
  })
  await fc.assert(
    fc.asyncProperty(asked, async (input) => {
      const page = input.limit === 7 ? input.page * 6 : input.page
      const found = await client.contacts.list({ ...input, page })
      const expected = await server.rows<{ id: string }>(
        `select id from contacts where $1::uuid is null or funnel_stage = $1 order by ${plain[input.sort]} limit $2 offset $3`,
        [input.stageId ?? null, input.limit, (page - 1) * input.limit],
      )
      expect(found.data.map(({ id }) => id)).toEqual(expected.map(({ id }) => id))
    }),
    { numRuns: 60 },
  )
})
