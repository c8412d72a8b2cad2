import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { ListExport } from '../../platform/list-export.ts'
import { audienceOf } from './audience.ts'
import { asAuthor } from './read.ts'
import { describeRefusal, type Refusal } from './rules.ts'
import { campaigns } from './table.ts'

const input = z.strictObject({ id: z.uuid('Choose a campaign') })
const batch = 1_000

/** GET /api/campaigns/refused.csv?id=… or .xlsx: the patients who are not sent a campaign, each with the reason; before its start, as of now. */
export const refusedExport: ListExport<z.output<typeof input>> = {
  name: 'refused',
  kind: 'campaign',
  input,
  head: () => ['First name', 'Last name', 'Email', 'Phone', 'Reason'],
  note: ({ id }) => ({ id }),
  missing: async ({ db }, { id }) => ((await db.$count(campaigns, eq(campaigns.id, id))) === 0 ? 'This campaign does not exist' : null),
  async *read(scope, { id }) {
    const [campaign] = await scope.db.select().from(campaigns).where(eq(campaigns.id, id))
    const refused = campaign!.startedAt
      ? sql`select contact_id, refusal from campaign_recipients where campaign_id = ${id}::uuid and state = 'refused'`
      : sql`select contact_id, refusal from (${await audienceOf(asAuthor(scope, campaign!), campaign!)}) as audience where refusal is not null`
    for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
      const { rows } = await scope.db.execute<{
        id: string
        first: string
        last: string
        email: string | null
        phone: string | null
        refusal: Refusal
      }>(sql`
        select contacts.id, first_name as first, last_name as last, email, phone, refusal from (${refused}) as refused
        join contacts on contacts.id = refused.contact_id where contacts.id > ${after}::uuid order by contacts.id limit ${batch}`)
      if (rows.length === 0) return
      yield {
        rows: rows.map(({ first, last, email, phone, refusal }) => [
          first,
          last,
          email ?? '',
          phone ?? '',
          describeRefusal(refusal, campaign!.channel),
        ]),
        contactIds: rows.map((row) => row.id),
      }
      after = rows.at(-1)!.id
    }
  },
}
